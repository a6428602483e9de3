"""What holds for every game, whatever its rules."""

from __future__ import annotations

import pytest
from replays.conformance import CHECKS, RULESET_CHECKS, Check, Sample, assert_none, check_name, samples

NAME = "example-game"


@pytest.mark.parametrize("check", RULESET_CHECKS, ids=check_name)
def test_the_ruleset(check: Check[str]) -> None:
    assert_none(check(NAME))


@pytest.mark.parametrize("sample", samples(NAME), ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=check_name)
def test_a_simulated_game(check: Check[Sample], sample: Sample) -> None:
    assert_none(check(sample))
