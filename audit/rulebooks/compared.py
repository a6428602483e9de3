"""Which pairs of languages that both say a rule were compared, and which were not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from msgspec import Struct

from audit.core.catalogue import Place, Rule
from audit.rulebooks.matrix import Matrix, State
from audit.rulebooks.segments import Placed, Segment, Sentences, Side, Unit

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
