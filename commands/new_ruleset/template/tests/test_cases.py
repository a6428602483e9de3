"""Each rule has a case that keeps it and one that breaks it."""

from __future__ import annotations

import pytest
from audit.core.cases import Case, cases_of
from replays.conformance import assert_none, case_problems
from replays.terminal.rules import coverage_of, is_proven

from example_game import RULESET

CASES = cases_of(RULESET.catalogue.package)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_case_shows_what_it_says(case: Case) -> None:
    assert_none(case_problems(RULESET, case))


def test_every_rule_is_shown_both_ways() -> None:
    assert [id for id, entry in coverage_of(RULESET).items() if entry["checkable"] and not is_proven(entry)] == []
