"""A game of Altered that goes on after the expeditions of a player have met: told once, and judged as it was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.games.altered import RULESET
from tests.altered.situations import audited, events, header
from tests.altered.test_real_play import found, unchecked

SEATS = ["ann", "ben", "cid", "dee"]
WON = {
    "duel": "altered.mp.win", "ffa": "altered.ffa.victory", "2v2": "altered.2v2.victory",
}  # fmt: skip

Told = Sequence[Mapping[str, Any]]
NIGHT: Told = [{"type": "phase_started", "phase": "night"}]
REST: Told = [{"type": "character_rested", "player": "ann", "card": "ox", "to": "reserve"}]
MORNING: Told = [{"type": "day_started", "day": 8}, {"type": "first_player_passed", "from": "ann", "to": "ben"}]
ENDED: Told = [{"type": "daily_effect_ended", "effect": "progress"}]
MET: Told = [{"type": "meeting_detected", "player": "ann", "surplus": 0}]
WINNER: Told = [{"type": "winner_declared", "side": "ann"}]
ADVANCE: Told = [{"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "forest"}]


def dusk(mode: str = "ffa") -> dict[str, Any]:
    """The dusk in which the expeditions of Ann meet once her Hero advances."""
    seats = SEATS[:2] if mode == "duel" else SEATS
    nothing: dict[str, list[Any]] = {"hero": [], "companion": []}
    teams = {"teams": {"ann": ["ann", "cid"], "ben": ["ben", "dee"]}} if mode == "2v2" else {}
    return {
        "mode": mode, "seats": seats, **teams, "meet_distance": 7, "day": 7, "phase": "dusk", "first_player": "ann",
        "daily_effect": "progress", "limbo": [], "reserve": {seat: [] for seat in seats},
        "landmark_zone": {seat: [] for seat in seats}, "costs": {"owl": {"hand": 1, "reserve": 1}},
        "stats": {"owl": {"forest": 1, "mountain": 0, "water": 0}}, "abilities": {"ox": [], "owl": []},
        "characters": {**dict.fromkeys(seats, nothing), "ann": {"hero": [{"id": "ox", "forest": 2}], "companion": []}},
        "advances": {seat: {"hero": 3, "companion": 3} for seat in seats},
        "regions": {seat: {"hero": ["forest"], "companion": ["water"]} for seat in seats},
        "facing": [["ann hero", "ben hero"]],
    }  # fmt: skip


@pytest.mark.parametrize("mode", ["duel", "ffa", "2v2"])
@pytest.mark.parametrize(
    ("told", "seq"),
    [
        ([*NIGHT, *REST, *MORNING], 2), ([*REST, *MORNING], 2), (MORNING, 2), ([*ENDED, *NIGHT, *REST, *MORNING], 3),
        ([*MET, *NIGHT, *REST], 3), ([*ENDED, *MET, *NIGHT, *REST], 4), ([*WINNER, *NIGHT, *REST, *MORNING], 3),
        ([*WINNER, *REST, *MORNING], 3), ([*NIGHT, *REST, *WINNER], 2),
    ],
)  # fmt: skip
def test_it_is_told_once_at_the_event_that_goes_on(mode: str, told: Told, seq: int) -> None:
    steps = audited(dusk(mode), [*ADVANCE, *told])
    assert found(steps) == [(seq, WON[mode])]
    [why] = {one.key for step in steps for one in step.violations}
    assert why == "over.met"
    assert unchecked(steps) == {}


def test_it_is_told_once_in_a_log_of_choices_and_the_next_who_meets_is_found_again() -> None:
    declined = [{"type": "mana_declined", "player": seat} for seat in ("ben", "cid", "dee", "ann")]
    turns = [{"type": "player_passed", "player": seat} for seat in ("cid", "dee", "ann", "ben")]
    owl = {
        "type": "card_played", "player": "ben", "card": "owl", "from": "hand", "to_zone": "hero_expedition",
        "to_owner": "ben", "mana": 1,
    }  # fmt: skip
    again = [{"type": "mana_declined", "player": seat} for seat in ("cid", "dee", "ann", "ben")]
    told = events([*ADVANCE, *declined, owl, *turns, *again])
    steps = list(audit(RULESET, replace(header(dusk()), complete="choices"), told))
    assert found(steps) == [(2, WON["ffa"]), (11, WON["ffa"])]
    assert unchecked(steps) == {}


def test_who_had_won_may_be_told_after_the_night() -> None:
    steps = audited(dusk(), [*ADVANCE, *NIGHT, *REST, *WINNER])
    assert [seq for seq, _ in found(steps)] == [2]


def test_a_game_that_ends_there_is_not_accused() -> None:
    assert found(audited(dusk(), [*ADVANCE, *MET, *WINNER])) == []
    assert found(audited(dusk(), [*ADVANCE, *WINNER])) == []
