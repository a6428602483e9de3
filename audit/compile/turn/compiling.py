"""A line is compiled, or compiled again."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.events import Compiled, Recompiled
from audit.compile.state import State
from audit.compile.totals import TO_COMPILE, compilable, total
from audit.compile.verbs.instruction import wrong_player
from audit.model import Event
from audit.ruleset import Option, Violation

_SEVERAL = (rules.compile.PLAYER_PICKS_LINE, rules.compile.ONE_LINE_A_TURN)
_QUALIFIES = (rules.compile.TEN_OR_MORE, rules.compile.BEATS_OPPONENT, rules.field.VALUE_COUNTS)


def is_barred(state: State, seat: str) -> bool:
    """Whether a text keeps that side from compiling this turn."""
    return (seat, state.turn) in state.barred


class CompileLine(Option[State]):
    """A line that qualifies is compiled; one whose protocol is compiled already, recompiled."""

    def __init__(self, event: type[Compiled] | type[Recompiled], *why: Rule) -> None:
        self.event = event
        self.again = event is Recompiled
        self.rules = why

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        assert isinstance(event, Compiled | Recompiled)
        if broken := self._moment_refused(state, event.player):
            return (broken,)
        if broken := self._line_refused(state, event.line):
            return (broken,)
        return ()

    def _moment_refused(self, state: State, player: str) -> Violation | None:
        if player != state.player:
            return wrong_player(state.player, player, rules.compile.MANDATORY)
        if state.acted == "compiled":
            return Violation(rules.compile.ONE_LINE_A_TURN, "compile.twice", {"player": player})
        if state.phase not in ("start", "control", "compile"):
            return Violation(rules.turn.PHASE_ORDER, "compile.when", {"phase": state.phase})
        if is_barred(state, player):
            return Violation(rules.effects.CARDS_BEAT_RULES, "compile.barred", {"player": player})
        return None

    def _line_refused(self, state: State, line: int) -> Violation | None:
        own, theirs = total(state, state.player, line), total(state, state.other, line)
        if own < TO_COMPILE:
            return Violation(rules.compile.TEN_OR_MORE, "compile.ten", {"line": line, "n": own})
        if own <= theirs:
            return Violation(rules.compile.BEATS_OPPONENT, "compile.tie", {"line": line, "n": own, "found": theirs})
        if self._compiled(state, line) != self.again and not self._may_become_so(state):
            return Violation(self._side_rule(state), "compile.again", {"line": line})
        return None

    def _side_rule(self, state: State) -> Rule:
        """Why the protocol does not show the side that this compile needs."""
        if not self.again:
            return rules.compile.TURNS_PROTOCOL
        return rules.recompile.POSSIBLE if state.side(state.player).compiled else rules.setup.LOADING_SIDE_UP

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        several = len(compilable(state, state.player)) > 1
        first = () if state.side(state.player).compiled else (rules.setup.LOADING_SIDE_UP,)
        return (*self.rules, *(_SEVERAL if several else ()), *first)

    def _compiled(self, state: State, line: int) -> bool:
        side = state.side(state.player)
        return side.protocols[line - 1] in side.compiled

    def _may_become_so(self, state: State) -> bool:
        """Whether the control component, which goes back first, can bring such a protocol into the line."""
        side = state.side(state.player)
        return state.control == state.player and any((one in side.compiled) == self.again for one in side.protocols)

    def candidates(self, state: State) -> Iterator[Event]:
        for line in compilable(state, state.player):
            if self._compiled(state, line) == self.again:
                yield self.event(seq=0, player=state.player, line=line)  # type: ignore[call-arg]


COMPILE = CompileLine(Compiled, rules.compile.MANDATORY, *_QUALIFIES, rules.compile.TURNS_PROTOCOL)
RECOMPILE = CompileLine(Recompiled, rules.recompile.POSSIBLE, rules.compile.MANDATORY, *_QUALIFIES)
