"""A choice that is no movement of its own: an order, a line, a card to act on later, a permission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeGuard

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.cards import PROTOCOLS
from audit.games.compile.criteria import not_in_hand
from audit.games.compile.declarations import ALL
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.picking import Pick, empty_lines
from audit.games.compile.event_rules.rearranging import (
    announcement_broken,
    control_choice,
    control_choice_made,
    is_announced,
)
from audit.games.compile.event_rules.resolving import not_declined
from audit.games.compile.event_rules.shifting import lines_for_group
from audit.games.compile.events import Chose, Drew, cards_of
from audit.games.compile.following import waiting_text
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    OfText,
    OneEvent,
    acting_text,
    called_for,
    instructions,
    wrong_player,
)
from audit.games.compile.parts import is_known, newest, opponent, side_of, swapped
from audit.games.compile.state import DueTexts, State, Text
from audit.games.compile.texts import carried_out, is_lost, next_instruction, not_carried_out, readable_text

STATING: Final = ("state_number", "state_protocol")
"""The verbs that have something named aloud."""

MOST_STATED: Final = 6
"""The highest number that stands on a card."""


class NameLine(OfText[Chose]):
    """The line for a text that acts on all cards of a kind; a line without such a card may be chosen too."""

    event = Chose
    rules: Citations = (rules.effects.AS_FAR_AS_POSSIBLE, rules.field.THREE_LINES)

    def __init__(self, actor: str, lines: tuple[int, ...]) -> None:
        self.actor = actor
        self.lines = lines

    def violations(self, state: State, event: Chose) -> Violations:
        if event.player != self.actor:
            return (wrong_player(self.actor, event.player),)
        if event.what != "line" or event.line not in self.lines:
            return (Violation(rules.field.THREE_LINES, "all.line", {}),)
        return ()

    def candidates(self, state: State) -> Iterator[Chose]:
        for line in self.lines:
            yield Chose(seq=0, player=self.actor, what="line", line=line)


class StateAloud(Instruction[Chose]):
    """A number or a protocol is named."""

    verbs = ("state_number", "state_protocol")
    event = Chose

    def verb_rules(self) -> Citations:
        return (rules.effects.SOURCE_SIDE_DECIDES,)

    def _what(self) -> str:
        return self.declared.verb.removeprefix("state_")

    def ready(self, state: State, text: Text) -> bool:
        return True

    def violations(self, state: State, event: Chose) -> Violations:
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if self._what() == "number":
            is_named = event.what == "number" and event.number is not None
            return () if is_named else (Violation(rules.effects.MUST_BE_APPLIED, "state.number", {}),)
        is_named = event.what == "protocol" and event.protocol in PROTOCOLS
        return () if is_named else (Violation(rules.effects.MUST_BE_APPLIED, "state.protocol", {}),)

    def candidates(self, state: State) -> Iterator[Chose]:
        actor = self.actor(acting_text(state))
        if self._what() == "number":
            yield from (Chose(seq=0, player=actor, what="number", number=n) for n in range(MOST_STATED + 1))
        else:
            for name in (*side_of(state, opponent(actor)).protocols, *side_of(state, actor).protocols):
                yield Chose(seq=0, player=actor, what="protocol", protocol=name)


class LeaveOrder(OneEvent[Chose]):
    """The protocols stay as they are, although they may be rearranged."""

    declines: bool = True

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """Who says so after the cards are drawn has seen them."""
        return rules.control.DEALT_WITH_FIRST if isinstance(event, Drew) else super().goes_first(state, event)

    def is_open_after(self, event: Event) -> bool:
        return isinstance(event, Drew)


class ChoseRules(CompileEventRules[Chose]):
    """The rules of saying what is chosen."""

    event = Chose
    redundant_rules: Citations = (rules.effects.SOURCE_SIDE_DECIDES,)

    def occasions(self, state: State) -> Iterable[Occasion[Chose]]:
        if frame := control_choice(state):
            if is_announced(frame):
                return ()
            leave = Chose(seq=0, player=frame.seat, what="rearrange", accept=False)
            why = (rules.control.REARRANGEMENT_IS_A_CHOICE, rules.control.BACK_EVEN_IF_UNUSED)
            return (LeaveOrder(leave, *why),)
        text = readable_text(state)
        if text is None:
            return ()
        if next_instruction(text).verb in STATING:
            return called_for(state, Chose)
        lines = empty_lines(state, text)
        ready = next((one for one in instructions(text) if one.ready(state, text)), None) if lines else None
        return (NameLine(ready.actor(text), lines),) if ready else ()

    def also_accepted(self, state: State) -> Iterable[Occasion[Chose]]:
        """That a permission of the text under way is not used, with the name of its card or without."""
        text = _permitting(state)
        if text is None:
            return ()
        said = Chose(seq=0, player=_who_chooses(state), what="permission", accept=False)
        ways = (said, replace(said, card=text.card))
        return [OneEvent(way, rules.effects.MAY_ONLY_IF_SAID) for way in ways]

    def is_redundant(self, state: State, event: Chose) -> bool:
        """A choice that is announced before it is made, by its player. A card or branch that is announced binds."""
        if event.what in ("number", "protocol"):
            return False
        if event.what in ("card", "option") and not _is_open(state, event):
            return False
        if event.what == "line" and not _is_line_open(state):
            return False
        if _choice_of_another(state, event) or (event.what == "order" and not _are_several_due(state)):
            return False
        return event.what != "rearrange" and event.accept is not False

    def forbidden(self, state: State, event: Chose) -> Violations:
        frame = control_choice(state)
        if event.what == "rearrange" and frame and is_announced(frame):
            return (announcement_broken(frame),)
        if rule := _choice_of_another(state, event):
            return (Violation(rule, "wrong.player", {"player": event.player, "expected": _who_chooses(state)}),)
        if _says_no_to(text := newest(state), event):
            return (Violation(not_declined(text), "resolved.declined", {"card": text.card}),)
        return (Violation(self.redundant_rules[0], "echo.chose", not_intended=True),)

    def happen(self, state: State, event: Chose) -> State:
        if event.what == "rearrange" and event.accept is False:
            return control_choice_made(state)
        frame = newest(state)
        if event.what == "permission" and event.accept is False:
            return swapped(state, not_carried_out(frame)) if _says_no_to(frame, event) else state
        if event.what in ("number", "protocol"):
            return _stated(state, event)
        if event.what in ("card", "option"):
            return swapped(state, _bound(frame, event)) if type(frame) is Text and _is_open(state, event) else state
        if event.what == "line" and type(frame) is Text and event.line in lines_for_group(state, frame):
            return swapped(state, replace(frame, chosen_line=event.line))
        text = waiting_text(state, "delete", "return")
        if text is not None and event.what == "line" and event.line in empty_lines(state, text):
            return swapped(state, not_carried_out(text))
        return state


def _permitting(state: State) -> Text | None:
    """The text under way whose next instruction is a permission."""
    text = readable_text(state)
    return text if text is not None and next_instruction(text).optional else None


def _says_no_to(frame: object, event: Chose) -> TypeGuard[Text]:
    """Whether the event says no to what this text does next."""
    is_no = event.what == "permission" and event.accept is False
    return is_no and type(frame) is Text and event.card in (None, frame.card)


def _stated(state: State, event: Chose) -> State:
    text = waiting_text(state, *STATING)
    told = event.number if event.what == "number" else event.protocol
    return state if text is None else swapped(state, replace(carried_out(text, None), stated=str(told)))


def _is_open(state: State, event: Chose) -> bool:
    """Whether what is chosen is a card of the hand to be played, or one of what the text under way leaves open."""
    text = newest(state)
    if type(text) is not Text:
        return _is_of_hand(state, event)
    if is_lost(state, text):
        return False
    ready = {at: branch for at, branch in enumerate(instructions(text), 1) if branch.ready(state, text)}
    if event.what == "card":
        return event.card is not None and can_choose(state, text, ready.values(), event.card)
    return bool(next_instruction(text).options) and (event.option is None or event.option in ready)


def _is_line_open(state: State) -> bool:
    """Whether a line may be named: for the text under way, for the compile, or for the action of the turn.

    A text that leaves nothing to choose, such as one that turns its own card, is not what the line is named for.
    """
    text = newest(state)
    if text is None:
        return state.phase in ("compile", "action")
    return type(text) is Text and any(_may_be_for_a_line(state, one) for one in instructions(text))


def _may_be_for_a_line(state: State, instruction: Instruction[Any]) -> bool:
    """Whether the instruction brings a card to a line, acts on one that is chosen, or leaves something to choose."""
    declared = instruction.declared
    if declared.verb in ("play", "shift") or (declared.target and declared.target.line in ("chosen", "chosen_other")):
        return True
    return instruction.single_candidate(state) is None


def _is_of_hand(state: State, event: Chose) -> bool:
    """Whether a card is chosen that may be in the hand, before anything is done with it."""
    if event.what != "card" or event.card is None or state.stack:
        return False
    return not not_in_hand(state, event.player, event.card)


def _bound(text: Text, event: Chose) -> Text:
    """The text with what has been chosen for it."""
    if event.what == "option":
        return replace(text, option=event.option - 1) if event.option else text
    return replace(text, chosen=(*text.chosen, event.card)) if event.card else text


def can_choose(state: State, text: Text, ready: Iterable[Instruction[Any]], card: str) -> bool:
    """Whether one of these instructions leaves that card to be chosen, alone or among several."""
    return any(_leaves_open(state, text, one, card) for one in ready if one.declared.count != ALL)


def _leaves_open(state: State, text: Text, instruction: Instruction[Any], card: str) -> bool:
    if isinstance(instruction, Pick):
        return card in instruction.pickable(state, text)
    if instruction.declared.target is not None or instruction.declared.source in ("trash", "just_drawn"):
        return any(card in cards_of(event) for event in instruction.candidates(state))
    if instruction.declared.verb not in ("discard", "give", "play", "reveal") or instruction.declared.source != "hand":
        return False
    hand = side_of(state, instruction.actor(text)).hand
    return card in hand or (is_known(card) and any(not is_known(held) for held in hand))


def _choice_of_another(state: State, event: Chose) -> Rule | None:
    """The rule that gives the choice to the other player."""
    if event.player == _who_chooses(state):
        return None
    if event.what == "order":
        part = state.phase in ("start", "end") and not state.stack
        return rules.start_end.ORDER_IS_FREE if part else rules.effects.TURN_PLAYER_SETS_ORDER
    if event.what == "line" and not state.stack and state.phase == "compile":
        return rules.compile.PLAYER_PICKS_LINE
    frame = newest(state)
    return rules.effects.SOURCE_SIDE_DECIDES if type(frame) is Text else None


def _are_several_due(state: State) -> bool:
    """Whether there is an order to set."""
    frame = newest(state)
    return len(frame.texts if type(frame) is DueTexts else state.due if frame is None else ()) > 1


def _who_chooses(state: State) -> str:
    frame = newest(state)
    return instructions(frame)[0].actor(frame) if type(frame) is Text else state.player


RULES = (ChoseRules(),)
