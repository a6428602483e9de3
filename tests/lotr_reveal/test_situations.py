"""Every situation, judged: the verdict at its step, the rules it names, and what then lies on the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.core.cases import cases_of, exceptions_of, standing_of
from audit.core.model import Verdict
from audit.games.lotr_reveal import RULESET
from replays.terminal.rules import coverage_lines, coverage_of
from tests.lotr_reveal.situations import PACKAGE, ROUNDS, audited, differences, findings, inferred, kept, own, said

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
KEPT = kept(SHARED)
OWN = cases_of(PACKAGE)

STANDINGS = ("    judged", "    unchecked: ", "    not decidable: ")

each_kept = pytest.mark.every("case", KEPT, ids=lambda case: case["id"])


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


def test_every_rule_that_can_be_checked_is_kept_in_some_case_and_broken_in_another() -> None:
    checkable = {rule.id for rule in RULESET.catalogue if rule.checkable}
    shown = {way: {id for case in OWN if case.verdict == way for id in case.proves} for way in ("legal", "broken")}
    assert shown["legal"] == checkable
    assert checkable - shown["broken"] == set(exceptions_of(PACKAGE))


def test_an_exception_has_its_reason() -> None:
    assert all(len(reason.split()) > 5 for reason in exceptions_of(PACKAGE).values())


DECISIONS = Path(__file__).resolve().parents[2] / "docs" / "decisions" / "lotr-coverage.md"


def test_the_documentation_and_the_command_say_of_each_rule_how_far_it_is_judged() -> None:
    entries = coverage_of(RULESET)
    printed, page = list(coverage_lines(entries.values())), DECISIONS.read_text("utf-8")
    assert list(entries) == list(RULESET.catalogue.rules)
    assert "\n".join(f"| `{id}` | {entry['standing']} |" for id, entry in entries.items()) in page
    told = [line.strip() for line in printed if line.startswith(STANDINGS)]
    assert told == [entry["standing"] for entry in entries.values()]


def test_the_documentation_counts_and_names_the_rules_that_no_log_can_break() -> None:
    checkable, page = [rule.id for rule in RULESET.catalogue if rule.checkable], DECISIONS.read_text("utf-8")
    exceptions = exceptions_of(PACKAGE)
    assert f"Of the {len(RULESET.catalogue.rules)} rules, {len(checkable)} can be checked" in page
    assert f"{len(checkable) - len(exceptions)} are broken in one" in page
    assert [id for id in exceptions if f"`{id}`" not in page.partition("## ")[0]] == []


def test_what_is_called_unchecked_is_and_nothing_else() -> None:
    """In the cases, and in the rounds that players write down."""
    logs = [*own(), *ROUNDS]
    open_rules = {
        why.rule.id
        for log in logs
        for step in audited(log)
        if step.verdict is Verdict.UNCHECKED
        for why in step.violations
    }  # fmt: skip
    assert open_rules == {id for id, (standing, _) in standing_of(PACKAGE).items() if standing == "unchecked"}
