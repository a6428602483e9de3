"""What would have had to happen before a position that somebody asks about."""

from __future__ import annotations

from audit.core.event_rules import Violation, Violations
from audit.games.compile import rules
from audit.games.compile.parts import is_idle
from audit.games.compile.procedures import is_barred
from audit.games.compile.state import State
from audit.games.compile.totals import compilable, total


def doubts(state: State) -> Violations:
    """A line that qualifies when the action begins: it should have been compiled, unless it qualifies since then."""
    if state.phase != "action" or state.acted or not is_idle(state) or is_barred(state, state.player):
        return ()
    lines = compilable(state, state.player)
    if len(lines) == 1:
        data = {"player": state.player, "line": lines[0], "n": total(state, state.player, lines[0])}
        return (Violation(rules.compile.MANDATORY, "compile.missed", data),)
    several = Violation(rules.compile.MANDATORY, "compile.missed_one", {"player": state.player, "lines": lines})
    return (several,) if lines else ()
