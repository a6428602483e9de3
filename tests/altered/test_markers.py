"""A log that says everything tells the set-up, every check of Limbo, every effect and the sums of every dusk."""

from __future__ import annotations

from functools import cache
from typing import cast

import pytest

from audit.core.model import Event
from audit.core.ruleset import Ruleset
from audit.games.altered import RULESET
from audit.games.altered.events import (
    DailyEffectEnded,
    DayStarted,
    EffectEnded,
    EffectStarted,
    ExpeditionTotals,
    PhaseStarted,
    PlayerPassed,
    ReactionActivated,
    ReactionCheck,
    ReactionPlayed,
)
from audit.games.altered.setup_events import ExpeditionsFaced, FirstPlayerDrawn, GameConfigured, Seated, TeamFormed
from replays.generating.simulate import simulated

REASONS = {
    PhaseStarted: "phase_start",
    DailyEffectEnded: "after_daily_effect",
    PlayerPassed: "after_pass",
    ReactionPlayed: "after_reaction",
}
AFTER_ITSELF = (EffectStarted, EffectEnded, ReactionActivated)


@cache
def game(mode: str) -> list[Event]:
    return simulated(cast(Ruleset[object], RULESET), 5, pool=(mode,))[1]


every_mode = pytest.mark.every("mode", ["duel", "ffa", "2v2"])


@every_mode
def test_the_set_up_is_told_first(mode: str) -> None:
    teams = [TeamFormed, TeamFormed] if mode == "2v2" else []
    expected = [GameConfigured, *teams, Seated, ExpeditionsFaced, FirstPlayerDrawn, DayStarted]
    assert [type(event) for event in game(mode)[: len(expected)]] == expected


@every_mode
def test_limbo_is_looked_through_at_every_moment_named_for_it(mode: str) -> None:
    events = game(mode)
    for at, event in enumerate(events):
        if type(event) in REASONS:
            rest = (one for one in events[at + 1 :] if not isinstance(one, AFTER_ITSELF))
            assert next(rest) == ReactionCheck(seq=at + 2 + between(events, at), reason=REASONS[type(event)])  # type: ignore[arg-type]


def between(events: list[Event], at: int) -> int:
    """How many events belong to the one at that place before anything else can happen."""
    return next(n for n, one in enumerate(events[at + 1 :]) if not isinstance(one, AFTER_ITSELF))


@every_mode
def test_every_reaction_has_its_effect(mode: str) -> None:
    events = game(mode)
    played = [at for at, event in enumerate(events) if isinstance(event, ReactionPlayed)]
    assert played
    for at in played:
        own = [type(one) for one in events[at + 1 : at + 1 + between(events, at)] if type(one) is not ReactionActivated]
        assert own == [EffectStarted, EffectEnded]


@every_mode
def test_the_sums_of_every_expedition_are_told_once_a_dusk(mode: str) -> None:
    events = game(mode)
    days = [at for at, event in enumerate(events) if isinstance(event, DayStarted)]
    for start, end in zip(days, [*days[1:], len(events)], strict=True):
        told = [(e.player, e.expedition) for e in events[start:end] if isinstance(e, ExpeditionTotals)]
        assert len(told) == len(set(told))
        assert len(told) in (0, 4 if mode == "duel" else 8)
