"""Every situation, judged: the verdict at its step, the rules it names, and what then lies on the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.cases import Case, cases_of, exceptions_of, proofs, run
from audit.lotr_reveal import RULESET
from audit.model import Verdict
from tests.lotr_reveal.situations import PACKAGE, audited, differences, findings, inferred, kept, said

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KEPT = kept(SHARED)
OWN = cases_of(PACKAGE)

each_kept = pytest.mark.parametrize("case", KEPT, ids=lambda case: case["id"])


@each_kept
def test_the_verdict_is_that_of_the_situation(case: dict[str, Any]) -> None:
    steps, verdict = audited(case), case["verdict"]
    assert not inferred(steps)
    if verdict["result"] == "legal":
        assert not findings(steps)
        return
    (finding,) = findings(steps)
    assert (finding.seq, finding.verdict) == (verdict["at"], Verdict.ILLEGAL)
    assert finding.rules[0].id in (verdict["rule"], *verdict.get("also_ok", ()))


@each_kept
def test_the_annotations_name_the_rules_of_the_situation(case: dict[str, Any]) -> None:
    steps = audited(case)
    missing = {seq: set(rules) - set(said(steps, seq)) for seq, rules in case.get("annotations", {}).items()}
    assert not {seq: rules for seq, rules in missing.items() if rules}


@each_kept
def test_the_position_is_that_of_the_situation(case: dict[str, Any]) -> None:
    steps, verdict = audited(case), case["verdict"]
    broken = verdict["result"] == "illegal"
    state: Any = next(step.before for step in steps if step.seq == verdict["at"]) if broken else steps[-1].state
    assert not list(differences(RULESET.disclosure.view(state), case["final_state"]))


@pytest.mark.skipif(not KEPT, reason="needs the folder shared/ beside the project")
def test_there_are_twenty_one_situations() -> None:
    assert len(KEPT) == 21


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.id)
def test_a_case_shows_every_rule_it_is_about_and_nothing_else_is_found(case: Case) -> None:
    assert set(proofs(RULESET, case)) == set(case.proves)
    findings = [step for step in run(RULESET, case) if step.verdict.is_finding]
    assert len(findings) == (case.verdict == "broken")


def test_every_rule_that_can_be_checked_is_kept_in_some_case_and_broken_in_another() -> None:
    checkable = {rule.id for rule in RULESET.catalogue if rule.checkable}
    shown = {way: {id for case in OWN if case.verdict == way for id in case.proves} for way in ("legal", "broken")}
    assert shown["legal"] == checkable
    assert checkable - shown["broken"] == set(exceptions_of(PACKAGE))


def test_an_exception_has_its_reason() -> None:
    assert all(len(reason.split()) > 5 for reason in exceptions_of(PACKAGE).values())
