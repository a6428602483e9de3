"""What each event changes. Trusts every event; whether it was allowed is asked elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from audit.altered.evolve import before, days, dusk, ending, limbo, night, playing
from audit.altered.evolve.limbo import triggered
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
    """The position after a fact, with the event as the last one and the reactions it has set off."""
    kind = type(event)
    after = _MOVES[kind](state, event)
    answers = after.box.answers.get(kind)
    set_off = triggered(answers, after, state, event) if answers else after.triggered
    return replace(after, last=event.seq or state.last, triggered=set_off)
