"""What is published of a game on the web: the file at `/games/<id>.html`, and the sheet of a step for print.

The sheet has a PDF and a Markdown beside it.
"""

from __future__ import annotations

import base64
from importlib import resources
from typing import cast

from flask import Flask, Response, abort, current_app, render_template, url_for
from markupsafe import Markup

from audit.core.catalogue import LANGUAGES
from replays.files import Cache
from replays.limited import limited
from replays.trust.seal import Seal
from web.drawing.tree import icons
from web.games.address import GameAddress, library, quotes, requested_game
from web.games.downloads import picture
from web.games.payload import Prepared
from web.publishing.bundle import packed
from web.publishing.sheet import Sheet, SheetError, path_of, sheet
from web.publishing.sheet_pdf import sheet_pdf
from web.publishing.sources import Sealed, beside_source, source_from
from web.publishing.text import sheet_lines
from web.publishing.wording import for_sheet, source_line, words_of
from web.site.headers import cached
from web.site.labels import chosen

SECONDS = 30
"""Of a processor's time, for one file."""
KINDS = {"html": "text/html", "pdf": "application/pdf", "md": "text/markdown"}


def add_to(app: Flask) -> None:
    """Serve the files and the sheets."""
    app.extensions["audit.published"] = Cache(16)
    app.extensions["audit.sheets"] = Cache(64)
    app.add_url_rule("/games/<id>.html", "games.published", published)
    app.add_url_rule("/games/<id>/sheet", "games.sheet", sheet_shown)
    app.add_url_rule("/games/<id>/sheet.<form>", "games.sheet_file", sheet_shown)


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


# The sheet of a step


def sheet_shown(id: str, form: str = "html") -> Response:
    """The sheet of the step that the address names."""
    view, game = requested_game(id)
    if form not in KINDS:
        abort(404)
    printed, seal = quotes(), None if game.varied else library().seal(id)
    words = (
        "sheet", form, id, library().version(id), view.viewer, view.reading, view.step, view.bottom, chosen(),
        printed.version(), seal.head if seal else "", seal and seal.signatures, view.vary,
        url_for("games.index", _external=True),
    )  # fmt: skip
    kept = cast(Cache, current_app.extensions["audit.sheets"])
    made = cached(words, lambda: kept.get(words, lambda: _sheet_made(view, game, form, seal)), KINDS[form])
    return view.as_file(made, form)


def _sheet_made(view: GameAddress, game: Prepared, form: str, seal: Seal | None) -> str | bytes:
    about = sheet(
        game, game.replay.header, _sealed(view.id, seal), view.step, for_sheet(quotes().of, chosen()),
        leads_to(view, game),
    )  # fmt: skip
    if form == "md":
        return "\n".join(sheet_lines(about, game.replay, [chosen()])) + "\n"
    if form == "html":
        drawn = view.address("games.as_picture", step=view.step, lang=chosen())
        style = Markup('<link rel="stylesheet" href="{}">').format(url_for("static", filename="sheet.css"))
        return page_of(about, Markup('<img src="{}" alt="{}">').format(drawn, about.question), style)
    try:
        return sheet_pdf(about, lambda units: picture(view, game, width=units))
    except SheetError:
        abort(404)


def leads_to(view: GameAddress, game: Prepared) -> str:
    """The address of a step for somebody else: by its event where it has one, for that stays when steps are added."""
    seq = game.steps[view.step].get("seq")
    at = {"seq": seq} if seq else {"step": view.step}
    return url_for("games.game", id=view.id, **at, vary=view.vary or None, _external=True)


def _sealed(id: str, seal: Seal | None) -> Sealed:
    return source_from(library().log(id), seal).seal if seal else Sealed()


def sheet_html(about: Sheet, drawn: str) -> str:
    """The sheet as a file of its own; needs an application."""
    css = resources.files("web").joinpath("static", "sheet.css").read_text("utf-8")
    data = base64.b64encode(drawn.encode()).decode()
    table = Markup('<img src="data:image/svg+xml;base64,{}" alt="{}">').format(data, about.question)
    return page_of(about, table, style=Markup("<style>{}</style>").format(Markup(css)))


def page_of(about: Sheet, table: Markup, style: Markup) -> str:
    """The sheet as a page."""
    return render_template(
        "sheet.html", sheet=about, say=words_of(about.language), table=table, style=style,
        sign=icons()[about.verdict], code=path_of(about.address) if about.address else "", source_line=source_line,
    )  # fmt: skip
