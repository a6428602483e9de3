"""Slips and habits of people who tell a reveal in sentences: an honest sheet is not accused, one slip is told once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import PassiveApplied
from replays.errors import LogError
from replays.scoresheet.sheet import read_sheet
from tests.lotr_reveal.situations import findings

CARDS = {
    "Wolf": {"type": "enemy", "hit_points": 2},
    "Crows": {"type": "enemy", "hit_points": 1, "keywords": {"surge": True}},
    "Orc": {"type": "enemy", "hit_points": 3},
    "Ford": {"type": "location", "quest_points": 2},
    "Fen": {"type": "location", "quest_points": 2},
    "Wind": {"type": "treachery", "keywords": {"surge": True}, "has_when_revealed": True},
    "Dread": {"type": "treachery", "has_when_revealed": True, "text": "Raise each player's threat by 5."},
    "Rider": {"type": "enemy", "hit_points": 5, "keywords": {"doomed": 2}},
}


def told(lines: str, **setup: Any) -> list[Step]:
    """The steps of a sheet of two players with these cards."""
    whole = {"encounter_deck": 20, "cards": CARDS, **setup}
    head = json.dumps({"ruleset": "lotr-reveal", "setup": whole})
    header, events = read_sheet(f"game night   ann Ann   bob Bob   first ann\nheader {head}\n{lines}")
    return list(audit(RULESET, header, events))


def reasons(lines: str, **setup: Any) -> list[tuple[int | None, str]]:
    """The line and the sentence of each finding."""
    return [(step.seq, step.violations[0].key) for step in findings(told(lines, **setup))]


# The card that waits for another


EXCHANGED = """\
Ann reveals Wind for the staging step.
Ann uses Eleanor to cancel the When Revealed effect and exchange the card later.
Ann reveals Wolf for an armed surge.
Ann reveals Ford in place of another card.
Bob reveals Orc for the staging step.
"""


def test_an_exchange_is_that_of_the_only_card_that_waits_for_one_and_not_of_the_card_before() -> None:
    eleanor = {"in_play": {"Eleanor": {"owner": "ann"}}}
    assert reasons(EXCHANGED, **eleanor) == []
    twice = EXCHANGED.replace("Bob reveals Orc for the staging step", "Ann reveals Orc in place of another card")
    assert reasons(twice, **eleanor) == [(5, "replacement.none")]


@pytest.mark.every("third", ["", "fen ann surge\n"])
def test_the_second_surge_of_a_card_is_not_one_of_the_card_that_the_first_brought(third: str) -> None:
    twice = {**CARDS, "Wind": {**CARDS["Wind"], "text": "This card gains surge."}}
    lines = f"wind ann\nf1 7 revealed wind\nwolf ann surge\norc ann surge\n{third}ford bob\n"
    assert reasons(lines, cards=twice) == ([(5, "surge.none")] if third else [])


@pytest.mark.every("cause", ["for an armed surge", "in place of another card"])
def test_a_card_of_the_staging_step_that_is_told_for_another_cause_is_one_finding(cause: str) -> None:
    lines = f"Ann reveals Wolf for the staging step.\nBob reveals Orc {cause}.\nThe travel phase begins.\n"
    assert [seq for seq, _ in reasons(lines)] == [2]


def test_a_card_for_a_surge_is_not_the_one_of_its_player_for_the_staging_step() -> None:
    lines = "crows ann\nwolf bob surge\nThe travel phase begins.\n"
    assert reasons(lines) == [(2, "surge.player"), (3, "reveal.missing")]


# A rise that brings a player to 50


@pytest.mark.every(("rise", "said"), [("4", [(4, "threat.amount")]), ("6", [(4, "threat.amount")]), ("5", [])])
def test_a_wrong_number_does_not_pass_because_the_right_one_would_put_a_player_out(rise: str, said: Any) -> None:
    lines = f"dread ann\nf1 7 revealed dread\nf1 7 threat ann 5 text\nf1 7 threat bob {rise} text\nwolf bob\n"
    assert reasons(lines, threat={"ann": 20, "bob": 45}) == said


def test_so_it_is_with_doomed_and_a_rise_that_nobody_tells_may_be_told_or_not() -> None:
    at = {"threat": {"ann": 20, "bob": 48}}
    assert reasons("rider ann\nkey doomed 2\nf1 5.1 threat ann 2 doomed\nf1 5.1 threat bob 1 doomed\n", **at)[0][0] == 4
    assert reasons("rider ann\nkey doomed 2\nThe travel phase begins.\n", **at) == []
    assert reasons("rider ann\nkey doomed 2\nf1 5.1 threat bob 2 doomed\nf1 5.1 threat bob 3 doomed\n", **at) == []


# Sentences


@pytest.mark.every(
    ("language", "line", "delta"),
    [
        ("en", "The threat dial of Ann moves by +2.", 2),
        ("it", "La minaccia sul quadrante di Ann cambia di +1.", 1),
        ("pl", "Licznik zagrożenia gracza Ann zmienia się o −2.", -2),
        ("fr", "Le cadran de menace d'Ann change de -2.", -2),
    ],
)
def test_a_dial_is_told_with_its_sign(language: str, line: str, delta: int) -> None:
    *_, last = told(f"The travel phase begins.\n{line}\n", threat={"ann": 20, "bob": 20})
    assert last.state.threat["ann"] == 20 + delta, language  # type: ignore[attr-defined]


@pytest.mark.every(("number", "said"), [("+5", []), ("+4", [(3, "threat.amount")])])
def test_prose_may_tell_a_wrong_number_of_threat(number: str, said: Any) -> None:
    lines = f"dread ann\nThe When Revealed effect of Dread is carried out.\nThe threat of Bob changes by {number}.\n"
    assert reasons(lines, threat={"ann": 20, "bob": 30}) == said


IN_PLAY = {"in_play": {"Bad Turn": {"owner": "bob", "on_reveal": {"effect": "damage", "amount": 2, "to": "enemy"}}}}
PRISONER = {**CARDS, "Deranged Prisoner": {"type": "enemy", "hit_points": 9}}


@pytest.mark.every("name", ["Bad Turn", "Zły obrót", "Un mauvais tour"])
@pytest.mark.every("other", ["Deranged Prisoner", "deranged prisoner"])
def test_a_sentence_calls_a_card_by_its_name_in_another_language(name: str, other: str) -> None:
    lines = f"Ann odkrywa kartę {other} przy wystawianiu.\n{name}: 2 obrażenia dla karty {other}.\n"
    steps = told(lines, cards=PRISONER, **IN_PLAY)
    assert [step.event.source for step in steps if isinstance(step.event, PassiveApplied)] == ["Bad Turn"]
    assert steps[-1].state.damage == {"Deranged Prisoner": 2}  # type: ignore[attr-defined]


@pytest.mark.every("speaker", ["", "Ann: ", "Bob: ", "bob: "])
def test_a_player_may_stand_before_a_sentence(speaker: str) -> None:
    lines = f"{speaker}The quest phase begins.\n{speaker}Ann reveals Wolf for the staging step.\nBob: key doomed 2\n"
    steps = [step for step in told(lines) if step.event and step.seq]
    assert [getattr(step.event, "player", None) for step in steps] == [None, "ann", None]


def test_a_line_without_a_card_says_that_a_card_is_missing() -> None:
    with pytest.raises(LogError, match="line 3: column 14: expected a card of this game, found the end of the line"):
        told("key doomed 2\n")
