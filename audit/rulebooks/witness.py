"""Our own statement of a rule as a witness where one printed edition alone says the rule: weaker than an edition.

Only a contradiction counts, a word read on both sides with two values; what one side leaves out tells nothing. Where
two editions say a rule they are compared with each other, and our statement is not heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from audit.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.clauses.compare import differences
from audit.rulebooks.findings import Difference, Finding, Kind, Severity, quote
from audit.rulebooks.segments import Placed, Side, Unit
from audit.rulebooks.terms import TermBase

_HEARD = frozenset({Kind.NUMBER, Kind.MODALITY, Kind.TIME, Kind.ACTOR, Kind.QUANTITY})
_MUCH_MORE = 1.6
"""A sentence that is so much longer than the statement says more than the rule."""


def against_own(units: Iterable[Unit], catalogue: Catalogue, base: TermBase) -> Iterator[Finding]:
    """What a sentence that says one rule alone contradicts in our statement of it, in the same language."""
    for rule, side in _lonely(list(units)).items():
        own = _own(catalogue, rule, side.language)
        if own and len(side.text) <= _MUCH_MORE * len(own.text):
            for found in differences(side, own, base):
                if found.code == "exchange" and found.kind in _HEARD:
                    yield _finding(rule, side, found)


def _lonely(units: list[Unit]) -> Mapping[str, Side]:
    """The rules that one document says, in one sentence that says nothing else."""
    there: dict[str, list[tuple[Unit, Side]]] = {}
    for unit in units:
        for side in unit.sides.values():
            for rule in unit.segment.rules if side.sentences else ():
                there.setdefault(rule, []).append((unit, side))
    return {
        rule: found[0][1]
        for rule, found in there.items()
        if len(found) == 1 and len(found[0][1].sentences) == 1 and len(found[0][0].segment.rules) == 1
    }


def _own(catalogue: Catalogue, rule: str, language: str) -> Side | None:
    if rule not in catalogue.rules or language not in LANGUAGES:
        return None
    return Side(language, (Placed("1.1", 0, catalogue.statement(catalogue[rule], language), (0, 0), "", ""),))


def _finding(rule: str, side: Side, found: Difference) -> Finding:
    return Finding(
        kind=found.kind, code="against-own", severity=Severity.COSMETIC, segment=rule, rule=rule, rules=(rule,),
        languages=(side.language,), data=found.data, quotes=(quote(side, found.left),),
    )  # fmt: skip
