"""Whole games: played at random, stripped of what follows by itself, seen without the deck, and the samples."""

from __future__ import annotations

from functools import cache

import pytest

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import LOG_VERSION, Event, Header, Player, Verdict
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import (
    CardMoved,
    EnterPlayEffect,
    PlacementStarted,
    RevealEnded,
    RevealStarted,
    SurgeArmed,
)
from replays.generating.simulate import simulated
from replays.generating.telling import viewer_log

SEEDS = range(12)
each_game = pytest.mark.every("seed", SEEDS)


@cache
def game(seed: int) -> tuple[Header, list[Event]]:
    return simulated(RULESET, seed)  # type: ignore[arg-type]


@each_game
def test_a_random_game_ends_with_nothing_under_way(seed: int) -> None:
    header, events = game(seed)
    state = RULESET.rules.start(header)
    for event in events:
        state = RULESET.rules.evolve(state, event)
    assert not state.frames
    assert state.replacement is None or not state.replacement.is_due
    assert state.roots == header.setup["reveals"] or not state.deck  # type: ignore[index]


@each_game
def test_no_card_is_lost_or_doubled(seed: int) -> None:
    header, events = game(seed)
    state = RULESET.rules.start(header)
    deck = sorted(header.setup["encounter_deck"])  # type: ignore[call-overload]
    for event in events:
        state = RULESET.rules.evolve(state, event)
        lain = [*state.deck, *state.discard, *state.staging]  # type: ignore[index]
        lain += [card for cards in state.engaged.values() for card in cards]
        lain += [frame.card for frame in state.frames if frame.held]
        assert sorted(lain) == deck


def test_a_card_called_for_may_not_have_been_there_where_nobody_knows_the_deck() -> None:
    """With one card left that nobody has seen, Guarded X may find none: the record is not accused, and says so."""
    header, events = simulated(RULESET, 9118, "greedy", complete=False)  # type: ignore[arg-type]
    head, seen = viewer_log(RULESET, header, events, "public")  # type: ignore[arg-type]
    steps = list(audit(RULESET, head, list(seen)))
    assert {step.verdict for step in steps} == {Verdict.LEGAL, Verdict.UNCHECKED}
    assert "unchecked.called" in {reason.key for step in steps for reason in step.violations}


def test_a_surge_may_be_taken_where_nobody_knows_whether_the_enemy_called_for_is_there() -> None:
    marsh = {"type": "location", "quest_points": 2, "keywords": {"surge": True, "guarded-x": "enemy"}}
    setup = {"encounter_deck": ["marsh", "?1", "?2"], "cards": {"marsh": marsh}, "in_play": {}}
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup=setup)
    log: list[Event] = [
        RevealStarted(seq=1, frame="f1", card="marsh", cause="staging", player="p1"),
        SurgeArmed(seq=2, frame="f1", step="5.1", card="marsh", origin="printed"),
        CardMoved(seq=3, frame="f1", step="8", card="marsh", from_="revealing", to="staging_area"),
        EnterPlayEffect(seq=4, frame="f1", step="9", card="marsh", source="marsh", effect="guarded-x"),
        RevealStarted(seq=5, frame="f2", card="rumour", cause="surge", player="p1", parent="f1"),
    ]
    steps = list(audit(RULESET, head, log))
    assert [step.verdict for step in steps] == [*[Verdict.LEGAL] * 5, Verdict.UNCHECKED]
    assert [reason.key for reason in steps[-1].violations] == ["unchecked.called"]


def test_an_enemy_called_for_from_a_deck_nobody_knows_may_be_placed() -> None:
    marsh = {"type": "location", "quest_points": 2, "keywords": {"guarded-x": "enemy"}}
    setup = {
        "encounter_deck": ["marsh", "?1", "?2"],
        "cards": {"marsh": marsh, "orc": {"type": "enemy"}},
        "in_play": {},
    }
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("p1"),), setup=setup)
    log: list[Event] = [
        RevealStarted(seq=1, frame="f1", card="marsh", cause="staging", player="p1"),
        CardMoved(seq=2, frame="f1", step="8", card="marsh", from_="revealing", to="staging_area"),
        EnterPlayEffect(seq=3, frame="f1", step="9", card="marsh", source="marsh", effect="guarded-x"),
        PlacementStarted(seq=4, frame="f2", card="orc", cause="guarded-x", player="p1", parent="f1", to="staging_area"),
        CardMoved(seq=5, frame="f2", step="8", card="orc", from_="encounter_deck", to="staging_area"),
        RevealEnded(seq=6, frame="f2", step="10", card="orc", outcome="completed"),
        RevealEnded(seq=7, frame="f1", step="12", card="marsh", outcome="completed"),
    ]
    steps = list(audit(RULESET, head, log))
    assert [step.verdict for step in steps] == [Verdict.LEGAL] * 8
    placed = RULESET.rules.expected(steps[3].state)
    assert any(isinstance(event, PlacementStarted) for option in placed for event in option.candidates(steps[3].state))


@each_game
def test_a_view_without_the_deck_tells_nothing_of_its_order(seed: int) -> None:
    header, _ = game(seed)
    turned = {**header.setup, "encounter_deck": [*reversed(header.setup["encounter_deck"])]}  # type: ignore[call-overload]
    other = Header(log=header.log, ruleset=header.ruleset, players=header.players, setup=turned)
    for viewer in ("p1", "public"):
        assert RULESET.disclosure.view(RULESET.rules.start(header), viewer) == RULESET.disclosure.view(
            RULESET.rules.start(other), viewer
        )
    assert RULESET.disclosure.view(RULESET.rules.start(header)) != RULESET.disclosure.view(RULESET.rules.start(other))


def test_what_may_be_revealed_next_is_told_to_nobody_but_the_judge() -> None:
    header, _ = game(0)
    state = RULESET.rules.start(header)
    (offer,) = [event for option in RULESET.rules.expected(state) for event in option.candidates(state)]
    assert isinstance(offer, RevealStarted)
    hidden = RULESET.disclosure.redact(state, offer, "p1")
    assert isinstance(hidden, RevealStarted)
    assert hidden.card == "?"
    assert RULESET.disclosure.redact(state, offer, "judge") == offer
    assert RULESET.disclosure.redact(state, numbered(offer, 1), "public") == numbered(offer, 1)
