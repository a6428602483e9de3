"""Logs and decks of Altered that were judged wrongly once, kept in the shared collection with what is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.errors import AuditError
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.state import State
from replays.judging.deck_check import deck_findings
from replays.log.reader import open_log
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

LOGS = SHARED / "logs"
FOREIGN = ("altered.2v2.", "altered.ffa.")
"""Rules that say nothing of a duel begin like this."""


def entries(section: str) -> list[Any]:
    """Every entry of a section, by its name; one mark of absence where the collection is not there."""
    if not LOGS.is_dir():
        return [pytest.param("", {}, marks=pytest.mark.skip("needs the folder shared/ beside the project"))]
    index = read_yaml(LOGS / "INDEX.yaml")
    return [pytest.param(name, entry, id=name) for name, entry in index[section].items()]


def steps(name: str) -> list[Step]:
    log = open_log(LOGS / f"{name}.jsonl")
    return list(audit(RULESET, log.header, log))


def findings(name: str) -> list[Step]:
    return [step for step in steps(name) if step.verdict.is_finding]


def unchecked(name: str) -> dict[int | None, str]:
    """What was not judged, with the key of the first reason."""
    return {step.seq: step.violations[0].key for step in steps(name) if step.verdict is Verdict.UNCHECKED}


@pytest.mark.every(("name", "entry"), entries("altered"))
def test_the_log_is_judged_as_the_index_says(name: str, entry: Mapping[str, Any]) -> None:
    if entry.get("error"):
        with pytest.raises(AuditError):
            steps(name)
        return
    found = findings(name)
    verdict = entry.get("verdict")
    if entry.get("clean") or verdict == Verdict.UNCHECKED:
        assert found == []
        assert verdict is None or unchecked(name)
    elif verdict:
        assert [step.verdict for step in found] == [verdict]


@pytest.mark.every(("name", "entry"), entries("decks"))
def test_the_deck_is_judged_as_the_index_says(name: str, entry: Mapping[str, Any]) -> None:
    if entry.get("error"):
        with pytest.raises(AuditError, match="one of common, rare, unique"):
            deck_findings("altered", str(LOGS / f"{name}.json"), "en")
        return
    assert deck_findings("altered", str(LOGS / f"{name}.json"), "en")


# What the words of the entries ask for


@pytest.mark.usefixtures("shared")
def test_an_orb_that_an_effect_readied_counts_as_ready() -> None:
    last = steps("T-x2-ready-by-effect")[-1].state
    assert isinstance(last, State)
    side = last.side("kim")
    assert (side.ready_orbs, side.exhausted_orbs) == (0, 4)  # one was ready, one readied, and two were spent


@pytest.mark.usefixtures("shared")
def test_a_token_without_an_effect_breaks_a_rule_of_every_game() -> None:
    [found] = findings("T-x6-duel-token-no-effect")
    assert (found.seq, found.rules[0].id) == (1, "altered.5.1.1.c")
    assert not [rule for rule in found.rules if rule.id.startswith(FOREIGN)]


@pytest.mark.usefixtures("shared")
def test_what_no_text_bears_out_gets_no_tick() -> None:
    """Three cards are drawn for a Resupply, and an object has a quick action of which the setup does not speak."""
    assert findings("T-cheat-c3") == []
    reasons = unchecked("T-cheat-c3")
    assert (reasons[14], reasons[16]) == ("unread.text", "unread.quick")


@pytest.mark.usefixtures("shared")
def test_a_sleeper_and_a_giant_make_the_sums_and_the_advance_unchecked() -> None:
    assert set(unchecked("T-A32-asleep-not-counted").values()) == {"unread.status"}
    assert set(unchecked("T-A32-asleep-not-counted")) == {1, 2, 3}
    assert set(unchecked("T-A33-gigantic-counts-in-both").values()) == {"unread.ability"}
    assert set(unchecked("T-A33-gigantic-counts-in-both")) == {1, 2, 3, 4}


@pytest.mark.usefixtures("shared")
def test_of_a_real_day_most_steps_are_judged() -> None:
    judged = [step for step in steps("T-realday-statuses") if step.verdict is Verdict.LEGAL]
    assert len(judged) > 20
    assert unchecked("T-realday-statuses")[30] == "unread.changed"
