"""Steps that pick cards of the field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.citing import in_its_turn, of_its_pick
from audit.compile.criteria import pick_refused, picks, wrong_kind
from audit.compile.events import Deleted, Flipped, Returned, Shifted
from audit.compile.state import State, Text, field_position
from audit.compile.verbs.instruction import Instruction, acting_text
from audit.compile.verbs.whole_lines import line_of, whole_sets
from audit.compile.words import ALL, EACH, Target
from audit.model import Event
from audit.ruleset import Violation


class Pick(Instruction):
    """A step that picks cards of the field."""

    @property
    def target(self) -> Target:
        """What it can pick."""
        assert self.step.target is not None
        return self.step.target

    def reach(self) -> Rule:
        """The rule that says which cards are within reach."""
        if self.target.ref:
            return rules.effects.READING_ORDER
        if self.step.count == ALL:
            return rules.all_.INCLUDES_COVERED
        if self.step.count == EACH:
            return rules.each.LEAVES_COVERED_OUT
        return rules.target.UNCOVERED_BY_DEFAULT if self.target.cover == "uncovered" else rules.target.COVERED_IF_NAMED

    def scope(self) -> Iterator[Rule]:
        """The rules that say which of the cards within reach are meant."""
        target = self.target
        if target.ref:
            return
        if self.step.count == ALL:
            yield rules.all_.AT_ONCE
        if target.line:
            yield rules.field.LINE_TWO_PROTOCOLS if target.line == "this" else rules.field.THREE_LINES
        if target.values or target.rank:
            yield from (rules.field.VALUE_COUNTS, rules.field.FACE_DOWN_VALUE)
        if target.face != "any":
            yield rules.field.FACING_IS_NOT_COVER
        yield from (rules.target.BOTH_SIDES, rules.target.FIELD_ONLY)

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        text = acting_text(state)
        owned = text.remaining is None and self._is_own_for_want_of_others(state, text, event)
        more = (*in_its_turn(state, text, self.step), *of_its_pick(state, text, self.step, event, owned))
        return (*self.rules, *more) if more else self.rules

    def _is_own_for_want_of_others(self, state: State, text: Text, event: Event) -> bool:
        if self.target.ref or self.step.count == ALL or text.seat not in _seats(state, picked(event)):
            return False
        return set(_seats(state, self.pickable(state, text))) == {text.seat}

    def pickable(self, state: State, text: Text) -> list[str]:
        """The cards it can pick now, what it has settled on before taken into account."""
        if text.remaining is None:
            return picks(state, text, self.target)
        if self.step.in_lines:
            return [c for c in picks(state, text, self.target) if line_of(state, c) in text.remaining]
        return [c for c in text.remaining if isinstance(c, str) and self._still_fits(state, text, c)]

    def _still_fits(self, state: State, text: Text, card: str) -> bool:
        place = field_position(state, card)
        return place is not None and (
            self.step.count == ALL or wrong_kind(state, text, self.target, card, place) is None
        )

    def refused(self, state: State, card: str) -> Violation | None:
        """Why the step may not pick that card."""
        text = acting_text(state)
        if broken := pick_refused(state, text, self.target, card):
            return self._named(broken)
        if text.remaining is None:
            return None
        if self.step.in_lines:
            if line_of(state, card) in text.remaining:
                return None
            return Violation(rules.effects.MUST_BE_APPLIED, "pick.line_done", {"card": card})
        if card in text.remaining:
            return None
        return Violation(self.reach(), "pick.not_noted", {"card": card})

    def _named(self, broken: Violation) -> Violation:
        rule: Rule | None = None
        if broken.key == "pick.covered" and self.step.count == EACH:
            rule = self.own_rule() or rules.each.LEAVES_COVERED_OUT
        elif broken.key == "pick.ref":
            rule = self.own_rule()
        return broken if rule is None else replace(broken, rule=rule)

    def ready(self, state: State, text: Text) -> bool:
        if self.step.count == ALL and self.step.verb in ("delete", "return") and text.remaining is None:
            return next(whole_sets(state, text, self.target), None) is not None
        return bool(self.pickable(state, text))


def picked(event: Event) -> tuple[str, ...]:
    """The cards of the field an event picks."""
    if isinstance(event, Flipped | Shifted):
        return (event.card,)
    if isinstance(event, Deleted):
        return event.cards
    return returned_cards(event) if isinstance(event, Returned) else ()


def _seats(state: State, cards: Iterable[str]) -> list[str]:
    return [place.seat for card in cards if (place := field_position(state, card))]


def returned_cards(event: Returned) -> tuple[str, ...]:
    """The cards of a return, however the log lists them."""
    return event.cards or ((event.card,) if event.card else ())
