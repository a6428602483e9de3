"""Instructions that pick cards of the field, and whole lines of them (topic all-vs-each)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.games.compile import rules
from audit.games.compile.criteria import pick_violation, picks, placed_picks, protocol_in, wrong_kind
from audit.games.compile.declarations import ALL, EACH, Target
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import (
    Copied,
    Deleted,
    Flipped,
    OwnerChanged,
    PutOnDeck,
    Returned,
    Shifted,
    returned_cards,
)
from audit.games.compile.occasions import Instruction, Occasion, acting_text, called_for, instructions
from audit.games.compile.parts import committed, field_position, is_known, top_of
from audit.games.compile.procedures import line_cards
from audit.games.compile.readings import LINE_MUST_HOLD_A_TARGET
from audit.games.compile.state import LINES, CardMovement, FieldPosition, State, Text
from audit.games.compile.texts import card_instructions, readable_text
from audit.games.compile.totals import is_certain


def line_of(state: State, card: str) -> int:
    """The line a card lies in; 0 where it does not lie on the field."""
    place = field_position(state, card)
    return place.line if place else 0


def whole_sets(state: State, text: Text, target: Target) -> Iterator[tuple[str, ...]]:
    """For every line that may be chosen, all its cards that fit (topic all-vs-each)."""
    found = placed_picks(state, text, target)
    for line in _lines_for(state, text, target):
        if cards := tuple(card for card, place in found if place.line == line):
            yield cards


def empty_lines(state: State, text: Text) -> tuple[int, ...]:
    """The lines a text may settle on though none of their cards fits: then it does nothing."""
    declared = card_instructions(text)[text.next_index]
    target = declared.target
    if declared.count != ALL or target is None or target.line != "chosen" or text.remaining is not None:
        return ()
    if LINE_MUST_HOLD_A_TARGET.name in state.switches:
        return ()
    held = {place.line for _, place in placed_picks(state, text, target)}
    return tuple(line for line in LINES if line not in held)


def _lines_for(state: State, text: Text, target: Target) -> Iterator[int]:
    for line in LINES:
        if len(line_cards(state, line)) >= target.line_at_least and not _is_own(text, target, line):
            yield line


def _is_own(text: Text, target: Target, line: int) -> bool:
    return target.line == "chosen_other" and line == text.line


def whole_set_violations(state: State, target: Target, cards: tuple[str, ...]) -> tuple[Violation, ...]:
    """Why these cards are not all that fit in one line that may be chosen."""
    text = acting_text(state)
    for card in cards:
        if violation := pick_violation(state, text, target, card):
            return (violation,)
    lines = {line_of(state, card) for card in cards}
    if len(lines) != 1:
        return (Violation(rules.field.THREE_LINES, "all.line", {}),)
    (line,) = lines
    if _is_own(text, target, line):
        return (Violation(rules.field.LINE_TWO_PROTOCOLS, "pick.own_line", {"card": cards[0], "source": text.card}),)
    if (held := len(line_cards(state, line))) < target.line_at_least:
        told = {"line": line, "n": held, "least": target.line_at_least}
        return (Violation(rules.field.LINE_TWO_PROTOCOLS, "all.few_in_line", told),)
    wanted = {card for card, place in placed_picks(state, text, target) if place.line == line}
    missing = sorted(wanted.difference(cards))
    return (Violation(_missing_rule(state, target, missing), "all.missing", {"cards": missing}),) if missing else ()


def _missing_rule(state: State, target: Target, missing: list[str]) -> Rule:
    """Why cards left out belong to all of them."""
    left = [place for card in missing if (place := field_position(state, card))]
    if all(not place.uncovered for place in left):
        return rules.acts.ALL_INCLUDES_COVERED
    hidden = target.values and all(not place.up for place in left)
    return rules.field.FACE_DOWN_VALUE if hidden else rules.acts.ALL_AT_ONCE


Picked = Flipped | Shifted | Deleted | Returned | OwnerChanged | Copied | PutOnDeck
E = TypeVar("E", bound=Picked)


def picked(event: Picked) -> tuple[str, ...]:
    """The cards of the field that an event picks."""
    if isinstance(event, Returned):
        return returned_cards(event)
    return event.cards if isinstance(event, Deleted | PutOnDeck) else (event.card,)


class Pick(Instruction[E]):
    """An instruction that picks cards of the field."""

    @property
    def target(self) -> Target:
        """What it can pick."""
        assert self.declared.target is not None
        return self.declared.target

    def reach(self) -> Rule:
        """The rule that says which cards are within reach."""
        if self.target.ref:
            return rules.effects.READING_ORDER
        if self.declared.count == ALL:
            return rules.acts.ALL_INCLUDES_COVERED
        if self.declared.count == EACH:
            return rules.acts.EACH_LEAVES_COVERED_OUT
        return rules.target.UNCOVERED_BY_DEFAULT if self.target.cover == "uncovered" else rules.target.COVERED_IF_NAMED

    def scope(self) -> Iterator[Rule]:
        """The rules that say which of the cards within reach are meant."""
        target = self.target
        if target.ref:
            return
        if self.declared.count == ALL:
            yield rules.acts.ALL_AT_ONCE
        if target.line:
            yield rules.field.LINE_TWO_PROTOCOLS if target.line == "this" else rules.field.THREE_LINES
        if target.values or target.rank:
            yield from (rules.field.VALUE_COUNTS, rules.field.FACE_DOWN_VALUE)
        if target.face != "any":
            yield rules.field.FACING_IS_NOT_COVER
        yield from (rules.target.BOTH_SIDES, rules.target.FIELD_ONLY)

    def citations(self, state: State, event: E) -> Citations:
        found = super().citations(state, event)
        more = tuple(self._shown_by_pick(state, acting_text(state), event))
        return (*found, *more) if more else found

    def _shown_by_pick(self, state: State, text: Text, event: E) -> Iterator[Rule]:
        """The rules that the card picked shows in this very position."""
        card = next(iter(picked(event)), None)
        place = field_position(state, card) if card else None
        if card is None or place is None:
            return
        ref = self.target.ref
        if card == text.card and not ref:
            yield rules.target.ITSELF
        if isinstance(event, Flipped) and not place.up and not place.uncovered:
            yield rules.text.COVERED_CARD_TURNED_UP
        if isinstance(event, Shifted) and place.up and not protocol_in(state, card, event.to):
            yield rules.acts.SHIFT_PROTOCOL_DOES_NOT_MATTER
        if isinstance(event, Shifted | Deleted) and ref == "this" and not place.uncovered:
            yield rules.acts.DELETE_SELF_WHILE_COVERED
        if text.remaining is None and self._is_own_for_want_of_others(state, text, event):
            yield rules.effects.HITS_OWN_CARDS_IF_NEED_BE
        if len(state.stack) > 1 and committed(state):
            yield rules.committed.NOT_A_TARGET
            if card in laid_open(state):
                yield rules.committed.TWO_CARDS_OPEN

    def _is_own_for_want_of_others(self, state: State, text: Text, event: E) -> bool:
        if self.target.ref or self.declared.count == ALL or text.seat not in _seats(state, picked(event)):
            return False
        return set(_seats(state, self.pickable(state, text))) == {text.seat}

    def pickable(self, state: State, text: Text) -> list[str]:
        """The cards it can pick now, what it has settled on before taken into account."""
        if text.remaining is None:
            return picks(state, text, self.target)
        if self.declared.in_lines:
            return [c for c in picks(state, text, self.target) if line_of(state, c) in text.remaining]
        return [c for c in text.remaining if isinstance(c, str) and self._still_fits(state, text, c)]

    def _still_fits(self, state: State, text: Text, card: str) -> bool:
        place = field_position(state, card)
        if place is None:
            return False
        return self.declared.count == ALL or wrong_kind(state, text, self.target, card, place) is None

    def target_violation(self, state: State, card: str) -> Violation | None:
        """Why the instruction may not pick that card."""
        text = acting_text(state)
        if violation := pick_violation(state, text, self.target, card):
            return self._by_own_rule(violation)
        if text.remaining is None:
            return None
        if self.declared.in_lines:
            if line_of(state, card) in text.remaining:
                return None
            if line_of(state, card) == text.line and self.declared.in_lines == "each_other_line":
                return Violation(rules.field.LINE_TWO_PROTOCOLS, "pick.own_line", {"card": card, "source": text.card})
            return Violation(rules.effects.MUST_BE_APPLIED, "pick.line_done", {"card": card})
        if card in text.remaining:
            return None
        return Violation(self.reach(), "pick.not_noted", {"card": card})

    def _by_own_rule(self, violation: Violation) -> Violation:
        rule: Rule | None = None
        if violation.key == "pick.covered" and self.declared.count == EACH:
            rule = self.own_rule() or rules.acts.EACH_LEAVES_COVERED_OUT
        elif violation.key == "pick.ref":
            rule = self.own_rule()
        return violation if rule is None else replace(violation, rule=rule)

    def ready(self, state: State, text: Text) -> bool:
        if self.declared.count == ALL and self.declared.verb in ("delete", "return") and text.remaining is None:
            return next(whole_sets(state, text, self.target), None) is not None
        return bool(self.pickable(state, text))


class FieldCardRules(CompileEventRules[E]):
    """The rules of an event that does something with cards of the field."""

    def occasions(self, state: State) -> Iterable[Occasion[E]]:
        return called_for(state, self.event)

    def forbidden(self, state: State, event: E) -> Violations:
        """Why cards that nothing picks stay as they are."""
        card = next(iter(picked(event)), "")
        if card in committed(state):
            return (Violation(self.while_committed(), "pick.committed", {"card": card}),)
        return self.stays(state, card) or _something_else(state, card)

    def while_committed(self) -> Rule:
        """Why nothing is done with a card that is on its way."""
        return rules.committed.LANDS_REGARDLESS

    def stays(self, state: State, card: str) -> Violations:
        """Which rule says that the card stays as it is; () where none in particular does."""
        return ()

    def missing(self, state: State, event: E) -> Violation | None:
        gone = (c for c in picked(event) if field_position(state, c) is None and c not in committed(state))
        card = next(gone, None)
        if card is None or (not is_known(card) and not is_certain(state)):
            return None
        return Violation(rules.target.FIELD_ONLY, "pick.not_on_field", {"card": card})

    def depends_on_hidden(self, state: State, event: E) -> bool:
        on_its_way = {frame.card for frame in state.stack if type(frame) is CardMovement}
        elsewhere = (card for card in picked(event) if field_position(state, card) is None and card not in on_its_way)
        return super().depends_on_hidden(state, event) or not all(map(is_known, elsewhere))


def _something_else(state: State, card: str) -> Violations:
    """What the text under way does with the card instead."""
    text = readable_text(state)
    if text is None:
        return ()
    instruction = instructions(text)[0]
    if not isinstance(instruction, Pick) or card not in instruction.pickable(state, text):
        return ()
    return (Violation(instruction.rules[0], "resolved.outcome", {"card": text.card}),)


def laid_open(state: State) -> tuple[str, ...]:
    """The cards that are uncovered as long as a shifted card is on its way: under it before, and under it soon."""
    ends = [
        top_of(state, frame.seat, line)
        for frame in state.stack
        if type(frame) is CardMovement and frame.committed and isinstance(frame.origin, int)
        for line in (frame.origin, frame.line)
    ]
    return tuple(placed.card for placed in ends if placed)


def is_under(place: FieldPosition | None) -> bool:
    """Whether a card lies on the field with another on it."""
    return place is not None and not place.uncovered


def _seats(state: State, cards: Iterable[str]) -> list[str]:
    return [place.seat for card in cards if (place := field_position(state, card))]
