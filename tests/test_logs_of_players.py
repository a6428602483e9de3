"""Logs as players keep them: no honest one is accused, a mistake is told once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.rulings import cited
from audit.core.steps import Step
from replays.judging.annotate import Annotator
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


@pytest.mark.parametrize("name", [name for name, told in INDEX.items() if "mistake" in told])
def test_what_is_expected_is_told_in_other_words_than_the_mistake_and_once(name: str) -> None:
    header = kept(name).header
    annotator = Annotator(kept(name).ruleset, "en", header=header)
    (found,) = findings(name)
    assert found.event is not None
    told = annotator.finding(found)["expected_text"]
    assert isinstance(told, list)
    assert annotator.tell(found.event) not in told
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("altered-br21", "Ivo lays otter into the Mana zone. Jana chooses first."),
        (
            "lotr-tm05",
            "Wolf goes to the discard pile. "
            "Wolf was not revealed for a surge, so that no type that was named stops it.",
        ),
        ("lotr-tv-n14", "Thalin deals 1 damage to Warg. Thalin is not in play."),
        (
            "lotr-tv-k31",
            "Ranger Trap acts as Ford enters play: it is attached. "
            "Ford is none of the cards on which Ranger Trap acts as they enter play: enemy.",
        ),
        (
            "lotr-tv-d07",
            "The number of cards in the hand of bob changes by 1. The text of Doom is for ann, not for bob.",
        ),
        ("compile-k-m15", "Ada compiles line 1. Metal 1 keeps Ada from compiling this turn."),
        (
            "compile-e17",
            "Quin plays Gravity 5 face down in line 3. The text of Life 1 comes first, and it is for Quin. "
            "Due first: Death 3 is turned face down, or one of 3 other choices.",
        ),
    ],
)
def test_a_reason_names_the_card_and_who_has_to_do_what(name: str, message: str) -> None:
    log = kept(name)
    assert Annotator(log.ruleset, "en", header=log.header).message(*findings(name)) == message


@pytest.mark.parametrize(("name", "told"), [(name, told) for name, told in INDEX.items() if "differs" in told])
def test_a_checkpoint_that_differs_names_the_event_that_caused_it(name: str, told: dict[str, Any]) -> None:
    (found,) = findings(name)
    assert (found.seq, found.because) == (told["differs"], (told["because"],))
