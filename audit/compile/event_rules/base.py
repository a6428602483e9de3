"""What the rules of all event types of Compile share."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from audit.compile import rules
from audit.compile.automatic import resolve_automatic
from audit.compile.card_rulings import text_lost_ruling
from audit.compile.occasions import Occasion, instructions
from audit.compile.progress import is_lost, readable_text
from audit.compile.state import State, Text, field_position
from audit.compile.texts import CARD_INSTRUCTIONS, WAITING, card_instructions
from audit.compile.totals import is_certain
from audit.event_rules import UNEXPECTED, Citations, EventRules, Violation, Violations
from audit.model import Event

E = TypeVar("E", bound=Event)


class CompileEventRules(EventRules[State, E]):
    """The rules of one event type: the occasions that call for it, what keeps it from happening, what it changes."""

    verb: str = ""
    """The verb of the card vocabulary that such an event carries out; empty if there is none."""
    keeps_skipped = False
    """Whether `State.skipped` survives such an event."""
    keeps_just_left = False
    """Whether `State.just_left` survives such an event."""
    redundant_rules: Citations = ()
    """What makes an event legal that repeats what the position shows already."""

    def occasions(self, state: State) -> Iterable[Occasion[E]]:
        """The occasions that call for such an event now, as long as the game is not over; often none ever does."""
        return ()

    def expected(self, state: State) -> Iterable[Occasion[E]]:
        return () if state.over else self.occasions(state)

    def also_accepted(self, state: State) -> Iterable[Occasion[E]]:
        """Other ways in which a log may tell what happens; accepted, and never expected."""
        return ()

    def violations(self, state: State, event: E) -> Violations:
        if self.accept(state, event) is not None:
            return ()
        failed = (occasion.violations(state, event) for occasion in self.expected(state))
        nearest = min(failed, key=len, default=())
        return nearest or self.not_carried_out(state, event) or self._unavailable(state, event)

    def citations(self, state: State, event: E) -> Citations:
        return self.accept(state, event) or ()

    def accept(self, state: State, event: E) -> Citations | None:
        for occasion in () if state.over else self.occasions(state):
            if not occasion.violations(state, event):
                return occasion.citations(state, event)
        for occasion in self.also_accepted(state):
            if not occasion.violations(state, event):
                return occasion.citations(state, event)
        return self.redundant_rules if self.is_redundant(state, event) else None

    def is_redundant(self, state: State, event: E) -> bool:
        """Whether the event repeats what the position shows already."""
        return False

    def not_carried_out(self, state: State, event: E) -> Violations:
        """The criteria of an instruction that the event fails, if the instruction cannot be carried out at all."""
        text = readable_text(state)
        if text is None:
            return ()
        here = instructions(text)
        if any(instruction.ready(state, text) for instruction in here):
            return ()
        return next((i.violations(state, event) for i in here if i.event is self.event), ())

    def is_relevant(self, state: State, event: E) -> bool:
        return bool(self.not_carried_out(state, event))

    def depends_on_hidden(self, state: State, event: E) -> bool:
        return not is_certain(state)

    def _unavailable(self, state: State, event: E) -> Violations:
        """What keeps such an event from happening."""
        found = self.out_of_place(state, event) or self._forbidden(state, event)
        return tuple(replace(item, unavailable=True) for item in found) or UNEXPECTED

    def out_of_place(self, state: State, event: E) -> Violations:
        """The criteria that the event fails by itself, whatever is under way."""
        return ()

    def _forbidden(self, state: State, event: E) -> Violations:
        if state.over:
            return (Violation(rules.victory.THREE_COMPILED, "over", {"player": state.over}),)
        if not self.verb:
            return self.forbidden(state, event)
        failed = _skipped(state, self.verb) or _dropped(state, self.verb) or _covered_text(state, self.verb)
        if failed:
            return (failed,)
        return self.forbidden(state, event)

    def forbidden(self, state: State, event: E) -> Violations:
        """Which rule keeps such an event from happening in this position; () where none in particular does."""
        return ()

    def apply(self, state: State, event: E) -> State:
        after = self.happen(state, event)
        if state.skipped and not self.keeps_skipped and after.skipped is state.skipped:
            after = replace(after, skipped=())
        if state.just_left and not self.keeps_just_left and after.just_left is state.just_left:
            after = replace(after, just_left=())
        return resolve_automatic(after) if after.stack and after is not state else after

    def happen(self, state: State, event: E) -> State:
        """The position after the event alone, before its automatic consequences."""
        return state


def _skipped(state: State, verb: str) -> Violation | None:
    """The violation if the event carries out an instruction that was skipped."""
    for skipped in reversed(state.skipped):
        if skipped.verb == verb:
            return Violation(rules.effects.CONDITION_MUST_BE_MET, "skipped", {"card": skipped.card})
    return None


def _dropped(state: State, verb: str) -> Violation | None:
    """The violation if the event carries out an instruction of a text that is no longer visible."""
    text = state.newest
    if type(text) is not Text or not is_lost(state, text):
        return None
    if verb not in {declared.verb for declared in card_instructions(text)[text.next_index :]}:
        return None
    rule = text_lost_ruling(text.card) or rules.interrupt.LOST_TEXT_DROPPED
    return Violation(rule, "text.lost", {"card": text.card})


def _covered_text(state: State, verb: str) -> Violation | None:
    """The lower Start or End text that asks for this and lies covered, so that it does not act."""
    phase = "start" if state.phase == "start" else "end"
    if state.stack or (phase == "end" and not state.acted and state.phase == "action"):
        return None
    for card, (box, entry) in WAITING[phase].items():
        place = field_position(state, card)
        if box != "bottom" or place is None or place.seat != state.player or not place.up or place.uncovered:
            continue
        declared = CARD_INSTRUCTIONS[card, box, entry]
        if any(verb == one.verb for whole in declared for one in (whole, *chain(*whole.options))):
            return Violation(rules.field.BOTTOM_COMMAND, "triggered.covered", {"card": card})
    return None
