"""Finds the passage that states a rule: by place and fingerprint, in a changed edition, or as a proposal."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from audit.core.catalogue import Place
from audit.rulebooks.known import Edition, PassageMark, describe_edition, likeness, sketch
from audit.rulebooks.passages import Passage, Rulebook, fingerprint

ALIKE = 0.4
"""Two passages whose sketches are less alike than this are two passages, not one that was edited."""

ALIKE_IN_WORDS = 0.65
"""The same where both texts are at hand: two passages of one language share many small words."""

MOST_KEPT = 0.6
"""So many sentences of a passage have to stand word for word elsewhere if it was split or joined."""

PROPOSED = 0.3
"""A candidate below this score is not worth a reader's time."""


class Status(StrEnum):
    """What became of a passage from one edition to another."""

    UNCHANGED = "unchanged"
    EDITED = "edited"
    MOVED = "moved"
    SPLIT = "split"
    """Its sentences stand in several passages now."""
    JOINED = "joined"
    """It stands in one passage with another one now."""
    GONE = "gone"
    NEW = "new"


class Matched(Struct, frozen=True):
    """A passage of the earlier edition beside that of the later one; `likeness` runs from 0 to 1.

    Of a passage that was split `parts` are all its parts, and `after` is the first of them.
    """

    status: Status
    before: PassageMark | None
    after: Passage | None
    likeness: float = 1.0
    parts: tuple[Passage, ...] = ()

    @property
    def all_after(self) -> tuple[Passage, ...]:
        """Every passage of the later edition in which it stands."""
        return self.parts or ((self.after,) if self.after else ())


class Candidate(Struct, frozen=True):
    """A passage that may say a rule: which one, and how sure the comparison is, from 0 to 1."""

    rule: str
    passage: str
    score: float


def compare(before: Edition, after: Rulebook) -> tuple[Matched, ...]:
    """Every passage of both editions once: first those of the earlier one in its order, then the new ones.

    Same words in the same order and section are unchanged, same words elsewhere moved, alike words edited; the same
    sentences in several passages are split, those of several in one are joined.
    """
    same = _same_words(before, after)
    cut = _cut_otherwise(before, after, same)
    same |= _alike_words(before, after, same, cut)
    steady = _steady(before, after, same)
    found = [
        cut.get(index) or _matched(mark, same.get(index), index in steady, after)
        for index, mark in enumerate(before.marks)
    ]
    taken = {number for number, _ in same.values()} | _numbers(after, cut.values())
    new = (passage for number, passage in enumerate(after.passages) if number not in taken)
    return (*found, *(Matched(Status.NEW, None, passage, 0.0) for passage in new))


def compare_books(before: Rulebook, after: Rulebook) -> tuple[Matched, ...]:
    """`compare` where both texts are at hand: likeness is measured on the words themselves."""
    return compare(describe_edition(before, with_text=True), after)


Pairs = dict[int, tuple[int, float]]


def _same_words(before: Edition, after: Rulebook) -> Pairs:
    """Equal fingerprints; of several, the one under the same heading, then the next in order."""
    places: dict[str, list[int]] = {}
    sections = [fingerprint(passage.section) for passage in after.passages]
    for number, passage in enumerate(after.passages):
        places.setdefault(passage.fingerprint, []).append(number)
    pairs: Pairs = {}
    for index, mark in enumerate(before.marks):
        if waiting := places.get(mark.fingerprint):
            best = next((n for n in waiting if sections[n] == mark.section), waiting[0])
            waiting.remove(best)
            pairs[index] = (best, 1.0)
    return pairs


def _cut_otherwise(before: Edition, after: Rulebook, same: Pairs) -> dict[int, Matched]:
    """The passages of which most sentences stand, word for word, in several passages now, or in one with others."""
    taken = {number for number, _ in same.values()}
    free = [passage for number, passage in enumerate(after.passages) if number not in taken]
    prints = [{sentence.fingerprint[:8] for sentence in passage.sentences} for passage in free]
    found: dict[int, Matched] = {}
    whole: dict[str, list[int]] = {}
    for index, mark in enumerate(before.marks):
        mine = {one.fingerprint for one in mark.sentences}
        if index in same or not mine:
            continue
        there = [passage for passage, others in zip(free, prints, strict=True) if others & mine]
        kept = [len(others & mine) for others in prints if others & mine]
        if sum(kept) < len(mine) * MOST_KEPT:
            continue
        if len(there) > 1:
            found[index] = Matched(Status.SPLIT, mark, there[0], min(1.0, sum(kept) / len(mine)), tuple(there))
        else:
            whole.setdefault(there[0].id, []).append(index)
    for id, indexes in whole.items():
        if len(indexes) > 1:
            found |= {index: Matched(Status.JOINED, before.marks[index], after[id]) for index in indexes}
    return found


def _numbers(book: Rulebook, matches: Iterable[Matched]) -> set[int]:
    ids = {passage.id for match in matches for passage in match.all_after}
    return {number for number, passage in enumerate(book.passages) if passage.id in ids} if ids else set()


def _alike_words(before: Edition, after: Rulebook, same: Pairs, cut: Mapping[int, Matched]) -> Pairs:
    """Of what is left, the most alike first."""
    taken = {number for number, _ in same.values()} | _numbers(after, cut.values())
    lost = [index for index in range(len(before.marks)) if index not in same and index not in cut]
    free = [number for number in range(len(after.passages)) if number not in taken] if lost else []
    likeness_of = {number: _Likeness(after.passages[number]) for number in free}
    scores = [
        (score, index, number)
        for index in lost
        for number in free
        if (score := likeness_of[number].to(before.marks[index])) >= _least(before.marks[index])
    ]
    pairs: Pairs = {}
    found: set[int] = set()
    for score, index, number in sorted(scores, key=lambda entry: (-entry[0], abs(entry[1] - entry[2]))):
        if index not in pairs and number not in found:
            pairs[index] = (number, score)
            found.add(number)
    return pairs


def _least(mark: PassageMark) -> float:
    return ALIKE_IN_WORDS if mark.text else ALIKE


class _Likeness:
    """How alike a passage is to marks; its sketch is made when the first of them has no words."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self._section = fingerprint(passage.section)
        self._sketch = ""

    def to(self, mark: PassageMark) -> float:
        """From 0 to 1."""
        if mark.text:
            return alike(mark.text, self.passage.text)
        self._sketch = self._sketch or sketch(self.passage.text)
        return min(1.0, likeness(mark.sketch, self._sketch) + (0.1 if mark.section == self._section else 0.0))


def _steady(before: Edition, after: Rulebook, pairs: Pairs) -> set[int]:
    """The passages that kept their order among each other: all others have moved."""
    indexes = sorted(pairs)
    numbers = [pairs[index][0] for index in indexes]
    blocks = difflib.SequenceMatcher(None, sorted(numbers), numbers, autojunk=False).get_matching_blocks()
    return {indexes[at] for block in blocks for at in range(block.b, block.b + block.size)}


def _matched(mark: PassageMark, pair: tuple[int, float] | None, steady: bool, after: Rulebook) -> Matched:
    if pair is None:
        return Matched(Status.GONE, mark, None, 0.0)
    passage = after.passages[pair[0]]
    if passage.fingerprint != mark.fingerprint:
        return Matched(Status.EDITED, mark, passage, pair[1])
    return Matched(Status.UNCHANGED if steady else Status.MOVED, mark, passage)


def marks_of(place: Place, edition: Edition, addresses: Iterable[str] = ()) -> tuple[PassageMark, ...]:
    """The passages of a known edition that a place points at; with addresses of sentences, only those."""
    named = [edition.homes[address] for address in addresses if address in edition.homes]
    spans = (place.lines, *place.also_at)
    on_lines = [mark for span in spans for mark in edition.at(*span)]
    wanted = [mark for mark in named if mark in on_lines] or on_lines
    return tuple(dict.fromkeys(wanted))


def candidates(
    statements: Mapping[str, str], book: Rulebook, most: int = 3, score: Scorer | None = None
) -> list[Candidate]:
    """The passages of a document never seen that may say each rule, the likeliest first.

    `statements` maps rule ids to the rules in our words. Without a `score` they are compared by common words, so they
    must be in the document's language. No score can tell numbers or negations apart: a person has to confirm.
    """
    wanted, passages = list(statements.values()), book.rules
    pieces = [(number, sentence.text) for number, one in enumerate(passages) for sentence in one.sentences]
    compared = score or by_words
    by_sentence = compared(wanted, [text for _, text in pieces])
    by_passage = compared(wanted, [f"{' '.join(one.heading[-1:])}. {one.text}" for one in passages])
    return [
        Candidate(rule, passages[number].id, round(value, 3))
        for rule, row, whole in zip(statements, by_sentence, by_passage, strict=True)
        for number, value in _best(row, [number for number, _ in pieces], whole)[:most]
        if value >= PROPOSED
    ]


Scorer = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]]


def _best(row: Sequence[float], passages: Sequence[int], whole: Sequence[float]) -> list[tuple[int, float]]:
    """Passages by the mean of their likeliest sentence and of themselves under their heading."""
    likeliest = [0.0] * len(whole)
    for number, value in zip(passages, row, strict=True):
        likeliest[number] = max(likeliest[number], float(value))
    means = [(one + float(other)) / 2 for one, other in zip(likeliest, whole, strict=True)]
    return sorted(enumerate(means), key=lambda entry: -entry[1])


def by_words(one: Sequence[str], other: Sequence[str]) -> list[list[float]]:
    """Likeness by common words: quick, and blind to what is said in other words."""
    return [[alike(a, b) for b in other] for a in one]


def alike(one: str, other: str) -> float:
    """Likeness of two texts, from 0 to 1: by rapidfuzz where it is installed, else by the standard library."""
    try:
        fuzz = importlib.import_module("rapidfuzz.fuzz")
    except ImportError:
        return difflib.SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
    return float(fuzz.token_sort_ratio(one.casefold(), other.casefold())) / 100
