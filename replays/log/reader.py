"""A log: a header and events, one JSON object a line, read as a stream.

Good lines go through a typed decoder in bulk. A line that the decoder refuses is read again by
`replays.log.strict_reader`, which reports every problem with its line, its field and what was expected.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from audit.core.errors import SetupError, UnknownEditionError, UnknownReadingError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from audit.core.typed_setup import format_value
from replays.errors import MAX_PROBLEMS, LogError, Problem, whole_file_error
from replays.log.canonical import canonical_events, canonical_lines
from replays.log.known_names import Names, cards_of
from replays.log.lines import Lines
from replays.log.schemas import UPCASTS, Upcast, decoder
from replays.log.strict_reader import (
    MISSING,
    LineError,
    Resolve,
    either,
    read_event,
    read_header,
)

CHUNK = 1000
"""Lines decoded at once where some of them are odd: each such line slows down no more than these."""


class Batch(Struct, frozen=True):
    """Events that were read at once, and their lines."""

    events: list[Event]
    text: bytes
    is_clear: bool = False
    """The lines say what the events say, key for key and without escapes."""

    @property
    def lines(self) -> list[bytes]:
        """The lines as they stand in the file, without their ends."""
        return self.text.split(b"\n") if self.events else []

    def forms(self) -> list[bytes]:
        """The canonical form of each line; raises `NotARecordError`."""
        quickly = canonical_events(self.events, self.text) if self.is_clear else []
        return quickly or canonical_lines(self.lines)


class TornLine(Struct, frozen=True):
    """A last line that was cut short. It is no part of the log; the lines before it stand."""

    line: int
    text: bytes


class Log:
    """An open log. Iterating gives its events in order, from the first, in constant memory.

    After an iteration `torn` is the last line, if it was cut short, and `events` the number of events.
    Raises `LogError` with every problem of the file; the events before the first problem have come by then.
    """

    def __init__(
        self,
        lines: Lines,
        header: Header,
        game: Ruleset[object],
        first: bytes,
        way: tuple[Upcast, ...] = (),
        after: int | None = None,
    ) -> None:
        """`after` is for lines that are no whole log, but the events that come after that seq."""
        self.name = lines.name
        self.header = header
        self.ruleset = game
        self.first = first
        """The header's line as it stands in the file."""
        self.torn: TornLine | None = None
        self.finished = True
        """After an iteration: the last line has its end, so that another may follow."""
        self.events = 0
        self._lines = lines
        self.way = way
        self._after = after
        self._start: object = None

    @cached_property
    def _names(self) -> Names:
        """Made when an event is read: whoever opens a log for its header alone does not wait for it."""
        cards = cards_of(self.ruleset, self.header.unknown == "record")
        return Names(cards, self.ruleset.disclosure.seats(self.header))

    @property
    def is_lifted(self) -> bool:
        """The file is in an older version of the format."""
        return bool(self.way)

    def __iter__(self) -> Iterator[Event]:
        return chain.from_iterable(batch.events for batch in self.batches())

    def with_lines(self) -> Iterator[tuple[Event, bytes]]:
        """Each event with its line as it stands in the file, without the end of line."""
        for batch in self.batches():
            yield from zip(batch.events, batch.lines, strict=True)

    def iter_raw(self) -> Iterator[bytes]:
        """Every line as it stands in the file, the header first; a torn last line is left out."""
        yield self.first
        for batch in self.batches():
            yield from batch.lines

    def start(self) -> object:
        """The position before the first event; raises `LogError` for line 1 where the setup is wrong."""
        if self._start is None:
            self._start = self._started()
        return self._start

    def _started(self) -> object:
        if strangers := self._strangers():
            raise LogError(self.name, strangers)
        try:
            self.ruleset.rules.reading(self.header.reading)
            return self.ruleset.rules.start(self.header)
        except SetupError as error:
            found = Problem(1, f"setup.{error.field}".rstrip("."), error.expected, _setup_at(self.header, error.field))
        except UnknownReadingError as error:
            found = Problem(1, "reading", " or ".join(error.known), f'"{error.reading}"')
        except UnknownEditionError as error:
            found = Problem(1, "edition", f"{' or '.join(error.known)}, or a date", f'"{error.edition}"')
        raise LogError(self.name, (found,))

    def _strangers(self) -> tuple[Problem, ...]:
        """The players of the header who are not at the table, or sit there twice."""
        seats, told = self.ruleset.disclosure.seats(self.header), [player.seat for player in self.header.players]
        return tuple(
            Problem(1, f"players[{n}].seat", "a seat of its own", f"{format_value(seat)} once more")
            if seat in told[:n]
            else Problem(1, f"players[{n}].seat", either(seats), format_value(seat))
            for n, seat in enumerate(told)
            if seat in told[:n] or (seats and seat not in seats)
        )

    def batches(self) -> Iterator[Batch]:
        """All events with their lines in large batches: the fastest way to read a log."""
        self.torn, self.events, self.finished = None, 0, True
        pass_ = _Pass(self)
        for batch in chain.from_iterable(map(pass_.read, _texts(self._lines, with_header=self._after is None))):
            self.events += len(batch.events)
            if batch.events:
                yield batch
            if pass_.is_full:
                break
        self.finished = not self._lines.unfinished
        if pass_.problems:
            raise LogError(self.name, tuple(pass_.problems[:MAX_PROBLEMS]), more=pass_.is_full)


class _Pass:
    """One pass over the lines of a log: the current place, and the problems found so far."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.line = 1 if log._after is None else 0
        self.seq: int | None = 1 + (log._after or 0)
        """The seq to come; None after a line that did not say its own."""
        self.problems: list[Problem] = []
        self.ids: dict[str, int] = {}
        """The line of each event that has a name."""
        self.decode = decoder(log.ruleset.rules.events).decode

    @property
    def is_full(self) -> bool:
        return len(self.problems) > MAX_PROBLEMS

    def read(self, text: bytes) -> Iterator[Batch]:
        """The good events of whole lines, up to the first problem of the log."""
        if batch := self._quickly(text):
            yield batch
            return
        lines = text.split(b"\n")
        if len(lines) <= CHUNK:
            yield self._carefully(lines)
            return
        for start in range(0, len(lines), CHUNK):
            yield from self.read(b"\n".join(lines[start : start + CHUNK]))

    def _quickly(self, text: bytes) -> Batch | None:
        """The events of lines about which nothing is wrong, in doubt or to be lifted from an older version."""
        if self.problems or self.log.way or self.seq is None:
            return None
        lines = text.split(b"\n")
        try:
            events = list(map(self.decode, lines))
        except (ValueError, RecursionError):
            return None
        is_clear = _is_clear(text, events)
        if (not is_clear and _is_doubtful(lines, events)) or not self._follow_all(events):
            return None
        return Batch(events, text, is_clear)

    def _follow_all(self, events: list[Event]) -> bool:
        """Whether they follow without a gap, have no names and speak of what there is: then they are taken as read.

        One plain loop asks this most quickly: each question in a pass of its own costs two to three times as much.
        """
        assert self.seq is not None  # no line has been wrong
        seq, by_type, readers = self.seq, defaultdict[type[Event], list[Event]](list), set[str]()
        for event in events:
            if event.seq != seq or event.id is not None:
                return False
            if event.because is not None and event.because >= seq:
                return False
            if event.note_for is not None:
                readers.add(event.note_for)
            by_type[type(event)].append(event)
            seq += 1
        if not self.log._names.are_known(by_type, readers):
            return False
        self.line += len(events)
        self.seq = seq
        return True

    def _carefully(self, lines: list[bytes]) -> Batch:
        events: list[Event] = []
        good: list[bytes] = []
        for line in lines:
            self.line += 1
            event = self._one(line)
            if event and not self.problems:
                events.append(event)
                good.append(line)
            if self.is_full:
                break
        return Batch(events, b"\n".join(good))

    def _one(self, line: bytes) -> Event | None:
        log = self.log
        try:
            event = read_event(line, self.line, log.ruleset.rules.types, log.way)
        except LineError as fault:
            if fault.cut and log._lines.unfinished:
                log.torn = TornLine(self.line, line)
            else:
                self.problems += fault.problems
                self.seq = fault.seq + 1 if fault.seq is not None else None
            return None
        self._follow(event.seq)
        if event.id is not None:
            self._name(event.id)
        self.problems += log._names.problems(event, self.line)
        return event

    def _name(self, id: str) -> None:
        """Take note of an event's own name; the second of the same name is a problem."""
        if id in self.ids:
            self.problems.append(Problem(self.line, "id", "a name of its own", f'"{id}", said in line {self.ids[id]}'))
        self.ids.setdefault(id, self.line)

    def _follow(self, seq: int) -> None:
        if self.seq is not None and seq != self.seq:
            self.problems.append(Problem(self.line, "seq", str(self.seq), f"{seq} ({_off(self.seq, seq)})"))
        self.seq = seq + 1


def open_log(
    source: str | Path | BinaryIO | Lines, *, resolve: Resolve = ruleset, upcasts: Mapping[str, Upcast] = UPCASTS
) -> Log:
    """The log of a path, of `-` (standard input) or of a stream; raises `LogError` where it has no good header."""
    lines = source if isinstance(source, Lines) else Lines(source)
    head = lines.head()
    if not head:
        raise whole_file_error(lines.name, "a log: a header, then events", "an empty file")
    first = head.split(b"\n", 1)[0]
    try:
        header, game, way = read_header(first, resolve, upcasts)
    except LineError as fault:
        raise LogError(lines.name, fault.problems) from None
    return Log(lines, header, game, first, way)


def open_events(source: str | Path | BinaryIO, log: Log, after: int) -> Log:
    """Lines that are to follow a log after that seq: events only, read as strictly as the log itself."""
    return Log(Lines(source), log.header, log.ruleset, log.first, log.way, after)


def _texts(lines: Lines, with_header: bool) -> Iterator[bytes]:
    """The text of all event lines."""
    for block in lines.blocks():
        if with_header:
            _, more, block = block.partition(b"\n")
            with_header = False
            if not more:
                continue
        yield block


_encode = msgspec.json.Encoder().encode
_KEY = re.compile(rb'"([^"]*)"\s*:')
_PARTS = re.compile(r"\[\d+\]|[^.\[\]]+")


def _is_clear(text: bytes, events: list[Event]) -> bool:
    """Whether the lines say what the events say, key for key and without escapes.

    Without escapes, as many quotation marks as the event needs leave no room for a second key; and no event is
    written with fewer than it needs, so that where they are as many in all, they are so in every line.
    """
    return b"\\" not in text and b"\r" not in text and text.count(b'"') == _encode(events).count(b'"')


def _is_doubtful(lines: list[bytes], events: list[Event]) -> bool:
    """Whether some line ends in CR LF, or might say a key twice, of which the quick decoder keeps the last."""
    return any(
        b"\\" in line or b"\r" in line or (line.count(b'"') != _encode(event).count(b'"') and _repeats(line))
        for line, event in zip(lines, events, strict=True)
    )


def _repeats(line: bytes) -> bool:
    keys = _KEY.findall(line)
    return len(keys) != len(set(keys))


def _setup_at(header: Header, path: str) -> str:
    """What stands in the setup at that path of an error."""
    value: object = header.setup
    for part in _PARTS.findall(path):
        if isinstance(value, list) and part.startswith("["):
            value = next(islice(value, int(part[1:-1]), None), MISSING)
        elif isinstance(value, dict):
            value = value.get(part, MISSING)
        else:
            return "something else"
    return "nothing" if value is MISSING else format_value(value)


def _off(expected: int, found: int) -> str:
    if found < expected:
        return "said before, or out of order"
    missing = f"{expected}" if found == expected + 1 else f"{expected} to {found - 1}"
    return f"{missing} left out"
