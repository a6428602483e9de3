"""What people tell in words and places of their own: an honest record is not accused, a mistake is told once."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header, Player
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from tests.lotr_reveal.situations import events, findings

WOLF = {"type": "enemy", "hit_points": 3, "has_when_revealed": False}
STRIKES = {"effect": "damage", "amount": 1, "to": "enemy"}
AT_HOME = {"thalin": {"ready": True}, "gimli": {"ready": True}}
Line = dict[str, Any]


def told(log: list[Line], cards: Line, **setup: Any) -> list[Step]:
    """The steps of a log of two players with these cards."""
    whole = {"encounter_deck": 20, "cards": {"wolf": WOLF, "orc": WOLF, **cards}, **setup}
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("ann"), Player("bob")), setup=whole)
    return list(audit(RULESET, head, events({"events": log})))


def reasons(steps: list[Step]) -> list[tuple[int | None, str]]:
    """The event and the sentence of each finding."""
    return [(step.seq, step.violations[0].key) for step in findings(steps)]


def reveals(frame: str, card: str, player: str, cause: str = "staging", **more: Any) -> Line:
    return {"type": "reveal_started", "frame": frame, "card": card, "cause": cause, "player": player, **more}


def commits(*characters: str) -> Line:
    return {"type": "characters_committed", "player": "ann", "characters": list(characters)}


def hits(source: str, card: str, amount: int = 1) -> Line:
    return {
        "type": "passive_applied", "frame": "f1", "step": "4", "source": source, "effect": "damage", "target": card,
        "amount": amount,
    }  # fmt: skip


# Who quests


@pytest.mark.every("told_of", [{}, {"committed": None}, {"committed": True}])
@pytest.mark.every("name", ["thalin", "dunhere"])
def test_a_character_whom_the_commitment_leaves_out_stays_at_home(name: str, told_of: Line) -> None:
    setup = {
        "characters": {name: {"ready": True}},
        "in_play": {name: {"owner": "ann", "on_reveal": STRIKES, **told_of}},
    }
    log = [commits("gimli"), reveals("f1", "wolf", "ann"), reveals("f2", "orc", "bob")]
    assert reasons(told(log, {}, **setup)) == []
    assert reasons(told([*log[:2], hits(name, "wolf"), *log[2:]], {}, **setup)) == [(3, "passive.home")]


def test_who_quests_and_is_ready_again_does_not_stay_at_home_by_what_is_written_late() -> None:
    thalin = {"owner": "ann", "on_reveal": STRIKES, "committed": True}
    setup = {"characters": {"thalin": {"ready": True}}, "in_play": {"thalin": thalin}}
    log = [reveals("f1", "wolf", "ann"), hits("thalin", "wolf"), commits("gimli"), reveals("f2", "orc", "bob")]
    log += [hits("thalin", "orc") | {"frame": "f2"}, reveals("f3", "bat", "ann")]
    assert reasons(told(log, {}, **setup)) == []


def test_of_a_character_nobody_has_spoken_of_it_is_not_known_whether_it_quests() -> None:
    setup = {"characters": AT_HOME, "in_play": {"thalin": {"owner": "ann", "on_reveal": STRIKES}}}
    *_, last = told([reveals("f1", "wolf", "ann"), reveals("f2", "orc", "bob")], {}, **setup)
    assert [one.key for one in last.violations] == ["unchecked.commitment"]


def test_characters_may_be_committed_one_by_one() -> None:
    setup = {"characters": AT_HOME, "in_play": {"thalin": {"owner": "ann", "on_reveal": STRIKES}}}
    log = [commits("thalin"), commits("gimli"), reveals("f1", "wolf", "ann"), hits("thalin", "wolf")]
    assert reasons(told(log, {}, **setup)) == []


def test_a_card_that_may_be_no_character_acts_whether_it_is_named_or_not() -> None:
    setup = {"in_play": {"blade": {"owner": "ann", "on_reveal": STRIKES}}}
    first = [commits("gimli"), reveals("f1", "wolf", "ann")]
    assert reasons(told([*first, hits("blade", "wolf"), reveals("f2", "orc", "bob")], {}, **setup)) == []
    assert reasons(told([*first, reveals("f2", "orc", "bob")], {}, **setup)) == []


# What a card does itself, in words of one's own

CROWS = {
    "type": "enemy",
    "hit_points": 1,
    "outcome_effects": [{"trigger": "defeated", "effect": "shuffle into encounter deck"}],
}
FIELDS = {
    "type": "location",
    "quest_points": 1,
    "outcome_effects": [{"trigger": "explored", "effect": "The first player draws a card."}],
}
WARDEN = {"owner": "bob", "on_reveal": {"effect": "progress", "amount": 1, "to": "location"}}
KILLED = [reveals("f1", "crows", "ann"), hits("thalin", "crows")]
QUESTS = {"in_play": {"thalin": {"owner": "ann", "committed": True, "on_reveal": STRIKES}, "warden": WARDEN}}


def outcome(card: str, trigger: str, effect: str, **more: Any) -> Line:
    return {
        "type": "outcome_effect_resolved", "frame": "f1", "step": "4", "card": card, "trigger": trigger,
        "effect": effect, **more,
    }  # fmt: skip


def moves(card: str, to: str, step: str = "4") -> Line:
    return {"type": "card_moved", "frame": "f1", "step": step, "card": card, "from": "revealing", "to": to}


@pytest.mark.every(
    "words",
    [
        "The crows are shuffled into the encounter deck again.",
        "Remélangez-la dans le deck de rencontre",
        "back it goes",
    ],
)
@pytest.mark.every("defeated", [[], [{"type": "card_defeated", "frame": "f1", "step": "4", "card": "crows"}]])
def test_an_own_effect_may_be_told_in_other_words(words: str, defeated: list[Line]) -> None:
    log = [*KILLED, *defeated, outcome("crows", "defeated", words), moves("crows", "encounter_deck")]
    assert reasons(told([*log, reveals("f2", "orc", "bob")], {"crows": CROWS}, **QUESTS)) == []
    log = [*log[:-1], moves("crows", "encounter_discard")]
    assert reasons(told([*log, reveals("f2", "orc", "bob")], {"crows": CROWS}, **QUESTS)) == [(len(log), "move.to")]


@pytest.mark.every(
    ("effect", "said", "more"),
    [
        ("raise threat by 7", [], {}),
        ("Each player's threat rises by 7", [], {}),
        ("raise threat by 6", [(3, "outcome.amount")], {}),
        ("draws a card", [(3, "outcome.effect")], {}),
        ("up it goes", [], {"amount": 7}),
        ("up it goes", [(3, "outcome.amount")], {"amount": 6}),
    ],
)
def test_other_words_do_not_hide_another_effect_or_number(effect: str, said: list[Any], more: Line) -> None:
    outcomes = [{"trigger": "defeated", "effect": "Raise threat by 7."}]
    log = [*KILLED, outcome("crows", "defeated", effect, **more)]
    assert reasons(told(log, {"crows": {**CROWS, "outcome_effects": outcomes}}, **QUESTS)) == said


@pytest.mark.every("declared", [{}, {"draws": 1}])
@pytest.mark.every(("more", "said"), [({}, []), ({"player": "ann"}, []), ({"player": "bob"}, [(3, "outcome.player")])])
def test_the_first_player_draws_whether_they_are_named_or_not(declared: Line, more: Line, said: list[Any]) -> None:
    (effect,) = FIELDS["outcome_effects"]
    log = [
        reveals("f1", "fields", "ann"),
        {"type": "passive_applied", "frame": "f1", "step": "4", "source": "warden", "effect": "progress", "amount": 1},
        outcome("fields", "explored", "The first player draws a card.", **more),
    ]
    setup = {**QUESTS, "hand_size": {"ann": 4, "bob": 4}}
    steps = told(log, {"fields": {**FIELDS, "outcome_effects": [{**effect, **declared}]}}, **setup)
    assert reasons(steps) == said
    assert said or steps[-1].state.hands["ann"] == 5  # type: ignore[attr-defined]


# What a text brings, told by itself

STORM = {"type": "treachery", "has_when_revealed": True, "text": "Raise each player's threat by 4."}
FEAR = {"type": "treachery", "has_when_revealed": True, "text": "Each exhausted character takes 1 damage."}
DONE = {"type": "when_revealed_resolved", "frame": "f1", "step": "7"}


def threat(player: str, delta: int = 4) -> Line:
    return {"type": "threat_changed", "frame": "f1", "step": "7", "player": player, "delta": delta}


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0)])
def test_threat_may_be_told_before_the_text_that_raises_it(order: tuple[int, ...]) -> None:
    lines = [{**DONE, "card": "storm"}, threat("ann"), threat("bob")]
    log = [reveals("f1", "storm", "ann"), *[lines[at] for at in order], reveals("f2", "orc", "bob")]
    steps = told(log, {"storm": STORM}, threat={"ann": 20, "bob": 20})
    assert reasons(steps) == []
    assert steps[-1].state.threat == {"ann": 24, "bob": 24}  # type: ignore[attr-defined]


@pytest.mark.every(
    ("words", "said"),
    [
        ("Each player raises his threat by 3.", [(2, "revealed.number")]),
        ("Augmentez la menace de 4.", []),
        ("ouch", []),
    ],
)
def test_the_number_in_the_words_of_a_text_is_that_of_the_card(words: str, said: list[Any]) -> None:
    log = [reveals("f1", "storm", "ann"), {**DONE, "card": "storm", "effect": words}, reveals("f2", "orc", "bob")]
    assert reasons(told(log, {"storm": STORM})) == said


def test_damage_that_a_text_deals_is_not_dealt_again_where_it_is_told() -> None:
    hurt = {"type": "character_damaged", "character": "gimli", "amount": 1}
    spent = {"characters": {"gimli": {"ready": False}, "legolas": {"ready": True}}}
    for more in ({}, {"affected": ["gimli"]}):
        steps = told([reveals("f1", "fear", "ann"), {**DONE, "card": "fear", **more}, hurt], {"fear": FEAR}, **spent)
        assert reasons(steps) == []
        assert steps[-1].state.characters["gimli"].damage == 1  # type: ignore[attr-defined]


@pytest.mark.every(
    ("affected", "said"),
    [(["gimli"], []), (["gimli", "legolas"], [(2, "revealed.only_exhausted")]), ([], [(2, "revealed.left_out")])],
)
def test_the_reason_names_whom_a_text_does_not_reach(affected: list[str], said: list[Any]) -> None:
    spent = {"characters": {"gimli": {"ready": False}, "legolas": {"ready": True}}}
    log = [reveals("f1", "fear", "ann"), {**DONE, "card": "fear", "affected": affected}]
    assert reasons(told(log, {"fear": FEAR}, **spent)) == said


# Cancelled cards, copies, reasons


@pytest.mark.parametrize(
    ("to", "step", "said"),
    [
        ("encounter_discard", "3", [(3, "move.cancelled")]),
        ("staging_area", "8", [(3, "stop.cancelled_by")]),
    ],
)
def test_a_cancelled_card_that_goes_elsewhere_is_one_finding(to: str, step: str, said: list[Any]) -> None:
    cancels = {
        "type": "response_played", "frame": "f1", "step": "3", "player": "bob", "source": "fine-hearing",
        "effect": "cancel_card", "target": "wolf",
    }  # fmt: skip
    log = [reveals("f1", "wolf", "ann"), cancels, moves("wolf", to, step)]
    if step == "8":
        log.append(reveals("f2", "orc", "bob"))
    steps = told(log, {}, in_play={"fine-hearing": {"owner": "bob"}})
    assert reasons(steps) == said
    assert findings(steps)[0].violations[0].data["source"] == "fine-hearing"


def test_a_second_copy_out_of_an_unknown_deck_leaves_the_first_where_it_lies() -> None:
    second = {
        "type": "card_moved",
        "frame": "f2",
        "step": "8",
        "card": "wolf",
        "from": "revealing",
        "to": "staging_area",
    }
    steps = told([reveals("f1", "wolf", "ann"), reveals("f2", "wolf", "bob"), second], {}, staging_area=[])
    assert reasons(steps) == []
    assert steps[-1].state.staging == ("wolf", "wolf#2")  # type: ignore[attr-defined]


@pytest.mark.every(
    ("card", "committed", "times", "said"),
    [
        ("wolf", True, 2, (3, "passive.done")),
        ("fields", True, 1, (2, "passive.kind")),
        ("wolf", False, 1, (2, "passive.home")),
    ],
)
def test_the_reason_says_why_a_card_has_nothing_to_do(card: str, committed: bool, times: int, said: Any) -> None:
    in_play = {"thalin": {"owner": "ann", "committed": committed, "on_reveal": STRIKES}}
    log = [reveals("f1", card, "ann"), *[hits("thalin", card)] * times]
    assert reasons(told(log, {"fields": FIELDS}, in_play=in_play)) == [said]


# Whose card it is, and what there is to know of it

RIDER = {**WOLF, "keywords": {"surge": True}}
BOLG = {"bolg": {"side": "encounter", "on_reveal": {"effect": "grant_keyword", "keyword": "surge", "to": "gobelin"}}}
GIVES = {
    "type": "passive_applied", "frame": "f1", "step": "4", "source": "bolg", "effect": "grant_keyword",
    "target": "wolf", "keyword": "surge",
}  # fmt: skip


@pytest.mark.parametrize(("reading", "found"), [("standard", [(2, "surge.player")]), ("surge-by-anybody", [])])
def test_who_reveals_the_card_for_a_surge_is_a_reading(reading: str, found: list[tuple[int, str]]) -> None:
    log = [reveals("f1", "rider", "ann"), reveals("f2", "orc", "bob", "surge", parent="f1")]
    whole = {"encounter_deck": 20, "cards": {"rider": RIDER, "orc": WOLF}}
    players = (Player("ann"), Player("bob"))
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=players, reading=reading, setup=whole)
    assert reasons(list(audit(RULESET, head, events({"events": log})))) == found


@pytest.mark.parametrize(("traits", "found"), [(["Creature"], [(2, "passive.kind")]), ([], []), (["Goblin"], [])])
def test_a_trait_that_the_document_names_is_known_where_traits_are_told(
    traits: list[str], found: list[tuple[int, str]]
) -> None:
    log = [reveals("f1", "wolf", "ann"), GIVES]
    assert reasons(told(log, {"wolf": {**WOLF, "traits": traits}}, in_play=BOLG)) == found
