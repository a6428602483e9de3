"""Checks on the form of a passage: cut off, far too short, gone, references, order of steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.segments import Side, Unit

_ENDS = re.compile(r"[.!?…:;][\s\"”»)\]*]*$|[\"”»)\]]$")


def cut_off(side: Side) -> Iterator[Difference]:
    """A sentence without an end."""
    begin = 0
    for sentence in side.sentences:
        if not _ENDS.search(sentence.text):
            span = (begin + max(0, len(sentence.text) - 12), begin + len(sentence.text))
            yield Difference(Kind.CUT, "no-end", Severity.MISLEADS, (), (span,))
        begin += len(sentence.text) + 1


def swapped(units: Sequence[Unit], one: str, other: str) -> Iterator[tuple[Unit, Unit]]:
    """Neighbouring units of one passage of `one` that stand the other way round in one passage of `other`.

    A list of terms is no sequence: each language has its own alphabet.
    """
    ordered = sorted(_on_both(units, one, other), key=lambda unit: unit.sides[one].order)
    for before, after in pairwise(ordered):
        if _same_passage(before, after, one) and _same_passage(before, after, other):
            first, second = before.sides[other].order, after.sides[other].order
            if before.sides[one].order < after.sides[one].order and second < first:
                yield before, after


def _on_both(units: Iterable[Unit], one: str, other: str) -> Iterator[Unit]:
    for unit in units:
        sides = [unit.sides[language] for language in (one, other) if language in unit.sides]
        if len(sides) == 2 and all(side.sentences and side.sentences[0].kind != "term" for side in sides):
            yield unit


def _same_passage(before: Unit, after: Unit, language: str) -> bool:
    one, other = before.sides[language].sentences[0], after.sides[language].sentences[0]
    return one.passage == other.passage
