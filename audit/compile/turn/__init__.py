"""The turn of Compile: which option stands at which moment, and the rules that say so.

Reads like the book: the parts of a turn in their order; what is under way comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.events import GameWon, Passed, PhaseBegan, TurnBegan
from audit.compile.readings import COMPILE_ENDS_TURN
from audit.compile.state import HAND_LIMIT, SEATS, State
from audit.compile.totals import compilable, takes_control
from audit.compile.turn.acting import PLAY, REFRESH
from audit.compile.turn.clearing import CLEAR, skips_cache
from audit.compile.turn.compiling import COMPILE, RECOMPILE, is_barred
from audit.compile.turn.controlling import CONTROL
from audit.compile.turn.opening import OPENING_HAND, Opening
from audit.compile.under_way import due_options, live, under_way
from audit.compile.verbs.hands import can_refresh
from audit.ruleset import Exactly, Obligation, Option

NEXT_PHASE = {
    "start": "control",
    "control": "compile",
    "compile": "action",
    "action": "cache",
    "cache": "end",
}

Options = Iterable[Option[State]]


def options(state: State) -> Options:
    """What may or must come next, leaving aside what only repeats what is known (see `echoes`)."""
    if state.over:
        return ()
    if state.stack:
        return under_way(state)
    if len(state.a.compiled) == 3 or len(state.b.compiled) == 3:
        return (_won(state),)
    return _PHASES[state.phase](state)


def _won(state: State) -> Option[State]:
    """All three protocols on the compiled side."""
    winner = "A" if len(state.a.compiled) == 3 else "B"
    return Exactly(GameWon(seq=0, player=winner), rules.victory.THREE_COMPILED)


# The parts of a turn


def setup(state: State) -> Iterator[Option[State]]:
    """Both players draw their opening hands; then the first turn begins."""
    dealt = True
    for seat in SEATS:
        side = state.side(seat)
        if len(side.hand) < OPENING_HAND and side.deck:
            dealt = False
            yield Opening(seat)
    if dealt:
        first = TurnBegan(seq=0, player=state.player, turn=1)
        yield Exactly(first, rules.setup.FIRST_TURN, obligation=Obligation.MARKER)


def start(state: State) -> Options:
    """Start texts, in the order the player likes; then control is checked."""
    return _texts_due(state) or _NEXT["start"]


def control(state: State) -> Options:
    """Who leads in two lines takes the control component."""
    return (CONTROL,) if takes_control(state, state.player) else _NEXT["control"]


def compile_(state: State) -> Options:
    """Who can compile has to, once; then there is no action."""
    if state.acted:
        after = "end" if COMPILE_ENDS_TURN.name in state.switches else "cache"
        return (_phase(after, rules.turn.CACHE_AFTER_COMPILE, rules.turn.COMPILE_INSTEAD_OF_ACTION),)
    if compilable(state, state.player) and not is_barred(state, state.player):
        return (COMPILE, RECOMPILE)
    return _NEXT["compile"]


def action(state: State) -> Options:
    """One card from hand, or a refresh."""
    if state.acted:
        return (_phase("end", rules.turn.STUCK_PLAYER),) if state.acted == "passed" else _NEXT["action"]
    if not can_refresh(state, state.player) and not PLAY.is_possible(state):
        return (Exactly(Passed(seq=0, player=state.player), rules.turn.STUCK_PLAYER),)
    return (PLAY, REFRESH)


def cache(state: State) -> Options:
    """More than five cards are discarded down to five."""
    if not state.acted and len(state.side(state.player).hand) > HAND_LIMIT and not skips_cache(state):
        return (CLEAR,)
    return _NEXT["cache"]


def end(state: State) -> Options:
    """End texts, in the order the player likes; then the other player's turn."""
    return _texts_due(state) or (_turn(state.other, state.turn + 1),)


@lru_cache(maxsize=512)
def _turn(player: str, turn: int) -> Option[State]:
    return Exactly(TurnBegan(seq=0, player=player, turn=turn), rules.turn.PHASE_ORDER, obligation=Obligation.MARKER)


def _phase(name: str, *why: Rule) -> Option[State]:
    return Exactly(PhaseBegan(seq=0, phase=name), *why, obligation=Obligation.MARKER)  # type: ignore[arg-type]


_NEXT = {phase: (_phase(name, rules.turn.PHASE_ORDER),) for phase, name in NEXT_PHASE.items()}
"""What stands after each part of a turn where nothing more happens in it."""


def _texts_due(state: State) -> tuple[Option[State], ...]:
    return due_options(state, live(state, state.due)) if state.due else ()


_PHASES = {
    "setup": setup,
    "start": start,
    "control": control,
    "compile": compile_,
    "action": action,
    "cache": cache,
    "end": end,
}
