"""What hangs on a finding: the named readings that part here, and the rulings of the publisher that settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.readings import Switch
from audit.rulebooks.findings import Finding, Severity
from audit.rulebooks.new_faults import is_new

MOST = 3
"""Rulings named with one finding."""


class Authorities(Struct, frozen=True):
    """The disagreements that are played both ways, with their editions, and the rulings, by rule."""

    switches: tuple[tuple[str, frozenset[str], frozenset[str]], ...]
    rulings: Mapping[str, tuple[str, ...]]

    def readings(self, finding: Finding) -> tuple[str, ...]:
        """The readings in which one of the finding's languages is played otherwise on one of its rules."""
        rules, languages = {*finding.rules}, {*finding.languages}
        return tuple(name for name, about, editions in self.switches if about & rules and editions & languages)

    def settling(self, finding: Finding) -> tuple[str, ...]:
        """The rulings that bear on the finding's first rule, those still in force."""
        return self.rulings.get(finding.rule, ())[:MOST]


def authorities(catalogue: Catalogue, switches: Iterable[Switch]) -> Authorities:
    """What is known of a game: its switches and its rulings."""
    about: dict[str, list[str]] = {}
    for id, ruling in catalogue.rulings.items():
        for rule in ruling.bears_on if not ruling.superseded_by else ():
            about.setdefault(rule, []).append(id)
    named = tuple((one.name, frozenset(rule.id for rule in one.rules), frozenset(one.editions)) for one in switches)
    return Authorities(named, {rule: tuple(ids) for rule, ids in about.items()})


def with_consequences(findings: Iterable[Finding], known: Authorities) -> list[Finding]:
    """The findings with their readings and rulings: what changes a game comes first, then what is settled.

    Of each grade, what a new edition changed stands before what was there already.
    A rule that is missing where a named reading parts does change a game.
    """
    found = [replace(one, readings=known.readings(one), rulings=known.settling(one)) for one in findings]
    return sorted((_graded(one) for one in found), key=_rank)


def _graded(finding: Finding) -> Finding:
    played_otherwise = finding.code == "rule" and finding.readings
    settled = finding.code == "rule" and finding.rulings and finding.severity is Severity.COSMETIC
    if played_otherwise:
        return replace(finding, severity=Severity.CHANGES)
    return replace(finding, severity=Severity.MISLEADS) if settled else finding


def _rank(finding: Finding) -> tuple[int, bool, bool, int, bool]:
    is_old = not is_new(finding)
    return finding.severity.rank, is_old, not finding.readings, -finding.weight.games, not finding.rulings
