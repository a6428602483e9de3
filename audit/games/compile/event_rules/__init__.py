"""The rules of each event type of Compile, one object each: when it may come, what is wrong with it, what it changes.

There is one module for each kind of thing that happens, with the `RULES` of its event types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from audit.core.event_rules import Obligation, by_event
from audit.core.model import Event
from audit.games.compile import events as e
from audit.games.compile.event_rules import (  # fmt: skip
    choosing,
    compiling,
    deleting,
    discarding,
    drawing,
    flipping,
    moving,
    owning,
    playing,
    rearranging,
    refreshing,
    resolving,
    returning,
    revealing,
    shifting,
    shuffling,
    triggering,
    turns,
)
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.occasions import Occasion, instructions, prepare
from audit.games.compile.parts import newest, winner
from audit.games.compile.state import CardMovement, CardsLeaving, Clearing, Compiling, DueTexts, Refreshing, State, Text

prepare()

_MODULES = (
    choosing, compiling, deleting, discarding, drawing, flipping, moving, owning, playing,
    rearranging, refreshing, resolving, returning, revealing, shifting, shuffling, triggering, turns,
)  # fmt: skip
EVENT_RULES: Final[Mapping[type[Event], CompileEventRules[Any]]] = by_event(
    e.EVENTS, [rules for module in _MODULES for rules in module.RULES]
)
"""The rules by event type, in the order of the documentation."""

_BY_FRAME: Final[dict[type[object], tuple[type[Event], ...]]] = {
    CardsLeaving: (e.Uncovered,),
    DueTexts: (e.Triggered,),
    Refreshing: (e.ControlReset, e.Rearranged, e.Chose, e.Reshuffled, e.Drew),
    Compiling: (e.ControlReset, e.Rearranged, e.Chose, e.Deleted, e.Reshuffled, e.Drew),
    Clearing: (e.Discarded,),
}
"""The event types that may come by what is under way; texts and moving cards are handled in `upcoming`."""

_IN_PHASE: Final[dict[str, tuple[type[Event], ...]]] = {
    "setup": (e.Drew,),
    "start": (e.Triggered,),
    "control": (e.ControlTaken,),
    "compile": (e.Compiled, e.Recompiled),
    "action": (e.Played, e.Refreshed, e.Passed),
    "cache": (e.CacheCleared,),
    "end": (e.Triggered,),
}
"""The event types that may come by phase, while nothing is under way and the phase is not over."""


def upcoming(state: State) -> list[CompileEventRules[Any]]:
    """The event types of which something may be expected now."""
    return [EVENT_RULES[event] for event in _upcoming(state)]


def _upcoming(state: State) -> tuple[type[Event], ...]:
    frame = newest(state)
    if frame is None:
        if winner(state) is not None:
            return (e.GameWon,)
        marker = turns.next_marker(state)
        return (marker.event,) if marker else _IN_PHASE.get(state.phase, ())
    if type(frame) is CardMovement:
        return tuple(declared.event for declared in moving.movement_steps(state, frame))
    if type(frame) is Text:
        called_for = [instruction.event for instruction in instructions(frame)]
        first = (e.Reshuffled,) if e.Drew in called_for else ()  # a new deck, if one has to be made for the draw
        return tuple(dict.fromkeys((*first, *called_for, e.Chose, e.Resolved)))
    return _BY_FRAME[type(frame)]


_WITHOUT_CHOICE: Final = frozenset((CardsLeaving, DueTexts, Refreshing, Compiling, "start", "control", "cache", "end"))
"""What is under way, and the phases while nothing is, in which one thing may be due that leaves no choice."""


_NEVER_REPEATED: Final = frozenset(event for event, rules in EVENT_RULES.items() if rules.is_never_repeated)


def comes_only_where_due(event: Event) -> bool:
    """Whether such an event is legal only on the occasions that call for it."""
    return type(event) in _NEVER_REPEATED


def only_due(state: State) -> Occasion[Any] | None:
    """The one thing that can come now, as in most positions that a log leaves out; else None."""
    if state.over:
        return None
    frame = state.stack[-1] if state.stack else None
    if type(frame) is CardMovement:
        steps = moving.movement_steps(state, frame)
        return steps[0] if len(steps) == 1 else None
    if frame is not None:
        return _one_of(state, _BY_FRAME[type(frame)]) if type(frame) in _WITHOUT_CHOICE else None
    marker = turns.next_marker(state)
    return marker or (_one_of(state, _IN_PHASE[state.phase]) if state.phase in _WITHOUT_CHOICE else None)


def _one_of(state: State, events: tuple[type[Event], ...]) -> Occasion[Any] | None:
    """The one occasion that calls for such events and has to be met."""
    found = None
    for event in events:
        for occasion in EVENT_RULES[event].occasions(state):
            if found is not None or occasion.obligation is not Obligation.REQUIRED:
                return None
            found = occasion
    return found


def causes(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that led to an event: those of what is under way."""
    return state.stack[-1].why if state.stack else ()
