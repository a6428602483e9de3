"""Every rule that can be checked has a case that obeys it and one that breaks it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from audit.altered.catalogue import CATALOGUE
from audit.model import Verdict
from tests.altered.situations import audited, cases, first_finding
from tests.conftest import ROOT

EXCEPTIONS = ROOT / "docs" / "decisions" / "altered-coverage.md"


def told(key: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in cases() if key in case]


@pytest.mark.parametrize("case", told("proves"))
def test_what_obeys_the_rules_is_legal_by_them(case: dict[str, Any]) -> None:
    steps = audited(case["given"], case["events"])
    assert first_finding(steps) is None
    assert set(case["proves"]) <= {rule.id for rule in steps[-1].rules}


@pytest.mark.parametrize("case", told("broken"))
def test_what_breaks_a_rule_is_found_there_and_named(case: dict[str, Any]) -> None:
    finding = first_finding(audited(case["given"], case["events"]))
    assert finding is not None
    assert finding.seq == case.get("at", len(case["events"]))
    assert finding.verdict == Verdict(case.get("verdict", "illegal"))
    assert set(case["broken"]) <= {broken.rule.id for broken in finding.violations}


def covered(key: str) -> set[str]:
    return {rule for case in cases() for rule in case.get(key, ())}


def excepted(kind: str) -> set[str]:
    """Rules the document of exceptions lists with a reason, by what is missing."""
    rows = re.findall(r"^\| `(altered\.[\w.-]+)` \| (legal|broken) \| (.+) \|$", EXCEPTIONS.read_text("utf-8"), re.M)
    return {rule for rule, missing, _ in rows if missing == kind}


@pytest.mark.parametrize(("key", "kind"), [("proves", "legal"), ("broken", "broken")])
def test_each_rule_that_can_be_checked_is_covered_or_has_a_reason_not_to_be(key: str, kind: str) -> None:
    checkable = {rule.id for rule in CATALOGUE if rule.checkable}
    assert checkable - covered(key) == excepted(kind)


def test_cases_have_names_of_their_own_and_cite_rules_of_the_catalogue() -> None:
    names = [case["id"] for case in cases()]
    assert len(set(names)) == len(names)
    assert all(CATALOGUE[rule] for rule in covered("proves") | covered("broken"))
