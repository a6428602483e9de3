"""The rule-by-language matrix: stated, implied, missing, extra; and the passages linked to no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from audit.core.catalogue import Place, Rule
from audit.rulebooks.passages import Kind, Passage, Rulebook
from audit.rulebooks.segments import Unit


class State(StrEnum):
    """What a document does with a rule."""

    SAID = "said"
    IMPLIED = "implied"
    EXTRA = "extra"
    MISSING = "missing"
    OUTSIDE = "outside"
    NOT_LOADED = "not-loaded"


class Cell(Struct, frozen=True):
    """One rule in one language: what the document does with it, and on which lines."""

    state: State
    lines: tuple[tuple[int, int], ...] = ()


class Row(Struct, frozen=True):
    """One rule in all languages."""

    rule: str
    topic: str
    cells: Mapping[str, Cell]


class Matrix(Struct, frozen=True):
    """All rows in the order of the catalogue, and for each loaded language the passages without a rule."""

    languages: tuple[str, ...]
    rows: tuple[Row, ...]
    unlinked: Mapping[str, tuple[Passage, ...]]

    def counts(self, language: str) -> Counter[State]:
        """How many rules are in each state in a language."""
        return Counter(row.cells[language].state for row in self.rows)

    def in_state(self, language: str, *states: State) -> tuple[Row, ...]:
        """The rows that are in one of these states in a language."""
        return tuple(row for row in self.rows if row.cells[language].state in states)


def matrix(
    rules: Iterable[Rule],
    documents: Mapping[str, str],
    books: Mapping[str, Rulebook],
    languages: Sequence[str] = (),
    units: Sequence[Unit] = (),
) -> Matrix:
    """The matrix of a ruleset.

    `documents` are the published languages, `books` the loaded ones. A rule that only one language says is extra
    there; a topic on which a document is silent altogether is outside its subject, which is told once by topic and
    not as a missing rule each time. Passages of the aligned `units` count as linked.
    """
    every = [rule for rule in rules if rule.places]
    chosen = tuple(language for language in documents if not languages or language in languages)
    spoken = {language: {rule.topic for rule in every if language in rule.places} for language in chosen}
    rows = tuple(
        Row(rule.id, rule.topic, {language: _cell(rule, language, spoken[language], books) for language in chosen})
        for rule in every
    )
    unlinked = {
        language: tuple(_unlinked(every, language, books[language], units)) for language in chosen if language in books
    }
    return Matrix(chosen, rows, unlinked)


def _cell(rule: Rule, language: str, spoken: set[str], books: Mapping[str, Rulebook]) -> Cell:
    place = rule.places.get(language)
    if place is None:
        return Cell(State.MISSING if rule.topic in spoken else State.OUTSIDE)
    lines = (place.lines, *place.also_at)
    if language not in books:
        return Cell(State.NOT_LOADED, lines)
    if len(rule.places) == 1:
        return Cell(State.EXTRA, lines)
    return Cell(State.IMPLIED if place.implied else State.SAID, lines)


def _unlinked(rules: Iterable[Rule], language: str, book: Rulebook, units: Iterable[Unit]) -> Iterator[Passage]:
    places = [rule.places[language] for rule in rules if language in rule.places]
    spans = [span for place in places for span in _spans(place)]
    sides = [unit.sides[language] for unit in units if language in unit.sides]
    aligned = {sentence.passage for side in sides for sentence in side.sentences}
    for passage in book.rules:
        if passage.kind is Kind.QUESTION or passage.id in aligned:
            continue
        if not any(passage.overlaps(first, last) for first, last in spans):
            yield passage


def _spans(place: Place) -> tuple[tuple[int, int], ...]:
    return (place.lines, *place.also_at)
