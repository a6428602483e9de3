"""Every situation, judged: the verdict at its step, the rules it names, and what then lies on the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.lotr_reveal import RULESET
from audit.model import Verdict
from tests.lotr_reveal.situations import audited, differences, findings, inferred, kept, own, said

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KEPT = kept(SHARED)
OWN = own()

each_kept = pytest.mark.parametrize("case", KEPT, ids=lambda case: case["id"])
each_own = pytest.mark.parametrize("case", OWN, ids=lambda case: case["id"])


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
    assert not list(differences(RULESET.view(state), case["final_state"]))


@pytest.mark.skipif(not KEPT, reason="needs the folder shared/ beside the project")
def test_there_are_twenty_one_situations() -> None:
    assert len(KEPT) == 21


@each_own
def test_the_first_finding_is_the_one_expected_and_nothing_else_is_found(case: dict[str, Any]) -> None:
    found = findings(audited(case))
    if "broken" not in case:
        assert not [(step.seq, step.broken) for step in found]
        return
    broken = case["broken"]
    assert [step.seq for step in found] == [broken["at"]], [step.broken for step in found]
    assert found[0].rules[0].id == broken["rule"]
    assert set(broken.get("also", ())) <= {rule.id for rule in found[0].rules}


@each_own
def test_the_steps_name_their_rules(case: dict[str, Any]) -> None:
    steps = audited(case)
    missing = {seq: set(rules) - set(said(steps, seq)) for seq, rules in case.get("cites", {}).items()}
    assert not {seq: rules for seq, rules in missing.items() if rules}


@each_own
def test_a_case_says_something(case: dict[str, Any]) -> None:
    assert case.get("cites") or case.get("broken")
