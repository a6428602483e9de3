"""How the page for the table is answered: JSON for JSON, what was pasted, and what would fit what cannot be read.

Nothing is guessed, and nothing of it is kept here: each answer comes with the text again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from typing import cast

from flask import Blueprint, Response, current_app, request, url_for
from flask_babel import gettext as _
from msgspec import ValidationError, convert, to_builtins
from msgspec import json as msgspec_json
from msgspec.structs import replace

from audit.core.errors import AuditError, PositionTextError, SetupError
from audit.core.model import Event, Header, Player
from replays.error_words import error_words, fits_of, misfit_words
from replays.errors import LogError
from replays.importing.positions import PositionHints
from replays.importing.questions import Asker, Question, Unread, published
from replays.importing.saves import table_of
from replays.importing.sheets import import_sheet
from replays.importing.zoned import COMPILE, gather_table
from replays.judging.sentences import Json, event_json
from replays.limited import TooCostlyError
from replays.log.reader import open_log
from replays.scoresheet.forms import Fit
from replays.scoresheet.sheet import read_sheet
from replays.table.question import MAX_POSITION
from web.games.address import PLAYER, names_told
from web.site.labels import chosen
from web.site.limits import limited
from web.site.reader import reader
from web.table import record


def said(error: AuditError) -> str:
    """The problem in words: in English all that is known of it, in another language what and where it is."""
    return error_words(error, chosen())


def said_of_line(found: str, expected: str, fits: Sequence[Fit]) -> str:
    """What was found in a line of a score sheet, and what would fit there."""
    return misfit_words(chosen(), found, expected, fits)


MOST = 8_000_000
"""So many letters of a save are read here."""
IS_SAVE = '"ObjectStates"'
NAME = "text"


def gathered(asked: Json, language: str) -> Json:
    """The `position` of a save, or the `header` and `entries` of anything else; with `questions`, `unread`, `told`."""
    text = asked.get("text")
    if not isinstance(text, str) or not text.strip() or len(text) > MOST:
        raise SetupError(NAME, f"a text of at most {MOST:,} letters")
    text = text.strip()
    given = {int(key): str(value) for key, value in _table(asked, "answers").items() if key.isdecimal()}
    asker = Asker(lambda question: given.get(question.number))
    found = _position(text, asker, asked) if _is_save(text) else _record(text, asker, asked)
    asker.check(given)
    kinds: dict[str, Sequence[Question | Unread]] = {"questions": asker.open, "unread": (), "told": ()}
    kinds |= cast("dict[str, Sequence[Question | Unread]]", found.pop("left"))
    return {**found, **{name: [published(one, language) for one in each] for name, each in kinds.items()}}


def _is_save(text: str) -> bool:
    return text.startswith("{") and IS_SAVE in text


def _position(text: str, asker: Asker, asked: Json) -> dict[str, object]:
    found = gather_table(
        table_of(text.encode("utf-8", "surrogatepass")), asker, PositionHints(), str(asked.get("ruleset") or COMPILE)
    )
    return {"position": found.line, "left": {"unread": found.unread, "told": found.told}}


def _record(text: str, asker: Asker, asked: Json) -> dict[str, object]:
    if _is_log(text.splitlines()[0]):
        log = open_log(BytesIO(f"{text}\n".encode("utf-8", "surrogatepass")))
        return _told(log.header, list(log)) | {"left": {}}
    try:
        return _told(*read_sheet(text, NAME, str(asked.get("ruleset") or ""))) | {"left": {}}
    except LogError:
        return _imported(text, asker, asked)


def _is_log(line: str) -> bool:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and "log" in told


def _imported(text: str, asker: Asker, asked: Json) -> dict[str, object]:
    players, face = (str(asked.get(name) or "")[:1000] for name in ("players", "face"))
    found = import_sheet(text.encode("utf-8", "surrogatepass"), NAME, asker, players, face)
    left = {"unread": found.unread, "told": found.ignored}
    return _told(*read_sheet(found.sheet, NAME)) | {"sheet": found.sheet, "left": left}


def _told(header: Header, events: Sequence[Event]) -> dict[str, object]:
    entries = [{key: value for key, value in event_json(event).items() if key != "seq"} for event in events]
    return {"header": to_builtins(header), "entries": entries}


def _table(asked: Json, name: str) -> Mapping[str, object]:
    told = asked.get(name)
    return told if isinstance(told, Mapping) else {}


desk = Blueprint("table", __name__, url_prefix="/table")
MOST_PASTED = 10_000_000
"""The bytes of a save with all that stands around its cards."""


class MisreadError(AuditError):
    """A question that cannot be read: what is wrong with it, and what may have been meant."""

    def __init__(self, message: str, guesses: Sequence[Json], rules: Json | None, who: Json | None = None) -> None:
        """`rules` is what they say to a line that may be a question in words; `who` a name that nobody has told."""
        super().__init__(message)
        self.guesses, self.rules, self.who = guesses, rules, who


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


def case_at(header: Header, position: str, asked: Sequence[str], of: str = "", step: str = "") -> str:
    """Where a judge opens a case on a position and these lines, from a step of a game; "" for anybody else."""
    if "cases.ask_to_open" not in current_app.view_functions or not reader().is_judge:
        return ""
    players, language = names_told(header.players), request.args.get("lang")
    told = {"game": of or None, "step": step or None, PLAYER: players, "lang": language}
    return url_for("cases.ask_to_open", position=position, asked=asked, **told)  # type: ignore[arg-type]


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


def called(header: Header, asked: Json) -> Header:
    """The header with the players who are called by name, where the names are given in their shape."""
    with suppress(ValidationError):
        header = replace(header, players=convert(asked.get("players") or (), tuple[Player, ...]))
    return header


def said_of(error: AuditError) -> str:
    if isinstance(error, MisreadError):
        return str(error)
    if isinstance(error, record.UnreadableError):
        return said_of_line(error.found, error.expected, fits_of(error, chosen()))
    return said(error)


def where_of(error: AuditError) -> Json:
    if isinstance(error, MisreadError):
        return {"meant": error.guesses, "rules": error.rules, "who": error.who}
    if isinstance(error, record.UnreadableError):
        return {"entry": error.entry, "column": error.column, "meant": error.meant}
    return {"column": error.column} if isinstance(error, PositionTextError) else {}


def json_answer(told: Json, status: int) -> Response:
    answer = Response(msgspec_json.encode(told, enc_hook=str), status, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer
