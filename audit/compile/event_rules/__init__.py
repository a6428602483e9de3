"""The rules of each event type of Compile, one object each: when it may come, what is wrong with it, what it changes.

One module for each kind of thing that happens; `EVENT_RULES` lists them in the order of the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.compile.event_rules.base import CompileEventRules
from audit.compile.event_rules.choosing import ChoseRules
from audit.compile.event_rules.compiling import CompiledRules, RecompiledRules
from audit.compile.event_rules.control import ControlResetRules, ControlTakenRules
from audit.compile.event_rules.deleting import DeletedRules
from audit.compile.event_rules.discarding import CacheClearedRules, DiscardedRules
from audit.compile.event_rules.drawing import DrewRules, ReshuffledRules
from audit.compile.event_rules.flipping import FlippedRules
from audit.compile.event_rules.moving import CommittedRules, CoveredRules, LandedRules, UncoveredRules, movement_step
from audit.compile.event_rules.owning import OwnerChangedRules
from audit.compile.event_rules.playing import PlayedRules
from audit.compile.event_rules.rearranging import RearrangedRules
from audit.compile.event_rules.refreshing import RefreshedRules
from audit.compile.event_rules.resolving import ResolvedRules
from audit.compile.event_rules.returning import ReturnedRules
from audit.compile.event_rules.revealing import IdentifiedRules, LookedRules, RevealedRules
from audit.compile.event_rules.shifting import ShiftedRules
from audit.compile.event_rules.triggering import TriggeredRules
from audit.compile.event_rules.turns import (
    DraftedRules,
    GameEndedRules,
    GameWonRules,
    PassedRules,
    PhaseBeganRules,
    TurnBeganRules,
)
from audit.compile.occasions import instructions, prepare
from audit.compile.state import (
    CardMovement,
    CardsLeaving,
    Clearing,
    Compiling,
    DueTexts,
    Refreshing,
    State,
    Text,
)
from audit.model import Event

prepare()

DRAFTED, TURN_BEGAN, PHASE_BEGAN = DraftedRules(), TurnBeganRules(), PhaseBeganRules()
PLAYED, COMMITTED, COVERED, UNCOVERED, LANDED = (
    PlayedRules(), CommittedRules(), CoveredRules(), UncoveredRules(), LandedRules(),
)  # fmt: skip
TRIGGERED, RESOLVED, CHOSE = TriggeredRules(), ResolvedRules(), ChoseRules()
DREW, DISCARDED, RESHUFFLED = DrewRules(), DiscardedRules(), ReshuffledRules()
FLIPPED, SHIFTED, DELETED, RETURNED = FlippedRules(), ShiftedRules(), DeletedRules(), ReturnedRules()
REVEALED, LOOKED, IDENTIFIED = RevealedRules(), LookedRules(), IdentifiedRules()
OWNER_CHANGED, REARRANGED, REFRESHED = OwnerChangedRules(), RearrangedRules(), RefreshedRules()
CACHE_CLEARED, CONTROL_TAKEN, CONTROL_RESET = CacheClearedRules(), ControlTakenRules(), ControlResetRules()
COMPILED, RECOMPILED = CompiledRules(), RecompiledRules()
PASSED, GAME_WON, GAME_ENDED = PassedRules(), GameWonRules(), GameEndedRules()

AnyRules = CompileEventRules[Any]

EVENT_RULES: Mapping[type[Event], AnyRules] = {
    rules.event: rules
    for rules in (
        DRAFTED, TURN_BEGAN, PHASE_BEGAN, PLAYED, COMMITTED, COVERED, UNCOVERED, LANDED, TRIGGERED, RESOLVED, CHOSE,
        DREW, DISCARDED, FLIPPED, SHIFTED, DELETED, RETURNED, REVEALED, LOOKED, IDENTIFIED, OWNER_CHANGED, REARRANGED,
        REFRESHED, RESHUFFLED, CACHE_CLEARED, CONTROL_TAKEN, CONTROL_RESET, COMPILED, RECOMPILED, PASSED, GAME_WON,
        GAME_ENDED,
    )
}  # fmt: skip

_BY_FRAME: dict[type[object], tuple[AnyRules, ...]] = {
    CardsLeaving: (UNCOVERED,),
    DueTexts: (TRIGGERED,),
    Refreshing: (CONTROL_RESET, REARRANGED, CHOSE, RESHUFFLED, DREW),
    Compiling: (CONTROL_RESET, REARRANGED, CHOSE, DELETED, RESHUFFLED, DREW),
    Clearing: (DISCARDED,),
}  # fmt: skip
"""The event types that may come by what is under way; texts and moving cards are handled in `upcoming`."""

_BY_PHASE: dict[str, tuple[AnyRules, ...]] = {
    "setup": (DREW, TURN_BEGAN),
    "start": (TRIGGERED, PHASE_BEGAN),
    "control": (CONTROL_TAKEN, PHASE_BEGAN),
    "compile": (COMPILED, RECOMPILED, PHASE_BEGAN),
    "action": (PLAYED, REFRESHED, PASSED, PHASE_BEGAN),
    "cache": (CACHE_CLEARED, PHASE_BEGAN),
    "end": (TRIGGERED, TURN_BEGAN),
}
"""The event types that may come by phase, while nothing is under way."""


def upcoming(state: State) -> tuple[AnyRules, ...]:
    """The event types of which something may be expected now."""
    if not state.stack:
        return _BY_PHASE.get(state.phase, ()) if state.winner is None else (GAME_WON,)
    frame = state.stack[-1]
    if type(frame) is Text:
        return _of_text(frame)
    if type(frame) is CardMovement:
        return (EVENT_RULES[movement_step(state, frame).event],)
    return _BY_FRAME[type(frame)]


def _of_text(text: Text) -> tuple[AnyRules, ...]:
    called_for = [EVENT_RULES[instruction.event] for instruction in instructions(text)]
    return tuple(dict.fromkeys((RESHUFFLED, *called_for, CHOSE, RESOLVED)))
