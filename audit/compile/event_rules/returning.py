"""Cards go from the field to the hand of the player they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.compile import rules
from audit.compile.criteria import protocol_of
from audit.compile.event_rules.leaving import leave
from audit.compile.event_rules.picking import FieldCardRules, Pick
from audit.compile.event_rules.whole_lines import whole_set_violations, whole_sets
from audit.compile.events import Returned, returned_cards
from audit.compile.following import carried_forward, led_to, waiting_text
from audit.compile.occasions import acting_text, instructions
from audit.compile.progress import done_once, next_instruction
from audit.compile.state import State, Text, field_position, swapped
from audit.compile.words import ALL
from audit.event_rules import Citations, Violation, Violations


class Return(Pick[Returned]):
    """From the field to the hand of the player it belongs to."""

    verbs = ("return",)
    event = Returned

    def verb_rules(self) -> Citations:
        return (rules.return_.FIELD_TO_HAND, self.reach(), rules.owner.ZONES_FOLLOW, *self.scope())

    def violations(self, state: State, event: Returned) -> Violations:
        cards = returned_cards(event)
        if event.cards is not None and self.declared.count == ALL:
            return whole_set_violations(state, self.target, cards)
        for card in cards:
            if violation := self.target_violation(state, card):
                return (violation,)
        place = field_position(state, cards[0]) if cards else None
        if place and event.to is not None and event.to != place.seat:
            own = protocol_of(cards[0]) in state.side(place.seat).protocols
            rule = rules.return_.FIELD_TO_HAND if own else rules.owner.ZONES_FOLLOW
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

    def happen(self, state: State, event: Returned) -> State:
        why = led_to(state, event)
        text = waiting_text(state, "return")
        cards = returned_cards(event)
        if text is None or next_instruction(text).count != ALL or event.cards is not None:
            state = carried_forward(state, "return", cards[-1] if cards else None, len(cards))
            return leave(state, cards, "hand", why, None)
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
    return state if after.remaining is not None else leave(state, (*text.taken, card), "hand", why, None)


RULES = (ReturnedRules(),)
