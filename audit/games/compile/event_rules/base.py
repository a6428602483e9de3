"""What the rules of all event types of Compile share, and the action of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import PERMISSION, Rule
from audit.core.event_rules import UNEXPECTED, Citations, EventRules, Violation, Violations
from audit.core.model import Event, type_name
from audit.games.compile import rules
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.card_rulings import CARD_RULES, clarification, text_lost_ruling
from audit.games.compile.criteria import places
from audit.games.compile.events import cards_of
from audit.games.compile.following import waiting_text
from audit.games.compile.nearest_text import nearest_text
from audit.games.compile.occasions import (
    Occasion,
    instructions,
    later_instruction,
    out_of_order,
    stuck_instructions,
    wrong_player,
)
from audit.games.compile.parts import field_position, is_idle, newest, side_of, winner
from audit.games.compile.procedures import can_refresh
from audit.games.compile.state import Compiling, Skipped, State, Text
from audit.games.compile.texts import (
    CARD_INSTRUCTIONS,
    WAITING,
    card_instructions,
    is_lost,
    next_instruction,
    readable_text,
)
from audit.games.compile.totals import is_certain, qualifies

E = TypeVar("E", bound=Event)


class CompileEventRules(EventRules[State, E]):
    """The rules of one event type: the occasions that call for it, what keeps it from happening, what it changes."""

    verb: str = ""
    """The verb of the card vocabulary that such an event carries out; empty if there is none."""
    act_of: str = ""
    """The part of a turn of which such an event is the act, where no text has it done; empty if of none."""
    keeps_skipped = False
    """Whether `State.skipped` survives such an event."""
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

    @property
    def is_never_repeated(self) -> bool:
        """Whether such an event is legal only on the occasions that call for it."""
        rules = type(self)
        told_once = rules.is_redundant is CompileEventRules.is_redundant
        return told_once and rules.also_accepted is CompileEventRules.also_accepted

    def violations(self, state: State, event: E) -> Violations:
        if self.accept(state, event) is not None:
            return ()
        failed = (occasion.violations(state, event) for occasion in self.expected(state))
        nearest = min(failed, key=len, default=())
        if nearest and (early := out_of_order(state, event)):
            return (early,)
        nearest = nearest or self.not_carried_out(state, event)
        return (
            (nearest and self._by_another_card(state, event, nearest[0])) or nearest or self._unavailable(state, event)
        )

    def _by_another_card(self, state: State, event: E, failed: Violation) -> Violations:
        """Why another text does not act, where that of the very card is due and speaks of others: nobody meant that."""
        means_others = failed.key in ("pick.owner", "pick.other") and failed.data["source"] in cards_of(event)
        return nearest_text(replace(state, stack=()), self.verb, event) if means_others else ()

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
        stuck = stuck_instructions(state)
        return next((i.violations(state, event) for i in stuck if i.event is self.event), ())

    def is_relevant(self, state: State, event: E) -> bool:
        if not state.over and (out_of_order(state, event) or _dropped(state, self.verb)):
            return True
        failed = self.not_carried_out(state, event)
        return bool(failed) and not any(item.not_intended for item in failed)

    def hangs_on_due(self, state: State, event: E) -> bool:
        text = readable_text(state)
        later = later_instruction(state, text, event) if text else None
        return later is not None and later.declared.if_did is not None

    def depends_on_hidden(self, state: State, event: E) -> bool:
        return not is_certain(state)

    def _unavailable(self, state: State, event: E) -> Violations:
        """What keeps such an event from happening."""
        found = _game_over(state) or self.out_of_place(state, event) or self._forbidden(state, event)
        return tuple(replace(item, unavailable=True) for item in found) or UNEXPECTED

    def is_ambiguous(self, state: State, event: E) -> bool:
        """Where a text allows it, or wants a card a hidden hand may not hold, the event may be what comes after it."""
        text = waiting_text(state, self.verb) if state.stack else None
        if text is None:
            return False
        if next_instruction(text).optional:
            return True
        return all(instruction.may_be_impossible(state, text) for instruction in instructions(text))

    def out_of_place(self, state: State, event: E) -> Violations:
        """The criteria that the event fails by itself, whatever is under way."""
        return ()

    def _forbidden(self, state: State, event: E) -> Violations:
        if not self.verb:
            return self.forbidden(state, event)
        failed = self._skipped(state) or _dropped(state, self.verb)
        if failed:
            return (failed,)
        near = () if self.is_action(state, event) else nearest_text(state, self.verb, event)
        return near or self.forbidden(state, event) or self._not_called_for(state, event)

    def _not_called_for(self, state: State, event: E) -> Violations:
        """That no card on the table has a text for it, where nothing else is under way."""
        if state.stack or self.is_action(state, event) or not is_certain(state):
            return ()
        return (Violation(rules.text.WAYS_IN, "text.none"),)

    def is_action(self, state: State, event: E) -> bool:
        """Whether a player does this in a turn without any text that has it done."""
        return False

    def is_own_act(self, state: State, event: E) -> bool:
        return state.phase == self.act_of and is_idle(state)

    def _skipped(self, state: State) -> Violation | None:
        """The violation if the event carries out an instruction that was skipped."""
        for skipped in reversed(state.skipped):
            if skipped.verb == self.verb:
                rule = _skip_rule(skipped, type_name(self.event))
                return Violation(rule, skipped.key, {"card": skipped.card})
        return None

    def forbidden(self, state: State, event: E) -> Violations:
        """Which rule keeps such an event from happening in this position; () where none in particular does."""
        return ()

    def apply(self, state: State, event: E) -> State:
        after = self.happen(state, event)
        if state.skipped and not self.keeps_skipped and after.skipped is state.skipped:
            after = replace(after, skipped=())
        if state.just_left and after.just_left is state.just_left:
            after = replace(after, just_left=())
        return resolve_automatic(after) if after.stack and after is not state else after

    def happen(self, state: State, event: E) -> State:
        """The position after the event alone, before its automatic consequences."""
        return state


def _game_over(state: State) -> Violations:
    over = state.over or (None if state.stack else winner(state))
    return (Violation(rules.control.VICTORY_THREE_COMPILED, "over", {"player": over}),) if over else ()


def _skip_rule(skipped: Skipped, event: str) -> Rule:
    """The rule by which an instruction is not carried out."""
    if skipped.key == "text.lost":
        return text_lost_ruling(skipped.card) or rules.text.INTERRUPT_LOST_TEXT_DROPPED
    if skipped.key == "option.taken":
        return clarification(skipped.card, event, PERMISSION) or rules.effects.SOURCE_SIDE_DECIDES
    return rules.effects.CONDITION_MUST_BE_MET


def _dropped(state: State, verb: str) -> Violation | None:
    """The violation if the event carries out an instruction of a text that is no longer visible."""
    text = newest(state)
    if type(text) is not Text or not is_lost(state, text):
        return None
    if verb not in {declared.verb for declared in card_instructions(text)[text.next_index :]}:
        return None
    rule = text_lost_ruling(text.card) or rules.text.INTERRUPT_LOST_TEXT_DROPPED
    return Violation(rule, "text.lost", {"card": text.card})


BARS: Final = tuple(
    rule
    for (card, _, _), instructions in CARD_INSTRUCTIONS.items()
    if any(declared.verb == "bar" for declared in instructions)
    for rule in CARD_RULES.get(card, ())
)
"""The rules made for cards that keep a player from compiling."""


def is_action_open(state: State) -> bool:
    """Whether the player in turn is to take the action of the turn, and can."""
    return is_time_to_act(state) and (can_refresh(state, state.player) or can_play(state))


def is_time_to_act(state: State) -> bool:
    """Whether the action of the turn comes now, if there is one."""
    return not state.acted and state.phase == "action" and is_idle(state)


def phase_of_action(state: State, player: str) -> str:
    """The phase after the action of a turn. What an action passes over is over: the compile of this turn among it."""
    passes_over = player == state.player and state.phase in ("start", "control", "compile")
    return "action" if passes_over else state.phase


def can_play(state: State) -> bool:
    """Whether some card of the hand can be played somewhere."""
    player = state.player
    return any(next(places(state, player, card), None) for card in side_of(state, player).hand)


def action_violation(state: State, player: str) -> Violation | None:
    """Why that player cannot take the action of the turn now."""
    if player != state.player:
        return wrong_player(state.player, player, rules.turn.ONE_ACTION)
    if not state.acted and state.phase == "action":
        return None
    if state.acted == "compiled":
        return Violation(_compile_rule(state), "action.compiled", {"player": player})
    if state.phase == "action" and state.acted:
        return Violation(rules.turn.ONE_ACTION, "action.second", {"player": player})
    if state.phase in ("cache", "end"):
        return Violation(rules.turn.PHASE_ORDER, "action.when", {"phase": state.phase})
    return None


def _compile_rule(state: State) -> Rule:
    """Why a turn with a compile has no action: the compile takes its place, even if the line no longer qualifies."""
    frame = next((frame for frame in state.stack if type(frame) is Compiling), None)
    if frame is None or frame.deleted or qualifies(state, frame.seat, frame.line):
        return rules.turn.COMPILE_INSTEAD_OF_ACTION
    escaped = [card for card in WAITING["before_compile_delete"] if _is_away(state, frame, card)]
    own = next((rule for card in escaped for rule in CARD_RULES.get(card, ())), None)
    return own or rules.compile.NOT_STOPPED_MIDWAY


def _is_away(state: State, frame: Compiling, card: str) -> bool:
    place = field_position(state, card)
    return place is not None and place.seat == frame.seat and place.line != frame.line
