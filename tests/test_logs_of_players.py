"""Logs as players keep them: no honest one is accused, a mistake is told once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.rulings import cited
from audit.core.steps import Step
from replays.judging.tally import superseded_steps
from replays.log.reader import Log
from replays.scoresheet.opening import opened
from tests.yaml_files import read_yaml

LOGS = Path(__file__).with_name("logs_of_players")
INDEX = read_yaml(LOGS / "INDEX.yaml")


def kept(name: str) -> Log:
    """The log of that name, which may be kept as a score sheet."""
    (path,) = LOGS.glob(f"{name}.*")
    return opened(path)


def findings(name: str) -> list[Step]:
    """The findings of a log in what stands of it."""
    log = kept(name)
    steps = list(audit(log.ruleset, log.header, log))
    aside = superseded_steps(steps)
    return [step for step in steps if step.verdict.is_finding and step.index not in aside]


@pytest.mark.parametrize("name", [name for name, told in INDEX.items() if "habit" in told])
def test_an_honest_log_is_not_accused(name: str) -> None:
    assert findings(name) == []


@pytest.mark.parametrize(("name", "told"), [(name, told) for name, told in INDEX.items() if "mistake" in told])
def test_a_mistake_is_told_once_at_its_event_by_a_rule_that_a_judge_would_name(name: str, told: dict[str, Any]) -> None:
    (found,) = findings(name)
    assert found.seq == told["seq"]
    log = kept(name)
    named = cited(log.ruleset, found, log.header.edition)[:2]
    assert not {rule.id for rule in named}.isdisjoint(told["rules"])


@pytest.mark.parametrize(("name", "told"), [(name, told) for name, told in INDEX.items() if "differs" in told])
def test_a_checkpoint_that_differs_names_the_event_that_caused_it(name: str, told: dict[str, Any]) -> None:
    (found,) = findings(name)
    assert (found.seq, found.because) == (told["differs"], (told["because"],))
