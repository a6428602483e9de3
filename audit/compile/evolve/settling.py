"""Going on with everything under way that needs no word."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from audit.compile.moves import arrived
from audit.compile.procedures import control_is_up, line_cards, to_draw
from audit.compile.progress import advance_text
from audit.compile.readings import LANDS_BEFORE_EXPOSED
from audit.compile.state import (
    CardMovement,
    CardsLeaving,
    Compiling,
    Due,
    Frame,
    Refreshing,
    State,
    Text,
    opponent,
    popped,
    pushed,
    swapped,
    with_side,
)
from audit.compile.texts import waiting
from audit.compile.under_way import live


def resolve_automatic(state: State) -> State:
    """Go on with everything under way that needs no word."""
    while state.stack:
        frame = state.stack[-1]
        settles = _SETTLES.get(type(frame))
        after = settles(state, frame) if settles else None
        if after is None:
            return state
        state = after
    return state


def _settle_due(state: State, due: Due) -> State | None:
    moments = live(state, due.moments)
    if not moments:
        return popped(state)
    return None if len(moments) == len(due.moments) else swapped(state, replace(due, moments=moments))


def _settle_leaving(state: State, leaving: CardsLeaving) -> State | None:
    if leaving.uncovered_cards:
        return None
    return arrived(popped(state), leaving.cards, leaving.to) if leaving.cards else popped(state)


def _settle_trip(state: State, movement: CardMovement) -> State | None:
    """A card committed later to the same stack waits until the earlier one has landed (committed.queue)."""
    if not movement.committed or (movement.uncovered_cards and LANDS_BEFORE_EXPOSED.name not in state.switches):
        return None
    for index, frame in enumerate(state.stack[:-1]):
        if (
            type(frame) is CardMovement
            and frame.committed
            and _same_place(frame, movement)
            and frame.order < movement.order
        ):
            rest = state.stack[:-1]
            return replace(state, stack=(*rest[:index], movement, *rest[index:]))
    return None


def _same_place(one: CardMovement, other: CardMovement) -> bool:
    return (one.seat, one.line) == (other.seat, other.line)


def _settle_refresh(state: State, frame: Refreshing) -> State | None:
    side = state.side(frame.seat)
    if frame.control or frame.choice or (to_draw(state, frame.seat) and (side.deck or side.trash)):
        return None
    return popped(state)


def _settle_compile(state: State, frame: Compiling) -> State | None:
    if control_is_up(state, frame):
        return None
    if not frame.asked:
        return _ask_to_escape(state, frame)
    if not frame.deleted:
        return None if line_cards(state, frame.line) else swapped(state, replace(frame, deleted=True))
    return _turn_protocol(state, frame)


def _ask_to_escape(state: State, frame: Compiling) -> State:
    """Texts that stand in for the deletion come before it."""
    here = set(line_cards(state, frame.line))
    moments = tuple(
        moment
        for seat in (frame.seat, opponent(frame.seat))
        for moment in waiting(state, seat, "before_compile_delete")
        if moment.card in here
    )
    asked = swapped(state, replace(frame, asked=True))
    return pushed(asked, Due(moments, frame.why)) if moments else asked


def _turn_protocol(state: State, frame: Compiling) -> State | None:
    side = state.side(frame.seat)
    protocol = side.protocols[frame.line - 1]
    if protocol not in side.compiled:
        return popped(with_side(state, frame.seat, replace(side, compiled=side.compiled | {protocol})))
    theirs = state.side(opponent(frame.seat))
    return None if theirs.deck or theirs.trash else popped(state)


_SETTLES: dict[type[Frame], Callable[..., State | None]] = {
    Text: advance_text,
    Due: _settle_due,
    CardsLeaving: _settle_leaving,
    CardMovement: _settle_trip,
    Refreshing: _settle_refresh,
    Compiling: _settle_compile,
}
