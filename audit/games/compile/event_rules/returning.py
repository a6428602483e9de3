"""Cards go from the field to the hand of the player they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from typing import Final, cast

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.declarations import ALL
from audit.games.compile.event_rules.picking import FieldCardRules, Pick, whole_set_violations, whole_sets
from audit.games.compile.events import PutOnDeck, Returned, returned_cards
from audit.games.compile.following import carried_forward, led_to, waiting_text, with_due
from audit.games.compile.moves import leave, left_for, owners_of_cards
from audit.games.compile.occasions import acting_text, instructions
from audit.games.compile.parts import (
    field_position,
    is_known,
    opponent,
    protocol_of,
    pushed,
    side_of,
    swapped,
    zone_of,
)
from audit.games.compile.state import Returning, State, Text
from audit.games.compile.texts import done_once, next_instruction, waiting

MAX_ORDERS: Final = 24
"""So many orders in which cards are put on a deck are listed."""


class Return(Pick[Returned]):
    """From the field to the hand of the player it belongs to."""

    verbs = ("return",)
    event = Returned

    def verb_rules(self) -> Citations:
        return (rules.acts.RETURN_FIELD_TO_HAND, self.reach(), rules.owner.ZONES_FOLLOW, *self.scope())

    def violations(self, state: State, event: Returned) -> Violations:
        cards = returned_cards(event)
        if event.cards is not None and self.declared.count == ALL:
            return whole_set_violations(state, self.target, cards)
        for card in cards:
            if violation := self.target_violation(state, card):
                return (violation,)
        place = field_position(state, cards[0]) if cards else None
        if place and event.to is not None and event.to != place.seat:
            own = protocol_of(cards[0]) in side_of(state, place.seat).protocols
            rule = rules.acts.RETURN_FIELD_TO_HAND if own else rules.owner.ZONES_FOLLOW
            return (Violation(rule, "return.to", {"card": cards[0], "player": place.seat}),)
        return () if len(cards) == 1 else (Violation(rules.effects.READING_ORDER, "return.one", {"n": len(cards)}),)

    def candidates(self, state: State) -> Iterator[Returned]:
        text = acting_text(state)
        if self.declared.count != ALL or text.remaining is not None:
            for card in self.pickable(state, text):
                yield _one_returned(state, card)
        else:
            for cards in whole_sets(state, text, self.target):
                yield Returned(seq=0, cards=cards) if len(cards) > 1 else _one_returned(state, cards[0])


def _one_returned(state: State, card: str) -> Returned:
    place = field_position(state, card)
    return Returned(seq=0, card=card, to=place.seat if place else None)


class ReturnedRules(FieldCardRules[Returned]):
    """The rules of returning cards to a hand."""

    event = Returned
    verb = "return"
    may_be_ambiguous: bool = True

    def happen(self, state: State, event: Returned) -> State:
        why = led_to(state, event)
        text = waiting_text(state, "return")
        cards = returned_cards(event)
        if text is None or next_instruction(text).count != ALL or event.cards is not None:
            state = carried_forward(state, "return", cards[-1] if cards else None, len(cards))
            return _return(state, cards, why)
        return _returned_one_by_one(state, text, cards[0] if cards else "", why)


def _returned_one_by_one(state: State, text: Text, card: str, why: tuple[int, ...]) -> State:
    """All cards of a line go at once, though a log may list them one by one."""
    if text.remaining is None:
        place = field_position(state, card)
        listed = (returned_cards(o) for o in instructions(text)[0].candidates(state) if isinstance(o, Returned))
        whole = next((cards for cards in listed if card in cards), None)
        text = replace(text, remaining=whole if whole and place else (card,))
    after = done_once(text, card, card)
    state = swapped(state, after)
    return state if after.remaining is not None else _return(state, (*text.taken, card), why)


def _return(state: State, cards: tuple[str, ...], why: tuple[int, ...]) -> State:
    """Cards go to hand, unless a text of the other player stands in for it."""
    owners = owners_of_cards(state)
    seats = {opponent(owners[card]) for card in cards if card in owners}
    texts = tuple(due for seat in sorted(seats) for due in waiting(state, seat, "before_return_to_opponent"))
    if not texts:
        return leave(state, cards, "hand", why, None)
    return with_due(pushed(state, Returning(cards, why)), texts, why)


class PutBack(Pick[PutOnDeck]):
    """Cards that were about to go to the opponent's hand go face down on top of their deck instead."""

    verbs = ("put_on_deck",)
    event = PutOnDeck

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, rules.acts.RETURN_FIELD_TO_HAND)

    def pickable(self, state: State, text: Text) -> list[str]:
        owners, seat = owners_of_cards(state), opponent(text.seat)
        return [card for card in _on_their_way(state) if owners.get(card) == seat]

    def violations(self, state: State, event: PutOnDeck) -> Violations:
        text = acting_text(state)
        if event.deck != opponent(text.seat):
            return (Violation(rules.effects.MUST_BE_APPLIED, "deck.whose", {"player": opponent(text.seat)}),)
        meant, told = self.pickable(state, text), _as_they_lay(state, event.cards)
        if sorted(told) == sorted(meant):
            return ()
        if not meant:
            return (Violation(rules.effects.AS_FAR_AS_POSSIBLE, "put.none", {"card": text.card}),)
        wrong = next((card for card in told if card not in meant), None)
        if wrong is not None:
            return (Violation(rules.effects.MUST_BE_APPLIED, "pick.ref", {"card": wrong, "expected": meant[0]}),)
        return (Violation(rules.effects.MUST_BE_APPLIED, "all.missing", {"cards": meant}),)

    def candidates(self, state: State) -> Iterator[PutOnDeck]:
        text = acting_text(state)
        cards = self.pickable(state, text)
        for order in islice(permutations(cards), MAX_ORDERS) if cards else ():
            yield PutOnDeck(seq=0, cards=order, deck=opponent(text.seat))


def _on_their_way(state: State) -> tuple[str, ...]:
    """The cards about to return, of the newest return that is under way."""
    at = _newest_return(state)
    return () if at is None else cast("Returning", state.stack[at]).cards


def _as_they_lay(state: State, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards as the field has them: a named card that is nowhere on the table is an unseen one about to return."""
    unseen = [card for card in _on_their_way(state) if not is_known(card) and card not in cards]
    return tuple(
        unseen.pop(0) if unseen and is_known(card) and zone_of(state, card) is None else card for card in cards
    )


def _going_elsewhere(state: State, cards: tuple[str, ...]) -> State:
    """The newest return under way does not take these cards any more, even if one comes to the field again."""
    at = _newest_return(state)
    if at is None:
        return state
    left = tuple([card for card in _on_their_way(state) if card not in cards])
    returning = replace(cast("Returning", state.stack[at]), cards=left)
    return replace(state, stack=(*state.stack[:at], returning, *state.stack[at + 1 :]))


def _newest_return(state: State) -> int | None:
    """Where it waits among what is under way."""
    return next((at for at, frame in reversed([*enumerate(state.stack)]) if type(frame) is Returning), None)


class PutOnDeckRules(FieldCardRules[PutOnDeck]):
    """The rules of putting cards of the field on a deck."""

    event = PutOnDeck
    verb = "put_on_deck"

    def tells_also(self, event: PutOnDeck) -> Iterable[Event]:
        """The return in whose place the card went on the deck."""
        return (Returned(seq=0, card=event.cards[0]),) if len(event.cards) == 1 else ()

    def happen(self, state: State, event: PutOnDeck) -> State:
        why, cards = led_to(state, event), _as_they_lay(state, event.cards)
        on_field = tuple(card for card in cards if field_position(state, card))
        state = carried_forward(state, "put_on_deck", cards[-1] if cards else None, len(cards))
        state = _going_elsewhere(state, cards)
        return left_for(state, tuple((card, event.deck) for card in on_field), "deck", why, None, silent=False)


RULES = (ReturnedRules(), PutOnDeckRules())
