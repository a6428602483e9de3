"""Checks on the form of a passage: cut off, doubled words, unclosed brackets, untranslated, order of steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.passages import words
from audit.rulebooks.segments import Side, Unit

FEWEST_UNTRANSLATED = 4
"""Fewer words than these may be a name, the same in every language."""

_TWICE = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
_SAID_TWICE = frozenset({"nous nous", "vous vous", "man man", "via via", "quasi quasi", "piano piano", "poco poco"})
_LIST_MARK = re.compile(r"(?:^|(?<=[;:,.]\s))[\da-zA-Z]{1,2}\)")
_CLOSED_BY = {"(": ")", "[": "]", "«": "»", "„": "”"}
_OPENED_BY = {")": "(", "]": "[", "»": "«", "”": "„“"}
_ENDS = re.compile(r"[.!?…:;][\s\"”»)\]*]*$|[\"”»)\]]$")


def cut_off(side: Side) -> Iterator[Difference]:
    """A sentence without an end."""
    begin = 0
    for sentence in side.sentences:
        if not _ENDS.search(sentence.text):
            span = (begin + max(0, len(sentence.text) - 12), begin + len(sentence.text))
            yield Difference(Kind.CUT, "no-end", Severity.MISLEADS, (), (span,))
        begin += len(sentence.text) + 1


def doubled(side: Side) -> Iterator[Difference]:
    """A word that stands twice in a row, unless the language says it so."""
    for match in _TWICE.finditer(side.text):
        if f"{match[1]} {match[1]}".casefold() not in _SAID_TWICE:
            yield Difference(Kind.CUT, "doubled", Severity.COSMETIC, (("word", match[1]),), (match.span(),))


def unclosed(side: Side) -> Iterator[Difference]:
    """A bracket or quotation mark that is opened and not closed in its sentence, or closed and not opened."""
    begin = 0
    for sentence in side.sentences:
        for at in _unpaired(_LIST_MARK.sub(lambda mark: " " * len(mark[0]), sentence.text)):
            span = (begin + at, begin + at + 1)
            yield Difference(Kind.CUT, "unclosed", Severity.COSMETIC, (("sign", sentence.text[at]),), (span,))
        begin += len(sentence.text) + 1


def _unpaired(text: str) -> list[int]:
    opened: list[int] = []
    alone: list[int] = []
    for at, letter in enumerate(text):
        if letter in _CLOSED_BY:
            opened.append(at)
        elif letter in _OPENED_BY:
            if opened and text[opened[-1]] in _OPENED_BY[letter]:
                opened.pop()
            elif letter not in _CLOSED_BY.values() or letter in ")]»":
                alone.append(at)
    return [*opened, *alone]


def untranslated(one: Side, other: Side) -> Iterator[Difference]:
    """A sentence that stands in the same words in two languages."""
    there = {sentence.text.casefold() for sentence in other.sentences}
    begin = 0
    for sentence in one.sentences:
        if sentence.text.casefold() in there and len(words(sentence.text)) >= FEWEST_UNTRANSLATED:
            span = (begin, begin + len(sentence.text))
            yield Difference(Kind.MISSING, "untranslated", Severity.MISLEADS, (), (span,))
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
