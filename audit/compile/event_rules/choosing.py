"""A choice that is no movement of its own: an order, a line, a card to act on later, a permission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.event_rules.base import CompileEventRules
from audit.compile.event_rules.rearranging import control_choice, control_choice_made
from audit.compile.event_rules.whole_lines import empty_lines
from audit.compile.events import Chose
from audit.compile.following import waiting_text
from audit.compile.occasions import Occasion, OfText, OneEvent, instructions, wrong_player
from audit.compile.progress import is_lost, not_carried_out
from audit.compile.state import DueTexts, State, Text, swapped
from audit.event_rules import Violation, Violations


class NameLine(OfText[Chose]):
    """The line for a text that acts on all cards of a kind; a line without such a card may be chosen too."""

    event = Chose
    rules = (rules.effects.AS_FAR_AS_POSSIBLE, rules.field.THREE_LINES)

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


class ChoseRules(CompileEventRules[Chose]):
    """The rules of saying what is chosen."""

    event = Chose
    redundant_rules = (rules.effects.SOURCE_SIDE_DECIDES,)

    def occasions(self, state: State) -> Iterable[Occasion[Chose]]:
        if seat := control_choice(state):
            leave = Chose(seq=0, player=seat, what="rearrange", accept=False)
            why = (rules.control.REARRANGEMENT_IS_A_CHOICE, rules.control.BACK_EVEN_IF_UNUSED)
            return (OneEvent(leave, *why),)
        text = state.stack[-1] if state.stack else None
        if type(text) is not Text or is_lost(state, text):
            return ()
        lines = empty_lines(state, text)
        ready = next((one for one in instructions(text) if one.ready(state, text)), None) if lines else None
        return (NameLine(ready.actor(text), lines),) if ready else ()

    def is_redundant(self, state: State, event: Chose) -> bool:
        """The violations of a choice that is announced before it is made: only its player may announce it."""
        if event.what == "line" and state.stack and type(state.stack[-1]) is not Text:
            return False
        if _choice_of_another(state, event) or (event.what == "order" and not _are_several_due(state)):
            return False
        return event.what != "rearrange" and event.accept is not False

    def forbidden(self, state: State, event: Chose) -> Violations:
        if rule := _choice_of_another(state, event):
            return (Violation(rule, "wrong.player", {"player": event.player, "expected": _who_chooses(state)}),)
        return (Violation(self.redundant_rules[0], "echo.chose"),)

    def happen(self, state: State, event: Chose) -> State:
        if event.what == "rearrange" and event.accept is False:
            return control_choice_made(state)
        text = waiting_text(state, "delete", "return")
        if text is not None and event.what == "line" and event.line in empty_lines(state, text):
            return swapped(state, not_carried_out(text))
        return state


def _choice_of_another(state: State, event: Chose) -> Rule | None:
    """The rule that gives the choice to the other player."""
    if event.player == _who_chooses(state):
        return None
    if event.what == "order":
        part = state.phase in ("start", "end") and not state.stack
        return rules.start_end.ORDER_IS_FREE if part else rules.effects.TURN_PLAYER_SETS_ORDER
    if event.what == "line" and not state.stack and state.phase == "compile":
        return rules.compile.PLAYER_PICKS_LINE
    frame = state.stack[-1] if state.stack else None
    return rules.effects.SOURCE_SIDE_DECIDES if type(frame) is Text else None


def _are_several_due(state: State) -> bool:
    """Whether there is an order to set."""
    frame = state.stack[-1] if state.stack else None
    return len(frame.texts if type(frame) is DueTexts else state.due if frame is None else ()) > 1


def _who_chooses(state: State) -> str:
    frame = state.stack[-1] if state.stack else None
    return instructions(frame)[0].actor(frame) if type(frame) is Text else state.player
