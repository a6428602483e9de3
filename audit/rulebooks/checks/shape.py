"""Checks on the form of a passage: cut off, far too short, gone, references, order of steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from audit.rulebooks.checks.compare import counted, spans
from audit.rulebooks.checks.markers import marks
from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.segments import Side, Unit

_ENDS = re.compile(r"[.!?…:;][\s\"”»)\]*]*$|[\"”»)\]]$")
_SHORTEST = 40
_FAR_SHORTER = 0.28


def cut_off(side: Side) -> Iterator[Difference]:
    """A sentence without an end."""
    begin = 0
    for sentence in side.sentences:
        if not _ENDS.search(sentence.text):
            span = (begin + max(0, len(sentence.text) - 12), begin + len(sentence.text))
            yield Difference(Kind.CUT, "no-end", Severity.MISLEADS, (), (span,))
        begin += len(sentence.text) + 1


def shorter(left: Side, right: Side) -> Iterator[Difference]:
    """A side that is only a fraction of the other."""
    mine, theirs = len(left.text), len(right.text)
    if max(mine, theirs) >= _SHORTEST and min(mine, theirs) < _FAR_SHORTER * max(mine, theirs):
        data = (("left", str(mine)), ("right", str(theirs)))
        yield Difference(Kind.CUT, "shorter", Severity.COSMETIC, data)


def references(left: Side, right: Side) -> Iterator[Difference]:
    """A reference to another place or card that one side alone makes."""
    mine, theirs = marks(left.text, left.language, "reference"), marks(right.text, right.language, "reference")
    for marker in sorted(set(counted(mine)) - set(counted(theirs))):
        data = (("left", marker),)
        yield Difference(Kind.REFERENCE, "left-only", Severity.COSMETIC, data, spans(mine, marker))
    for marker in sorted(set(counted(theirs)) - set(counted(mine))):
        data = (("right", marker),)
        yield Difference(Kind.REFERENCE, "right-only", Severity.COSMETIC, data, (), spans(theirs, marker))


def swapped(units: Sequence[Unit], one: str, other: str) -> Iterator[tuple[Unit, Unit]]:
    """Neighbouring units of one section of `one` that stand the other way round in one section of `other`.

    A list of terms is no sequence: each language has its own alphabet.
    """
    ordered = sorted(_on_both(units, one, other), key=lambda unit: unit.sides[one].order)
    for before, after in pairwise(ordered):
        if _same_section(before, after, one) and _same_section(before, after, other):
            first, second = before.sides[other].order, after.sides[other].order
            if before.sides[one].order < after.sides[one].order and second < first:
                yield before, after


def _on_both(units: Iterable[Unit], one: str, other: str) -> Iterator[Unit]:
    for unit in units:
        sides = [unit.sides[language] for language in (one, other) if language in unit.sides]
        if len(sides) == 2 and all(side.sentences and side.sentences[0].kind != "term" for side in sides):
            yield unit


def _same_section(before: Unit, after: Unit, language: str) -> bool:
    return before.sides[language].sentences[0].section == after.sides[language].sentences[0].section
