"""Logs as people write them: things left out, things unknown, mistakes, set-ups with errors, hidden cards."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.errors import SetupError
from audit.core.model import Header, Player, Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from audit.games.altered.state import State
from tests.altered.situations import audited, deck, events, first_finding, header

DUEL: dict[str, Any] = {"mode": "duel", "seats": ["ann", "ben"], "first_player": "ann", "limbo": []}


def verdicts(steps: list[Step]) -> list[tuple[str, str]]:
    return [(type(step.event).__name__, step.verdict.value) for step in steps[1:]]


# Things left out


def test_a_morning_of_which_only_the_mana_was_written_down() -> None:
    log = [
        {"type": "day_started", "day": 4},
        {"type": "mana_placed", "player": "ben", "card": "?1"},
        {"type": "player_passed", "player": "ben"},
    ]
    steps = audited({**DUEL, "day": 3, "phase": "night"}, log)
    assert first_finding(steps) is None
    assert verdicts(steps)[1:7] == [
        ("FirstPlayerPassed", "inferred"),
        ("ObjectsReadied", "inferred"),
        ("ObjectsReadied", "inferred"),
        ("CardsDrawn", "inferred"),
        ("CardsDrawn", "inferred"),
        ("ManaPlaced", "legal"),
    ]
    assert verdicts(steps)[7:] == [("ManaDeclined", "inferred"), ("PlayerPassed", "legal")]


def test_after_a_night_of_which_nobody_wrote_the_first_player_is_next() -> None:
    over = {**DUEL, "day": 3, "phase": "dusk", "characters": {s: {"hero": []} for s in ("ann", "ben")}}
    zones = {"reserve": {"ann": [], "ben": []}, "landmark_zone": {"ann": [], "ben": []}}
    log = [{"type": "daily_effect_ended", "effect": "progress"}, {"type": "player_passed", "player": "ann"}]
    finding = first_finding(audited({**over, **zones}, log))
    assert finding is not None
    assert (finding.seq, finding.violations[0].rule.id) == (2, "altered.1.3.2.d.first")


def test_an_advance_after_a_reaction_may_be_its_doing_or_the_dusks_of_which_nobody_wrote() -> None:
    group = {
        "ann": {"hero": [{"id": "elf", "forest": 3}], "companion": []},
        "ben": {"hero": [{"id": "orc", "forest": 1}], "companion": []},
    }
    given = {
        **DUEL, "day": 3, "phase": "afternoon", "passed": ["ann", "ben"], "characters": group, "tumult": {},
        "limbo": [{"emblem": "e1", "controller": "ann"}], "meet_distance": 9,
        "advances": {seat: {"hero": 1, "companion": 1} for seat in ("ann", "ben")},
        "paths": {seat: {"hero": [["forest"]] * 5, "companion": [["water"]] * 5} for seat in ("ann", "ben")},
        "reserve": {"ann": [], "ben": []}, "landmark_zone": {"ann": [], "ben": []},
    }  # fmt: skip
    log = [
        {"type": "reaction_played", "player": "ann", "emblem": "e1"},
        {"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "forest"},
        {"type": "character_rested", "player": "ben", "card": "orc", "to": "reserve"},
    ]
    steps = audited(given, log)
    assert [step.verdict for step in steps if step.verdict.is_finding] == []
    last = steps[-1].state
    assert isinstance(last, State)
    assert (last.phase, last.daily_effect, last.side("ann").hero_advance) == ("night", "rest", 2)


def test_a_winning_expedition_advances_though_nobody_wrote_it_down() -> None:
    group = {"ann": {"hero": [{"forest": 3}], "companion": []}, "ben": {"hero": [{"forest": 1}], "companion": []}}
    regions = {seat: {"hero": ["forest"], "companion": ["water"]} for seat in ("ann", "ben")}
    given = {**DUEL, "day": 3, "phase": "dusk", "daily_effect": "progress", "characters": group, "regions": regions}
    steps = audited(given, [{"type": "daily_effect_ended", "effect": "progress"}])
    assert verdicts(steps) == [("ExpeditionAdvanced", "inferred"), ("DailyEffectEnded", "legal")]


def test_a_reaction_that_was_due_is_not_taken_for_granted() -> None:
    given = {**DUEL, "day": 3, "phase": "noon", "limbo": [{"emblem": "e1", "controller": "ann"}]}
    finding = first_finding(audited(given, [{"type": "phase_started", "phase": "afternoon"}]))
    assert finding is not None
    assert [event.emblem for event in finding.expected] == ["e1"]  # type: ignore[attr-defined]


# Things unknown


def test_what_nobody_has_told_is_no_fault() -> None:
    log = [
        {"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "water", "spaces": 1},
        {"type": "daily_effect_ended", "effect": "progress"},
        {"type": "phase_started", "phase": "night"},
        {"type": "character_rested", "player": "ben", "card": "elk", "to": "discard", "statuses_removed": []},
        {"type": "cleanup_choice", "player": "ann", "zone": "reserve", "kept": ["kite"]},
    ]
    assert first_finding(audited({**DUEL, "day": 3, "phase": "dusk", "daily_effect": "progress"}, log)) is None


def test_a_target_may_have_changed() -> None:
    given = {**DUEL, "day": 3, "phase": "afternoon", "characters": {"ann": {"hero": [{"id": "fox"}], "companion": []}}}
    state = audited(given, [
        {"type": "target_chosen", "player": "ann", "source": "horn", "wording": "target Character", "targets": ["fox"]},
    ])[-1].state  # fmt: skip
    assert isinstance(state, State)
    assert state.side("ann").hero is not None
    assert [one.statuses for one in state.side("ann").hero] == [None]


# Mistakes


def test_one_mistake_is_one_finding() -> None:
    log = [
        {"type": "player_passed", "player": "ben"},
        {"type": "player_passed", "player": "ann"},
        {"type": "player_passed", "player": "ben"},
        {"type": "phase_started", "phase": "dusk"},
    ]
    found = [s for s in audited({**DUEL, "day": 3, "phase": "afternoon"}, log) if s.verdict.is_finding]
    assert [(step.seq, step.verdict) for step in found] == [(1, Verdict.ILLEGAL)]


PRICED = {**DUEL, "day": 3, "phase": "afternoon"}


def card(seat: str, name: str) -> dict[str, Any]:
    return {
        "type": "card_played", "player": seat, "card": name, "from": "hand", "to_zone": "hero_expedition",
        "to_owner": seat, "mana": 1,
    }  # fmt: skip


def passes(seat: str) -> dict[str, Any]:
    return {"type": "player_passed", "player": seat}


@pytest.mark.every(
    ("log", "at"),
    [
        ([card("ben", "elk"), card("ann", "fox"), card("ann", "owl"), passes("ben"), passes("ann")], 1),
        ([card("ann", "fox"), card("ann", "owl"), card("ben", "elk"), passes("ben"), passes("ann")], 2),
        ([{"type": "phase_started", "phase": "noon"}, card("ann", "fox"), passes("ben"), passes("ann")], 1),
        ([card("ann", "fox"), {"type": "phase_started", "phase": "noon"}, passes("ben"), passes("ann")], 2),
        ([passes("ann"), passes("ben"), {"type": "day_started", "day": 3}], 3),
    ],
)
def test_the_thread_is_taken_up_again_after_a_mistake(log: list[dict[str, Any]], at: int) -> None:
    found = [step.seq for step in audited(PRICED, log) if step.verdict.is_finding]
    assert found == [at]


def test_events_of_strangers_do_no_harm() -> None:
    strange = [
        {"type": "cards_drawn", "player": "eve", "count": 2},
        {"type": "character_rested", "player": "eve", "card": "elk", "to": "reserve"},
        {"type": "expedition_advanced", "player": "eve", "expedition": "hero", "stat": "water"},
        {"type": "player_left", "player": "eve"},
        {"type": "winner_declared", "side": "eve"},
    ]
    for event in strange:
        for phase in ("morning", "noon", "afternoon", "dusk", "night"):
            steps = audited({**DUEL, "day": 3, "phase": phase}, [event])
            assert steps[-1].seq == 1


# Set-ups


def test_players_may_stand_in_the_header() -> None:
    state = RULESET.rules.start(
        Header(log="audit/1", ruleset="altered", players=(Player("x"), Player("y")), first="y", setup={"mode": "duel"})
    )
    assert (state.seats, state.first_player, state.facing["x hero"]) == (("x", "y"), "y", "y hero")


@pytest.mark.every(
    ("setup", "field"),
    [
        ({"mode": "solo"}, "mode"),
        ({"seats": "ann"}, "seats"),
        ({"seats": ["ann", "ann"]}, "seats"),
        ({"seats": ["ann"], "first_player": "eve"}, "first_player"),
        ({"phase": "evening"}, "phase"),
        ({"phase": "noon", "daily_effect": "draw"}, "daily_effect"),
        ({"day": -1}, "day"),
        ({"day": True}, "day"),
        ({"seats": ["ann"], "hands": {"ann": [1]}}, "hands.ann"),
        ({"seats": ["ann"], "orbs": {"ann": {"ready": "3"}}}, "orbs.ann.ready"),
        ({"seats": ["ann"], "characters": {"ann": {"hero": [{"forest": -2}]}}}, "characters.ann.hero.forest"),
        ({"seats": ["ann"], "limbo": [{"emblem": "e1", "controller": "eve"}]}, "limbo.controller"),
        ({"costs": {"kite": 3}}, "costs.kite"),
        ({"first_plaier": "ann"}, "first_plaier"),
        ({"facing": [["ann hero"]]}, "facing"),
    ],
)
def test_a_setup_that_cannot_be_understood_names_the_field(setup: dict[str, Any], field: str) -> None:
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(header(setup))
    assert failure.value.field == field


def test_keys_of_anyones_own_are_let_through() -> None:
    assert RULESET.rules.start(header({"x-table": 3, "seats": ["ann"]})).seats == ("ann",)


# Hidden cards


def test_a_rival_sees_neither_hand_nor_the_card_that_becomes_mana() -> None:
    given = {**DUEL, "day": 3, "phase": "morning", "daily_effect": "mana", "hands": {"ann": ["kite", "oar"]}}
    log = [{"type": "mana_placed", "player": "ann", "card": "oar"}]
    state = audited(given, log)[-1].state
    assert isinstance(state, State)
    placed = events(log)[0]
    seen = {"judge": (["kite"], "oar"), "ann": (["kite"], "oar"), "ben": (1, "?"), "public": (1, "?")}
    for viewer, (hand, card) in seen.items():
        view: Any = RULESET.disclosure.view(state, viewer)
        assert view["sides"]["ann"]["hand"] == hand
        assert RULESET.disclosure.redact(state, placed, viewer).card == card  # type: ignore[attr-defined]


def test_the_list_of_a_deck_is_its_players() -> None:
    registered = events([deck({"names": 13})])[0]
    state = RULESET.rules.start(header({"mode": "ffa"}))
    assert RULESET.disclosure.redact(state, registered, "ben").cards is None  # type: ignore[attr-defined]
    assert RULESET.disclosure.redact(state, registered, "ann") is registered
