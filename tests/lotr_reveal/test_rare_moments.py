"""Moments that hardly any reveal comes to, and what then has to be so."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header, Verdict
from audit.games.lotr_reveal import RULESET, events
from audit.games.lotr_reveal.cards import UNDESCRIBED, Does
from audit.games.lotr_reveal.lookup import card_of, encounter_sources
from audit.games.lotr_reveal.procedure import procedure_of
from audit.games.lotr_reveal.rules import step_2, step_8
from audit.games.lotr_reveal.state import State
from audit.games.lotr_reveal.zones import put, take


def table(**setup: Any) -> State:
    given = {"players": ["ann"], "encounter_deck": ["wolf"], "cards": {"orc": {"type": "enemy"}}, **setup}
    return RULESET.rules.start(Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=given))


def test_a_card_taken_from_where_it_was_set_aside_lies_there_no_more() -> None:
    aside = put(table(), "orc", "removed_from_game", "ann")
    assert aside.other_zones == {"orc": "removed_from_game"}
    assert take(aside, "orc").other_zones == {}


@pytest.mark.parametrize("zone", ["staging_area", "engaged"])
def test_a_card_that_acts_on_others_acts_from_when_it_is_in_play(zone: Any) -> None:
    deck = table(cards={"orc": {"type": "enemy", "on_reveal": {"effect": "damage", "amount": 1}}})
    there = put(deck, "orc", zone, "ann")
    assert encounter_sources(there) == ["orc"]
    assert encounter_sources(take(there, "orc")) == []
    assert encounter_sources(put(table(), "orc", zone, "ann")) == []


@pytest.mark.parametrize(("keyword", "resistance"), [(2, 2), ("x", 0)])
def test_a_resistance_without_a_number_is_not_counted(keyword: Any, resistance: int) -> None:
    state = table(cards={"orc": {"type": "enemy", "keywords": {"resistance": keyword}}})
    assert card_of(state, "orc").resistance == resistance


def test_what_nobody_has_described_does_nothing() -> None:
    assert UNDESCRIBED.text.does == Does(to=None, threat=0, draws=0, damage=0, who=None)


@pytest.mark.parametrize(
    ("immune", "rule"), [(True, step_2.IMMUNE), ("while the ring is exhausted", step_2.IMMUNE_CONDITIONAL)]
)
def test_the_rule_that_leaves_an_immune_enemy_alone_says_whether_it_has_a_condition(immune: Any, rule: Any) -> None:
    blade = {"owner": "ann", "on_reveal": {"effect": "damage", "amount": 1}}
    state = table(
        cards={"orc": {"type": "enemy", "immune": immune}}, in_play={"blade": blade}, facts={"ring_exhausted": True}
    )
    assert rule.id in {note.rule for note in procedure_of(state, "orc", placed=False).notes}


def test_a_card_that_nobody_has_described_enters_play_like_any_other() -> None:
    head = Header(
        log=LOG_VERSION, ruleset="lotr-reveal", setup={"players": ["ann"], "encounter_deck": ["wolf"], "in_play": {}}
    )
    started = events.RevealStarted(seq=1, frame="f1", card="wolf", cause="staging", player="ann")
    moved = events.CardMoved(
        seq=2, frame="f1", step="8", card="wolf", from_="revealing", to="staging_area"
    )  # fmt: skip
    last = list(audit(RULESET, head, [started, moved]))[-1]
    assert (last.verdict, step_8.ENTER_PLAY in last.rules, len(last.rules)) == (Verdict.LEGAL, True, 1)


SURGES = {"players": ["ann"], "encounter_deck": ["crow", "orc"], "in_play": {"omen": {"side": "encounter"}}}


def surge_before(
    step: str, *told: events.Event, text: bool = False, omens: tuple[str, ...] = ("omen",), **keywords: bool
) -> list[str]:
    """The keys and rules of what is wrong where the surge brings its card while a card waits for a step."""
    crow = {"type": "enemy", "keywords": {"surge": True, **keywords}, "has_when_revealed": text}
    in_play = {omen: {"side": "encounter", "forced": {"step": step}} for omen in omens}
    state = table(**SURGES | {"cards": {"crow": crow, "orc": {"type": "enemy"}}, "in_play": in_play})
    started = events.RevealStarted(seq=1, frame="f1", card="crow", cause="staging", player="ann")
    armed = events.SurgeArmed(seq=2, frame="f1", step="5.1", card="crow", origin="printed")
    for event in (started, armed, *told):
        state = RULESET.rules.evolve(state, event)
    surge = events.RevealStarted(seq=9, frame="f2", card="orc", cause="surge", parent="f1", player="ann")
    return [f"{one.key} {one.rule.id}" for one in RULESET.rules.violations(state, surge)]


def test_a_surge_that_forgets_no_more_than_the_last_steps_is_told_what_it_forgot() -> None:
    moved = events.CardMoved(seq=3, frame="f1", step="8", card="crow", from_="revealing", to="staging_area")
    (forgot,) = surge_before("11", moved)
    assert not forgot.startswith("surge.early")
    assert "reveal.11." in forgot
    done = events.ForcedResolved(seq=4, frame="f1", step="11", source="omen")
    assert surge_before("11", moved, done) == []
    assert surge_before("11", moved, done, omens=("omen", "raven")) == [forgot], "another one has still to act"
    (guarded,) = surge_before("11", moved, guarded=True)
    assert "reveal.9." in guarded


def test_a_surge_that_comes_before_the_card_has_done_anything_comes_too_early() -> None:
    assert surge_before("11") == ["surge.early reveal.5.1.surge-delayed"]
    assert surge_before("11", text=True) == ["surge.early reveal.5.1.surge-delayed"]


@pytest.mark.every(
    ("told", "deck"),
    [
        ({"encounter_discard": ["orc", "crow"]}, {"wolf", "orc", "crow"}),
        ({"encounter_discard": []}, {"wolf"}),
        ({}, None),
    ],
)
def test_a_deck_shuffled_with_its_discard_pile_holds_the_cards_of_both(told: dict[str, Any], deck: Any) -> None:
    """Which cards those are nobody knows where nobody has told what lay in the pile."""
    after = RULESET.rules.evolve(table(**told), events.DeckShuffled(seq=1, with_discard=True))
    assert (after.deck and set(after.deck), after.discard, "encounter_discard" in after.hidden) == (deck, (), False)
    alone = RULESET.rules.evolve(table(**told), events.DeckShuffled(seq=1))
    assert (alone.deck, len(alone.discard)) == (("wolf",), len(told.get("encounter_discard", ())))


def test_an_effect_for_another_moment_does_not_say_where_a_defeated_enemy_goes() -> None:
    shuffled = {"trigger": "explored", "effect": "shuffle into encounter deck"}
    setup = {
        "players": ["ann"],
        "encounter_deck": ["shade", "orc"],
        "cards": {"shade": {"type": "enemy", "hit_points": 1, "outcome_effects": [shuffled]}},
        "in_play": {"thalin": {"owner": "ann", "committed": True, "on_reveal": {"effect": "damage", "amount": 1}}},
    }
    log = [
        events.RevealStarted(seq=1, frame="f1", card="shade", cause="staging", player="ann"),
        events.PassiveApplied(seq=2, frame="f1", step="4", source="thalin", effect="damage", target="shade", amount=1),
        events.CardDefeated(seq=3, frame="f1", step="4", card="shade", cause="thalin"),
        events.CardMoved(seq=4, frame="f1", step="4", card="shade", from_="revealing", to="encounter_discard"),
    ]
    judged = audit(RULESET, Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup), log)
    assert [step.verdict for step in judged if step.seq] == [Verdict.LEGAL] * 4
