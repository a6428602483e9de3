"""Each fault once, however many documents and rules it is found by: for documents that people linked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from msgspec.structs import replace

from audit.rulebooks.causes import with_quotes
from audit.rulebooks.findings import Finding, Kind

TURNED = "turned"


def by_sides(found: Iterable[Finding]) -> list[Finding]:
    """The findings with those on the order of two steps of a rule joined: who has one first, and who the other."""
    groups: dict[Hashable, list[Finding]] = {}
    for number, one in enumerate(found):
        groups.setdefault(one.segment if one.code == TURNED else number, []).append(one)
    return [one for group in groups.values() for one in _two_sides(group)]


def _two_sides(group: Sequence[Finding]) -> list[Finding]:
    """The group as one finding, where each of its documents stands on one of two sides."""
    first = group[0]
    if first.code != TURNED:
        return [*group]
    side = dict(zip(first.languages, (True, False), strict=True))
    for one in group[1:]:
        left, right = one.languages
        is_first = side.get(left, not side[right] if right in side else True)
        if side.setdefault(left, is_first) == side.setdefault(right, not is_first):
            return [*group]
    quotes = {quote.language: quote for one in reversed(group) for quote in one.quotes}
    mine = [name for name in side if side[name]]
    languages = (*mine, *(name for name in side if not side[name]))
    data = (*first.data, ("of", " ".join(mine)))
    return [replace(first, languages=languages, data=data, quotes=tuple(quotes[name] for name in languages))]


def each_once(found: Sequence[Finding]) -> list[Finding]:
    """The findings of which something is not told by one that more documents take part in.

    What six cards in one text are to the five of most is told; what they are to the four of a third one is not.
    """
    kept: list[Finding] = []
    for one in sorted(found, key=lambda each: -len(each.languages)):
        mine = _places(one)
        told = [number for number, other in enumerate(kept) if mine & _places(other)]
        if mine <= frozenset[Hashable]().union(*(_places(kept[number]) for number in told)):
            first = kept[told[0]]
            kept[told[0]] = replace(with_quotes(first, one), rules=tuple(dict.fromkeys([*first.rules, *one.rules])))
        else:
            kept.append(one)
    return sorted(kept, key=lambda one: [each.segment for each in found].index(one.segment))


def _places(found: Finding) -> frozenset[Hashable]:
    """The words that a finding is about; of the order of steps the texts, whichever of their words tell it."""
    return frozenset(
        (found.kind, quote.language, quote.lines, () if found.kind is Kind.ORDER else quote.marks)
        for quote in found.quotes
    )
