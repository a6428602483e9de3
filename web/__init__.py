"""The viewer: any step of a game in a browser, with its rule. `create_app` makes the application."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Protocol

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from audit.core.typography import sanitize_text
from web.cases import branches
from web.games import live, notes, oembed
from web.games import pages as game_pages
from web.games.folder_library import FolderLibrary
from web.games.library import Library
from web.publishing import bundle
from web.publishing import pages as published_pages
from web.rulebooks.quotes import NoQuotes, Quotes
from web.rules import pages as rule_pages
from web.site import about, headers, labels, limits, reader

__all__ = ["create_app", "keep_for_good", "samples"]


def create_app(
    library: Library | None = None, *, quotes: Quotes | None = None, config: Mapping[str, object] | None = None
) -> Flask:
    """The viewer over a library of games; over the sample games where none is given.

    `quotes` finds the printed words of rules in rulebooks the user has loaded. `config` may set

    - `AUDIT_VIEWPOINTS`, who sees hidden cards without a token: `loopback` (readers at this machine), `public`
      (nobody), or `all`;
    - `AUDIT_KEY`: without it, nobody is taken for a reader at this machine;
    - `AUDIT_API`, whether the API is served (it is, unless this is false: it takes longest to load);
    - `AUDIT_PAGES`, whether other pages than those of a game are served (they are, unless this is false);
    - `AUDIT_PROGRAM`, the version of the program, by which a reader's pages are of it or of another one (it is read
      from its files, unless it is told);
    - `AUDIT_HOSTS`, the host names that are answered, and `AUDIT_PROXIES`, the addresses of proxies to be believed.
    """
    version = headers.static_version()
    app = _Viewer(__name__, static_url_path=f"/static/{version}")
    app.config.from_mapping(
        AUDIT_VERSION=version, AUDIT_PROGRAM="", AUDIT_VIEWPOINTS="loopback", SEND_FILE_MAX_AGE_DEFAULT=31_536_000,
        MAX_CONTENT_LENGTH=2_000_000, BABEL_TRANSLATION_DIRECTORIES=str(resources.files("web") / "translations"),
    )  # fmt: skip
    app.config.from_mapping(config or {})
    app.extensions["audit.library"] = library or FolderLibrary(samples())
    app.extensions["audit.quotes"] = quotes or NoQuotes()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = _visible
    app.jinja_env.bytecode_cache = _COMPILED
    parts: list[_Part] = [
        labels, headers, limits, game_pages, notes, rule_pages, about, branches, published_pages, oembed, live,
    ]  # fmt: skip
    if app.config.get("AUDIT_PAGES", True):
        parts.extend(_other_pages())
    for part in parts:
        part.add_to(app)
    if app.config.get("AUDIT_API", True):
        from web.api import routes

        routes.add_to(app)
    bundle.add_to(app)
    headers.add_conditional_get(app)
    reader.add_to(app)
    return app


class _Part(Protocol):
    """A module with pages."""

    def add_to(self, app: Flask) -> None:
        """Serve them."""


def _other_pages() -> Sequence[_Part]:
    """The pages that are not of one game. A file with a game needs none of them, so they are loaded when asked for."""
    from web.cases import pages as case_pages
    from web.games import compare_pages
    from web.rulebooks import cutting_pages, qa_pages, task_pages
    from web.rulebooks import pages as rulebook_pages
    from web.season import pages as stats_pages
    from web.site import write_access
    from web.table import pages as table_pages
    from web.table import question_pages

    return (
        write_access, cutting_pages, qa_pages, task_pages, rulebook_pages, compare_pages, question_pages, case_pages,
        table_pages, stats_pages,
    )  # fmt: skip


class _Route(Rule):
    """A route of which what makes its addresses is compiled once for all applications of a process."""

    kept: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}  # noqa: RUF012

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        if self.defaults:
            return super()._compile_builder(append_unknown)
        key = (append_unknown, *self._trace)
        if key not in self.kept:
            self.kept[key] = super()._compile_builder(append_unknown)
        return self.kept[key]


class _Viewer(Flask):
    url_rule_class = _Route


class _CompiledTemplates(BytecodeCache):
    """Templates compiled once for all applications of a process: each of them has the same."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if found := self.kept.get(bucket.key):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _CompiledTemplates()


def _visible(value: object) -> object:
    """What a template is given, without what no page can show; what is markup already has been escaped by us."""
    return sanitize_text(value) if type(value) is str else value


def samples() -> Path:
    """The folder of the sample games."""
    return Path(str(resources.files("replays").joinpath("samples")))


def keep_for_good() -> None:
    """Leaves what has been loaded by now out of every later search for garbage.

    A server calls this once it has loaded everything: otherwise such searches take a fifth of the time in which the
    page of a long game is made for its first reader.
    """
    gc.collect()
    gc.freeze()
