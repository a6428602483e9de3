"""A log: a header and events, one JSON object a line, read as a stream.

Good lines go through a typed decoder in bulk. Only a line that it refuses is read carefully (`replays.careful`),
which finds everything that is wrong and says so with line, field and expectation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from audit.errors import SetupError, UnknownReadingError
from audit.model import Event, Header
from audit.ruleset import Ruleset, ruleset
from replays.careful import Faulty, Resolve, read_event, read_header, unknown_cards
from replays.errors import MOST_PROBLEMS, LogError, Problem, whole
from replays.lines import Lines
from replays.schemas import card_fields, decoder
from replays.upcasts import UPCASTS, Upcast

CHUNK = 1000
"""Lines decoded at once: one odd line slows down no more than these."""

Batch = tuple[list[Event], list[bytes]]


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
        self._cards = _cards_of(game)
        self._start: object = None

    @property
    def is_lifted(self) -> bool:
        """The file is in an older version of the format."""
        return bool(self.way)

    def __iter__(self) -> Iterator[Event]:
        return chain.from_iterable(events for events, _ in self.batches())

    def with_lines(self) -> Iterator[tuple[Event, bytes]]:
        """Each event with its line as it stands in the file, without the end of line."""
        for batch in self.batches():
            yield from zip(*batch, strict=True)

    def iter_raw(self) -> Iterator[bytes]:
        """Every line as it stands in the file, the header first; a torn last line is left out."""
        yield self.first
        for _, lines in self.batches():
            yield from lines

    def start(self) -> object:
        """The position before the first event; raises `LogError` for line 1 where the setup is wrong."""
        if self._start is None:
            self._start = self._started()
        return self._start

    def _started(self) -> object:
        try:
            self.ruleset.reading(self.header.reading)
            return self.ruleset.start(self.header)
        except SetupError as error:
            found = Problem(1, f"setup.{error.field}".rstrip("."), error.expected, "something else")
        except UnknownReadingError as error:
            found = Problem(1, "reading", " or ".join(error.known), f'"{error.reading}"')
        raise LogError(self.name, (found,))

    def batches(self) -> Iterator[Batch]:
        """Events and their lines, up to a thousand at once: the quickest way through a log."""
        self.torn, self.events, self.finished = None, 0, True
        pass_ = _Pass(self)
        for chunk in _chunks(self._lines, skip=1 if self._after is None else 0):
            self.finished = not self._lines.unfinished
            batch = pass_.read(chunk)
            self.events += len(batch[0])
            if batch[0]:
                yield batch
            if pass_.is_full:
                break
        if pass_.problems:
            raise LogError(self.name, tuple(pass_.problems[:MOST_PROBLEMS]), more=pass_.is_full)


class _Pass:
    """One way through the lines of a log: where we are, and what was wrong so far."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.line = 1 if log._after is None else 0
        self.seq: int | None = 1 + (log._after or 0)
        """The seq to come; None after a line that did not say its own."""
        self.problems: list[Problem] = []
        self.decode = decoder(log.ruleset.events).decode

    @property
    def is_full(self) -> bool:
        return len(self.problems) > MOST_PROBLEMS

    def read(self, lines: list[bytes]) -> Batch:
        """The good events of the lines, up to the first problem of the log."""
        is_plain = not self.problems and not self.log.way
        batch = self._quickly(lines, self.seq) if is_plain and self.seq else None
        return (batch, lines) if batch is not None else self._carefully(lines)

    def _quickly(self, lines: list[bytes], start: int) -> list[Event] | None:
        decode = self.decode
        try:
            events = [decode(line) for line in lines]
        except (ValueError, RecursionError):
            return None
        end = start + len(lines)
        if [event.seq for event in events] != list(range(start, end)) or _is_doubtful(lines, events):
            return None
        if not self.log._cards.are_known(events):
            return None
        self.line += len(lines)
        self.seq = end
        return events

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
        return events, good

    def _one(self, line: bytes) -> Event | None:
        log = self.log
        try:
            event = read_event(line, self.line, log.ruleset.types, log.way)
        except Faulty as fault:
            if fault.cut and log._lines.unfinished:
                log.torn = TornLine(self.line, line)
            else:
                self.problems += fault.problems
                self.seq = fault.seq + 1 if fault.seq is not None else None
            return None
        self._follow(event.seq)
        if log._cards.exists and not log._cards.are_known((event,)):
            self.problems += unknown_cards(event, self.line, log._cards.exists)
        return event

    def _follow(self, seq: int) -> None:
        if self.seq is not None and seq != self.seq:
            self.problems.append(Problem(self.line, "seq", str(self.seq), f"{seq} ({_off(self.seq, seq)})"))
        self.seq = seq + 1


def open_log(
    source: str | Path | BinaryIO, *, resolve: Resolve = ruleset, upcasts: Mapping[str, Upcast] = UPCASTS
) -> Log:
    """The log of a path, of `-` (standard input) or of a stream; raises `LogError` where it has no good header."""
    lines = Lines(source)
    head = lines.head()
    if not head:
        raise whole(lines.name, "a log: a header, then events", "an empty file")
    first = head.split(b"\n", 1)[0]
    try:
        header, game, way = read_header(first, resolve, upcasts)
    except Faulty as fault:
        raise LogError(lines.name, fault.problems) from None
    return Log(lines, header, game, first, way)


def open_events(source: str | Path | BinaryIO, log: Log, after: int) -> Log:
    """Lines that are to follow a log after that seq: events only, read as strictly as the log itself."""
    return Log(Lines(source), log.header, log.ruleset, log.first, log.way, after)


def _chunks(lines: Lines, skip: int) -> Iterator[list[bytes]]:
    for block in lines.batches():
        rest = islice(block, skip, None)
        skip = 0
        while chunk := list(islice(rest, CHUNK)):
            yield chunk


_encode = msgspec.json.Encoder().encode
_KEY = re.compile(rb'"([^"]*)"\s*:')


def _is_doubtful(lines: list[bytes], events: list[Event]) -> bool:
    """Whether some line ends in CR LF, or might say a key twice, of which the quick decoder keeps the last.

    Without escapes, as many quotation marks as the event needs leave no room for a second key; and no event is
    written with fewer than it needs, so that where they are as many in all, they are so in every line.
    """
    text = b"\n".join(lines)
    if b"\\" not in text and b"\r" not in text and text.count(b'"') == _encode(events).count(b'"'):
        return False
    return any(
        b"\\" in line or b"\r" in line or (line.count(b'"') != _encode(event).count(b'"') and _repeats(line))
        for line, event in zip(lines, events, strict=True)
    )


def _repeats(line: bytes) -> bool:
    keys = _KEY.findall(line)
    return len(keys) != len(set(keys))


class _Cards:
    """Whether every card that events speak of exists; quick for cards met before."""

    def __init__(self, game: Ruleset[object]) -> None:
        self.exists: Callable[[str], bool] | None = getattr(game, "card_exists", None)
        self.known: set[str | None] = {None}
        fields = {event: found for event in game.events if any(found := card_fields(event))}
        self.one = {event: one for event, (one, _) in fields.items()}
        self.many = {event: many for event, (_, many) in fields.items() if many}

    def are_known(self, events: Iterable[Event]) -> bool:
        """Whether the game has them all, where it can tell."""
        if self.exists is None:
            return True
        one, many = self.one, self.many
        speaking = [event for event in events if type(event) in one]
        cards = {getattr(event, name) for event in speaking for name in one[type(event)]}
        for event in speaking:
            for name in many.get(type(event), ()):
                cards.update(getattr(event, name) or ())
        return all(map(self._is_known, cards - self.known))

    def _is_known(self, card: str) -> bool:
        assert self.exists is not None
        if card.startswith("?"):
            return True
        if self.exists(card):
            self.known.add(card)
        return card in self.known


@cache
def _cards_of(game: Ruleset[object]) -> _Cards:
    return _Cards(game)


def _off(expected: int, found: int) -> str:
    if found < expected:
        return "said before, or out of order"
    missing = f"{expected}" if found == expected + 1 else f"{expected} to {found - 1}"
    return f"{missing} left out"
