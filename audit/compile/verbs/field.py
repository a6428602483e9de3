"""Flip, shift, delete and return: what is done with a card that was picked."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import PROCEDURE, Rule
from audit.compile import rules
from audit.compile.criteria import protocol_of
from audit.compile.events import Deleted, Flipped, Returned, Shifted
from audit.compile.state import LINES, State, Text, field_position
from audit.compile.verbs.instruction import acting_text
from audit.compile.verbs.picking import Pick, returned_cards
from audit.compile.verbs.whole_lines import line_of, whole_set_refused, whole_sets
from audit.compile.words import ALL
from audit.model import Event
from audit.ruleset import Violation


class Flip(Pick):
    """Turn a card over."""

    event = Flipped

    def kind(self) -> tuple[Rule, ...]:
        return (rules.flip.TURNS_OVER, self.reach(), *self.scope())

    def violations(self, state: State, event: Flipped) -> tuple[Violation, ...]:  # type: ignore[override]
        if broken := self.refused(state, event.card):
            return (broken,)
        place = field_position(state, event.card)
        if place is not None and place.up == (event.face == "up"):
            return (Violation(rules.flip.TURNS_OVER, "flip.same_face", {"card": event.card, "face": event.face}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        for card in self.pickable(state, acting_text(state)):
            place = field_position(state, card)
            yield Flipped(seq=0, card=card, face="down" if place is None or place.up else "up")


class Shift(Pick):
    """Move a card to another line of its side."""

    event = Shifted

    def kind(self) -> tuple[Rule, ...]:
        return (rules.shift.OTHER_LINE_SAME_SIDE, self.reach(), *self.scope())

    def violations(self, state: State, event: Shifted) -> tuple[Violation, ...]:  # type: ignore[override]
        if broken := self.refused(state, event.card):
            return (broken,)
        place = field_position(state, event.card)
        if place is None:
            return ()
        if event.from_ is not None and event.from_ != place.line:
            return (
                Violation(rules.shift.OTHER_LINE_SAME_SIDE, "shift.from", {"card": event.card, "line": place.line}),
            )
        if event.to not in self.aims(acting_text(state), place.line):
            rule = self.own_rule() if acting_text(state).chosen_line else None
            data = {"card": event.card, "line": event.to}
            return (Violation(rule or rules.shift.OTHER_LINE_SAME_SIDE, "shift.to", data),)
        if below := self._left_below(state, event.card):
            rule = self.own_rule() or rules.committed.QUEUE
            return (Violation(rule, "shift.order", {"card": event.card, "below": below}),)
        return ()

    def _left_below(self, state: State, card: str) -> str | None:
        """A card of the same stack that belongs to the group too, and comes before this one."""
        place = field_position(state, card)
        if place is None or not self.step.together:
            return None
        stack = state.side(place.seat).lines[place.line - 1][: place.index]
        waiting = self.pickable(state, acting_text(state))
        return next((placed.card for placed in stack if placed.card in waiting), None)

    def aims(self, text: Text, at: int) -> list[int]:
        """The lines a card lying in that line can be moved to."""
        if text.chosen_line:
            return [text.chosen_line]
        away = [line for line in LINES if line != at]
        if self.step.to == "this_line" or (self.step.to == "to_or_from_this_line" and at != text.line):
            return [line for line in away if line == text.line]
        return away

    def ready(self, state: State, text: Text) -> bool:
        return any(self.aims(text, line_of(state, card)) for card in self.pickable(state, text))

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        for card in self.pickable(state, text):
            if self._left_below(state, card):
                continue
            at = line_of(state, card)
            for line in self.aims(text, at):
                yield Shifted(seq=0, card=card, from_=at, to=line)


class Delete(Pick):
    """From the field to the trash."""

    event = Deleted

    def kind(self) -> tuple[Rule, ...]:
        silent: tuple[Rule, ...] = (rules.delete.WHOLE_LINE_IS_SILENT,) if self.step.count == ALL else ()
        trash = (rules.owner.ZONES_FOLLOW, rules.discard.TRASH_IS_FACE_UP)
        return (rules.delete.FIELD_TO_TRASH, self.reach(), *silent, *trash, *self.scope())

    def violations(self, state: State, event: Deleted) -> tuple[Violation, ...]:  # type: ignore[override]
        if self.step.count == ALL:
            return whole_set_refused(state, self.target, event.cards)
        if len(event.cards) != 1:
            rule = self.own_rule(PROCEDURE) or rules.effects.READING_ORDER
            return (Violation(rule, "delete.one", {"n": len(event.cards)}),)
        broken = self.refused(state, event.cards[0])
        return (broken,) if broken else ()

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        if self.step.count == ALL:
            yield from (Deleted(seq=0, cards=cards) for cards in whole_sets(state, text, self.target))
        else:
            yield from (Deleted(seq=0, cards=(card,)) for card in self.pickable(state, text))


class Return(Pick):
    """From the field to the hand of the player it belongs to."""

    event = Returned

    def kind(self) -> tuple[Rule, ...]:
        return (rules.return_.FIELD_TO_HAND, self.reach(), rules.owner.ZONES_FOLLOW, *self.scope())

    def violations(self, state: State, event: Returned) -> tuple[Violation, ...]:  # type: ignore[override]
        cards = returned_cards(event)
        if event.cards is not None and self.step.count == ALL:
            return whole_set_refused(state, self.target, cards)
        for card in cards:
            if broken := self.refused(state, card):
                return (broken,)
        place = field_position(state, cards[0]) if cards else None
        if place and event.to is not None and event.to != place.seat:
            own = protocol_of(cards[0]) in state.side(place.seat).protocols
            rule = rules.return_.FIELD_TO_HAND if own else rules.owner.ZONES_FOLLOW
            return (Violation(rule, "return.to", {"card": cards[0], "player": place.seat}),)
        return () if len(cards) == 1 else (Violation(rules.effects.READING_ORDER, "return.one", {"n": len(cards)}),)

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        if self.step.count != ALL or text.remaining is not None:
            for card in self.pickable(state, text):
                yield _returned(state, card)
        else:
            for cards in whole_sets(state, text, self.target):
                yield Returned(seq=0, cards=cards) if len(cards) > 1 else _returned(state, cards[0])


def _returned(state: State, card: str) -> Returned:
    place = field_position(state, card)
    return Returned(seq=0, card=card, to=place.seat if place else None)
