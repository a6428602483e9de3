"""What the rules take as known in advance, held against games that were played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import cast

import pytest

from audit.core.errors import SetupError
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from audit.games.altered import RULESET
from audit.games.altered.card_data import card_data, read_value_by_value
from audit.games.altered.daily_effects import next_part
from audit.games.altered.events import DailyEffectEnded
from audit.games.altered.simulation import dealt
from audit.games.altered.state import State
from replays.generating.simulate import simulated

GAMES = (("uniform", 1), ("greedy", 2), ("uniform", 3))


@cache
def moves(policy: str, seed: int) -> tuple[tuple[State, Event, State], ...]:
    header, events = simulated(cast(Ruleset[object], RULESET), seed, policy)
    return tuple(walked(RULESET.rules.start(header), events))


def walked(state: State, events: list[Event]) -> Iterator[tuple[State, Event, State]]:
    for event in events:
        before, state = state, RULESET.rules.evolve(state, event)
        yield before, event, state


every_game = pytest.mark.every(("policy", "seed"), GAMES)


@every_game
def test_an_effect_may_end_only_where_nothing_of_it_is_left(policy: str, seed: int) -> None:
    endings = 0
    for state, event, _ in moves(policy, seed):
        if state.daily_effect and not state.triggered and not state.open_effects:
            ended = DailyEffectEnded(seq=0, effect=state.daily_effect)
            is_over = next_part(state) == ()
            assert (RULESET.rules.violations(state, ended) == ()) == is_over
            assert is_over or not isinstance(event, DailyEffectEnded)
            endings += isinstance(event, DailyEffectEnded)
    assert endings


@pytest.mark.every("seed", range(4))
def test_tables_are_read_at_once_as_they_are_value_by_value(seed: int) -> None:
    setup = dealt(Random(seed))
    assert card_data(setup) == read_value_by_value(setup)


def test_a_number_beyond_what_is_declared_is_still_read() -> None:
    setup = {"stats": {"giant": {"forest": 5000}}, "costs": {"giant": {"hand": 9}}}
    assert card_data(setup).stats["giant"].forest == 5000


def test_the_value_that_is_wrong_is_named() -> None:
    with pytest.raises(SetupError, match=r"costs\.giant\.hand"):
        card_data({"stats": {"giant": {"forest": 1}}, "costs": {"giant": {"hand": "nine"}}})
