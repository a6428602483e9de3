"""What led to an event: what set it off, what is under way or waits, the moment, the phase."""

from __future__ import annotations

from collections.abc import Collection

from audit.altered.events import ReactionActivated, ReactionPlayed
from audit.altered.state import State, waiting_emblem
from audit.model import Event


def causes(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that led to it, nearest first; those of a reaction begin with what set that very reaction off.

    What happened before the log, with a number below 1, is left out.
    """
    return tuple([seq for seq in _causes(state, event) if seq > 0])


def _causes(state: State, event: Event) -> Collection[int]:
    moment, first = state.moment, 0
    if type(event) in _OF_REACTIONS:
        first = _set_off(state, event)
    waits = first or (state.limbo[0].trigger_seq if state.limbo else 0)
    seq, phase, played = moment.seq, state.progress.seq, moment.resolving
    if seq and phase and waits != phase and not state.open_effects and (played is None or played.seq == seq):
        own = (seq, phase) if seq != phase else (seq,)
        return own if not waits or waits == seq else (waits, *own)
    effects = [effect.seq for effect in reversed(state.open_effects)]
    return dict.fromkeys((first, *effects, waits, played.seq if played else 0, seq, phase))


_OF_REACTIONS = frozenset({ReactionActivated, ReactionPlayed})


def _set_off(state: State, event: Event) -> int:
    """The seq that set off the reaction an event is of; 0 where the log names none before it."""
    if isinstance(event, ReactionActivated):
        found = event.trigger_seq
    else:
        assert isinstance(event, ReactionPlayed)
        emblem = waiting_emblem(state, event.emblem, event.player)
        found = emblem.trigger_seq if emblem else 0
    return found if not event.seq or found < event.seq else 0
