"""Set-up and the parts of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from audit.compile.echoes import is_open
from audit.compile.events import (
    CacheCleared,
    Chose,
    Compiled,
    ControlReset,
    ControlTaken,
    Drafted,
    GameEnded,
    GameWon,
    Passed,
    PhaseBegan,
    Rearranged,
    Recompiled,
    Refreshed,
    TurnBegan,
)
from audit.compile.evolve.waiting import Happens, carried_forward, led_to, waiting_text
from audit.compile.progress import not_carried_out
from audit.compile.state import Clearing, Compiling, Refreshing, State, Text, pushed, swapped, with_side
from audit.compile.texts import waiting
from audit.compile.verbs.whole_lines import empty_lines


def _drafted(state: State, event: Drafted) -> State:
    state = replace(state, draft=(*(state.draft or ()), event.protocol))
    side = state.side(event.player)
    if event.protocol in side.protocols:
        return state
    return with_side(state, event.player, replace(side, protocols=(*side.protocols, event.protocol)))


def _turn_began(state: State, event: TurnBegan) -> State:
    due = waiting(state, event.player, "start")
    return replace(
        state, turn=event.turn, player=event.player, phase="start", due=due, acted="", stack=(), skipped=()
    )  # fmt: skip


def _phase_began(state: State, event: PhaseBegan) -> State:
    """A part of the turn begins; Start and End texts are fixed now (start-end.no-latecomers)."""
    phase = event.phase
    if phase == state.phase:
        return state
    due = waiting(state, state.player, phase) if phase in ("start", "end") else ()
    acted = state.acted if phase == "action" and state.acted == "compiled" else ""
    return replace(state, phase=phase, due=due, acted=acted, stack=())


def _control_taken(state: State, event: ControlTaken) -> State:
    return replace(state, control=event.player)


def _control_reset(state: State, event: ControlReset) -> State:
    state = replace(state, control=None)
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Refreshing or type(frame) is Compiling:
        return swapped(state, replace(frame, control=False, choice=True))
    return state


def _rearranged(state: State, event: Rearranged) -> State:
    side = state.side(event.side)
    return _choice_made(
        carried_forward(
            with_side(state, event.side, replace(side, protocols=event.protocols)),
            "swap" if waiting_text(state, "swap") else "rearrange",
            None,
        )
    )


def _choice_made(state: State) -> State:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Refreshing or type(frame) is Compiling:
        return swapped(state, replace(frame, choice=False))
    return state


def _chose(state: State, event: Chose) -> State:
    if event.what == "rearrange" and event.accept is False:
        return _choice_made(state)
    frame = state.stack[-1] if state.stack else None
    if event.what in ("card", "option"):
        return swapped(state, _bound(frame, event)) if type(frame) is Text and is_open(state, event) else state
    text = waiting_text(state, "delete", "return")
    if text is not None and event.what == "line" and event.line in empty_lines(state, text):
        return swapped(state, not_carried_out(text))
    return state


def _bound(text: Text, event: Chose) -> Text:
    """The text with what has been chosen for it."""
    if event.what == "option":
        return replace(text, option=event.option - 1) if event.option else text
    return replace(text, chosen=(*text.chosen, event.card)) if event.card else text


def _refreshed(state: State, event: Refreshed) -> State:
    why = led_to(state, event)
    frame = Refreshing(event.player, state.control == event.player, why=why)
    if waiting_text(state, "refresh"):
        return pushed(carried_forward(state, "refresh", None), frame)
    return pushed(replace(state, acted="refreshed"), frame)


def _compiled(state: State, event: Compiled | Recompiled) -> State:
    side, again = state.side(event.player), isinstance(event, Recompiled)
    other = (side.protocols[event.line - 1] in side.compiled) != again
    frame = Compiling(
        event.player,
        event.line,
        state.control == event.player,
        again=again if other else None,
        why=led_to(state, event),
    )
    return pushed(replace(state, acted="compiled", phase="compile"), frame)


def _cache_cleared(state: State, event: CacheCleared) -> State:
    return pushed(replace(state, acted="cleared"), Clearing(event.player, led_to(state, event)))


def _passed(state: State, event: Passed) -> State:
    return replace(state, acted="passed")


def _game_won(state: State, event: GameWon) -> State:
    return replace(state, over=event.player, stack=())


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, over=event.reason, stack=())


HAPPENS: Happens = {
    Drafted: _drafted,
    TurnBegan: _turn_began,
    PhaseBegan: _phase_began,
    Chose: _chose,
    Rearranged: _rearranged,
    Refreshed: _refreshed,
    CacheCleared: _cache_cleared,
    ControlTaken: _control_taken,
    ControlReset: _control_reset,
    Compiled: _compiled,
    Recompiled: _compiled,
    Passed: _passed,
    GameWon: _game_won,
    GameEnded: _game_ended,
}
