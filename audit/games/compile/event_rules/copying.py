"""The middle text of another card is carried out as a card's own."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.event_rules import Citations, Violation, Violations
from audit.games.compile import rules
from audit.games.compile.event_rules.picking import FieldCardRules, Pick
from audit.games.compile.events import Copied
from audit.games.compile.following import carried_forward, led_to, waiting_text
from audit.games.compile.occasions import acting_text
from audit.games.compile.parts import field_position, pushed
from audit.games.compile.state import State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, MIDDLE, silenced


class CopyMiddle(Pick[Copied]):
    """Carry out the middle box of a card; a card whose middle box is empty or does nothing has none to copy."""

    verbs = ("resolve_middle",)
    event = Copied

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, self.reach(), *self.scope())

    def pickable(self, state: State, text: Text) -> list[str]:
        return [card for card in super().pickable(state, text) if has_middle(state, card)]

    def violations(self, state: State, event: Copied) -> Violations:
        text = acting_text(state)
        if event.by not in (None, text.card):
            return (Violation(rules.effects.MUST_BE_APPLIED, "resolved.other", {"card": text.card}),)
        if violation := self.target_violation(state, event.card):
            return (violation,)
        if has_middle(state, event.card):
            return ()
        return (Violation(rules.field.MIDDLE_COMMAND, "triggered.no_text", {"card": event.card}),)

    def candidates(self, state: State) -> Iterator[Copied]:
        text = acting_text(state)
        for card in self.pickable(state, text):
            yield Copied(seq=0, card=card, by=text.card)


def has_middle(state: State, card: str) -> bool:
    """Whether a card of the field has a middle text that works there."""
    place = field_position(state, card)
    if place is None or (card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
        return False
    return not silenced(state, place.seat, place.line)


class CopiedRules(FieldCardRules[Copied]):
    """The rules of carrying out the middle text of another card."""

    event = Copied
    verb = "resolve_middle"

    def happen(self, state: State, event: Copied) -> State:
        text = waiting_text(state, "resolve_middle")
        if text is None or (event.card, "middle", MIDDLE) not in CARD_INSTRUCTIONS:
            return carried_forward(state, "resolve_middle", event.card)
        why = led_to(state, event)
        copy = Text(text.card, text.box, text.entry, text.seat, text.line, on=text.on, of=event.card, why=why)
        return pushed(carried_forward(state, "resolve_middle", event.card), copy)


RULES = (CopiedRules(),)
