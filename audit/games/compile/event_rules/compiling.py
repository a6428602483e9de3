"""A line is compiled, or compiled again; the control component is taken, and goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import (
    Chose,
    Compiled,
    ControlReset,
    ControlTaken,
    Deleted,
    Drew,
    Landed,
    OwnerChanged,
    Rearranged,
    Recompiled,
    Reshuffled,
)
from audit.games.compile.following import led_to
from audit.games.compile.occasions import Occasion, OneEvent, wrong_player
from audit.games.compile.parts import is_idle, newest, opponent, pushed, side_of, swapped
from audit.games.compile.procedures import barring_card, control_is_up, is_barred
from audit.games.compile.state import Compiling, Refreshing, State
from audit.games.compile.totals import TO_COMPILE, compilable, takes_control, total


class TakeControl(Occasion[ControlTaken]):
    """Who leads in two lines or more takes the control component."""

    event = ControlTaken
    rules: Citations = (rules.control.GAINED,)

    def violations(self, state: State, event: ControlTaken) -> Violations:
        if state.control == event.player:
            return (Violation(rules.control.GAINED, "control.has_it", {"player": event.player}),)
        if not takes_control(state, event.player):
            return (Violation(rules.control.GAINED, "control.not_ahead", {"player": event.player}),)
        if event.player != state.player or state.phase != "control":
            return (Violation(rules.control.GAINED, "control.when", {"player": event.player}),)
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


E = TypeVar("E", bound=Compiled | Recompiled)

_SEVERAL: Final = (rules.compile.PLAYER_PICKS_LINE, rules.compile.ONE_LINE_A_TURN)
_QUALIFIES: Final = (rules.compile.TEN_OR_MORE, rules.compile.BEATS_OPPONENT, rules.field.VALUE_COUNTS)


class CompileLine(Occasion[E]):
    """A line that qualifies is compiled; one whose protocol is compiled already, recompiled.

    The French and the Polish rules call both a compile, so a record that says `compiled` may mean either.
    """

    def __init__(self, event: type[E], *why: Rule) -> None:
        self.event = self._type = event
        self.is_recompile = event is Recompiled
        self.rules = why

    def violations(self, state: State, event: E) -> Violations:
        violation = self._moment_violation(state, event.player) or self._line_violation(state, event.line)
        return (violation,) if violation else ()

    def _moment_violation(self, state: State, player: str) -> Violation | None:
        if player != state.player:
            return wrong_player(state.player, player, rules.compile.MANDATORY)
        if state.acted == "compiled":
            return Violation(rules.compile.ONE_LINE_A_TURN, "compile.twice", {"player": player})
        if state.phase not in ("start", "control", "compile") and state.acted:
            return Violation(rules.turn.PHASE_ORDER, "compile.after_action", {"player": player})
        if state.phase not in ("start", "control", "compile"):
            return Violation(rules.turn.PHASE_ORDER, "compile.when", {"phase": state.phase})
        if is_barred(state, player):
            rule, data = rules.effects.CARDS_BEAT_RULES, {"player": player}
            if card := barring_card(state, player):
                return Violation(rule, "compile.barred.by", {**data, "card": card})
            return Violation(rule, "compile.barred", data)
        return None

    def _line_violation(self, state: State, line: int) -> Violation | None:
        own, theirs = total(state, state.player, line), total(state, opponent(state.player), line)
        if not side_of(state, state.player).lines[line - 1]:
            return Violation(rules.compile.TEN_OR_MORE, "compile.empty", {"line": line, "player": state.player})
        if own < TO_COMPILE:
            return Violation(rules.compile.TEN_OR_MORE, "compile.ten", {"line": line, "n": own})
        if own <= theirs:
            return Violation(rules.compile.BEATS_OPPONENT, "compile.tie", {"line": line, "n": own, "found": theirs})
        if self.is_recompile and not self._is_compiled(state, line) and not self._may_become_so(state):
            any_compiled = bool(side_of(state, state.player).compiled)
            rule = rules.recompile.POSSIBLE if any_compiled else rules.setup.LOADING_SIDE_UP
            return Violation(rule, "compile.again", {"line": line})
        return None

    def citations(self, state: State, event: E) -> Citations:
        several = len(compilable(state, state.player)) > 1
        first = () if side_of(state, state.player).compiled else (rules.setup.LOADING_SIDE_UP,)
        again = (rules.recompile.POSSIBLE,) if self._is_compiled(state, event.line) else ()
        return each_once((*again, *self.rules, *(_SEVERAL if several else ()), *first))

    def _is_compiled(self, state: State, line: int) -> bool:
        side = side_of(state, state.player)
        return side.protocols[line - 1] in side.compiled

    def _may_become_so(self, state: State) -> bool:
        """Whether the control component, which goes back first, can bring a compiled protocol into the line."""
        return state.control == state.player and bool(side_of(state, state.player).compiled)

    def candidates(self, state: State) -> Iterator[E]:
        for line in compilable(state, state.player):
            if self._is_compiled(state, line) == self.is_recompile:
                yield self._type(seq=0, player=state.player, line=line)


def is_compile_due(state: State) -> bool:
    """Whether the player in turn has to compile now."""
    if state.acted or state.phase != "compile" or not compilable(state, state.player):
        return False
    return is_idle(state) and not is_barred(state, state.player)


class CompileRules(CompileEventRules[E]):
    """The rules of announcing a compile."""

    line: CompileLine[E]
    act_of: str = "compile"
    announces: frozenset[type[Event]] = frozenset(
        (ControlReset, Rearranged, Chose, Deleted, Landed, Reshuffled, Drew, OwnerChanged)
    )

    def occasions(self, state: State) -> Iterable[Occasion[E]]:
        return (self.line,) if is_compile_due(state) else ()

    def out_of_place(self, state: State, event: E) -> Violations:
        return self.line.violations(state, event)

    def happen(self, state: State, event: E) -> State:
        side = side_of(state, event.player)
        is_compiled = side.protocols[event.line - 1] in side.compiled
        again = True if isinstance(event, Recompiled) and not is_compiled else None
        frame = Compiling(
            event.player, event.line, state.control == event.player, again=again, why=led_to(state, event)
        )
        return pushed(replace(state, acted="compiled", phase="compile"), frame)


class CompiledRules(CompileRules[Compiled]):
    """The rules of compiling a line for the first time."""

    event = Compiled
    line = CompileLine(Compiled, rules.compile.MANDATORY, *_QUALIFIES, rules.compile.TURNS_PROTOCOL)


class RecompiledRules(CompileRules[Recompiled]):
    """The rules of compiling a line again."""

    event = Recompiled
    line = CompileLine(Recompiled, rules.recompile.POSSIBLE, rules.compile.MANDATORY, *_QUALIFIES)


RULES = (ControlTakenRules(), ControlResetRules(), CompiledRules(), RecompiledRules())
