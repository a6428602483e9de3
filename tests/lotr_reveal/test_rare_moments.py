"""Moments that hardly any reveal comes to, and what then has to be so."""

from __future__ import annotations

from typing import Any

import pytest

from audit.auditor import audit
from audit.lotr_reveal import RULESET, events
from audit.lotr_reveal.cards import UNDESCRIBED, Does
from audit.lotr_reveal.procedure import procedure_of
from audit.lotr_reveal.rules import step_2, step_8
from audit.lotr_reveal.state import State, encounter_sources
from audit.lotr_reveal.zones import put, take
from audit.model import LOG_VERSION, Header, Verdict


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
    assert state.setup.card("orc").resistance == resistance


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
