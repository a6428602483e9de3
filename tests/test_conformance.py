"""What holds for every game, whatever its rules: the conformance suite over every ruleset that is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.ruleset import rulesets
from replays.conformance import CHECKS, RULESET_CHECKS, Check, Sample, check_name, problems, samples


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("check", RULESET_CHECKS, ids=check_name)
def test_the_ruleset(check: Check[str], name: str) -> None:
    assert problems(check, name) == []


@pytest.mark.parametrize("sample", samples(*rulesets()), ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=check_name)
def test_a_simulated_game(check: Check[Sample], sample: Sample) -> None:
    assert problems(check, sample) == []


def test_problems_are_listed_up_to_a_few() -> None:
    def wrong(name: str) -> Iterator[str]:
        yield from (f"{name} {number}" for number in range(100))

    assert problems(wrong, "problem") == [f"problem {number}" for number in range(5)]
