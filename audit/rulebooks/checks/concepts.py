"""Checks against the term base: one concept for another, a second word for one concept, a verb against its entry."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from audit.rulebooks.checks.compare import counted, exchanges
from audit.rulebooks.checks.markers import MarkerMatch
from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import Term, TermBase

_GRAVE = frozenset({"leaving", "handling", "getting", "zone", "facing", "cover", "box", "area"})
_DENYING = frozenset({"cover", "facing", "area", "leaving", "handling"})
_STEM = 5
_JOINT = re.compile(r"\s\w{1,4}\s")
"""A short word between two terms, such as “or”."""
_LYING = frozenset({"line", "stack", "field"})
_HELD = frozenset({"hand", "deck"})


def terms(left: Side, right: Side, base: TermBase) -> Iterator[Difference]:
    """A concept on one side where the other has another concept of the same family."""
    mine, theirs = base.marks(left.text, left.language), base.marks(right.text, right.language)
    for one in counted(mine):
        family = base.family(one)
        rivals = {other for other in counted(theirs) if other != one and base.family(other) == family}
        severity = Severity.CHANGES if family in _GRAVE else Severity.MISLEADS
        answer = [mark for mark in theirs if mark.marker == one or mark.marker in rivals]
        opposites = {frozenset((one, rival)) for rival in rivals}
        pick = [mark for mark in mine if mark.marker == one or mark.marker in rivals]
        denying = opposites if family in _DENYING and not _joined(one, left.text, mine, rivals) else ()
        matches = [
            found
            for found in exchanges(Kind.TERM, pick, answer, opposites, severity, denying)
            if dict(found.data)["left"] == one
        ]
        yield from matches or _in_its_place(one, pick, answer, severity)


def _joined(one: str, text: str, mine: Sequence[MarkerMatch], rivals: Collection[str]) -> bool:
    """Whether the concept only ever stands next to a rival, as in “line or stack”: both of them are named."""
    here = [mark for mark in mine if mark.marker == one]
    beside = [mark for mark in mine if mark.marker in rivals]
    return all(any(_JOINT.fullmatch(_between(text, mark, other)) for other in beside) for mark in here)


def _between(text: str, one: MarkerMatch, other: MarkerMatch) -> str:
    first, second = sorted((one, other))
    return text[first.end : second.start]


def _in_its_place(
    one: str, mine: Sequence[MarkerMatch], theirs: Sequence[MarkerMatch], severity: Severity
) -> Iterator[Difference]:
    """The first place where the two sides, told in one order, have this concept and a rival of it."""
    matcher = SequenceMatcher(None, [m.marker for m in mine], [m.marker for m in theirs], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "replace" and b - a == d - c == 1 and mine[a].marker == one:
            here, there = mine[a], theirs[c]
            data = (("left", one), ("right", there.marker))
            yield Difference(
                Kind.TERM, "exchange", severity, data, ((here.start, here.end),), ((there.start, there.end),)
            )  # fmt: skip
            return


def variants(side: Side, base: TermBase) -> Iterator[Difference]:
    """Another word than the preferred term of a concept."""
    for mark in base.marks(side.text, side.language):
        term = base[mark.marker].term(side.language)
        if term and (other := _other_word(mark, term)):
            data = (("concept", base[mark.marker].en), ("word", other), ("term", term.term))
            yield Difference(Kind.VARIANT, "other-word", Severity.COSMETIC, data, ((mark.start, mark.end),))


def definitions(side: Side, base: TermBase) -> Iterator[Difference]:
    """A verb for cards that lie on the field, though the base defines it for cards that are held, or the reverse."""
    begin = 0
    for sentence in side.sentences:
        for offset, clause in _clauses(sentence.text):
            found = base.marks(clause, side.language)
            places = set(counted(found))
            for mark in found:
                if _against(places, base[mark.marker].source, base[mark.marker].to):
                    data = (("concept", base[mark.marker].en), ("word", mark.words.casefold()))
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


def _other_word(mark: MarkerMatch, term: Term) -> str:
    said = mark.words.casefold()
    for other in term.also:
        stem = other.casefold()[: max(4, len(other) - 3)]
        if said.startswith(stem) and not said.startswith(term.term.casefold()[:4]):
            return other
    return ""


def _against(places: set[str], source: tuple[str, ...], to: tuple[str, ...]) -> bool:
    """A verb that takes cards from the hand, in a sentence that speaks of cards lying in a line and of no hand."""
    if to != ("trash",) or not source:
        return False
    if "field" in source:
        return bool(places & {"hand"}) and not places & _LYING
    return bool(places & _LYING) and not places & _HELD
