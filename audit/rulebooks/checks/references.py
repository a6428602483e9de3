"""Cross references: an edition that sends its reader to another page, section or rule than the other editions do.

A number that stands in the document itself is followed: two editions that count their sections otherwise refer to the
same place as long as the same rules are found there. Pages cannot be followed; two editions may be laid out otherwise,
so that only a page that does not keep to the order of the others is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from audit.rulebooks.clauses.frames import Fact, facts
from audit.rulebooks.findings import Difference, Finding, Kind, Severity, between, within
from audit.rulebooks.passages import Passage, Rulebook
from audit.rulebooks.segments import Side, Unit
from audit.rulebooks.terms import TermBase

_PAGE = "page"
_LAID_OUT_OTHERWISE = 3
"""So many references that keep their order show that two documents only count their pages otherwise."""
_NUMBERED = re.compile(r"^\W*(?:[^\W\d]+ )?(\d+(?:\.\d+)*(?:\.?[a-z]\b)?)")

Targets = Mapping[str, frozenset[str]]
"""The rules that stand under each number of a document."""


class _Pair(Struct, frozen=True):
    """Two references of one sort at one place in two editions."""

    unit: Unit
    one: Side
    other: Side
    left: Fact
    right: Fact


def astray(units: Sequence[Unit], books: Mapping[str, Rulebook], base: TermBase) -> Iterator[Finding]:
    """References that lead elsewhere in another edition, that only one edition has, or that lead to nothing."""
    targets = {language: _targets(book, units) for language, book in books.items()}
    pages: dict[tuple[str, str], list[_Pair]] = defaultdict(list)
    for unit in units:
        for side in unit.sides.values():
            for found in _nowhere(side, targets.get(side.language, {}), base):
                yield within(unit.id, unit.segment.rules, side, found)
        for one, other in combinations([side for side in unit.sides.values() if side.sentences], 2):
            for pair in _pairs(unit, one, other, base):
                if _sort(pair.left) == _PAGE:
                    pages[one.language, other.language].append(pair)
                elif code := _parted(pair, targets):
                    yield _finding(pair, code, Severity.CHANGES)
            for found in _alone(one, other, base):
                yield between(unit.id, unit.segment.rules, one, other, found)
    for some in pages.values():
        yield from (_finding(pair, "exchange", Severity.MISLEADS) for pair in _out_of_order(some))


def _targets(book: Rulebook, units: Sequence[Unit]) -> Targets:
    rules: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        for sentence in unit.sides[book.language].sentences if book.language in unit.sides else ():
            rules[sentence.passage].update(unit.segment.rules)
    found: dict[str, set[str]] = defaultdict(set)
    for passage in book.passages:
        for number in _numbers(passage):
            found[number].update(rules[passage.id])
    return {number: frozenset(there) for number, there in found.items()}


def _numbers(passage: Passage) -> set[str]:
    """The numbers under which a passage stands: its own, and those of the titles above it."""
    matches = [_NUMBERED.match(name) for name in (passage.key, *passage.heading)]
    return {match[1] for match in matches if match}


def _nowhere(side: Side, targets: Targets, base: TermBase) -> Iterator[Difference]:
    """A section that a document does not have, while it has others with a number of that depth."""
    for fact in _references(side, base):
        number = _number(fact)
        if _sort(fact) != _PAGE and number not in targets and any(_depth(one) == _depth(number) for one in targets):
            yield Difference(Kind.REFERENCE, "nowhere", Severity.MISLEADS, (("word", fact.value),), (_span(fact),))


def _pairs(unit: Unit, one: Side, other: Side, base: TermBase) -> Iterator[_Pair]:
    """What two sides refer to, sort by sort, in the order of the words; what both name is no pair but of itself."""
    mine, theirs = _by_sort(one, base), _by_sort(other, base)
    for sort in mine.keys() & theirs.keys():
        same = {fact.value for fact in mine[sort]} & {fact.value for fact in theirs[sort]}
        for left, right in zip(_first(mine[sort], same), _first(theirs[sort], same), strict=False):
            yield _Pair(unit, one, other, left, right)


def _first(found: Sequence[Fact], same: set[str]) -> list[Fact]:
    """Those that both sides name, in one order, and then the others."""
    return [*sorted((fact for fact in found if fact.value in same), key=lambda fact: fact.value),
            *(fact for fact in found if fact.value not in same)]  # fmt: skip


def _parted(pair: _Pair, targets: Mapping[str, Targets]) -> str:
    """How two references part: another number, or one number under which other rules stand; empty if they agree."""
    here = targets.get(pair.one.language, {}).get(_number(pair.left), frozenset[str]())
    there = targets.get(pair.other.language, {}).get(_number(pair.right), frozenset[str]())
    if here and there:
        return "" if here & there else "target" if pair.left.value == pair.right.value else "exchange"
    return "exchange" if pair.left.value != pair.right.value else ""


def _alone(one: Side, other: Side, base: TermBase) -> Iterator[Difference]:
    """A reference where the other side has none at all."""
    mine, theirs = _references(one, base), _references(other, base)
    if mine and not theirs:
        data = (("left", mine[0].value),)
        yield Difference(Kind.REFERENCE, "left-only", Severity.COSMETIC, data, tuple(map(_span, mine)))
    if theirs and not mine:
        data = (("right", theirs[0].value),)
        yield Difference(Kind.REFERENCE, "right-only", Severity.COSMETIC, data, (), tuple(map(_span, theirs)))


def _out_of_order(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The pairs with another page, apart from those that keep one order where two documents are laid out otherwise."""
    differing = [pair for pair in pairs if pair.left.value != pair.right.value]
    kept = _longest_rising(sorted(pairs, key=lambda pair: (_page(pair.left), _page(pair.right))))
    if len(kept) >= _LAID_OUT_OTHERWISE and len(kept) > len(pairs) / 2:
        return [pair for pair in pairs if pair not in kept]
    return differing


def _longest_rising(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The most pairs of which the pages rise on both sides."""
    best: list[list[_Pair]] = []
    for pair in pairs:
        before = [row for row in best if _follows(row[-1], pair)]
        best.append([*max(before, key=len, default=[]), pair])
    return max(best, key=len, default=[])


def _follows(before: _Pair, pair: _Pair) -> bool:
    left, right = _page(pair.left) - _page(before.left), _page(pair.right) - _page(before.right)
    return (left > 0 and right > 0) or left == right == 0


def _finding(pair: _Pair, code: str, severity: Severity) -> Finding:
    data = (
        (("left", pair.left.value), ("right", pair.right.value)) if code == "exchange" else (("left", pair.left.value),)
    )
    found = Difference(Kind.REFERENCE, code, severity, data, (_span(pair.left),), (_span(pair.right),))
    return between(pair.unit.id, pair.unit.segment.rules, pair.one, pair.other, found)


def _by_sort(side: Side, base: TermBase) -> Mapping[str, list[Fact]]:
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in _references(side, base):
        found[_sort(fact)].append(fact)
    return found


def _references(side: Side, base: TermBase) -> list[Fact]:
    return [fact for fact in facts(side.text, side.language, base) if fact.slot == "reference"]


def _sort(fact: Fact) -> str:
    return fact.value.partition("-")[0]


def _number(fact: Fact) -> str:
    return fact.value.partition("-")[2]


def _page(fact: Fact) -> int:
    return int(_number(fact).partition("-")[0].partition(".")[0].rstrip("abcdefghijklmnopqrstuvwxyz"))


def _depth(number: str) -> int:
    return number.count(".")


def _span(fact: Fact) -> tuple[int, int]:
    return fact.start, fact.end
