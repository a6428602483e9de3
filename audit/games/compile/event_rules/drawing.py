"""Cards are drawn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from audit.games.compile import rules
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.draw_occasions import (
    DrawCards,
    DrawRest,
    RefreshDraw,
    Reward,
    draw_number,
    opening_draws,
)
from audit.games.compile.event_rules.shuffling import new_deck, new_deck_due
from audit.games.compile.events import Drew, drawn_count
from audit.games.compile.following import led_to, waiting_text, with_due
from audit.games.compile.moves import taken_away, with_foreign, with_hand
from audit.games.compile.occasions import (
    Occasion,
    called_for,
    instructions,
)
from audit.games.compile.parts import (
    is_idle,
    is_known,
    newest,
    opponent,
    side_of,
    swapped,
    with_side,
)
from audit.games.compile.procedures import compile_over, control_is_up, refresh_over, to_draw
from audit.games.compile.readings import OTHER_DECK_IS_NO_DRAW
from audit.games.compile.state import ALL_CARDS, UNKNOWN, Compiling, DueText, Refreshing, State, Text
from audit.games.compile.texts import carried_out, next_instruction, some_react, waiting


class DrewRules(CompileEventRules[Drew]):
    """The rules of drawing cards."""

    event = Drew
    names_cards: bool = True
    verb = "draw"
    may_be_ambiguous: bool = True

    def occasions(self, state: State) -> Iterable[Occasion[Drew]]:
        frame = state.stack[-1] if state.stack else None
        if type(frame) is Refreshing:
            number = to_draw(state, frame.seat)
            waits = frame.control or frame.choice or new_deck(state, frame.seat, number)
            return () if waits else (RefreshDraw(frame.seat, number),)
        if frame is not None and new_deck_due(state):
            return ()
        if type(frame) is Compiling:
            return (Reward(frame.seat),) if frame.deleted and not control_is_up(state, frame) else ()
        if frame is None:
            return opening_draws(state) if state.phase == "setup" and is_idle(state) else ()
        return called_for(state, Drew)

    def joined(self, event: Drew, rest: Drew) -> Drew | None:
        if (event.player, event.deck) != (rest.player, rest.deck):
            return None
        cards = None if event.cards is None or rest.cards is None else (*event.cards, *rest.cards)
        return replace(event, cards=cards, count=None if cards else drawn_count(event) + drawn_count(rest))

    def also_accepted(self, state: State) -> Iterable[DrawRest]:
        made = new_deck_due(state)
        frame = newest(state)
        if made is None or not side_of(state, made.seat).deck:
            return ()
        if type(frame) is Text:
            drawing = (i for i in instructions(frame) if isinstance(i, DrawCards))
            return tuple(DrawRest(i.actor(frame), made.seat) for i in drawing)
        return (DrawRest(made.seat, made.seat, rules.refresh.SHORT_DECK),) if type(frame) is Refreshing else ()

    def is_relevant(self, state: State, event: Drew) -> bool:
        return super().is_relevant(state, event) or _draws_before_control(state, event)

    def happen(self, state: State, event: Drew) -> State:
        before, owner = state, event.deck or event.player
        side = side_of(state, owner)
        cards = event.cards if event.cards is not None else _unnamed(state, side.deck, drawn_count(event))
        if owner == event.player and side.deck[: len(cards)] == cards:
            hand = (*side.hand, *cards)[:ALL_CARDS]
            state = with_side(state, owner, replace(side, deck=side.deck[len(cards) :], hand=hand))
        else:
            state = _drawn_otherwise(state, event.player, owner, cards)
        if state.phase == "setup":
            return state
        state, is_done = _drawing_done(state, event, cards)
        if not is_done:
            return state
        texts = _after_draw(state, event) if cards else ()
        if state.shuffled:
            texts = (*texts, *(due for seat in state.shuffled for due in waiting(state, seat, "after_you_shuffle")))
            state = replace(state, shuffled=())
        return with_due(state, texts, led_to(before, event)) if texts else state


def _unnamed(state: State, deck: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The cards of a draw that names none: the top ones, but any of those shown where a kind of card is drawn."""
    text = waiting_text(state, "draw")
    return deck[:number] if text is None or next_instruction(text).matching is None else (UNKNOWN,) * number


def _drawn_otherwise(state: State, player: str, owner: str, cards: tuple[str, ...]) -> State:
    """The position after a draw from the deck of the opponent, or of cards that were not known to lie on top."""
    state = taken_away(state, owner, "deck", cards)
    state = with_hand(state, player, (*side_of(state, player).hand, *cards))
    return state if owner == player or all(map(is_known, cards)) else with_foreign(state, player)


def _after_draw(state: State, event: Drew) -> tuple[DueText, ...]:
    """The texts that wait for the draw; by one reading none waits for a card of the other deck."""
    if not some_react(state):
        return ()
    if event.deck not in (None, event.player) and OTHER_DECK_IS_NO_DRAW.name in state.switches:
        return ()
    other = waiting(state, opponent(event.player), "after_opponent_draws")
    return (*waiting(state, event.player, "after_you_draw"), *other)


def _drawing_done(state: State, event: Drew, cards: tuple[str, ...]) -> tuple[State, bool]:
    """Whatever waited for the draw, carried forward; and whether it is over, or goes on with a new deck."""
    frame = state.stack[-1] if state.stack else None
    side = side_of(state, event.deck or event.player)
    goes_on = bool(cards) and not side.deck and bool(side.trash)
    if type(frame) is Refreshing and not event.deck:
        return (state, False) if goes_on and to_draw(state, frame.seat) else (refresh_over(state, frame), True)
    if type(frame) is Compiling and event.deck:
        return compile_over(state, frame), True
    text = waiting_text(state, "draw")
    if text is None:
        return state, True
    declared = next_instruction(text)
    if goes_on and declared.matching is None and len(cards) < draw_number(state, text, declared):
        return swapped(state, replace(text, taken=(*text.taken, *cards))), False
    drawn_now = (*text.taken, *cards)
    return swapped(state, replace(carried_out(text, None, len(drawn_now)), drawn=drawn_now)), True


def _draws_before_control(state: State, event: Drew) -> bool:
    """Whether this is the right draw of a refresh for which the control component has not gone back."""
    frame = newest(state)
    if type(frame) is not Refreshing or not frame.control:
        return False
    return not RefreshDraw(frame.seat, to_draw(state, frame.seat)).violations(state, event)


RULES = (DrewRules(),)
