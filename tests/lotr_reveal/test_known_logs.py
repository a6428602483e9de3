"""Logs of reveals that were judged wrongly once, with what is right: as the index says, and what its words ask for."""

from __future__ import annotations

import pytest

from audit.core.auditor import audit
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.state import State
from replays.log.reader import open_log
from tests.conftest import SHARED

LOGS = SHARED / "logs"
pytestmark = pytest.mark.skipif(not LOGS.is_dir(), reason="needs the folder shared/ beside the project")


def steps(name: str, series: str = "T-lotr") -> list[Step]:
    log = open_log(LOGS / f"{series}-{name}.jsonl")
    return list(audit(RULESET, log.header, log))


def found(name: str, series: str = "T-lotr") -> list[tuple[int | None, str, str, str]]:
    """Where something is found, with the verdict, the first rule and the first criterion."""
    return [
        (step.seq, step.verdict.value, step.rules[0].id, step.violations[0].key)
        for step in steps(name, series)
        if step.verdict.is_finding
    ]


def state(step: Step) -> State:
    assert isinstance(step.state, State)
    return step.state


HONEST = ("a-test-of-will", "set-aside", "second-round-thalin-not-committed", "deck-reshuffled")


@pytest.mark.every("name", HONEST)
def test_an_honest_log_has_no_finding(name: str) -> None:
    assert found(name) == []


def test_what_is_not_given_is_hidden_not_zero() -> None:
    assert found("nothing-given") == [(2, "undetermined", "reveal.4.damage-passives", "defeat.unknown")]
    view = RULESET.disclosure.view(state(steps("nothing-given")[0]))
    assert (view["encounter_deck"], view["threat"]) == (None, {})
    assert view["partly_known"] == ["encounter_discard", "engaged", "in_play", "staging_area"]


def test_the_number_of_a_text_is_checked_and_the_other_player_gets_it_without_a_word() -> None:
    assert found("threat-of-text-unchecked") == [(3, "illegal", "reveal.7.resolve", "threat.amount")]
    assert state(steps("threat-of-text-unchecked")[-1]).threat == {"ann": 37, "bob": 34}


def test_a_move_of_its_own_goes_without_saying() -> None:
    """The crows are defeated and go back into the deck: neither leaves a choice, so nobody has forgotten anything."""
    assert found("blames-inferable-step-a") == []
    told = [step.violations[0].key for step in steps("blames-inferable-step-a") if step.verdict is Verdict.UNCHECKED]
    assert told == ["unchecked.text"]


def test_the_forgotten_forced_effect_is_the_fault_not_the_move_before_it() -> None:
    assert found("blames-inferable-step-b") == [(5, "illegal", "reveal.11.after-revealed", "due.forced")]


def test_an_effect_that_cannot_be_cancelled_is_cancelled() -> None:
    assert found("cannot-be-cancelled") == [(2, "illegal", "reveal.6.window", "response.uncancellable")]


def test_nobody_knows_who_quests_in_the_second_round() -> None:
    last = steps("second-round-thalin-not-committed")[-1]
    assert (last.seq, last.verdict) == (9, Verdict.UNCHECKED)
    assert [(why.key, why.data) for why in last.violations] == [("unchecked.commitment", {"source": "thalin"})]


def test_the_discard_pile_becomes_the_deck() -> None:
    revealed = next(step for step in steps("deck-reshuffled") if step.seq == 4)
    assert (state(revealed).deck, state(revealed).discard) == ((), ())
    assert state(steps("deck-reshuffled")[-1]).discard == ("b",)


@pytest.mark.every(
    ("series", "name", "at", "rule", "why"),
    [
        ("G3", "eleanor-twice-without-readying", 9, "used-up", "response.exhausted"),
        ("G3", "same-event-used-twice", 6, "used-up", "response.used"),
        ("G4", "finding-without-a-rule", 5, "each-player", "reveal.over"),
        ("G4", "response-by-wrong-player", 2, "own-responses", "response.owner"),
    ],
)
def test_what_the_document_takes_for_granted_has_a_rule(series: str, name: str, at: int, rule: str, why: str) -> None:
    assert found(name, series) == [(at, "illegal", f"reveal.0.{rule}", why)]


def test_where_a_card_with_victory_goes_is_not_judged() -> None:
    judged = steps("victory-to-victory-display", "G1")
    assert [(step.seq, step.violations[0].data) for step in judged if step.verdict is Verdict.UNCHECKED] == [
        (4, {"card": "Enchanted Lake", "what": "victory"})
    ]
    assert found("victory-to-victory-display", "G1") == []
