"""What led to an event: what set it off, what is under way or waits, the moment, the phase."""

from __future__ import annotations

from audit.core.model import Event
from audit.games.altered.events import ReactionActivated, ReactionPlayed
from audit.games.altered.places import waiting_emblem
from audit.games.altered.state import State


def causes(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that led to it, nearest first; those of a reaction begin with what set that very reaction off.

    What happened before the log, with a number below 1, is left out.
    """
    moment, phase = state.moment, state.progress.seq
    seq, played = moment.seq, moment.resolving
    is_of_reaction = type(event) is ReactionActivated or type(event) is ReactionPlayed
    first = _set_off(state, event) if is_of_reaction else 0
    waits = first or (state.limbo[0].trigger_seq if state.limbo else 0)
    is_plain = seq > 0 and phase > 0 and not state.open_effects and (played is None or played.seq == seq)
    if is_plain and waits != phase:
        own = (seq, phase) if seq != phase else (seq,)
        return own if waits <= 0 or waits == seq else (waits, *own)
    effects = [effect.seq for effect in reversed(state.open_effects)]
    found: list[int] = []
    for one in (first, *effects, waits, played.seq if played else 0, seq, phase):
        if one > 0 and one not in found:
            found.append(one)
    return tuple(found)


def _set_off(state: State, event: Event) -> int:
    """The seq that set off the reaction an event is of; 0 where the log names none before it."""
    if isinstance(event, ReactionActivated):
        found = event.trigger_seq
    else:
        assert isinstance(event, ReactionPlayed)
        emblem = waiting_emblem(state, event.emblem, event.player)
        found = emblem.trigger_seq if emblem else 0
    return found if not event.seq or found < event.seq else 0
