"""What an audit keeps of a record, so that it can go back; and how a table compares with a position told of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation, Violations
from audit.core.model import Event
from audit.core.steps import Bookmark

EVERY = 64
"""Events between two bookmarks."""

REACH = 4096
"""At most this many events back an amendment or a take-back may lead."""

NO_RULE = Rule("", "", "")
AFTER_A_GAP: Violations = (Violation(NO_RULE, "after_gap"),)
UNKNOWN_CARDS: Violations = (Violation(NO_RULE, "unknown_cards"),)
LEFT_OUT = frozenset(("thread.left_out", "checkpoint.left_out", "checkpoint.otherwise"))
"""The sentences about what was probably not recorded: what is expected there is that, and nothing else."""
PARTING = LEFT_OUT | {"thread.lost", "checkpoint.without", "checkpoint.parted", "checkpoint.changed"}
"""The sentences about a record that parts from the position: told after what is wrong with the event itself."""

NUMBERS_OF_LINES = frozenset(
    {"why", "seq", "last_seq", "last_cause", "triggers_from", "trigger_seq", "arrivals", "departures"}
)
"""What a position says of the lines of its log. No table knows them, so they are not compared."""


class History:
    """The last events of an audit, and bookmarks between them."""

    def __init__(self, reach: int | None = REACH) -> None:
        """`reach` is how many events are kept; None keeps all."""
        self.events: deque[Event] = deque(maxlen=reach)
        self._marks: dict[int, Bookmark] = {}
        self._reach = reach

    @property
    def last(self) -> int:
        """The seq of the last event; 0 before there is one."""
        return self.events[-1].seq if self.events else 0

    def mark(self, seq: int, bookmark: Bookmark) -> None:
        """Where the audit stands before the event of that seq."""
        self._marks[seq] = bookmark
        while self._reach is not None and (oldest := next(iter(self._marks))) < seq - self._reach + EVERY:
            del self._marks[oldest]

    def way_to(self, seq: int) -> tuple[Bookmark, list[Event]] | None:
        """A bookmark before the event after that seq, and all events from there; None where that is too long ago."""
        start = max((at for at in self._marks if at <= seq + 1), default=None)
        if start is None or not self.events or seq > self.events[-1].seq:
            return None
        return self._marks[start], [event for event in self.events if event.seq >= start]

    def backwards(self) -> Iterator[Event]:
        """The events, the last first."""
        return reversed(self.events)


def differences(told: object, found: object, path: str = "position") -> Iterator[tuple[str, object, object]]:
    """The places in which two positions differ, each with both values; none where they may be the same.

    A card nobody has named may be any card, and a count says no more than how many there are.
    """
    if isinstance(told, Mapping) and isinstance(found, Mapping):
        for key in told:
            if key in found and key not in NUMBERS_OF_LINES:
                yield from differences(told[key], found[key], f"{path}.{key}")
    elif isinstance(told, list | tuple) and isinstance(found, list | tuple) and len(told) == len(found):
        for at, (one, other) in enumerate(zip(told, found, strict=True)):
            yield from differences(one, other, f"{path}[{at}]")
    elif _is_count(told, found) or _is_count(found, told):
        here, there = (len(value) if isinstance(value, list | tuple) else value for value in (told, found))
        if here != there:
            yield path, here, there
    elif not (told == found or _is_unknown(told) or _is_unknown(found)):
        yield path, told, found


def _is_count(number: object, cards: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and isinstance(cards, list | tuple)


def _is_unknown(value: object) -> bool:
    return isinstance(value, str) and value.startswith("?")


def mentions(event: Event, words: frozenset[str]) -> bool:
    """Whether an event speaks of one of these cards or players."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if value in words if isinstance(value, str) else isinstance(value, tuple) and not words.isdisjoint(value):
            return True
    return False


def words_in(*values: object) -> frozenset[str]:
    """Every word in plain values."""
    found: set[str] = set()
    _gather_words(values, found)
    return frozenset(found)


def _gather_words(values: Iterable[object], found: set[str]) -> None:
    for value in values:
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, list | tuple):
            _gather_words(value, found)
        elif isinstance(value, Mapping):
            _gather_words(value.values(), found)
