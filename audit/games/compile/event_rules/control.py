"""The control component: who leads takes it, and it goes back on a refresh or a compile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import ControlReset, ControlTaken, Rearranged
from audit.games.compile.occasions import Occasion, OneEvent, wrong_player
from audit.games.compile.parts import is_idle, newest, swapped
from audit.games.compile.procedures import control_is_up
from audit.games.compile.state import Compiling, Refreshing, State
from audit.games.compile.totals import takes_control


class TakeControl(Occasion[ControlTaken]):
    """Who leads in two lines or more takes the control component."""

    event = ControlTaken
    rules: Citations = (rules.control.GAINED,)

    def violations(self, state: State, event: ControlTaken) -> Violations:
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.control.GAINED),)
        if state.control == event.player:
            return (Violation(rules.control.GAINED, "control.has_it", {"player": event.player}),)
        if not takes_control(state, event.player):
            return (Violation(rules.control.GAINED, "control.not_ahead", {"player": event.player}),)
        return ()

    def citations(self, state: State, event: ControlTaken) -> Citations:
        return (*self.rules, rules.setup.CONTROL_NEUTRAL) if state.control is None else self.rules

    def candidates(self, state: State) -> Iterator[ControlTaken]:
        if takes_control(state, state.player):
            yield ControlTaken(seq=0, player=state.player)


CONTROL: Final = TakeControl()


class ControlTakenRules(CompileEventRules[ControlTaken]):
    """The rules of taking the control component."""

    event = ControlTaken

    def occasions(self, state: State) -> Iterable[TakeControl]:
        return (CONTROL,) if state.phase == "control" and is_idle(state) and takes_control(state, state.player) else ()

    def out_of_place(self, state: State, event: ControlTaken) -> Violations:
        return CONTROL.violations(state, event)

    def happen(self, state: State, event: ControlTaken) -> State:
        return replace(state, control=event.player)


class ControlResetRules(CompileEventRules[ControlReset]):
    """The rules of the control component going back. Nobody decides it: what was decided may be written before it."""

    event = ControlReset
    is_settled: bool = True
    announces: frozenset[type[Event]] = frozenset((Rearranged,))

    def occasions(self, state: State) -> Iterable[Occasion[ControlReset]]:
        frame = newest(state)
        if type(frame) is Refreshing and frame.control:
            why = rules.control.BACK_ON_REFRESH
        elif type(frame) is Compiling and frame.control and control_is_up(state, frame):
            why = rules.control.BACK_ON_COMPILE
        else:
            return ()
        reset = ControlReset(seq=0, player=frame.seat)
        return (OneEvent(reset, why, rules.control.DEALT_WITH_FIRST, rules.control.BACK_EVEN_IF_UNUSED),)

    def forbidden(self, state: State, event: ControlReset) -> Violations:
        is_early = event.player != state.player
        return (Violation(_why_not_back(state), "control.unasked", {}, not_intended=is_early),)

    def happen(self, state: State, event: ControlReset) -> State:
        state = replace(state, control=None)
        frame = newest(state)
        if type(frame) is Refreshing or type(frame) is Compiling:
            return swapped(state, replace(frame, control=False, choice=True))
        return state


def _why_not_back(state: State) -> Rule:
    """Why the control component does not go back now."""
    if state.control is not None:
        return rules.control.DEALT_WITH_FIRST
    under_way = any(type(frame) in (Refreshing, Compiling) for frame in state.stack)
    return rules.control.BACK_EVEN_IF_UNUSED if under_way else rules.setup.CONTROL_NEUTRAL


RULES = (ControlTakenRules(), ControlResetRules())
