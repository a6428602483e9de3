"""Reads one line strictly and reports everything that is wrong with it, each problem with its field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

import msgspec

from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import UnknownRulesetError
from audit.core.model import LOG_VERSION, Event, Header
from audit.core.ruleset import Ruleset
from audit.core.typed_setup import format_value, nearest
from replays.errors import Problem
from replays.log.schemas import Upcast, VersionError, card_fields, seat_fields, steps, without_free_keys
from replays.log.strict_json import Json, NotARecordError, is_shallow, parse

Resolve = Callable[[str], Ruleset[object]]
T = TypeVar("T", bound=msgspec.Struct)
OpenedHeader = tuple[Header, Ruleset[object], tuple[Upcast, ...]]


class LineError(Exception):
    """The problems of one line; `cut` if it may be the beginning of a good one."""

    def __init__(self, problems: Iterable[Problem], cut: bool = False, seq: int | None = None) -> None:
        self.problems = tuple(problems)
        self.cut = cut
        self.seq = seq


def read_header(line: bytes, resolve: Resolve, upcasts: Mapping[str, Upcast]) -> OpenedHeader:
    """The header of a log, its game, and the way up from its version; raises `LineError`."""
    if header := _plain_header(line):
        with suppress(UnknownRulesetError):
            return header, resolve(header.ruleset), ()
    data = without_free_keys(_parsed(line, 1, "a header, which is a JSON object"))
    way = _way(data, upcasts)
    for step in way:
        data = step.header(data)
    try:
        game = resolve(str(data.get("ruleset", "")))
    except UnknownRulesetError as error:
        found = _wrong(Header, data, 1)
        if isinstance(error.ruleset, str) and "ruleset" in data and not _has(found, "ruleset"):
            wanted = " or ".join(format_value(name) for name in error.known) or "an installed ruleset"
            found.append(
                Problem(1, "ruleset", wanted + nearest(error.ruleset, error.known), format_value(error.ruleset))
            )
        raise LineError(found) from None
    return _converted(Header, data, 1), game, way


def _plain_header(line: bytes) -> Header | None:
    """The header of a line in which nothing has to be looked at twice: no escapes, no room for a key said twice."""
    try:
        header = _HEADER.decode(line)
    except (ValueError, RecursionError):
        return None
    is_plain = b"\\" not in line and line.count(b'"') == msgspec.json.encode(header).count(b'"')
    return header if is_plain and header.log == LOG_VERSION and is_shallow(line) else None


_HEADER = msgspec.json.Decoder(Header)


def read_event(line: bytes, number: int, types: Mapping[str, type[Event]], way: tuple[Upcast, ...]) -> Event:
    """The event of a line; raises `LineError` with all that is wrong with it."""
    data = _parsed(line, number, "an event, which is a JSON object")
    for step in way:
        data = step.event(without_free_keys(data))
    return event_of(data, number, types)


def event_of(given: Mapping[str, object], number: int, types: Mapping[str, type[Event]]) -> Event:
    """The event of an object; raises `LineError` with all that is wrong with it."""
    data = without_free_keys(given)
    kind = data.get("type")
    declared = types.get(kind) if isinstance(kind, str) else None
    if declared is None:
        raise LineError([_unknown_type(data, number, types)], seq=_seq(data))
    return _converted(declared, data, number)


def unknown_cards(event: Event, number: int, exists: Callable[[str], bool]) -> list[Problem]:
    """The cards of an event that the game has not. A handle (`?1`) stands for any card."""
    return [
        Problem(number, field, "a card of this game or a handle such as ?1", format_value(card))
        for field, card in _named(event, card_fields(type(event)))
        if not card.startswith("?") and not exists(card)
    ]


def unknown_players(event: Event, number: int, seats: Collection[str]) -> list[Problem]:
    """The players of an event who are not at the table, and the reader of its note who is nobody.

    Where no seat is known, everybody may be a player.
    """
    if not seats:
        return []
    found = [
        Problem(number, field, either(seats), format_value(seat))
        for field, seat in _named(event, seat_fields(type(event)))
        if seat not in seats
    ]
    readers = (*seats, PUBLIC, JUDGE)
    if event.note_for is not None and event.note_for not in readers:
        found.append(Problem(number, "note_for", either(readers), format_value(event.note_for)))
    return found


def later_cause(event: Event, number: int) -> list[Problem]:
    """The cause of an event, where it does not come before the event."""
    if event.because is None or event.because < event.seq:
        return []
    return [Problem(number, "because", "the seq of an earlier event", str(event.because))]


def either(names: Iterable[str]) -> str:
    """`"A" or "B"`."""
    return " or ".join(map(format_value, names))


def _named(event: Event, fields: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """What the event names in those fields, which hold one name or several, with the field as a log calls it."""
    one, many = fields
    encoded = dict(zip(event.__struct_fields__, event.__struct_encode_fields__, strict=True))
    yield from ((encoded[name], getattr(event, name)) for name in one if getattr(event, name) is not None)
    yield from ((encoded[name], each) for name in many for each in getattr(event, name) or ())


def _parsed(line: bytes, number: int, expected: str) -> Json:
    try:
        return parse(line)
    except NotARecordError as error:
        wanted = expected if error.expected == "a JSON object" else error.expected
        raise LineError([Problem(number, "", wanted, error.found)], error.cut) from None


def _way(data: Json, upcasts: Mapping[str, Upcast]) -> tuple[Upcast, ...]:
    version = data.get("log")
    try:
        return steps(version if isinstance(version, str) else "", upcasts)
    except VersionError as error:
        wanted = " or ".join(format_value(known) for known in error.known)
        found = format_value(version) if "log" in data else "nothing"
        more = ", a newer version than this program reads" if error.newer else ""
        raise LineError([Problem(1, "log", wanted, found + more)]) from None


def _unknown_type(data: Json, number: int, types: Mapping[str, type[Event]]) -> Problem:
    if "type" not in data:
        return Problem(number, "type", "the kind of event", "nothing")
    kind = data["type"]
    near = nearest(kind, types) if isinstance(kind, str) else ""
    return Problem(number, "type", f"a kind of event of this game{near}", format_value(kind))


MISSING = object()
"""Marks a field that is not there."""


MAX_LIST_ITEMS = 200
"""The most items of a list that are checked one by one."""


def _wrong(declared: type[msgspec.Struct], data: Json, number: int) -> list[Problem]:
    from replays.log.strict_schemas import problems  # loaded late: most logs need no other reader than the fast one

    looked_at = {key: value[:MAX_LIST_ITEMS] if isinstance(value, list) else value for key, value in data.items()}
    return [
        Problem(number, _dotted(path), wanted, _found(data, path)) for path, wanted in problems(declared, looked_at)
    ]


def _converted(declared: type[T], data: Json, number: int) -> T:
    try:
        return msgspec.convert(data, declared)
    except msgspec.ValidationError as error:
        found = _wrong(declared, data, number)
        raise LineError(
            found or [Problem(number, "", "what the declaration says", str(error))], seq=_seq(data)
        ) from None


def _dotted(path: tuple[str | int, ...]) -> str:
    words = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(words).lstrip(".")


def _found(data: object, path: tuple[str | int, ...]) -> str:
    for part in path:
        if isinstance(data, list) and isinstance(part, int):
            data = data[part] if part < len(data) else MISSING
        else:
            data = data.get(part, MISSING) if isinstance(data, dict) else MISSING
    return "nothing" if data is MISSING else format_value(data)


def _seq(data: Json) -> int | None:
    seq = data.get("seq")
    return seq if isinstance(seq, int) and not isinstance(seq, bool) else None


def _has(found: list[Problem], field: str) -> bool:
    return any(problem.field == field for problem in found)
