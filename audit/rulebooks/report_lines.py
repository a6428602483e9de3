"""Lines that every report has: what was compared, and what settles a finding."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.sentences import sentence
from audit.rulebooks.dismissals import Triage
from audit.rulebooks.findings import PACKAGE, Finding, label
from audit.rulebooks.titles import rule_words, ruling_words, switch_words


def pairs_told(result: Triage, language: str) -> Iterator[str]:
    """How many findings each person has, which pairs of languages were compared, and how many rules some do not say."""
    if people := result.people():
        nobody = sentence(PACKAGE, language, "report.nobody", {})
        names = ", ".join(f"{name or nobody} {count}" for name, count in people.items())
        yield sentence(PACKAGE, language, "report.people", {"names": names})
    every = result.compared + len(result.left_out)
    if every:
        yield sentence(PACKAGE, language, "report.pairs", {"all": every, "done": result.compared})
    if result.left_out:
        pairs = ((rule, label("language", one, language), label("language", other, language))
                 for rule, one, other in result.left_out)  # fmt: skip
        names = "; ".join(f"{rule_words(rule, language)} ({one} – {other})" for rule, one, other in pairs)
        yield sentence(PACKAGE, language, "report.left-out", {"names": names})
    if result.gaps:
        yield sentence(PACKAGE, language, "report.gaps", {"count": result.gaps})


def authority(finding: Finding, language: str) -> Iterator[str]:
    """Who sees to a finding, the readings that part on it, and the rulings that settle it."""
    yield from who(finding, language)
    yield from settling(finding, language)


def settling(finding: Finding, language: str) -> Iterator[str]:
    """The readings that part on a finding, and the rulings that settle it."""
    switches = [switch_words(name, language) for name in finding.readings]
    rulings = [ruling_words(id, language) for id in finding.rulings]
    for key, words in (("report.readings", switches), ("report.rulings", rulings)):
        if words:
            yield sentence(PACKAGE, language, key, {"names": " ".join(words)})


def who(finding: Finding, language: str) -> Iterator[str]:
    """The person who sees to a finding, if there is one."""
    if finding.assigned:
        yield sentence(PACKAGE, language, "report.assigned", {"name": finding.assigned})
