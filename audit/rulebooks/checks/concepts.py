"""Checks against the term base: one concept for another, a verb against its entry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from audit.rulebooks.checks.markers import MarkerMatch
from audit.rulebooks.findings import Difference, Kind, Severity, Span
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import TermBase

_GRAVE = frozenset({"leaving", "handling", "getting", "zone", "facing", "cover", "box"})
_LISTED = 2
_PERSON = "person"
_DENYING = frozenset({"cover", "facing"})
_MUCH_MORE = 2.2
MarkerMatches = Sequence[MarkerMatch]
_STEM = 5
_LYING = frozenset({"line", "stack", "field"})
_HELD = frozenset({"hand", "deck"})


def terms(left: Side, right: Side, base: TermBase) -> Iterator[Difference]:
    """A concept that only one side names where only the other names another one of the same family."""
    mine, theirs = base.marks(left.text, left.language), base.marks(right.text, right.language)
    here, there = set(_counted(mine)), set(_counted(theirs))
    pairs = {(one, other) for one in here - there for other in there - here}
    if max(len(left.text), len(right.text)) <= _MUCH_MORE * min(len(left.text), len(right.text)):
        pairs |= _first(mine, theirs, base)
    for one, other in sorted(pairs):
        sayable = _sayable(base, one, right) and _sayable(base, other, left)
        if sayable and _rivals(base, one, other) and not _many(base, one, here, there):
            severity = Severity.CHANGES if base.family(one) in _GRAVE else Severity.MISLEADS
            data = (("left", one), ("right", other))
            yield Difference(Kind.TERM, "exchange", severity, data, _spans(mine, one), _spans(theirs, other))


def _rivals(base: TermBase, one: str, other: str) -> bool:
    """Whether a slip could take one for the other; who does it is compared apart."""
    return base.family(one) == base.family(other) != _PERSON


def _first(mine: MarkerMatches, theirs: MarkerMatches, base: TermBase) -> set[tuple[str, str]]:
    """What the two sides name first of a family, where one of them never names what the other begins with.

    A text may name the line of a stack where the other one names the stack alone.
    """
    pairs = set()
    for family in {base.family(mark.marker) for mark in mine} & _DENYING:
        one, other = (next((m.marker for m in side if base.family(m.marker) == family), "") for side in (mine, theirs))
        if one and other and one != other and not ({one} & set(_counted(theirs)) and {other} & set(_counted(mine))):
            pairs.add((one, other))
    return pairs


def _sayable(base: TermBase, concept: str, side: Side) -> bool:
    """Whether the language has a term for the concept at all."""
    return base[concept].term(side.language) is not None


def _many(base: TermBase, one: str, here: Collection[str], there: Collection[str]) -> bool:
    """Whether a side lists concepts of the family: then the other may name any of them."""
    family = base.family(one)
    return any(sum(base.family(other) == family for other in side) > _LISTED for side in (here, there))


def definitions(side: Side, base: TermBase) -> Iterator[Difference]:
    """A verb for cards that lie on the field, though the base defines it for cards that are held, or the reverse."""
    begin = 0
    for sentence in side.sentences:
        for offset, clause in _clauses(sentence.text):
            found = base.marks(clause, side.language)
            places = set(_counted(found))
            for mark in found:
                if _against(places, base[mark.marker].source, base[mark.marker].to):
                    data = (("concept", base[mark.marker].en), ("id", mark.marker), ("word", mark.words.casefold()))
                    start = begin + offset + mark.start
                    span = (start, start + len(mark.words))
                    yield Difference(Kind.DEFINITION, "wrong-place", Severity.CHANGES, data, (span,))
        begin += len(sentence.text) + 1


def _clauses(text: str) -> Iterator[tuple[int, str]]:
    """The pieces between commas, with their offsets."""
    begin = 0
    for piece in re.split(r"(?<=[,;:])", text):
        yield begin, piece
        begin += len(piece)


def confusable(base: TermBase, one: str, other: str) -> bool:
    """Whether one concept is about covering and the other about facing, which have nothing to do with each other."""
    return {base[one].family, base[other].family} == {"cover", "facing"}


def stem(words: str) -> str:
    """The first letters of a word, which an ending does not touch."""
    return words.casefold()[:_STEM]


def _against(places: set[str], source: tuple[str, ...], to: tuple[str, ...]) -> bool:
    """A verb that takes cards from the hand, in a sentence that speaks of cards lying in a line and of no hand."""
    if to != ("trash",) or not source:
        return False
    if "field" in source:
        return bool(places & {"hand"}) and not places & _LYING
    return bool(places & _LYING) and not places & _HELD


def _counted(marks: Iterable[MarkerMatch]) -> Counter[str]:
    """How often each marker occurs."""
    return Counter(mark.marker for mark in marks)


def _spans(marks: Iterable[MarkerMatch], *markers: str) -> tuple[Span, ...]:
    """Where these markers stand; all of them if none is named."""
    return tuple((mark.start, mark.end) for mark in marks if not markers or mark.marker in markers)
