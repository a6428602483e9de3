"""What each event changes. Trusts every event; whether it was allowed is asked elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from audit.altered.evolve import before, days, dusk, ending, limbo, night, playing
from audit.altered.state import State
from audit.model import Event

_Move = Callable[[State, Event], State]

_MOVES: dict[type[Event], _Move] = {
    **before.MOVES,
    **days.MOVES,
    **playing.MOVES,
    **limbo.MOVES,
    **dusk.MOVES,
    **night.MOVES,
    **ending.MOVES,
}


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    after = _MOVES[type(event)](state, event)
    return limbo.set_off(after, state, event) if after.box.answers else after
