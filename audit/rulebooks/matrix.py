"""The rule-by-language matrix: stated, implied, missing, extra; and which pairs of languages were compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations

from msgspec import Struct

from audit.core.catalogue import Place, Rule
from audit.rulebooks.passages import Kind, Passage, Rulebook
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit


class State(StrEnum):
    """What a document does with a rule."""

    SAID = "said"
    IMPLIED = "implied"
    EXTRA = "extra"
    MISSING = "missing"
    OUTSIDE = "outside"
    NOT_LOADED = "not-loaded"
    UNANSWERED = "unanswered"
    """Nobody has said whether a document that people link says it."""


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
    spans = [span for place in places for span in (place.lines, *place.also_at)]
    sides = [unit.sides[language] for unit in units if language in unit.sides]
    aligned = {sentence.passage for side in sides for sentence in side.sentences}
    for passage in book.rules:
        if passage.kind is Kind.QUESTION or passage.id in aligned:
            continue
        if not any(passage.overlaps(first, last) for first, last in spans):
            yield passage


Pair = tuple[str, str, str]
"""A rule and two languages that say it."""


class Compared(Struct, frozen=True):
    """The pairs that were compared, and those that no linked passages of both languages allow to compare."""

    done: tuple[Pair, ...]
    left_out: tuple[Pair, ...]


def pairs_compared(table: Matrix, units: Iterable[Unit]) -> Compared:
    """Every pair of loaded languages that both say a rule, compared or left out."""
    together = {
        (rule, *pair)
        for unit in units
        for rule in unit.segment.rules
        for pair in combinations([language for language, side in unit.sides.items() if side.sentences], 2)
    }
    wanted = [
        (row.rule, *pair)
        for row in table.rows
        for pair in combinations([code for code, cell in row.cells.items() if cell.lines and _says(cell.state)], 2)
    ]
    return Compared(
        tuple(pair for pair in wanted if pair in together), tuple(pair for pair in wanted if pair not in together)
    )


def by_place(rules: Iterable[Rule], documents: Mapping[str, Sentences], left_out: Iterable[Pair]) -> list[Unit]:
    """Units of the pairs without linked sentences, from the lines on which each document says the rule.

    `documents` has the sentences by their addresses in the edition whose lines the catalogue gives.
    A place with several sentences says more than the rule: there only contradictions count (`qa.compared`). A rule
    that a document only implies has no words to compare.
    """
    known = {rule.id: rule for rule in rules}
    found = []
    for id, *pair in left_out:
        sides = {code: at_place(known[id].places[code], code, documents[code]) for code in pair}
        stated = not any(known[id].places[code].implied for code in pair)
        if stated and all(side.sentences for side in sides.values()):
            found.append(Unit(Segment(f"{id}@{'-'.join(pair)}", (id,), {}), sides))
    return found


def is_of_a_pair(unit: str) -> bool:
    """Whether a unit is of one pair of languages, by its id: it is none where one of them takes no part."""
    return "@" in unit


def at_place(place: Place, language: str, sentences: Sentences) -> Side:
    """The sentences on the lines where the catalogue has a rule, by their addresses in the known edition."""
    return Side(language, tuple(sentences[address] for address in addresses_at(place, known_lines(sentences))))


def addresses_at(place: Place, lines: Mapping[str, tuple[int, int]]) -> list[str]:
    """The addresses of the sentences on the lines of a place, from the lines of all sentences."""
    spans = (place.lines, *place.also_at)
    return [address for address, there in lines.items() if _stands_on(there, spans)]


def known_lines(sentences: Sentences) -> dict[str, tuple[int, int]]:
    """The lines of each sentence in the edition whose lines the catalogue gives."""
    return {address: _known_lines(address, one) for address, one in sentences.items()}


def _stands_on(lines: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    return any(lines[0] <= last and first <= lines[1] for first, last in spans)


def _known_lines(address: str, sentence: Placed) -> tuple[int, int]:
    """The lines of a sentence in the known edition: where its address says, and as many as it has here, if so many."""
    begins = int(address.partition(".")[0])
    ends = begins + sentence.lines[1] - sentence.lines[0]
    return begins, min(ends, sentence.known_until) if sentence.known_until else ends


def _says(state: State) -> bool:
    return state in (State.SAID, State.IMPLIED)
