"""What somebody pastes or drops becomes a record or a position, with the questions that it leaves open.

Nothing is guessed, and nothing of it is kept here: each answer comes with the text again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import cast

from msgspec import to_builtins

from audit.core.errors import SetupError
from audit.core.model import Event, Header
from replays.errors import LogError
from replays.importing.positions import PositionHints
from replays.importing.questions import Asker, Question, Unread, published
from replays.importing.saves import table_of
from replays.importing.sheets import import_sheet
from replays.importing.zoned import COMPILE, gather_table
from replays.judging.sentences import Json, event_json
from replays.log.reader import open_log
from replays.scoresheet.sheet import read_sheet

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
