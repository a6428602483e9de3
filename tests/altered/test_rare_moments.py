"""Moments that hardly any game of Altered comes to, and what then has to be so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered import RULESET
from audit.games.altered import events as e
from audit.games.altered.races import known_stats
from audit.games.altered.scene import AlteredScene
from audit.games.altered.setup_events import BoardPlaced, ExpeditionsFaced
from audit.games.altered.state import Effect, State
from tests.altered.situations import header

DUEL: dict[str, Any] = {"mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "day": 3}
DUSK = {**DUEL, "phase": "dusk"}
RACE = {**DUSK, "daily_effect": "progress", "regions": {"ann": {"hero": ["forest"], "companion": ["water"]}}}


def position(given: Mapping[str, Any]) -> State:
    return RULESET.rules.start(header(given))


def broken(state: State, event: Event) -> set[str]:
    """The criteria that the event fails, by the keys of their sentences."""
    return {item.key for item in RULESET.rules.violations(state, event)}


# Where a log begins


@pytest.mark.every(("distance", "left"), [(9, ("progress",)), (8, ()), (7, ())])
def test_a_log_that_begins_at_dusk_may_begin_with_a_meeting(distance: int, left: tuple[str, ...]) -> None:
    advances = {"ann": {"hero": 4, "companion": 4}, "ben": {"hero": 1, "companion": 1}}
    state = position({**DUSK, "meet_distance": distance, "advances": advances})
    assert state.effects_left == left


def test_characters_without_a_name_are_called_by_their_place() -> None:
    there = {"ann": {"hero": [{"forest": 1}, {"water": 2}], "companion": []}}
    hero = position({**DUSK, "characters": there}).side("ann").hero
    assert [one.id for one in hero or ()] == ["ann.hero.1", "ann.hero.2"]


@pytest.mark.parametrize("given", ["ann and ben", None])
def test_seats_that_are_no_list_are_taken_from_the_players(given: object) -> None:
    head = header({"seats": given} if given else {})
    assert RULESET.disclosure.seats(head) == ()


# What breaks a rule


def test_what_stays_exhausted_was_left_out() -> None:
    state = replace(position({**DUEL, "phase": "morning", "daily_effect": "prepare"}), exhausted={"fox": "ann"})
    assert broken(state, e.ObjectsReadied(seq=1, player="ann", objects=("fox",))) == set()
    assert broken(state, e.ObjectsReadied(seq=1, player="ann", objects=("owl",))) == {"ready.left"}


def test_the_arena_is_only_counted_on_a_tiebreak_day() -> None:
    totals = e.ArenaTotals(seq=1, side="ann", forest=1, mountain=1, water=1)
    assert "arena.no_tiebreak" in broken(position(RACE), totals)
    assert "arena.no_tiebreak" not in broken(position({**RACE, "day_kind": "tiebreak"}), totals)


def test_a_tumult_card_that_lies_face_up_is_not_turned_up_again() -> None:
    for face, failed in (("down", False), ("up", True)):
        card = {"card": "squall", "face": face, "effect": "all draw"}
        state = position({**RACE, "tumult": {"centre": card}})
        state = replace(state, progress=replace(state.progress, advanced=("ann hero",)))
        turned = e.TumultRevealed(seq=1, cards=("squall",), place="centre")
        assert ("tumult.not_reached" in broken(state, turned)) == failed


def test_an_expedition_races_a_neighbour_where_nobody_said_who_is_opposite() -> None:
    ffa = {**RACE, "mode": "ffa", "seats": ["ann", "ben", "cat"], "regions": {}}
    state = replace(position(ffa), facing={})
    sums = e.ExpeditionTotals(
        seq=1, player="ann", expedition="hero", against="ben hero", region=(), own=e.Stats(0, 0, 0),
        opposing=e.Stats(0, 0, 0),
    )  # fmt: skip
    assert broken(state, sums).isdisjoint({"facing.mate", "facing.neighbour", "totals.against"})
    assert "facing.mate" in broken(state, replace(sums, against="ann companion"))


def test_team_mates_who_sit_side_by_side_face_whoever_sits_across() -> None:
    teams = {
        "mode": "2v2",
        "seats": ["ann", "ben", "cid", "dot"],
        "teams": {"Red": ["ann", "ben"], "Blue": ["cid", "dot"]},
    }
    faced = ExpeditionsFaced(seq=1, pairs=(("ann hero", "cid hero"), ("ben hero", "dot hero")))
    assert broken(position(teams), faced) == set()


def test_a_daily_effect_that_is_half_done_is_under_way_and_not_still_to_come() -> None:
    state = position({**DUEL, "phase": "morning", "daily_effect": "draw"})
    mana = e.DailyEffectStarted(seq=2, effect="mana")
    assert "effect.before" in broken(state, mana)
    state = RULESET.rules.evolve(state, e.CardsDrawn(seq=1, player="ann", count=2))
    assert broken(state, mana) == {"effect.under_way"}


def test_the_cards_of_the_hand_are_offered_as_mana_to_the_player_whose_turn_it_is() -> None:
    state = position({**DUEL, "phase": "morning", "daily_effect": "mana", "hands": {"ann": ["owl", "elk"], "ben": 2}})
    offered = [one for option in RULESET.rules.expected(state) for one in option.candidates(state)]
    assert [one.card for one in offered if isinstance(one, e.ManaPlaced)] == ["owl", "elk"]


def test_the_sums_of_an_expedition_are_uncertain_while_nothing_is_told_of_the_other_one() -> None:
    eager = {"id": "fox", "forest": 1, "mountain": 0, "water": 0, "abilities": ["I gain 1 boost if it rains."]}
    state = position({**RACE, "characters": {"ann": {"companion": [eager]}}})
    assert known_stats(state, "ann companion") is None


# What follows


def test_region_cards_and_each_pile_of_tumult_cards_are_shown_with_their_expedition() -> None:
    state, evolve = position(DUSK), RULESET.rules.evolve
    region = BoardPlaced(seq=1, piece="hero_region", cards=("shore", "shore"), place="facing each other")
    gale = BoardPlaced(seq=2, piece="tumult", cards=("gale", "gale"), place="beside the companion regions")
    hail = BoardPlaced(seq=3, piece="tumult", cards=("hail-1", "hail-2"), place="centre")
    for event in (region, gale, hail):
        state = evolve(state, event)
    view = RULESET.disclosure.view(state, "judge")
    shown = {zone.title: [card.key for card in zone.cards] for zone in AlteredScene().scene(view, "en").zones}
    assert shown["Regions: Hero expedition"] == ["shore", "shore"]
    assert shown["Tumult: Companion expedition"] == ["gale", "gale"]
    assert shown["Tumult: centre"] == ["hail-1", "hail-2"]
    told = {**DUSK, "tumult": {"ann companion 2": {"card": "gale", "effect": "storm"}}}
    assert set(evolve(position(told), gale).tumult) == {"ann companion 2"}, "the setup says where each of them lies"


def test_more_cards_drawn_than_the_deck_has_are_not_checked_and_it_is_said_why() -> None:
    state = position({"seats": ["ann", "ben"], "day": 2, "phase": "morning", "daily_effect": "draw",
                      "decks": {"ann": ["fox"], "ben": ["fox", "owl"]}})  # fmt: skip
    for player, why in (("ann", ["unread.short_deck"]), ("ben", [])):
        drawn = e.CardsDrawn(seq=1, player=player, count=2)
        assert [one.key for one in RULESET.rules.event_rules[e.CardsDrawn].unread(state, drawn)] == why


def test_an_action_inside_an_effect_holds_back_the_innermost() -> None:
    state = replace(position(DUSK), open_effects=(Effect("ann", "outer"), Effect("ann", "inner")))
    after = RULESET.rules.evolve(state, e.InternalActionPlayed(seq=1, player="ann", within="inner", action="draw"))
    assert [effect.has_internal_action for effect in after.open_effects] == [False, True]


def test_open_effects_are_the_first_thing_given_up() -> None:
    state = replace(position(RACE), open_effects=(Effect("ann", "fox"),))
    first = next(RULESET.rules.relaxations(state))
    assert (first.open_effects, first.daily_effect) == ((), "progress")


def test_a_card_may_be_played_by_somebody_whose_orbs_nobody_has_counted() -> None:
    state = position({**DUEL, "phase": "afternoon", "hands": {"ann": ["fox"]}, "costs": {"fox": {"hand": 9}}})
    played = [
        event for one in RULESET.rules.expected(state) for event in one.candidates(state)
        if isinstance(event, e.CardPlayed)
    ]  # fmt: skip
    assert {(event.card, event.mana) for event in played} == {("fox", 9)}


@pytest.mark.parametrize(("today", "times"), [(99, 1), (100, 0)])
def test_a_reaction_is_not_activated_more_than_a_hundred_times_a_day(today: int, times: int) -> None:
    reactions = {"bell:ring": {"controller": "ann", "on": "player_passed"}}
    afternoon = {**DUEL, "phase": "afternoon", "limbo": [], "passed": []}
    state = position({**afternoon, "reactions": reactions, "activations": {"bell:ring": today}})
    after = RULESET.rules.evolve(state, e.PlayerPassed(seq=1, player="ann"))
    assert [one.reaction for one in after.triggered] == ["bell:ring"] * times


# Whose a card is


def test_what_cleanup_throws_away_goes_to_the_discard_pile_of_who_brought_it() -> None:
    night = {**DUEL, "phase": "night", "daily_effect": "cleanup"}
    state = position(
        {**night, "landmark_zone": {"ann": ["inn", "mill", "tower"], "ben": []}, "owners": {"tower": "ben"}}
    )
    after = RULESET.rules.evolve(state, e.CleanupDiscarded(seq=1, discarded={"ann": ("tower", "mill")}))
    assert after.side("ann").landmarks == ("inn",)
    assert (after.side("ann").discard, after.side("ben").discard) == (("mill",), ("tower",))
