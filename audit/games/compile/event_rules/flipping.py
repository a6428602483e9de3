"""A card of the field is turned over."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.card_rulings import clarification
from audit.games.compile.declarations import ALL
from audit.games.compile.event_rules.picking import FieldCardRules, Pick
from audit.games.compile.events import Flipped
from audit.games.compile.following import carried_forward, led_to, waiting_text, with_due
from audit.games.compile.moves import renamed, without_lost
from audit.games.compile.occasions import acting_text
from audit.games.compile.parts import field_position, is_known, newest, side_of, with_line, zone_of
from audit.games.compile.readings import FACE_DOWN_METAL_6_STAYS
from audit.games.compile.state import CardMovement, DueText, DueTexts, Frame, PlacedCard, State, Text
from audit.games.compile.texts import (
    CARD_INSTRUCTIONS,
    MIDDLE,
    WAITING,
    cannot_be_turned,
    has_own_rule,
    middle,
    next_instruction,
)


class Flip(Pick[Flipped]):
    """Turn a card over."""

    verbs = ("flip",)
    event = Flipped

    def verb_rules(self) -> Citations:
        return (rules.acts.FLIP_TURNS_OVER, self.reach(), *self.scope())

    def violations(self, state: State, event: Flipped) -> Violations:
        if violation := self.target_violation(state, event.card):
            return (violation,)
        place = field_position(state, event.card)
        if place is not None and cannot_be_turned(event.card, place):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "flip.fixed", {"card": event.card}),)
        if event.face and place is not None and place.up == (event.face == "up"):
            return (Violation(rules.acts.FLIP_TURNS_OVER, "flip.same_face", {"card": event.card, "face": event.face}),)
        return ()

    def pickable(self, state: State, text: Text) -> list[str]:
        return [card for card in super().pickable(state, text) if not _is_fixed(state, card)]

    def candidates(self, state: State) -> Iterator[Flipped]:
        for card in self.pickable(state, acting_text(state)):
            place = field_position(state, card)
            yield Flipped(seq=0, card=card, face="down" if place is None or place.up else "up")

    def single_candidate(self, state: State) -> Event | None:
        """The one flip due; of all that come at once, the first if nothing acts by them: then their order is none."""
        only, text = super().single_candidate(state), acting_text(state)
        if only is not None or text.remaining is None or self.declared.count != ALL:
            return only
        if any(_may_act_when_turned(state, card) for card in self.pickable(state, text)):
            return None
        return next(self.candidates(state), None)


def _may_act_when_turned(state: State, card: str) -> bool:
    """Whether a text of the card may act because it is turned over, as far as anybody knows the card."""
    place = field_position(state, card)
    if place is None or not is_known(card) or card in WAITING["flipped"]:
        return True
    return not place.up and place.uncovered and (card, "middle", MIDDLE) in CARD_INSTRUCTIONS


def _is_fixed(state: State, card: str) -> bool:
    """Whether a card cannot be turned over where it lies."""
    if not has_own_rule(card, "no_flip"):
        return False
    place = field_position(state, card)
    return place is not None and cannot_be_turned(card, place)


class FlippedRules(FieldCardRules[Flipped]):
    """The rules of turning a card over."""

    event = Flipped
    names_cards: bool = True
    verb = "flip"
    may_be_ambiguous: bool = True

    def while_committed(self) -> Rule:
        return rules.committed.KEEPS_FACING

    def stays(self, state: State, card: str) -> Violations:
        """Whether the card is in a trash, where all cards are face up, or the flip was answered by a text already."""
        zone = zone_of(state, card)
        if zone and zone[1] == "trash":
            return (Violation(rules.acts.DISCARD_TRASH_IS_FACE_UP, "pick.not_on_field", {"card": card}),)
        frame = newest(state)
        answer = frame.texts[0] if type(frame) is DueTexts else frame
        if (
            isinstance(answer, DueText | Text)
            and answer.on == "flipped"
            and (own := clarification(answer.card, "flipped"))
        ):
            return (Violation(own, "flip.unasked", {"card": card}),)
        return ()

    def happen(self, state: State, event: Flipped) -> State:
        if event.is_ and not is_known(event.card):
            state = renamed(state, event.card, event.is_)
        card = event.is_ or event.card
        why = led_to(state, event)
        place = field_position(state, card)
        text = waiting_text(state, "flip")
        group = text is not None and next_instruction(text).count == ALL
        ignored = text is not None and next_instruction(text).ignores_middle
        if place is not None:
            stack = side_of(state, place.seat).lines[place.line - 1]
            is_up = _is_turned_up(event, was_up=place.up)
            turned = (*stack[: place.index], PlacedCard(card, is_up), *stack[place.index + 1 :])
            state = with_line(state, place.seat, place.line, turned)
            if not is_up:
                state = without_lost(state, card)
        else:
            state = replace(state, stack=tuple(_turned_on_its_way(frame, card, event) for frame in state.stack))
        state = carried_forward(state, "flip", card)
        texts = _triggered_texts(state, card, place.seat, ignored) if place else ()
        if group and texts and type(state.stack[-1]) is Text and state.stack[-1].remaining is not None:
            return replace(state, stack=(*state.stack[:-1], DueTexts(texts, why), state.stack[-1]))
        return with_due(state, texts, why)


def _is_turned_up(event: Flipped, *, was_up: bool) -> bool:
    """Whether the card lies face up then, where the event may leave out which face it gets."""
    return event.face == "up" if event.face else not was_up


def _turned_on_its_way(frame: Frame, card: str, event: Flipped) -> Frame:
    """The card's way to its line, if that is what the frame is, with the face that the card has been given."""
    if type(frame) is CardMovement and frame.card == card:
        return replace(frame, up=_is_turned_up(event, was_up=frame.up))
    return frame


def _triggered_texts(state: State, card: str, seat: str, ignored: bool) -> tuple[DueText, ...]:
    """The texts of the card that act because it was turned: its middle text, or one that answers the flip.

    By one reading a text that was face down until then does not answer.
    """
    place = field_position(state, card)
    texts = () if ignored else middle(state, card, place, "flipped")
    was_down = place is not None and place.up
    if card not in WAITING["flipped"] or (was_down and FACE_DOWN_METAL_6_STAYS.name in state.switches):
        return texts
    box, entry = WAITING["flipped"][card]
    return (*texts, DueText(card, box, entry, "flipped", seat))


RULES = (FlippedRules(),)
