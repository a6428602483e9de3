"""Steps that two texts tell in another order: two around a "then", or parts of the turn in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from audit.rulebooks.clauses.frames import Fact
from audit.rulebooks.clauses.together import in_order
from audit.rulebooks.findings import Difference, Kind, Severity, Span
from audit.rulebooks.terms import PART_OF_TURN, TermBase

_LISTED = 2
"""More parts of a turn than these are a list, and their order counts."""
Facts = Sequence[Fact]


def in_another_order(mine: Facts, theirs: Facts, base: TermBase) -> Iterator[Difference]:
    """The first two things of which each sentence has another one first, if both tell them in their order."""
    pair = _around_then(mine, theirs, base) or _in_lists(mine, theirs, base)
    if pair:
        spans = (_spans(found, pair) for found in (mine, theirs))
        data = tuple(zip(("left", "right"), (name.partition(":")[2] for name in pair), strict=True))
        yield Difference(Kind.ORDER, "turned", Severity.CHANGES, data, *spans)


def _around_then(mine: Facts, theirs: Facts, base: TermBase) -> tuple[str, str] | None:
    one, other = in_order(mine), in_order(theirs)
    if not (one and other):
        return None
    first = (one[0] - one[1]) & (other[1] - other[0])
    second = (one[1] - one[0]) & (other[0] - other[1])
    return (_told(first, base), _told(second, base)) if first and second else None


def _told(names: frozenset[str], base: TermBase) -> str:
    """An action, where one of them is one."""
    return min(names, key=lambda name: (not base[name.partition(":")[2]].action, name))


def _in_lists(mine: Facts, theirs: Facts, base: TermBase) -> tuple[str, str] | None:
    one, other = (parts_of_turn(found, base) for found in (mine, theirs))
    shared = [name for name in one if name in other]
    if len(shared) <= _LISTED:
        return None
    return next((pair for pair in combinations(shared, 2) if other.index(pair[0]) > other.index(pair[1])), None)


def parts_of_turn(found: Facts, base: TermBase) -> list[str]:
    """The parts of the turn in the order in which a text names them first."""
    terms = (fact.name for fact in found if fact.slot == "term" and fact.value in base.concepts)
    return list(dict.fromkeys(name for name in terms if base.family(name.partition(":")[2]) == PART_OF_TURN))


def _spans(found: Facts, names: Sequence[str]) -> tuple[Span, ...]:
    return tuple((fact.start, fact.end) for fact in found if fact.name in names)
