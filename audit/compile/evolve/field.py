"""Cards of the field: turned over, deleted, returned."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Deleted, Flipped, Returned
from audit.compile.evolve.waiting import Happens, carried_forward, led_to, waiting_text, with_due
from audit.compile.moves import arrived, lift, renamed, without_lost
from audit.compile.progress import done_once, instructions, step_of
from audit.compile.readings import ALL_IS_SILENT, DELETION_NOT_COMMITTED, FACE_DOWN_METAL_6_STAYS, RETURNS_COMMIT
from audit.compile.state import (
    CardsLeaving,
    Compiling,
    Due,
    Moment,
    PlacedCard,
    State,
    Text,
    field_position,
    is_known,
    opponent,
    pushed,
    seats_of_cards,
    swapped,
    with_line,
)
from audit.compile.texts import WAITING, middle, waiting
from audit.compile.verbs.picking import returned_cards
from audit.compile.words import ALL


def _flipped(state: State, event: Flipped) -> State:
    if event.is_ and not is_known(event.card):
        state = renamed(state, event.card, event.is_)
    card = event.is_ or event.card
    why = led_to(state, event)
    place = field_position(state, card)
    text = waiting_text(state, "flip")
    group = text is not None and step_of(text).count == ALL
    if place is not None:
        stack = state.side(place.seat).lines[place.line - 1]
        turned = (*stack[: place.index], PlacedCard(card, event.face == "up"), *stack[place.index + 1 :])
        state = with_line(state, place.seat, place.line, turned)
        if event.face == "down":
            state = without_lost(state, card)
    state = carried_forward(state, "flip", card)
    moments = (
        (*middle(state, card, field_position(state, card), "flipped"), *_answer_to_flip(state, event, card, place.seat))
        if place
        else ()
    )
    if group and moments and type(state.stack[-1]) is Text and state.stack[-1].remaining is not None:
        return replace(state, stack=(*state.stack[:-1], Due(moments, why), state.stack[-1]))
    return with_due(state, moments, why)


def _answer_to_flip(state: State, event: Flipped, card: str, seat: str) -> tuple[Moment, ...]:
    """The text by which a card answers its own flip; by one reading none where that text was face down."""
    if card not in WAITING["flipped"] or (event.face == "up" and FACE_DOWN_METAL_6_STAYS.name in state.switches):
        return ()
    box, entry = WAITING["flipped"][card]
    return (Moment(card, box, entry, "flipped", seat),)


def _deleted(state: State, event: Deleted) -> State:
    why = led_to(state, event)
    frame = state.stack[-1] if state.stack else None
    text = waiting_text(state, "delete")
    actor = (text.seat if step_of(text).who == "you" else opponent(text.seat)) if text else None
    silent = text is not None and step_of(text).count == ALL and ALL_IS_SILENT.name in state.switches
    if type(frame) is Compiling:
        state = swapped(state, replace(frame, deleted=True))
    elif text is not None:
        last = event.cards[-1] if event.cards else None
        state = carried_forward(state, "delete", last, len(event.cards))
    return _leave(state, event.cards, "trash", why, actor, silent)


def _leave(
    state: State, cards: tuple[str, ...], to: str, why: tuple[int, ...], actor: str | None, silent: bool = False
) -> State:
    """Cards go off the field; what waits for it comes after everything that follows from it."""
    seats = seats_of_cards(state)
    going = tuple((card, seats[card]) for card in cards if card in seats)
    if not going:
        return state
    state, uncovered_cards = lift(state, tuple(card for card, _ in going))
    if actor and to == "trash":
        state = with_due(state, waiting(state, actor, "after_you_delete"), why)
    uncovered_cards = () if silent else uncovered_cards
    if uncovered_cards and _is_committed(state, to):
        return pushed(state, CardsLeaving(going, to, uncovered_cards, why=why))
    state = arrived(state, going, to)
    return pushed(state, CardsLeaving((), to, uncovered_cards, why=why)) if uncovered_cards else state


def _is_committed(state: State, to: str) -> bool:
    """Whether cards leaving the field for there are on their way while the texts they lay bare act."""
    switch = DELETION_NOT_COMMITTED.name if to == "trash" else RETURNS_COMMIT.name
    return (switch in state.switches) == (to != "trash")


def _returned(state: State, event: Returned) -> State:
    why = led_to(state, event)
    text = waiting_text(state, "return")
    cards = returned_cards(event)
    if text is None or step_of(text).count != ALL or event.cards is not None:
        state = carried_forward(state, "return", cards[-1] if cards else None, len(cards))
        return _leave(state, cards, "hand", why, None)
    return _returned_one_by_one(state, text, cards[0] if cards else "", why)


def _returned_one_by_one(state: State, text: Text, card: str, why: tuple[int, ...]) -> State:
    """All cards of a line go at once, though a log may list them one by one."""
    if text.remaining is None:
        place = field_position(state, card)
        candidates = instructions(text)[0].candidates(state)
        line = next((o for o in candidates if isinstance(o, Returned) and card in returned_cards(o)), None)
        remaining = returned_cards(line) if line and place else (card,)
        text = replace(text, remaining=remaining)
    after = done_once(text, card, card)
    state = swapped(state, after)
    return state if after.remaining is not None else _leave(state, (*text.taken, card), "hand", why, None)


HAPPENS: Happens = {
    Flipped: _flipped,
    Deleted: _deleted,
    Returned: _returned,
}
