"""Ways in which markers of one family can disagree between two texts.

An exchange: one text has more of a marker, the other more of its opposite, and one of the two is absent from
one side, or both texts have as many of the family in all. Two markers that deny each other (covered, uncovered)
are exchanged as soon as one stands on one side only and the other side has its opposite.

A presence: a marker stands on one side only, and nothing on the other side answers to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from audit.rulebooks.checks.markers import MarkerMatch
from audit.rulebooks.findings import Difference, Kind, Severity, Span

MarkerMatches = Sequence[MarkerMatch]


def exchanges(
    kind: Kind,
    left: MarkerMatches,
    right: MarkerMatches,
    opposites: Collection[frozenset[str]],
    severity: Severity,
    denying: Collection[frozenset[str]] = frozenset(),
) -> Iterator[Difference]:
    """Differences where the left has one marker and the right its opposite."""
    x, y = counted(left), counted(right)
    for one in x:
        for other in y:
            pair = frozenset((one, other))
            if pair in opposites and (_exchanged(x, y, one, other) or (pair in denying and _denied(x, y, one, other))):
                yield Difference(
                    kind, "exchange", severity, (("left", one), ("right", other)), spans(left, one), spans(right, other)
                )  # fmt: skip


def presences(
    kind: Kind, left: MarkerMatches, right: MarkerMatches, answers: Mapping[str, frozenset[str]], severity: Severity
) -> Iterator[Difference]:
    """Differences where a marker stands on one side only; `answers` lists what would do for it on the other."""
    for marker, enough in answers.items():
        here, there = spans(left, marker), spans(right, marker)
        if here and not there and not _any(right, enough):
            yield Difference(kind, "left-only", severity, (("left", marker),), here, ())
        if there and not here and not _any(left, enough):
            yield Difference(kind, "right-only", severity, (("right", marker),), (), there)


def counted(marks: Iterable[MarkerMatch]) -> Counter[str]:
    """How often each marker occurs."""
    return Counter(mark.marker for mark in marks)


def spans(marks: Iterable[MarkerMatch], *markers: str) -> tuple[Span, ...]:
    """Where these markers stand; all of them if none is named."""
    return tuple((mark.start, mark.end) for mark in marks if not markers or mark.marker in markers)


def _exchanged(x: Counter[str], y: Counter[str], one: str, other: str) -> bool:
    if x[one] <= y[one] or y[other] <= x[other]:
        return False
    return y[one] == 0 or x[other] == 0 or x.total() == y.total()


def _denied(x: Counter[str], y: Counter[str], one: str, other: str) -> bool:
    return y[one] == 0 or x[other] == 0


def _any(marks: Iterable[MarkerMatch], wanted: Collection[str]) -> bool:
    return any(mark.marker in wanted for mark in marks)
