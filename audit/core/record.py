"""What an audit keeps of a record, so that it can go back; and how a table compares with a position told of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

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
LEFT_OUT = frozenset(("thread.left_out", "thread.untold", "checkpoint.left_out", "checkpoint.otherwise"))
"""The sentences about what was probably not recorded: what is expected there is that, and nothing else."""
TOOK_AWAY = "took_away."
"""So begin the keys of the sentences about what took a card away: told after that it is not there."""
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


def differences(
    told: object, found: object, path: str = "position", unordered: Set[str] = frozenset(), is_loose: bool = False
) -> Iterator[tuple[str, object, object]]:
    """The places in which two positions differ, each with both values; none where they may be the same.

    A card nobody has named may be any card, and a count says no more than how many there are. The lists below a key of
    `unordered` have no order (`is_loose` in one of these).
    """
    if isinstance(told, Mapping) and isinstance(found, Mapping):
        for key in told:
            if key in found and key not in NUMBERS_OF_LINES:
                is_inner_loose = is_loose or key in unordered
                yield from differences(told[key], found[key], f"{path}.{key}", unordered, is_inner_loose)
    elif isinstance(told, list | tuple) and isinstance(found, list | tuple) and len(told) == len(found):
        for at, (one, other) in enumerate(_paired(told, found) if is_loose else zip(told, found, strict=True)):
            yield from differences(one, other, f"{path}[{at}]", unordered, is_loose)
    elif _is_count(told, found) or _is_count(found, told):
        here, there = (len(value) if isinstance(value, list | tuple) else value for value in (told, found))
        if here != there:
            yield path, here, there
    elif not (told == found or _is_unknown(told) or _is_unknown(found)):
        yield path, told, found


def _paired(told: Sequence[object], found: Sequence[object]) -> list[tuple[object, object]]:
    """Each thing of a list without an order with the thing of the other that it may be, the most alike first.

    What nobody has named comes last: it may be any of those that are left.
    """
    left = list(found)
    pairs: dict[int, object] = {}
    by_name = sorted(range(len(told)), key=lambda at: _is_unknown(told[at]))
    for fits in (_is_named_alike, _may_be, _goes_by_one_name, lambda _, __: True):
        for at in by_name:
            match = next((number for number, other in enumerate(left) if fits(told[at], other)), None)
            if at not in pairs and match is not None:
                pairs[at] = left.pop(match)
    return [(one, pairs[at]) for at, one in enumerate(told)]


def _is_named_alike(one: object, other: object) -> bool:
    return one == other and not _is_unknown(one)


def _may_be(one: object, other: object) -> bool:
    return next(differences(one, other, is_loose=True), None) is None


def _goes_by_one_name(one: object, other: object) -> bool:
    """Whether two objects have the same name, which is what they tell first."""
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return False
    return next(iter(one.values()), None) == next(iter(other.values()), None)


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
