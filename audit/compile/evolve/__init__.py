"""The position after a fact: one function an event type. Trusts what it is told and never judges.

A fact that the newest thing under way was waiting for carries it forward, even where it was done wrongly: the
wrong card deleted is still the deletion. A fact nobody waited for just happens.
"""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Committed, Landed, PhaseBegan, Resolved, TurnBegan
from audit.compile.evolve import field, hands, on_the_way, texts, turn
from audit.compile.evolve.settling import resolve_automatic
from audit.compile.evolve.waiting import Happens
from audit.compile.state import State
from audit.model import Event

HAPPENS: Happens = {**turn.HAPPENS, **hands.HAPPENS, **on_the_way.HAPPENS, **field.HAPPENS, **texts.HAPPENS}

_REPEATS = (Committed, Landed)
_SAYS_NOTHING = (PhaseBegan, TurnBegan, Resolved)


def evolve(state: State, event: Event) -> State:
    """The position after the event and everything that then needs no word."""
    kind = type(event)
    happens = HAPPENS.get(kind)
    if happens is None:
        return state
    after = happens(state, event)
    if state.skipped or state.just_left:
        after = _later(state, kind, after)
    return resolve_automatic(after) if after.stack and after is not state else after


def _later(state: State, kind: type[Event], after: State) -> State:
    """Without what was noted for the very next event alone."""
    if after.skipped is state.skipped and kind not in _SAYS_NOTHING:
        after = replace(after, skipped=())
    if after.just_left is state.just_left and kind not in _REPEATS:
        after = replace(after, just_left=())
    return after
