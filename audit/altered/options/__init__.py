"""Which options stand at which moment. Reads like the day: what is under way on top, then its parts in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from audit.altered.options.afternoon import TURN
from audit.altered.options.anytime import ANYTIME
from audit.altered.options.before import BEFORE, DRAW_FIRST
from audit.altered.options.days import (
    END_EFFECT,
    END_TOO_SOON,
    MAYBE_DAY,
    MAYBE_PHASE,
    START_DAY,
    START_EFFECT,
    START_PHASE,
    leavers,
    surplus_of,
)
from audit.altered.options.dusk import ADVANCE, ARENA, DUSK, RESOLVE, REVEAL, TOTALS
from audit.altered.options.ending import CALL, DECLARE, LEAVE, MAYBE_MEET, MEET, NO_TIE, NO_WINNER, outcome, yet_to_meet
from audit.altered.options.limbo import ACTIVATE, CHECK, CLOSE, CLOSE_INTERNAL, LIMBO, OPEN, REACT
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

Options = tuple[Option[State], ...]

ECHOES = (
    *LIMBO, *ANYTIME, DRAW_BY_EFFECT, READY_BY_EFFECT, *DUSK, MAYBE_REST, MAYBE_CHOOSE, MAYBE_DISCARD, MAYBE_MEET,
    *BEFORE,
)  # fmt: skip
"""Accepted where their own criteria are met, and never missed."""


ALONE: dict[type[Event], Option[State]] = {option.event: option for option in (CHECK, OPEN, TOTALS)}
"""Events for which there is no other option: where they are true, they are up."""


@cache
def up(*due: Option[State]) -> Options:
    """What is due, and after it what is accepted at any time."""
    return (*due, *ECHOES)


def options(state: State) -> Options:
    """What may or must come next: what was set off, an open effect, the daily effect, Limbo, then the phase."""
    if state.outcome is not None:
        return ()
    if state.triggered:
        return up(ACTIVATE)
    if state.effects:
        return up(CLOSE_INTERNAL if state.effects[-1].internal else CLOSE)
    if state.effect:
        return _EFFECTS[state.effect](state)
    if state.limbo:
        return up(REACT)
    if state.phase is None:
        return _before(state)
    if state.phase == "afternoon" and len(state.passed) < len(state.still_in):
        return up(*TURN)
    if state.todo:
        return up(START_EFFECT, MAYBE_PHASE, MAYBE_DAY) if state.unsure else up(START_EFFECT)
    return _PHASES.get(state.phase, _next_phase)(state)


def _before(state: State) -> Options:
    if state.moment.name == "day_start":
        return up(START_PHASE)
    if state.day == 0 and state.first is None and state.seats:
        return up(DRAW_FIRST)
    return up(START_DAY)


def _next_phase(state: State) -> Options:
    return up(START_PHASE)


# Daily effects


def _pass_token(state: State) -> Options:
    return up(PASS_TOKEN if state.pending else END_EFFECT)


def _prepare(state: State) -> Options:
    return up(READY if state.pending else END_EFFECT)


def _draw(state: State) -> Options:
    return up(DRAW if state.pending else END_EFFECT)


def _mana(state: State) -> Options:
    if not state.pending:
        return up(END_EFFECT)
    return up(PLACE_MANA, DECLINE_MANA if state.day_told else SAY_NO_MANA)


def _progress(state: State) -> Options:
    if state.reached:
        return up(REVEAL)
    if state.flipped:
        return up(RESOLVE)
    if state.kind == "tiebreak":
        return up(ARENA if state.pending else END_EFFECT)
    return up(ADVANCE if are_there_movers(state) else END_EFFECT)


def _rest(state: State) -> Options:
    return up(REST if state.pending else END_EFFECT)


def _cleanup(state: State) -> Options:
    if state.pending:
        return up(CHOOSE)
    return up(DISCARD if not state.discarded and surplus_of(state) else END_EFFECT)


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
        return up(LEAVE) if leavers(state) else up(START_DAY, MAYBE_PHASE)
    if yet_to_meet(state):
        return up(MEET)
    if state.kind == "normal" and not state.met:
        return up(START_PHASE)
    found = outcome(state)
    if found is None:
        return up()
    return up(DECLARE, NO_TIE) if found.winner is not None else up(CALL, NO_WINNER)


def _night(state: State) -> Options:
    return up(START_DAY)


_PHASES: dict[str, Callable[[State], Options]] = {"dusk": _victory, "night": _night}

CANDIDATES: dict[type[Event], Option[State]] = {
    option.event: option
    for option in (
        *ECHOES, START_DAY, START_PHASE, START_EFFECT, END_TOO_SOON, PASS_TOKEN, READY, DRAW, PLACE_MANA, DECLINE_MANA,
        *TURN, REACT, ADVANCE, REVEAL, RESOLVE, ARENA, REST, CHOOSE, DISCARD, MEET, DECLARE, CALL, LEAVE,
    )
}  # fmt: skip
"""Each event says of itself what it would need, even where it is not up for choice: the option of its type."""
