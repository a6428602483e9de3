"""Logs as players keep them: no honest one is accused, a mistake is told once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

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


def only_finding(name: str) -> Step:
    found = findings(name)
    assert len(found) == 1, (name, found)
    return found[0]


def of_each_player(kind: str) -> pytest.MarkDecorator:
    """The names of the logs of this kind, those of one player together."""
    groups: dict[str, list[str]] = {}
    for name in (name for name, told in INDEX.items() if kind in told):
        groups.setdefault(name.rstrip("0123456789"), []).append(name)
    return pytest.mark.parametrize("names", groups.values(), ids=groups)


@cache
def kept(name: str) -> Log:
    """The log of that name, which may be kept as a score sheet."""
    (path,) = LOGS.glob(f"{name}.*")
    return opened(path)


@cache
def findings(name: str) -> list[Step]:
    """The findings of a log in what stands of it."""
    log = kept(name)
    steps = list(audit(log.ruleset, log.header, log))
    aside = superseded_steps(steps)
    return [step for step in steps if step.verdict.is_finding and step.index not in aside]


@of_each_player("habit")
def test_an_honest_log_is_not_accused(names: list[str]) -> None:
    assert {name: findings(name) for name in names if findings(name)} == {}


@of_each_player("mistake")
def test_a_mistake_is_told_once_at_its_event_by_a_rule_that_a_judge_would_name(names: list[str]) -> None:
    for name in names:
        found = only_finding(name)
        assert found.seq == INDEX[name]["seq"], name
        named = cited(kept(name).ruleset, found, kept(name).header.edition)[:2]
        assert not {rule.id for rule in named}.isdisjoint(INDEX[name]["rules"]), name


@of_each_player("mistake")
def test_what_is_expected_is_told_in_other_words_than_the_mistake_and_once(names: list[str]) -> None:
    for name in names:
        annotator = Annotator(kept(name).ruleset, "en", header=kept(name).header)
        found = only_finding(name)
        assert found.event is not None
        told = annotator.finding(found)["expected_text"]
        assert isinstance(told, list)
        assert annotator.tell(found.event) not in told, name
        assert len(set(told)) == len(told), name


@pytest.mark.every(
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
    assert Annotator(log.ruleset, "en", header=log.header).message(only_finding(name)) == message


@of_each_player("differs")
def test_a_checkpoint_that_differs_names_the_event_that_caused_it(names: list[str]) -> None:
    for name in names:
        found = only_finding(name)
        assert (found.seq, found.because) == (INDEX[name]["differs"], (INDEX[name]["because"],)), name
