"""Which options stand at which moment. Reads like the day: what is under way on top, then its parts in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from audit.altered.options.afternoon import TURN
from audit.altered.options.anytime import ANYTIME
from audit.altered.options.before import BEFORE, DRAW_FIRST
from audit.altered.options.days import (
    END_EFFECT,
    MAYBE_DAY,
    MAYBE_PHASE,
    START_DAY,
    START_EFFECT,
    START_PHASE,
    leavers,
    surplus_of,
)
from audit.altered.options.dusk import ADVANCE, ARENA, DUSK, RESOLVE, REVEAL
from audit.altered.options.ending import (
    CALL,
    DECLARE,
    LEAVE,
    MAYBE_MEET,
    MEET,
    NO_TIE,
    NO_WINNER,
    outcome,
    yet_to_meet,
)
from audit.altered.options.limbo import ACTIVATE, CLOSE, CLOSE_INTERNAL, LIMBO, MAYBE_REACT, REACT
from audit.altered.options.morning import (
    DECLINE_MANA,
    DRAW,
    DRAW_BY_EFFECT,
    PASS_TOKEN,
    PLACE_MANA,
    READY,
    READY_BY_EFFECT,
    SAY_NO_MANA,
)
from audit.altered.options.night import CHOOSE, DISCARD, MAYBE_CHOOSE, MAYBE_DISCARD, MAYBE_REST, REST
from audit.altered.stages import are_there_movers
from audit.altered.state import State
from audit.model import Event
from audit.ruleset import Option

Options = Iterable[Option[State]]

END = (END_EFFECT,)
ECHOES = (
    *LIMBO, *ANYTIME, DRAW_BY_EFFECT, READY_BY_EFFECT, *DUSK, MAYBE_REST, MAYBE_CHOOSE, MAYBE_DISCARD, MAYBE_MEET,
    *BEFORE,
)  # fmt: skip
"""Accepted where their own criteria are met, and never missed."""

ECHOES_TOO = (MAYBE_REACT, *ECHOES)
"""The same where nobody has told what waits in Limbo."""


def options(state: State) -> Options:
    """What may or must come next; nothing once the game is decided."""
    if state.outcome is not None:
        return ()
    return chain(due(state), ECHOES if state.limbo_known else ECHOES_TOO)


def due(state: State) -> Options:
    """What the game waits for: what was set off, an open effect, the daily effect, Limbo, then the phase."""
    if state.triggered:
        return (ACTIVATE,)
    if state.effects:
        return (CLOSE_INTERNAL,) if state.effects[-1].internal else (CLOSE,)
    if state.effect:
        return _EFFECTS[state.effect](state)
    if state.limbo:
        return (REACT,)
    if state.phase is None:
        return _before(state)
    if state.phase == "afternoon" and len(state.passed) < len(state.still_in):
        return TURN
    if state.todo:
        return (START_EFFECT, MAYBE_PHASE, MAYBE_DAY) if state.unsure else (START_EFFECT,)
    return _PHASES.get(state.phase, _next_phase)(state)


def _before(state: State) -> Options:
    if state.moment.name == "day_start":
        return (START_PHASE,)
    if state.day == 0 and state.first is None and state.seats:
        return (DRAW_FIRST,)
    return (START_DAY,)


def _next_phase(state: State) -> Options:
    return (START_PHASE,)


# Daily effects


def _pass_token(state: State) -> Options:
    return (PASS_TOKEN,) if state.pending else END


def _prepare(state: State) -> Options:
    return (READY,) if state.pending else END


def _draw(state: State) -> Options:
    return (DRAW,) if state.pending else END


def _mana(state: State) -> Options:
    if not state.pending:
        return END
    return (PLACE_MANA, DECLINE_MANA if state.day_told else SAY_NO_MANA)


def _progress(state: State) -> Options:
    if state.reached:
        return (REVEAL,)
    if state.flipped:
        return (RESOLVE,)
    if state.kind == "tiebreak":
        return (ARENA,) if state.pending else END
    return (ADVANCE,) if are_there_movers(state) else END


def _rest(state: State) -> Options:
    return (REST,) if state.pending else END


def _cleanup(state: State) -> Options:
    if state.pending:
        return (CHOOSE,)
    return (DISCARD,) if not state.discarded and surplus_of(state) else END


_EFFECTS: dict[str, Callable[[State], Options]] = {
    "pass_token": _pass_token,
    "prepare": _prepare,
    "draw": _draw,
    "mana": _mana,
    "progress": _progress,
    "rest": _rest,
    "cleanup": _cleanup,
}

# The ends of phases


def _victory(state: State) -> Options:
    if state.called is not None:
        return (LEAVE,) if leavers(state) else (START_DAY, MAYBE_PHASE)
    if yet_to_meet(state):
        return (MEET,)
    if state.kind == "normal" and not state.met:
        return (START_PHASE,)
    found = outcome(state)
    if found is None:
        return ()
    return (DECLARE, NO_TIE) if found.winner is not None else (CALL, NO_WINNER)


def _night(state: State) -> Options:
    return (START_DAY,)


_PHASES: dict[str, Callable[[State], Options]] = {"dusk": _victory, "night": _night}

CANDIDATES: dict[type[Event], Option[State]] = {
    option.event: option
    for option in (
        *ECHOES, START_DAY, START_PHASE, START_EFFECT, END_EFFECT, PASS_TOKEN, READY, DRAW, PLACE_MANA, DECLINE_MANA,
        *TURN, REACT, ADVANCE, REVEAL, RESOLVE, ARENA, REST, CHOOSE, DISCARD, MEET, DECLARE, CALL, LEAVE,
    )
}  # fmt: skip
"""Each event says of itself what it would need, even where it is not up for choice: the option of its type."""
