"""Cards of hand and deck."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.events import Discarded, Drew, Identified, OwnerChanged, Reshuffled, Revealed
from audit.compile.evolve.waiting import Happens, carried_forward, led_to, waiting_text, with_due
from audit.compile.moves import named, renamed, taken_from, with_hand
from audit.compile.procedures import to_draw
from audit.compile.progress import carried_out, step_of
from audit.compile.state import (
    ALL_CARDS,
    UNKNOWN,
    Clearing,
    Compiling,
    Refreshing,
    State,
    opponent,
    popped,
    swapped,
    with_side,
)
from audit.compile.texts import waiting
from audit.compile.verbs.drawing import draw_number, drawn_count


def _drew(state: State, event: Drew) -> State:
    owner = event.deck or event.player
    deck = state.side(owner).deck
    cards = event.cards if event.cards is not None else deck[: drawn_count(event)]
    why = led_to(state, event)
    state = with_side(state, owner, replace(state.side(owner), deck=taken_from(deck, cards)))
    state = with_hand(state, event.player, (*state.side(event.player).hand, *cards))
    if state.phase == "setup":
        return state
    state, is_done = _drawing_done(state, event, cards)
    return with_due(state, waiting(state, event.player, "after_you_draw") if cards and is_done else (), why)


def _drawing_done(state: State, event: Drew, cards: tuple[str, ...]) -> tuple[State, bool]:
    """Whatever waited for the draw, carried forward; and whether it is over, or goes on with a new deck."""
    frame = state.stack[-1] if state.stack else None
    side = state.side(event.deck or event.player)
    goes_on = bool(cards) and not side.deck and bool(side.trash)
    if type(frame) is Refreshing and not event.deck:
        return (state, False) if goes_on and to_draw(state, frame.seat) else (popped(state), True)
    if type(frame) is Compiling and event.deck:
        return popped(state), True
    text = waiting_text(state, "draw")
    if text is None:
        return state, True
    if goes_on and len(cards) < draw_number(state, text, step_of(text)):
        return swapped(state, replace(text, taken=(*text.taken, *cards))), False
    return swapped(state, carried_out(text, None, len(text.taken) + len(cards))), True


def _reshuffled(state: State, event: Reshuffled) -> State:
    side = state.side(event.player)
    if event.deck is None:
        deck = (*side.deck, *(UNKNOWN for _ in side.trash))
    else:
        deck = event.deck if len(event.deck) != len(side.trash) else (*side.deck, *event.deck)
    return with_side(state, event.player, replace(side, deck=deck[:ALL_CARDS], trash=()))


def _discarded(state: State, event: Discarded) -> State:
    why = led_to(state, event)
    side = state.side(event.player)
    if event.from_ == "deck":
        side = replace(side, deck=taken_from(side.deck, event.cards))
    else:
        side = replace(side, hand=taken_from(side.hand, event.cards))
    trash = (*side.trash, *event.cards)[:ALL_CARDS]
    state = with_side(state, event.player, replace(side, trash=trash))
    frame = state.stack[-1] if state.stack else None
    moments = waiting(state, opponent(event.player), "after_opponent_discards") if event.cards else ()
    if type(frame) is Clearing:
        moments = (*waiting(state, event.player, "after_you_clear_cache"), *moments)
        return with_due(popped(state), moments, why)
    return with_due(carried_forward(state, "discard", None, len(event.cards)), moments, why)


def _owner_changed(state: State, event: OwnerChanged) -> State:
    giver = state.side(event.from_)
    if event.why == "recompile":
        known = event.card in state.side(event.to).hand
        return state if known else _reward_taken(state, event)
    state = with_hand(state, event.from_, taken_from(giver.hand, (event.card,)))
    state = with_hand(state, event.to, (*state.side(event.to).hand, event.card))
    return carried_forward(state, "give" if event.why == "gave" else "take", event.card)


def _reward_taken(state: State, event: OwnerChanged) -> State:
    giver = state.side(event.from_)
    state = with_side(state, event.from_, replace(giver, deck=taken_from(giver.deck, (event.card,))))
    state = with_hand(state, event.to, (*state.side(event.to).hand, event.card))
    return popped(state) if state.stack and type(state.stack[-1]) is Compiling else state


def _revealed(state: State, event: Revealed) -> State:
    if event.cards and event.is_:
        for handle, card in zip(event.cards, event.is_, strict=False):
            state = renamed(state, handle, card)
    elif event.cards and event.zone == "hand":
        state = named(state, event.player, event.cards)
    cards = event.is_ or event.cards or ()
    return carried_forward(state, "reveal", cards[0] if len(cards) == 1 else None, len(cards) or 1)


def _identified(state: State, event: Identified) -> State:
    return renamed(state, event.card, event.is_)


HAPPENS: Happens = {
    Drew: _drew,
    Discarded: _discarded,
    Revealed: _revealed,
    Identified: _identified,
    OwnerChanged: _owner_changed,
    Reshuffled: _reshuffled,
}
