"""Cards on their way to a line: played or shifted, committed, landed."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Committed, Covered, Landed, Played, Shifted, Uncovered
from audit.compile.evolve.waiting import Happens, carried_forward, led_to, waiting_text, with_due
from audit.compile.moves import lift, taken_from, text_moved, without_lost
from audit.compile.progress import carried_out, done_once, step_of
from audit.compile.state import (
    CardMovement,
    CardsLeaving,
    FieldPosition,
    PlacedCard,
    State,
    Text,
    field_position,
    movements,
    popped,
    pushed,
    swapped,
    with_line,
    with_side,
)
from audit.compile.texts import WAITING, middle, waiting


def _played(state: State, event: Played) -> State:
    why = led_to(state, event)
    text = waiting_text(state, "play")
    under = text.card if text and step_of(text).at == "under_this" else None
    movement = CardMovement(
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
    return pushed(state, movement)


def _played_by(state: State, text: Text, event: Played) -> State:
    if text.remaining is None:
        return swapped(state, carried_out(text, event.card))
    what: str | int = event.line if step_of(text).in_lines else ""
    return swapped(state, done_once(text, what, event.card))


def _shifted(state: State, event: Shifted) -> State:
    place = field_position(state, event.card)
    if place is None:
        return carried_forward(state, "shift", event.card)
    why = led_to(state, event)
    text = waiting_text(state, "shift")
    movement = CardMovement(event.card, place.up, place.seat, event.to, place.line, played=False, why=why)
    if text is None or not step_of(text).together:
        return pushed(carried_forward(state, "shift", event.card), movement)
    return _shifted_together(state, text, event, why)


def _shifted_together(state: State, text: Text, event: Shifted, why: tuple[int, ...]) -> State:
    """A group is announced card by card and then leaves as one (card.light-3)."""
    group = (*text.taken, event.card)
    after = done_once(replace(text, chosen_line=event.to), event.card, event.card)
    state = swapped(state, after)
    if after.remaining is not None:
        return state
    movements = []
    for order, card in enumerate(group):
        if place := field_position(state, card):
            movements.append(
                CardMovement(
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
    state, uncovered_cards = lift(state, group, for_good=False)
    movements[0] = replace(movements[0], uncovered_cards=uncovered_cards)
    return pushed(state, *reversed(movements))


def _committed(state: State, event: Committed) -> State:
    movement = state.stack[-1] if state.stack else None
    if type(movement) is not CardMovement or movement.committed or movement.card != event.card:
        return state
    order = sum(1 for _ in movements(state)) if len(state.stack) > 1 else 0
    if not isinstance(movement.origin, int):
        return swapped(_without_played(state, movement), replace(movement, committed=True, order=order))
    place = field_position(state, movement.card)
    freed = place is not None and not place.uncovered
    state, uncovered_cards = lift(state, (movement.card,), for_good=False)
    return swapped(state, replace(movement, committed=True, uncovered_cards=uncovered_cards, order=order, freed=freed))


def _without_played(state: State, movement: CardMovement) -> State:
    """The hand or deck the card is played from, without it."""
    side = state.side(movement.seat)
    if movement.origin == "deck":
        return with_side(state, movement.seat, replace(side, deck=taken_from(side.deck, (movement.card,))))
    return with_side(state, movement.seat, replace(side, hand=taken_from(side.hand, (movement.card,))))


def _uncovered(state: State, event: Uncovered) -> State:
    frame = state.stack[-1] if state.stack else None
    if not isinstance(frame, CardMovement | CardsLeaving) or event.card not in frame.uncovered_cards:
        return state
    why = led_to(state, event)
    uncovered_cards = tuple(card for card in frame.uncovered_cards if card != event.card)
    triggered_by_uncover = (
        *frame.triggered_by_uncover,
        *middle(state, event.card, field_position(state, event.card), "uncovered"),
    )
    if uncovered_cards:
        return swapped(
            state, replace(frame, uncovered_cards=uncovered_cards, triggered_by_uncover=triggered_by_uncover)
        )
    return with_due(
        swapped(state, replace(frame, uncovered_cards=(), triggered_by_uncover=())), triggered_by_uncover, why
    )


def _covered(state: State, event: Covered) -> State:
    movement = state.stack[-1] if state.stack else None
    if type(movement) is not CardMovement:
        return state
    why = led_to(state, event)
    state = swapped(state, replace(movement, notified=(*movement.notified, event.card)))
    if event.card not in WAITING["before_covered"]:
        return state
    moments = tuple(m for m in waiting(state, movement.seat, "before_covered") if m.card == event.card)
    return with_due(state, moments, why)


def _landed(state: State, event: Landed) -> State:
    movement = state.stack[-1] if state.stack else None
    if type(movement) is not CardMovement or not movement.committed or movement.card != event.card:
        return state
    why = led_to(state, event)
    stack = state.side(movement.seat).lines[movement.line - 1]
    state = with_line(
        popped(state),
        movement.seat,
        movement.line,
        _laid(stack, PlacedCard(movement.card, movement.up), movement.under),
    )
    if stack and not movement.under:
        state = without_lost(state, stack[-1].card)
    if movement.uncovered_cards:
        return pushed(state, CardsLeaving((), "", movement.uncovered_cards, why=why))
    if not movement.played:
        state = text_moved(state, movement.card, movement.line)
    if not movement.played and not movement.freed:
        return state
    place = (
        field_position(state, movement.card)
        if movement.under
        else FieldPosition(movement.seat, movement.line, len(stack), movement.up, uncovered=True)
    )
    return with_due(state, middle(state, movement.card, place, "played" if movement.played else "uncovered"), why)


def _laid(stack: tuple[PlacedCard, ...], placed: PlacedCard, under: str | None) -> tuple[PlacedCard, ...]:
    if under is None:
        return (*stack, placed)
    index = next((i for i, there in enumerate(stack) if there.card == under), len(stack))
    return (*stack[:index], placed, *stack[index:])


HAPPENS: Happens = {
    Played: _played,
    Committed: _committed,
    Covered: _covered,
    Uncovered: _uncovered,
    Landed: _landed,
    Shifted: _shifted,
}
