"""How the page for the table is answered: JSON for JSON, and what would fit for what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from flask import Blueprint, Response, current_app, request, url_for
from flask_babel import gettext as _
from msgspec import json as msgspec_json

from audit.core.errors import AuditError, PositionTextError, SetupError
from replays.error_words import fits_of
from replays.judging.sentences import Json
from replays.limited import TooCostlyError
from replays.table.question import MAX_POSITION
from web.site.languages import chosen
from web.site.limits import limited
from web.site.reader import reader
from web.table import record
from web.table.unread import said, said_of_line

desk = Blueprint("table", __name__, url_prefix="/table")
MOST_PASTED = 10_000_000
"""The bytes of a save with all that stands around its cards."""


class MisreadError(AuditError):
    """A question that cannot be read: what is wrong with it, and what may have been meant."""

    def __init__(self, message: str, guesses: Sequence[Json], rules: Json | None) -> None:
        """`rules` is what they say to a line that may be a question in words."""
        super().__init__(message)
        self.guesses, self.rules = guesses, rules


Handler = Callable[[Json], Json]


def answers(path: str, *, costly: bool = False) -> Callable[[Handler], Handler]:
    """Answer a JSON object with a JSON object; what cannot be read with what would fit."""

    def add(handler: Handler) -> Handler:
        def view() -> Response:
            if costly:
                request.max_content_length = MOST_PASTED
                if not reader().is_local:
                    limited("costly")
            try:
                return json_answer(handler(body()), 200)
            except (TooCostlyError, RecursionError):
                return json_answer({"message": _("That is too much at once")}, 503)
            except AuditError as error:
                return json_answer({"message": said_of(error), **where_of(error)}, 400)

        desk.add_url_rule(path, handler.__name__, view, methods=("POST",))
        return handler

    return add


def case_at(position: str, asked: Sequence[str]) -> str:
    """Where a judge opens a case on a position and these lines; "" for anybody else."""
    if "cases.ask_to_open" not in current_app.view_functions or not reader().is_judge:
        return ""
    return url_for("cases.ask_to_open", position=position, asked=asked, lang=request.args.get("lang"))


def body() -> Json:
    try:
        told = json.loads(request.get_data())
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise SetupError("body", "a JSON object")
    return told


def text_of(asked: Json, name: str) -> str:
    told = asked.get(name)
    if not isinstance(told, str) or not told.strip() or len(told) > MAX_POSITION:
        raise SetupError(name, f"a text of at most {MAX_POSITION} letters")
    return told.strip()


def list_of(asked: Json, name: str) -> Sequence[object]:
    told = asked.get(name)
    return told if isinstance(told, list) else ()


def said_of(error: AuditError) -> str:
    if isinstance(error, MisreadError):
        return str(error)
    if isinstance(error, record.UnreadableError):
        return said_of_line(error.found, error.expected, fits_of(error, chosen()))
    return said(error)


def where_of(error: AuditError) -> Json:
    if isinstance(error, MisreadError):
        return {"meant": error.guesses, "rules": error.rules}
    if isinstance(error, record.UnreadableError):
        return {"entry": error.entry, "column": error.column, "meant": error.meant}
    return {"column": error.column} if isinstance(error, PositionTextError) else {}


def json_answer(told: Json, status: int) -> Response:
    answer = Response(msgspec_json.encode(told, enc_hook=str), status, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer
