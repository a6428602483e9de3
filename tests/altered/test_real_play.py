"""Days as they are played and written down: effects move objects, boosts and statuses come and go, half is not told.

The rules known here are those of the day, not the texts of the cards. What rests on such a text is unchecked, with its
reason; what does not is judged all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from audit.core.auditor import Auditor
from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.state import State
from tests.altered.situations import audited, events, header

Event = Mapping[str, Any]

CARDS = {
    "costs": {
        "scout": {"hand": 2, "reserve": 2}, "ox": {"hand": 3, "reserve": 2}, "whale": {"hand": 4, "reserve": 4},
        "flash": {"hand": 2, "reserve": 1}, "tower": {"hand": 3, "reserve": 3},
    },
    "stats": {
        "scout": {"forest": 1, "mountain": 1, "water": 1}, "ox": {"forest": 3, "mountain": 1, "water": 0},
        "whale": {"forest": 0, "mountain": 0, "water": 4}, "bug": {"forest": 1, "mountain": 1, "water": 1},
    },
    "statuses": {"scout": [], "ox": [], "whale": [], "bug": []},
    "permanents": ["tower"],
}  # fmt: skip
PLAIN: dict[str, Any] = {"abilities": {card: [] for card in ("scout", "ox", "whale", "bug", "tower")}}
"""No card has a text."""
EMPTY: dict[str, Any] = {"hero": [], "companion": []}
BOTH = {seat: {"hero": 1, "companion": 1} for seat in ("kim", "leo")}


def day(phase: str = "afternoon", **more: Any) -> dict[str, Any]:
    """A duel of Kim and Leo on the third day, with everything in sight known."""
    return {
        "mode": "duel", "seats": ["kim", "leo"], "first_player": "kim", "day": 3, "phase": phase, "limbo": [],
        "meet_distance": 8, "orbs": {seat: {"ready": 6, "exhausted": 0} for seat in ("kim", "leo")},
        "reserve": {"kim": [], "leo": []}, "landmark_zone": {"kim": [], "leo": []},
        "characters": {"kim": EMPTY, "leo": EMPTY}, "advances": BOTH,
        "paths": {seat: {"hero": [["forest"]] * 9, "companion": [["water"]] * 9} for seat in ("kim", "leo")},
        **CARDS, **more,
    }  # fmt: skip


def played(seat: str, card: str, mana: int, to: str = "hero_expedition", **more: Any) -> Event:
    return {
        "type": "card_played", "player": seat, "card": card, "from": "hand", "to_zone": to, "to_owner": seat,
        "mana": mana, **more,
    }  # fmt: skip


def passed(*seats: str) -> list[Event]:
    return [{"type": "player_passed", "player": seat} for seat in seats]


def moved(card: str, source: str, to: str) -> Event:
    return {"type": "object_left", "object": card, "from": source, "to": to}


def effect(source: str, text: str, *done: Event, seat: str = "kim") -> list[Event]:
    begins = {"type": "effect_started", "player": seat, "source": source, "effect": text}
    return [begins, *done, {"type": "effect_ended", "player": seat, "source": source}]


def drew(seat: str, count: int, reason: str) -> Event:
    return {"type": "cards_drawn", "player": seat, "count": count, "reason": reason}


def phase(name: str) -> Event:
    return {"type": "phase_started", "phase": name}


def advanced(seat: str, expedition: str, stat: str, **more: Any) -> Event:
    return {"type": "expedition_advanced", "player": seat, "expedition": expedition, "stat": stat, **more}


def rested(seat: str, card: str, to: str, *lost: str) -> Event:
    return {"type": "character_rested", "player": seat, "card": card, "to": to, "statuses_removed": list(lost)}


def sums(own: tuple[int, int, int], opposing: tuple[int, int, int], **more: Any) -> Event:
    """What Kim's Hero expedition comes to against Leo's."""
    stats = ("forest", "mountain", "water")
    return {
        "type": "expedition_totals", "player": "kim", "expedition": "hero", "against": "leo hero",
        "region": ["forest"], "own": dict(zip(stats, own, strict=True)),
        "opposing": dict(zip(stats, opposing, strict=True)), **more,
    }  # fmt: skip


def found(steps: Sequence[Step]) -> list[tuple[int | None, str]]:
    """What a judge has to look at: where, and the first rule."""
    return [(step.seq, step.rules[0].id) for step in steps if step.verdict.is_finding]


def unchecked(steps: Sequence[Step]) -> dict[int | None, str]:
    """What was not judged, with the key of the first reason."""
    return {step.seq: step.violations[0].key for step in steps if step.verdict is Verdict.UNCHECKED}


def last(steps: Sequence[Step]) -> State:
    state = steps[-1].state
    assert isinstance(state, State)
    return state


# Objects that effects move


def test_a_spell_draws_two_cards() -> None:
    steps = audited(day(hands={"kim": ["flash", "ox"]}, decks={"kim": ["scout", "whale", "ox"]}), [
        played("kim", "flash", 2, "discard"), drew("kim", 2, "flash"), *passed("leo"), played("kim", "whale", 4),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {2: "unread.text"}
    assert last(steps).side("kim").hand == ("ox", "scout")


def test_a_card_that_an_effect_put_into_the_reserve_is_played_from_there() -> None:
    steps = audited(day(decks={"kim": ["scout", "?"], "leo": ["?"]}), [
        played("kim", "ox", 3), *effect("ox", "put the top card into the Reserve", moved("scout", "deck", "reserve")),
        *passed("leo"), played("kim", "scout", 2, **{"from": "reserve"}),
    ])  # fmt: skip
    assert found(steps) == []
    assert [one.id for one in last(steps).side("kim").hero or ()] == ["ox", "scout"]
    assert (last(steps).side("kim").reserve, last(steps).side("kim").deck) == ((), ("?",))


def test_a_card_that_an_effect_discarded_from_the_reserve_is_no_longer_there() -> None:
    steps = audited(day(reserve={"kim": ["scout"], "leo": []}), [
        *passed("kim"), played("leo", "ox", 3), moved("scout", "reserve", "discard"), *passed("leo"),
        {"type": "day_started", "day": 4},
    ])  # fmt: skip
    assert last(steps).side("kim").reserve == ()
    assert "scout" in last(steps).side("kim").discard


def test_who_plays_a_card_that_was_discarded_from_the_reserve_has_it_not() -> None:
    steps = audited(day(reserve={"kim": ["scout"], "leo": []}), [
        played("kim", "ox", 3), moved("scout", "reserve", "discard"), *passed("leo"),
        played("kim", "scout", 2, **{"from": "reserve"}),
    ])  # fmt: skip
    assert [(step.seq, step.verdict) for step in steps if step.verdict.is_finding] == [(4, Verdict.IMPOSSIBLE)]


def test_a_character_goes_back_to_the_hand_and_is_played_again() -> None:
    group = {"kim": {"hero": [{"id": "scout"}], "companion": []}, "leo": EMPTY}
    steps = audited(day(characters=group, hands={"kim": ["flash"], "leo": []}), [
        played("kim", "flash", 2, "discard"), moved("scout", "hero_expedition", "hand"), *passed("leo"),
        played("kim", "scout", 2),
    ])  # fmt: skip
    assert found(steps) == []
    assert [one.id for one in last(steps).side("kim").hero or ()] == ["scout"]


def test_a_landmark_is_destroyed() -> None:
    steps = audited(day(), [
        played("kim", "tower", 3, "landmark_zone"), played("leo", "flash", 2, "discard"),
        moved("tower", "landmark_zone", "discard"), *passed("kim", "leo"),
    ])  # fmt: skip
    assert found(steps) == []
    assert (last(steps).side("kim").landmarks, last(steps).side("kim").discard) == ((), ("tower",))


def test_an_orb_by_an_effect_is_none_of_the_morning() -> None:
    orbs = {"kim": {"ready": 2, "exhausted": 0}, "leo": {"ready": 2, "exhausted": 0}}
    steps = audited(day(orbs=orbs, hands={"kim": ["flash", "scout"], "leo": 4}), [
        played("kim", "flash", 2, "discard"), {"type": "mana_placed", "player": "kim", "card": "scout"},
        *passed("leo", "kim"), {"type": "day_started", "day": 4}, phase("morning"),
        drew("leo", 2, "morning"), drew("kim", 2, "morning"), {"type": "mana_declined", "player": "leo"},
        {"type": "mana_placed", "player": "kim", "card": "?"},
    ])  # fmt: skip
    assert found(steps) == []
    assert last(steps).side("kim").ready_orbs == 4


def test_a_draw_at_noon_is_not_the_draw_of_the_morning() -> None:
    steps = audited(day("noon", hands={"kim": 3, "leo": 3}), [
        {"type": "reaction_activated", "reaction": "tea", "source": "hero of kim", "controller": "kim",
         "trigger": "at noon", "trigger_seq": 1, "emblem": "e1"},
    ])  # fmt: skip
    assert found(steps) != []  # nothing has happened yet that could set it off
    steps = audited(day("morning", daily_effect="mana", hands={"kim": 3, "leo": 3}), [
        {"type": "mana_declined", "player": "kim"}, {"type": "mana_declined", "player": "leo"}, phase("noon"),
        {"type": "reaction_activated", "reaction": "tea", "source": "hero of kim", "controller": "kim",
         "trigger": "at noon", "trigger_seq": 3, "emblem": "e1"},
        {"type": "reaction_played", "player": "kim", "emblem": "e1", "effect": "draw a card"},
        {"type": "cards_drawn", "player": "kim", "count": 1}, phase("afternoon"), *passed("kim"),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {4: "unread.trigger"}
    assert len(last(steps).side("kim").hand or ()) == 4


# Boosts, statuses and abilities


def test_a_boost_told_in_words_is_no_wrong_sum() -> None:
    steps = audited(day(**PLAIN), [
        played("kim", "scout", 2), *effect("scout", "two boosts"), *passed("leo", "kim"), phase("dusk"),
        sums((3, 3, 3), (0, 0, 0)), advanced("kim", "hero", "forest"), phase("night"),
        rested("kim", "scout", "reserve"),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {7: "unread.changed"}


def test_where_no_card_has_a_text_a_wrong_sum_is_found() -> None:
    steps = audited(day(**PLAIN), [
        played("kim", "scout", 2), *passed("leo", "kim"), phase("dusk"), sums((3, 3, 3), (0, 0, 0)),
    ])  # fmt: skip
    assert found(steps) == [(5, "altered.1.3.2.e.sum")]


def test_a_card_whose_text_nobody_gave_may_have_boosted_itself() -> None:
    steps = audited(day(), [
        played("kim", "scout", 2), *passed("leo", "kim"), phase("dusk"), sums((3, 3, 3), (0, 0, 0)),
        advanced("kim", "hero", "forest"), phase("night"),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {5: "unread.changed"}


@pytest.mark.every("status", ["Fleeting", "fugace", "ancré", "boosted"])
@pytest.mark.every("to", ["reserve", "stays", "discard"])
def test_where_rest_brings_a_character_with_a_status_without_a_rule_is_not_judged(status: str, to: str) -> None:
    group = {"kim": {"hero": [{"id": "ox", "statuses": [status]}], "companion": []}}
    steps = audited(day("night", daily_effect="rest", characters=group, **PLAIN), [rested("kim", "ox", to)])
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.status_at_rest"}


def sleeping(**more: Any) -> dict[str, Any]:
    """Kim's ox sleeps opposite Leo's scout."""
    group = {
        "kim": {"hero": [{"id": "ox", "statuses": ["asleep"]}], "companion": []},
        "leo": {"hero": [{"id": "scout"}], "companion": []},
    }
    return day("dusk", daily_effect="progress", characters=group, **PLAIN, **more)


def test_who_stands_opposite_a_sleeper_advances() -> None:
    steps = audited(
        sleeping(), [advanced("leo", "hero", "forest"), phase("night"), rested("kim", "ox", "stays", "asleep")]
    )
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.status"}


def test_of_a_sleeper_nobody_advances_by_itself_and_then_nobody_knows_how_far_he_came() -> None:
    """The strongest Character sleeps, and the log says nothing of the dusk."""
    steps = audited(sleeping(), [
        phase("night"), rested("kim", "ox", "stays", "asleep"), rested("leo", "scout", "reserve"),
    ])  # fmt: skip
    assert found(steps) == []
    assert last(steps).side("kim").hero_advance is None
    assert last(steps).side("leo").hero_advance is None
    assert last(steps).side("kim").companion_advance == 1


def test_a_sleeper_does_not_excuse_a_stat_that_the_region_has_not() -> None:
    steps = audited(sleeping(), [advanced("leo", "hero", "water")])
    assert found(steps) == [(1, "altered.1.3.2.e.match")]


def test_a_gigantic_character_is_said_to_be_unknown_in_both_expeditions() -> None:
    group = {
        "kim": {"hero": [{"id": "whale", "abilities": ["gigantic"]}], "companion": []},
        "leo": {"hero": [], "companion": [{"id": "scout"}]},
    }
    steps = audited(day("dusk", daily_effect="progress", characters=group), [advanced("kim", "companion", "water")])
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.ability"}


def test_an_effect_anchors_a_character() -> None:
    steps = audited(day(**PLAIN), [
        played("kim", "ox", 3), played("leo", "flash", 2, "discard"),
        {"type": "target_chosen", "player": "leo", "source": "flash", "wording": "a Character", "targets": ["ox"]},
        *passed("kim", "leo"), phase("dusk"), advanced("kim", "hero", "forest"), phase("night"),
        rested("kim", "ox", "stays", "anchored"),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {3: "unread.wording", 7: "unread.changed", 9: "unread.changed"}


def test_two_tokens_of_one_name_come_and_go() -> None:
    bug = {"type": "token_created", "player": "kim", "source": "ox", "token": "bug", "to_zone": "hero_expedition",
           "to_owner": "kim"}  # fmt: skip
    steps = audited(day(**PLAIN), [
        played("kim", "ox", 3), bug, bug, *passed("leo", "kim"), phase("dusk"), sums((5, 3, 2), (0, 0, 0)),
        advanced("kim", "hero", "forest"), phase("night"), rested("kim", "bug", "discard"),
        rested("kim", "bug", "discard"), rested("kim", "ox", "reserve"),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {2: "cause.hero", 3: "cause.hero", 10: "unread.token", 11: "unread.token"}
    assert (last(steps).side("kim").hero, last(steps).side("kim").reserve) == ((), ("ox",))
    assert "bug" not in last(steps).side("kim").discard


@pytest.mark.parametrize(("to", "reasons"), [("discard", {}), ("reserve", {5: "unread.from_reserve"})])
def test_what_was_played_from_the_reserve_is_fleeting(to: str, reasons: dict[int, str]) -> None:
    steps = audited(day(reserve={"kim": ["scout"], "leo": []}, **PLAIN), [
        played("kim", "scout", 2, **{"from": "reserve"}), *passed("leo", "kim"), phase("night"),
        rested("kim", "scout", to),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == reasons


def test_a_status_nobody_spoke_of_is_found_where_no_card_has_a_text() -> None:
    steps = audited(day(**PLAIN), [
        played("kim", "scout", 2), *passed("leo", "kim"), phase("night"), rested("kim", "scout", "stays", "asleep"),
    ])  # fmt: skip
    assert found(steps) == [(5, "altered.1.3.2.f.rest")]


# Costs and quick actions


def test_less_is_paid_after_an_effect_told_in_words() -> None:
    cheaper = effect("leader", "the next card costs 1 less")
    steps = audited(day(), [*cheaper, played("kim", "ox", 2)])
    assert found(steps) == []
    assert unchecked(steps) == {3: "unread.words"}
    assert found(audited(day(), [played("kim", "ox", 2)])) == [(1, "altered.day.afternoon.cost-hand")]


def test_less_is_paid_and_the_note_says_why() -> None:
    steps = audited(day(), [played("kim", "ox", 2, note="1 less: the leader")])
    assert unchecked(steps) == {1: "unread.note"}


def test_a_discount_of_yesterday_is_over() -> None:
    steps = audited(day(), [
        *effect("leader", "cards cost 1 less today"), *passed("kim", "leo"), phase("night"),
        {"type": "day_started", "day": 4}, phase("noon"), phase("afternoon"), played("leo", "ox", 2),
    ])  # fmt: skip
    assert (steps[-1].seq, steps[-1].verdict) == (9, Verdict.ILLEGAL)


def test_a_support_ability_is_used_from_the_reserve() -> None:
    steps = audited(day(reserve={"kim": ["scout"], "leo": []}), [
        {"type": "quick_action_played", "player": "kim", "source": "scout", "action": "discard me: 1 boost"},
        moved("scout", "reserve", "discard"), played("kim", "ox", 3),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.quick"}  # the card is discarded as its cost


def test_the_card_of_a_quick_action_from_the_reserve_is_its_cost_whatever_it_is_called() -> None:
    """Nobody wrote that the Scout was discarded; after Rest two cards are in Kim's Reserve, and both are kept."""
    pollen = {"controller": "kim", "effect": "Draw a card", "from": "reserve"}
    given = day(reserve={"kim": ["scout", "flash"], "leo": []}, quick_actions={"scout:pollen": pollen})
    steps = audited(given, [
        {"type": "quick_action_played", "player": "kim", "source": "scout", "action": "pollen"},
        played("kim", "ox", 3), *passed("leo", "kim"), phase("night"), rested("kim", "ox", "reserve"),
        {"type": "day_started", "day": 4},
    ])  # fmt: skip
    assert found(steps) == []
    assert last(steps).side("kim").reserve == ("flash", "ox")


def test_a_support_ability_is_not_used_again_once_its_card_is_discarded() -> None:
    pollen = {"controller": "kim", "effect": "Draw a card", "from": "reserve"}
    given = day(reserve={"kim": ["scout"], "leo": []}, quick_actions={"scout:pollen": pollen})
    used = {"type": "quick_action_played", "player": "kim", "source": "scout", "action": "pollen"}
    drew = {"type": "cards_drawn", "player": "kim", "count": 1, "reason": "scout"}
    assert found(audited(given, [used, drew, used, drew, played("kim", "ox", 3)])) == [(3, "altered.5.3.a")]
    assert found(audited(given, [moved("scout", "reserve", "discard"), used, played("kim", "ox", 3)])) == []


def test_a_support_ability_does_not_work_from_an_expedition_where_no_copy_is_in_the_reserve() -> None:
    pollen = {"controller": "kim", "effect": "Draw a card", "from": "reserve"}
    there = {"kim": {"hero": [{"id": "scout"}], "companion": []}, "leo": EMPTY}
    for in_reserve, wrong in ((["ox"], [(1, "altered.day.afternoon.quick-kinds")]), (["ox", "scout"], [])):
        kept = {"kim": in_reserve, "leo": []}
        given = day(characters=there, reserve=kept, quick_actions={"scout:pollen": pollen})
        used = {"type": "quick_action_played", "player": "kim", "source": "scout", "action": "pollen"}
        assert found(audited(given, [used])) == wrong


def test_the_object_of_the_other_player_has_no_quick_action_for_me() -> None:
    steps = audited(day(landmark_zone={"kim": [], "leo": ["tower"]}), [
        {"type": "quick_action_played", "player": "kim", "source": "tower", "action": "draw", "exhausts": "tower"},
    ])  # fmt: skip
    assert found(steps) == [(1, "altered.5.3.a")]


def test_an_object_leaves_after_a_pass_though_nobody_did_anything() -> None:
    group = {"kim": {"hero": [{"id": "ox"}], "companion": []}, "leo": EMPTY}
    steps = audited(day(characters=group), [*passed("kim"), moved("ox", "hero_expedition", "discard")])
    assert found(steps) == [(2, "altered.5.1.1.c")]


# Copies of one card


def test_one_copy_became_an_orb_and_another_is_played() -> None:
    steps = audited(day("morning", daily_effect="mana", hands={"kim": ["ox", "ox"], "leo": 3}), [
        {"type": "mana_placed", "player": "kim", "card": "ox"}, {"type": "mana_declined", "player": "leo"},
        phase("noon"), phase("afternoon"), played("kim", "ox", 3),
    ])  # fmt: skip
    assert found(steps) == []


def test_of_three_copies_in_the_reserve_two_are_kept() -> None:
    steps = audited(day("night", daily_effect="cleanup", reserve={"kim": ["ox", "ox", "ox"], "leo": []}), [
        {"type": "cleanup_choice", "player": "kim", "zone": "reserve", "kept": ["ox", "ox"]},
        {"type": "cleanup_discarded", "discarded": {"kim": ["ox"]}},
    ])  # fmt: skip
    assert found(steps) == []
    assert last(steps).side("kim").reserve == ("ox", "ox")


# Half a log


def test_nobody_says_where_the_spell_went_and_it_is_kept() -> None:
    steps = audited(day(), [
        played("kim", "flash", 2, "limbo"), *passed("leo", "kim"), phase("night"),
        {"type": "cleanup_choice", "player": "kim", "zone": "reserve", "kept": ["flash"]},
        {"type": "day_started", "day": 4}, phase("noon"), phase("afternoon"), *passed("leo"),
        played("kim", "flash", 1, "limbo", **{"from": "reserve"}),
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps)[5] == "unread.spell_text"


def test_cleanup_is_told_as_objects_that_leave() -> None:
    steps = audited(day("night", daily_effect="cleanup", reserve={"kim": ["ox", "scout", "whale"], "leo": []}), [
        moved("whale", "reserve", "discard"), {"type": "day_started", "day": 4}, phase("morning"),
    ])  # fmt: skip
    assert found(steps) == []
    assert last(steps).side("kim").reserve == ("ox", "scout")


def test_a_whole_day_in_eight_lines() -> None:
    """Two cards, a boost in words, one advance; nobody writes down phases, sums, the night or the morning."""
    steps = audited(day(hands={"kim": 4, "leo": 4}), [
        played("kim", "ox", 3), played("leo", "scout", 2), *effect("scout", "a boost, draw a card", seat="leo"),
        *passed("kim", "leo"), advanced("kim", "hero", "forest"), {"type": "day_started", "day": 4},
        phase("afternoon"), played("leo", "whale", 4, "companion_expedition"),
    ])  # fmt: skip
    assert found(steps) == []
    assert (last(steps).side("kim").hero_advance, last(steps).side("kim").reserve) == (2, ("ox",))


def test_an_effect_moves_an_expedition_back() -> None:
    steps = audited(day(), [played("kim", "flash", 2, "discard"), advanced("leo", "hero", "forest", spaces=-1)])
    assert found(steps) == []
    assert unchecked(steps) == {2: "unread.text"}
    assert last(steps).side("leo").hero_advance == 0


# A duel has its own rules


@pytest.mark.parametrize(("mode", "verdict"), [("duel", Verdict.UNCHECKED), ("ffa", Verdict.ILLEGAL)])
def test_a_hand_is_shown(mode: str, verdict: Verdict) -> None:
    seats = ["kim", "leo"] if mode == "duel" else ["kim", "leo", "mia", "noa"]
    given = {"mode": mode, "seats": seats, "first_player": "kim", "day": 3, "phase": "afternoon"}
    assert audited(given, [{"type": "hand_shown", "player": "kim", "to": "leo"}])[-1].verdict is verdict


def test_an_effect_for_the_first_player_by_the_other() -> None:
    steps = audited(day(), [{"type": "first_player_effect_used", "player": "leo", "source": "ox"}])
    assert found(steps) == [(1, "altered.1.3.2.d.first")]


def test_both_players_of_a_duel_have_met() -> None:
    far = {"kim": {"hero": 5, "companion": 4}, "leo": {"hero": 4, "companion": 4}}
    steps = audited(day("dusk", advances=far), [
        {"type": "meeting_detected", "player": "kim", "surplus": 1},
        {"type": "meeting_detected", "player": "leo", "surplus": 0}, {"type": "winner_declared", "side": "leo"},
    ])  # fmt: skip
    assert found(steps) == []
    assert unchecked(steps) == {3: "unread.tie"}


def test_a_dusk_at_which_somebody_has_just_met_is_over() -> None:
    """Eight spaces are exactly enough: nothing is left of this dusk but to say so."""
    far = {"kim": {"hero": 4, "companion": 4}, "leo": {"hero": 1, "companion": 1}}
    steps = audited(day("dusk", advances=far), [
        {"type": "meeting_detected", "player": "kim", "surplus": 0}, {"type": "winner_declared", "side": "kim"},
    ])  # fmt: skip
    assert found(steps) == []


# Records without the parts of the day


def rung(trigger: int, emblem: str) -> list[Event]:
    """Kim's bell rings for a pass; nobody gave its text."""
    set_off = {"type": "reaction_activated", "reaction": "ring", "source": "bell", "controller": "kim",
               "trigger": "player_passed", "trigger_seq": trigger, "emblem": emblem}  # fmt: skip
    return [set_off, {"type": "reaction_played", "player": "kim", "emblem": emblem}]


def test_an_advance_that_dusk_explains_is_judged_as_one_of_dusk() -> None:
    """Nobody wrote down that dusk began, and the bell might have moved the ox too."""
    bell = {"bell:ring": {"controller": "kim", "on": "player_passed"}}
    steps = audited(day(reactions=bell, **PLAIN), [
        played("kim", "ox", 3), *passed("leo"), *rung(2, "bell.1"), *passed("kim"), *rung(5, "bell.2"),
        advanced("kim", "hero", "forest"), rested("kim", "ox", "reserve"),
    ])  # fmt: skip
    assert found(steps) == []
    told = {step.seq: step for step in steps if step.seq}
    assert (told[8].verdict, told[8].before.phase) == (Verdict.LEGAL, "dusk")  # type: ignore[attr-defined]
    assert last(steps).side("kim").hero_advance == 2


def test_what_is_taken_back_makes_no_other_reading_likelier() -> None:
    """By one reading the bell moved the ox; it is no likelier when the audit comes back to where they part."""
    bell = {"bell:ring": {"controller": "kim", "on": "player_passed"}}
    told = events([
        played("kim", "ox", 3), *passed("leo"), *rung(2, "bell.1"), *passed("kim"), *rung(5, "bell.2"),
        advanced("kim", "hero", "forest"), rested("kim", "ox", "reserve"),
    ])  # fmt: skip
    auditor = Auditor(RULESET.rules, header(day(reactions=bell, **PLAIN)))
    *before, rest = told
    for event in before:
        auditor.judge(event)
    parted = auditor.bookmark()
    assert [more > 0 for _, more in parted.trusted_for] == [True]
    auditor.judge(rest)
    auditor.return_to(parted)
    assert auditor.trusted_for == parted.trusted_for
