"""Texts beginning and ending."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Resolved, Triggered
from audit.compile.evolve.waiting import Happens, led_to
from audit.compile.progress import carried_out, not_carried_out, step_of
from audit.compile.state import Due, Moment, State, Text, field_position, opponent, popped, pushed, swapped
from audit.compile.texts import STEPS


def _triggered(state: State, event: Triggered) -> State:
    why = led_to(state, event)
    frame = state.stack[-1] if state.stack else None
    moments = frame.moments if type(frame) is Due else state.due if not state.stack else ()
    moment = next((m for m in moments if (m.card, m.box) == (event.card, event.command)), None)
    if moment is None:
        return _begun_unasked(state, event, why)
    rest = tuple(m for m in moments if m is not moment)
    if type(frame) is Due:
        state = swapped(state, replace(frame, moments=rest)) if rest else popped(state)
    else:
        state = replace(state, due=rest)
    return _begun(state, moment, why)


def _begun(state: State, moment: Moment, why: tuple[int, ...]) -> State:
    place = field_position(state, moment.card)
    line = place.line if place else 0
    return pushed(state, Text(moment.card, moment.box, moment.entry, moment.seat, line, on=moment.on, why=why))


def _begun_unasked(state: State, event: Triggered, why: tuple[int, ...]) -> State:
    """A text carried out though it was not due: what it does still follows."""
    entry = next((e for card, box, e in STEPS if (card, box) == (event.card, event.command)), None)
    place = field_position(state, event.card)
    if entry is None or place is None:
        return state
    return _begun(state, Moment(event.card, event.command, entry, event.on or "unasked", place.seat), why)


def _resolved(state: State, event: Resolved) -> State:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or (frame.card, frame.box) != (event.card, event.command):
        return state
    if event.outcome == "stopped":
        return popped(state)
    if event.outcome != "done":
        return swapped(state, not_carried_out(frame))
    if step_of(frame).verb != "bar":
        return state
    barred = opponent(frame.seat) if step_of(frame).side == "opponent" else frame.seat
    turn = state.turn + (1 if barred != state.player else 2)
    return swapped(replace(state, barred=((barred, turn),)), carried_out(frame, None))


HAPPENS: Happens = {
    Triggered: _triggered,
    Resolved: _resolved,
}
