"""The page for the table, on which a position is set and asked about, or a game recorded. Nothing is kept here."""

from __future__ import annotations

import io
from itertools import islice

from flask import Flask, Response, abort, current_app, make_response, render_template, request
from flask_babel import gettext as _

from audit.core.auditor import audit
from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset, rulesets
from replays.judging.positions import line_at
from replays.judging.replay import with_reading
from replays.log.reader import open_log
from replays.table.question import MAX_POSITION
from web.games.address import library, requested_game
from web.scenes import signs_of
from web.site.labels import ruleset_title
from web.site.reader import DEVICE
from web.table import ask_answers, record_answers, set_answers
from web.table.answering import desk
from web.table.page_words import page_words
from web.table.question_pages import EXAMPLE

MAX_QR = 2300
MAX_EVENT = 500
"""Letters that an event in the address may have."""
SHEET = "game    A Ada: fire life water   B Bo: death metal speed   first A"
"""How a game begins, as it is typed."""
ANSWERS = (set_answers, ask_answers, record_answers)
"""What answers the scripts of the page, by what people do there."""


def add_to(app: Flask) -> None:
    """Serve the page. `AUDIT_SEAL_KEY` names the key that signs the seals of records; without it they are unsigned."""
    app.config.setdefault("AUDIT_SEAL_KEY", "")
    app.register_blueprint(desk)


@desk.get("")
def page() -> str:
    """The page on which a position is set and asked about."""
    return _page("ask", request.args.get("position", "")[:MAX_POSITION])


@desk.get("/record")
def recording() -> str:
    """The page on which a game is recorded."""
    return _page("record", request.args.get("position", "")[:MAX_POSITION])


@desk.get("/from/<id>")
def of_game(id: str) -> str:
    """The page with the position after a step of a game. Only for a judge: the position holds every card."""
    view, game = requested_game(id)
    if view.viewer != JUDGE:
        abort(403, description=_("A position to ask about would reveal hidden cards. A judge can see them."))
    log = open_log(io.BytesIO(library().log(id)))
    header = with_reading(log.header, view.reading or None)
    step = next(islice(audit(log.ruleset, header, log), game.nearest(view.step), None))
    return _page("ask", line_at(header, step.state))


def _page(mode: str, position: str) -> str:
    signs = {name: shape for game in rulesets() for name, shape in signs_of(game).items()}
    games = [
        {"name": name, "title": ruleset_title(name), "settable": ruleset(name).setting.is_settable}
        for name in rulesets()
    ]
    return render_template(
        "table.html", mode=mode, position=position, table_signs=signs, games=games, words=page_words(), example=EXAMPLE,
        sheet=SHEET, longest=MAX_EVENT, device=current_app.config["AUDIT_VIEWPOINTS"] == DEVICE,
    )  # fmt: skip


@desk.get("/qr.svg")
def qr() -> Response:
    """A short text, such as the address of a position, as a QR code."""
    import segno

    text = request.args.get("text", "")
    if not text or len(text.encode()) > MAX_QR:
        abort(400)
    found = io.BytesIO()
    segno.make(text, micro=False, error="l").save(
        found, kind="svg", scale=4, border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, title="QR",
        omitsize=True,
    )  # fmt: skip
    answer = make_response(found.getvalue())
    answer.mimetype = "image/svg+xml"
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer
