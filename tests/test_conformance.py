"""What holds for every game, whatever its rules: the conformance suite over every ruleset that is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.ruleset import rulesets
from replays.conformance import CHECKS, RULESET_CHECKS, Check, Sample, assert_none, check_name, samples


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("check", RULESET_CHECKS, ids=check_name)
def test_the_ruleset(check: Check[str], name: str) -> None:
    assert_none(check(name))


@pytest.mark.parametrize("sample", samples(*rulesets()), ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=check_name)
def test_a_simulated_game(check: Check[Sample], sample: Sample) -> None:
    assert_none(check(sample))


def test_problems_are_listed_up_to_a_few() -> None:
    def wrong() -> Iterator[str]:
        yield from (f"problem {number}" for number in range(100))

    with pytest.raises(AssertionError) as raised:
        assert_none(wrong())
    assert str(raised.value).splitlines() == [f"problem {number}" for number in range(5)]
    assert_none(())
