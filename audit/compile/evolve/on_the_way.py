"""Cards on their way to a line: played or shifted, committed, landed."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Committed, Covered, Landed, Played, Shifted, Uncovered
from audit.compile.evolve.waiting import Happens, carried_forward, led_to, waiting_text, with_due
from audit.compile.moves import lift, taken_from, text_moved, without_lost
from audit.compile.progress import carried_out, done_once, step_of
from audit.compile.state import (
    Lain,
    Leaving,
    Spot,
    State,
    Text,
    Trip,
    popped,
    pushed,
    spot,
    swapped,
    trips,
    with_line,
    with_side,
)
from audit.compile.texts import WAITING, middle, waiting


def _played(state: State, event: Played) -> State:
    why = led_to(state, event)
    text = waiting_text(state, "play")
    under = text.card if text and step_of(text).at == "under_this" else None
    trip = Trip(
        event.card,
        event.face == "up",
        event.player,
        event.line,
        event.from_,
        played=True,
        under=under,
        why=why,
    )
    if text is not None:
        state = _played_by(state, text, event)
    elif not state.stack:
        state = replace(state, acted="played")
    return pushed(state, trip)


def _played_by(state: State, text: Text, event: Played) -> State:
    if text.todo is None:
        return swapped(state, carried_out(text, event.card))
    what: str | int = event.line if step_of(text).in_lines else ""
    return swapped(state, done_once(text, what, event.card))


def _shifted(state: State, event: Shifted) -> State:
    place = spot(state, event.card)
    if place is None:
        return carried_forward(state, "shift", event.card)
    why = led_to(state, event)
    text = waiting_text(state, "shift")
    trip = Trip(event.card, place.up, place.seat, event.to, place.line, played=False, why=why)
    if text is None or not step_of(text).together:
        return pushed(carried_forward(state, "shift", event.card), trip)
    return _shifted_together(state, text, event, why)


def _shifted_together(state: State, text: Text, event: Shifted, why: tuple[int, ...]) -> State:
    """A group is announced card by card and then leaves as one (card.light-3)."""
    group = (*text.taken, event.card)
    after = done_once(replace(text, aim=event.to), event.card, event.card)
    state = swapped(state, after)
    if after.todo is not None:
        return state
    trips = []
    for order, card in enumerate(group):
        if place := spot(state, card):
            trips.append(
                Trip(
                    card,
                    place.up,
                    place.seat,
                    event.to,
                    place.line,
                    played=False,
                    committed=True,
                    order=order,
                    freed=not place.uncovered,
                    why=why,
                )
            )
    state, bare = lift(state, group, for_good=False)
    trips[0] = replace(trips[0], bare=bare)
    return pushed(state, *reversed(trips))


def _committed(state: State, event: Committed) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip or trip.committed or trip.card != event.card:
        return state
    order = sum(1 for _ in trips(state)) if len(state.stack) > 1 else 0
    if not isinstance(trip.origin, int):
        return swapped(_without_played(state, trip), replace(trip, committed=True, order=order))
    place = spot(state, trip.card)
    freed = place is not None and not place.uncovered
    state, bare = lift(state, (trip.card,), for_good=False)
    return swapped(state, replace(trip, committed=True, bare=bare, order=order, freed=freed))


def _without_played(state: State, trip: Trip) -> State:
    """The hand or deck the card is played from, without it."""
    side = state.side(trip.seat)
    if trip.origin == "deck":
        return with_side(state, trip.seat, replace(side, deck=taken_from(side.deck, (trip.card,))))
    return with_side(state, trip.seat, replace(side, hand=taken_from(side.hand, (trip.card,))))


def _uncovered(state: State, event: Uncovered) -> State:
    frame = state.stack[-1] if state.stack else None
    if not isinstance(frame, Trip | Leaving) or event.card not in frame.bare:
        return state
    why = led_to(state, event)
    bare = tuple(card for card in frame.bare if card != event.card)
    woken = (*frame.woken, *middle(state, event.card, spot(state, event.card), "uncovered"))
    if bare:
        return swapped(state, replace(frame, bare=bare, woken=woken))
    return with_due(swapped(state, replace(frame, bare=(), woken=())), woken, why)


def _covered(state: State, event: Covered) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip:
        return state
    why = led_to(state, event)
    state = swapped(state, replace(trip, warned=(*trip.warned, event.card)))
    if event.card not in WAITING["before_covered"]:
        return state
    moments = tuple(m for m in waiting(state, trip.seat, "before_covered") if m.card == event.card)
    return with_due(state, moments, why)


def _landed(state: State, event: Landed) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip or not trip.committed or trip.card != event.card:
        return state
    why = led_to(state, event)
    stack = state.side(trip.seat).lines[trip.line - 1]
    state = with_line(popped(state), trip.seat, trip.line, _laid(stack, Lain(trip.card, trip.up), trip.under))
    if stack and not trip.under:
        state = without_lost(state, stack[-1].card)
    if trip.bare:
        return pushed(state, Leaving((), "", trip.bare, why=why))
    if not trip.played:
        state = text_moved(state, trip.card, trip.line)
    if not trip.played and not trip.freed:
        return state
    place = spot(state, trip.card) if trip.under else Spot(trip.seat, trip.line, len(stack), trip.up, uncovered=True)
    return with_due(state, middle(state, trip.card, place, "played" if trip.played else "uncovered"), why)


def _laid(stack: tuple[Lain, ...], lain: Lain, under: str | None) -> tuple[Lain, ...]:
    if under is None:
        return (*stack, lain)
    index = next((i for i, there in enumerate(stack) if there.card == under), len(stack))
    return (*stack[:index], lain, *stack[index:])


HAPPENS: Happens = {
    Played: _played,
    Committed: _committed,
    Covered: _covered,
    Uncovered: _uncovered,
    Landed: _landed,
    Shifted: _shifted,
}
