"""A text that was not written as a score sheet becomes one: a record of choices, or a chat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audit.core.model import Header
from audit.games.compile.score_phrases import verb_of
from replays.errors import LogError, Problem, whole_file_error
from replays.files import read_whole
from replays.importing.chat import import_chat
from replays.importing.clauses import Clause, Imported, NamedWord, TableNames, header_told, sheet_of
from replays.importing.questions import Asker, Unread
from replays.importing.words import DOWN, UP, cards_named
from replays.log.strict_json import NotARecordError, parse

Json = Mapping[str, object]

PLAYER = ("player", "seat", "by", "who")
CHOICE = ("choice", "action", "kind")
LINE = ("line", "lane", "to")
CARD = ("card", "cards")
COUNT = ("count", "number")
KNOWN = frozenset((*PLAYER, *CHOICE, *LINE, *CARD, *COUNT, "face", "answer", "id", "at", "time"))
PLACES = ("hand", "deck", "trash")
"""Where a card that is played or discarded comes from, under `from`; usually from the hand."""
SILENT = frozenset({"chat", "comment", "ping", "join", "leave"})
"""Lines of a record that are no choices."""


def import_choices(lines: Sequence[tuple[int, str]], table: TableNames) -> Imported:
    """The score sheet of numbered lines of a record, without the first one, which says who plays."""
    ignored: list[Unread] = []
    return sheet_of(table, _clauses(lines, table, ignored), ignored)


def header_of_record(line: str, name: str) -> Header:
    """Who plays, of the first line: `{"game": …, "players": [{"seat", "name", "protocols"}], "first"}`."""
    try:
        told = parse(line.encode())
    except NotARecordError as error:
        raise LogError(name, (Problem(1, "", error.expected, error.found),)) from None
    players = told.get("players")
    parts = [f"game {_plain(told.get('game'))}"]
    for one in players if isinstance(players, list) else ():
        if not isinstance(one, dict) or not isinstance(one.get("protocols"), list):
            break
        names = " ".join(_plain(each).casefold() for each in one["protocols"])
        parts.append(f"{_plain(one.get('seat'))} {_plain(one.get('name'))}: {names}")
    if isinstance(told.get("first"), str):
        parts.append(f"first {_plain(told['first'])}")
    return header_told("   ".join(parts), name)


def _plain(value: object) -> str:
    return " ".join(str(value or "").replace(":", " ").split())[:64]


def _clauses(lines: Sequence[tuple[int, str]], table: TableNames, ignored: list[Unread]) -> Iterator[Clause]:
    for row, line in lines:
        if not line.strip():
            continue
        try:
            told = parse(line.encode())
        except NotARecordError as error:
            table.unread.append(
                Unread("told_no_json", f"line {row}", {"found": error.found, "expected": error.expected})
            )
            continue
        choice = _first(told, CHOICE)
        verb = _verb(told, choice)
        if choice in SILENT:
            ignored.append(Unread("told_chatter", f"line {row}", {"name": line.strip()[:120]}))
        elif verb is None:
            table.unread.append(Unread("told_no_choice", _at(row, line, CHOICE), {"name": str(choice)[:60]}))
        else:
            known = KNOWN | {"from"} if told.get("from") in PLACES else KNOWN
            for key in sorted(told.keys() - known):
                table.unread.append(Unread("told_key", _at(row, line, (key,)), {"name": key[:60]}))
            yield Clause(row, 1, line.strip(), verb, _parts(told, line, table), _who(told, line, table))


def _verb(told: Json, choice: object) -> str | None:
    if choice in ("may", "answer"):
        return {"yes": "yes", "true": "yes", "no": "no", "false": "no"}.get(str(told.get("answer")).casefold())
    return verb_of(choice) if isinstance(choice, str) else None


def _who(told: Json, line: str, table: TableNames) -> NamedWord | None:
    name = _first(told, PLAYER)
    if not isinstance(name, str) or not name.strip():
        return None
    seat = table.seat(name.strip())
    return NamedWord(name.strip()[:60], _column(line, PLAYER), (seat,) if seat else ())


def _parts(told: Json, line: str, table: TableNames) -> dict[str, tuple[NamedWord, ...]]:
    found: dict[str, tuple[NamedWord, ...]] = {}
    if (where := _first(told, LINE)) is not None:
        found["line"] = (NamedWord(str(where)[:20], _column(line, LINE), (str(where),) if where in _LINES else ()),)
    if (face := told.get("face")) is not None:
        meant = ("up",) if str(face).casefold() in UP else ("down",) if str(face).casefold() in DOWN else ()
        found["face"] = (NamedWord(str(face)[:20], _column(line, ("face",)), meant),)
    if (place := told.get("from")) in PLACES[1:]:
        found["from"] = (NamedWord(str(place), _column(line, ("from",)), (str(place),)),)
    cards = _first(told, CARD)
    if cards is not None:
        each = cards if isinstance(cards, list) else [cards]
        found["card"] = tuple(_card(one, _column(line, CARD), table) for one in each[:20])
    count = _first(told, COUNT)
    if isinstance(count, int) and not isinstance(count, bool) and 0 < count < 100:
        found["count"] = (NamedWord(str(count), _column(line, COUNT), (str(count),)),)
    return found


_LINES = (1, 2, 3, "1", "2", "3")


def _card(told: object, column: int, table: TableNames) -> NamedWord:
    """A card by its name or id, with a star where it lies face down."""
    text = str(told)[:60]
    known = cards_named(text) or table.sheet.game.rules.cards_meant(text.casefold(), table.header.setup)
    return NamedWord(text, column, tuple(card for card in known if card in table.cards))


def _first(told: Json, keys: Sequence[str]) -> object:
    return next((told[key] for key in keys if told.get(key) is not None), None)


def _column(line: str, keys: Sequence[str]) -> int:
    return next((at + 1 for key in keys if (at := line.find(f'"{key}"')) >= 0), 1)


def _at(row: int, line: str, keys: Sequence[str]) -> str:
    return f"line {row}, column {_column(line, keys)}"


MAX_BYTES = 2_000_000
MAX_LINES = 50_000
GAME = "game "


def import_sheet(data: bytes, name: str, asker: Asker, players: str = "", usual_face: str = "") -> Imported:
    """The score sheet of a source. `players` is the first line of a sheet, where the source does not begin with it.

    Raises `LogError` for what is no text, is too large, or does not say who plays what.
    """
    lines = list(enumerate(_text(data, name).splitlines(), 1))
    lines = [(row, line) for row, line in lines if line.strip()]
    if len(lines) > MAX_LINES:
        raise whole_file_error(name, f"at most {MAX_LINES:,} lines", f"{len(lines):,}")
    first = lines[0][1].strip() if lines else ""
    is_record = first.startswith("{")
    header: Header | None = header_told(players, "the players") if players else None
    if header is None and is_record:
        header, lines = header_of_record(first, name), lines[1:]
    elif first.startswith(GAME):
        header, lines = header or header_told(first, name), lines[1:]
    if header is None:
        expected = "game, then the players and their protocols first (or apart, as the players)"
        raise LogError(name, (Problem(1, "column 1", expected, first[:40] or "nothing"),))
    table = TableNames(header, asker, usual_face)
    return (import_choices if is_record else import_chat)(lines, table)


def read_source(path: Path) -> bytes:
    """The bytes of a source; raises `LogError` and `UnreadableFileError` where it cannot be read."""
    try:
        return read_whole(path, MAX_BYTES)
    except OSError as error:
        raise whole_file_error(str(path), "a file", error.strerror or "none") from None


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise whole_file_error(name, f"at most {MAX_BYTES // 1_000_000} MB", "more")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise whole_file_error(name, "text in UTF-8", "something else") from None
