"""The position after a fact. Every event is taken at its word, whether it was allowed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from audit.lotr_reveal.events import (
    CardCancelled,
    CardDefeated,
    CardExplored,
    CardMoved,
    EnterPlayEffect,
    ForcedResolved,
    KeywordResolved,
    OutcomeEffectResolved,
    PassiveApplied,
    PlacementStarted,
    ResponsePlayed,
    RevealEnded,
    RevealStarted,
    StepEntered,
    SurgeArmed,
    ThreatChanged,
    WhenRevealedResolved,
    WindowPassed,
)  # fmt: skip
from audit.lotr_reveal.evolve.effects import (
    card_moved,
    enter_play_effect,
    forced_resolved,
    keyword_resolved,
    step_entered,
    surge_armed,
    threat_changed,
    when_revealed_resolved,
    window_passed,
)
from audit.lotr_reveal.evolve.frames import placement_started, reveal_ended, reveal_started, unannounced
from audit.lotr_reveal.evolve.passives import card_defeated, card_explored, outcome_effect_resolved, passive_applied
from audit.lotr_reveal.evolve.responses import card_cancelled, response_played
from audit.lotr_reveal.evolve.tasks import arrived, shifted_threat
from audit.lotr_reveal.state import State, closed_frame, frame_of
from audit.lotr_reveal.steps import INDEX
from audit.lotr_reveal.zones import put, take
from audit.model import Event

DEEPEST = 40
"""So many cards may be under way at once before one that nobody announced is no longer believed."""


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    happens = _WITHIN.get(type(event))
    if happens is None:
        return _OPENS[type(event)](state, event)
    id, at = event.frame, INDEX[event.step]  # type: ignore[attr-defined]
    frames = state.frames
    frame = frames[-1] if frames and frames[-1].id == id else frame_of(state, id)
    if frame is None:
        return _outside(state, event)
    return happens(state, arrived(frame, at) if frame.at < at else frame, event)


def ahead_of_its_turn(state: State, event: Event) -> Iterator[State]:
    """The position if the event came too early and what was due before it is still to come."""
    frame = frame_of(state, getattr(event, "frame", None))
    if frame is None or type(event) in _OPENS or isinstance(event, RevealEnded) or not frame.tasks:
        return
    if frame.tasks[0].step < INDEX[getattr(event, "step", "1")]:
        yield _WITHIN[type(event)](state, frame, event)


def _outside(state: State, event: Event) -> State:
    """Of a card that is through only what everybody can see counts; of one nobody announced, that it is under way."""
    if closed_frame(state, event.frame) is None and len(state.frames) < DEEPEST:  # type: ignore[attr-defined]
        return evolve(unannounced(state, event), event)
    if isinstance(event, ThreatChanged):
        return shifted_threat(state, event.player, event.delta)
    if isinstance(event, CardMoved):
        return put(take(state, event.card), event.card, event.to, state.table.first)
    return state


_OPENS: dict[type[Event], Callable[..., State]] = {
    RevealStarted: reveal_started,
    PlacementStarted: placement_started,
}

_WITHIN: dict[type[Event], Callable[..., State]] = {
    StepEntered: step_entered,
    WindowPassed: window_passed,
    ResponsePlayed: response_played,
    CardCancelled: card_cancelled,
    PassiveApplied: passive_applied,
    CardDefeated: card_defeated,
    CardExplored: card_explored,
    OutcomeEffectResolved: outcome_effect_resolved,
    KeywordResolved: keyword_resolved,
    SurgeArmed: surge_armed,
    WhenRevealedResolved: when_revealed_resolved,
    CardMoved: card_moved,
    EnterPlayEffect: enter_play_effect,
    ForcedResolved: forced_resolved,
    ThreatChanged: threat_changed,
    RevealEnded: reveal_ended,
}
