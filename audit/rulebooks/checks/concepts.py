"""Checks against the term base: a concept for another, a verb against its entry, names, forbidden words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache

from audit.core.catalogue import LANGUAGES
from audit.core.catalogue import words as table
from audit.rulebooks.checks.markers import MarkerMatch
from audit.rulebooks.findings import Difference, Kind, Severity, Span
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import TermBase

ALIKE = 0.75
"""From this likeness on a word is taken for a misspelling of a name."""
_NUMBERED = re.compile(r"\b([^\W\d_]{2,}) \d{1,2}\b")
_PROTOCOL = "protocol."


def misnamed(side: Side, package: str) -> Iterator[Difference]:
    """A word with a number that is no name of a card in this language, though nearly one or one of another language."""
    known = _names(package, side.language)
    for match in _NUMBERED.finditer(side.text):
        word = match[1]
        if word[0].isupper() and known and _bare(word) not in known and (name := _meant(word, package, side.language)):
            data = (("word", word), ("name", name))
            yield Difference(Kind.REFERENCE, "misnamed", Severity.MISLEADS, data, (match.span(1),))


def forbidden(side: Side, base: TermBase) -> Iterator[Difference]:
    """A word that the term base forbids for a concept."""
    for concept in base.concepts.values():
        term = concept.term(side.language)
        for word in term.never if term else ():
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", side.text, re.IGNORECASE):
                data = (("concept", concept.en), ("word", match[0]), ("term", term.term if term else ""))
                yield Difference(Kind.VARIANT, "forbidden", Severity.MISLEADS, data, (match.span(),))


def _meant(word: str, package: str, language: str) -> str:
    """The name in this language that a word is nearly, or that it is in another language; empty if there is none."""
    for other in LANGUAGES:
        if key := _names(package, other).get(_bare(word)):
            return _shown(package, language).get(key, "")
    known = _names(package, language)
    best = max(known, key=lambda name: _likeness(name, _bare(word)))
    return _shown(package, language)[known[best]] if _likeness(best, _bare(word)) >= ALIKE else ""


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _bare(word: str) -> str:
    """Without case and accents, which capitals often lack."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.casefold()) if letter.isalpha())


@cache
def _names(package: str, language: str) -> Mapping[str, str]:
    """The names of the protocols, bare, with their keys; none for a game or language without such names."""
    return {_bare(name): key for key, name in _shown(package, language).items()}


@cache
def _shown(package: str, language: str) -> Mapping[str, str]:
    try:
        listed = table(package, language, "names")
    except FileNotFoundError:
        return {}
    return {key: name for key, name in listed.items() if key.startswith(_PROTOCOL)}


_GRAVE = frozenset({"leaving", "handling", "getting", "zone", "facing", "cover", "box"})
"""Families of terms of which one in place of another changes a game."""
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
