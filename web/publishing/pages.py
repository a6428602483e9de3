"""The published file of a game at an address of its own: `/games/<id>.html`."""

from __future__ import annotations

from typing import cast

from flask import Flask, Response, current_app

from audit.core.catalogue import LANGUAGES
from replays.limited import limited
from replays.trust.seal import Seal
from web.games.address import library, requested_game
from web.games.library import Cache
from web.publishing.packing import packed
from web.publishing.sources import beside_source, source_from
from web.site.headers import cached
from web.site.languages import chosen

SECONDS = 30
"""Of a processor's time, for one file."""


def add_to(app: Flask) -> None:
    """Serve the files."""
    app.extensions["audit.published"] = Cache(16)
    app.add_url_rule("/games/<id>.html", "games.published", published)


def published(id: str) -> Response:
    """The game as one file that opens offline, as its reader may see it, its own language first."""
    from web.publishing.files import policy_of  # it makes an application of its own

    view, _ = requested_game(id)
    languages = (chosen(), *(code for code in LANGUAGES if code != chosen()))
    seal, texts = library().seal(id), view.beside.texts
    signed = (seal.head, seal.signatures) if seal else ()
    words = ("published", id, library().version(id), view.viewer, signed, texts)
    kept = cast(Cache, current_app.extensions["audit.published"])
    log = library().log(id)
    make = lambda: within_limits(log, seal, "html", view.viewer, languages, texts)  # noqa: E731
    made = lambda: kept.get((*words, languages), make)  # noqa: E731
    answer = cached(words, made)
    answer.headers["Content-Security-Policy"] = f"{policy_of()}; frame-ancestors 'none'"
    return answer


def within_limits(
    log: bytes, seal: Seal | None, form: str, viewer: str, languages: tuple[str, ...], texts: tuple[str, ...] = ()
) -> bytes:
    """A file to give away, made in a process of its own: a long game takes long. Raises `TooCostlyError`."""
    return limited("the file", file_of, log, seal, form, viewer, languages, texts, seconds=SECONDS)


def file_of(
    log: bytes, seal: Seal | None, form: str, viewer: str, languages: tuple[str, ...], texts: tuple[str, ...] = ()
) -> bytes:
    """The file."""
    from web.publishing.files import publish

    return packed(publish(beside_source(source_from(log, seal), texts), form, viewer, languages))
