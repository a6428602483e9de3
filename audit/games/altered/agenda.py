"""Which events are due at each moment, and what led to an event."""

from __future__ import annotations

from audit.core.model import Event
from audit.games.altered.daily_effects import PARTS, next_part
from audit.games.altered.events import (
    CardPlayed,
    CleanupDiscarded,
    DailyEffectEnded,
    DailyEffectStarted,
    DayStarted,
    EffectEnded,
    MeetingDetected,
    ObjectLeft,
    PhaseStarted,
    PlayerLeft,
    PlayerPassed,
    QuickActionPlayed,
    ReactionActivated,
    ReactionPlayed,
    TiebreakStarted,
    WinnerDeclared,
)
from audit.games.altered.places import waiting_emblem
from audit.games.altered.setup_events import FirstPlayerDrawn
from audit.games.altered.state import State
from audit.games.altered.victory import is_beyond_the_rules, leavers, outcome, with_all_met, yet_to_meet
from audit.games.altered.zones import spells_done


def causes(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that led to it, nearest first; those of a reaction begin with what set that very reaction off.

    What happened before the log, with a number below 1, is left out.
    """
    moment, limbo, effects = state.moment, state.limbo, state.open_effects
    seq, phase, played, kind = moment.seq, state.progress.seq, moment.resolving, type(event)
    first = _set_off(state, event) if kind is ReactionActivated or kind is ReactionPlayed else 0
    waits = first or (limbo[0].trigger_seq if limbo else 0)
    if waits != phase and seq > 0 and phase > 0 and (played is None or played.seq == seq):
        own: tuple[int, ...] = (seq, phase) if seq != phase else (seq,)
        own = own if waits <= 0 or waits == seq else (waits, *own)
        if not effects:
            return own
        if len(effects) == 1 and not first and effects[0].seq > 0 and effects[0].seq not in own:
            return (effects[0].seq, *own)
    found: list[int] = []
    for one in (first, *[effect.seq for effect in reversed(effects)], waits, played.seq if played else 0, seq, phase):
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


Agenda = tuple[type[Event], ...]

NOTHING: Agenda = ()
ACTIVATE: Agenda = (ReactionActivated,)
END_OPEN_EFFECT: Agenda = (EffectEnded,)
LEAVE_LIMBO: Agenda = (ObjectLeft,)
END_DAILY_EFFECT: Agenda = (DailyEffectEnded,)
REACT: Agenda = (ReactionPlayed,)
TURN: Agenda = (CardPlayed, PlayerPassed, QuickActionPlayed)
START_DAILY_EFFECT: Agenda = (DailyEffectStarted,)
START_PHASE: Agenda = (PhaseStarted,)
START_DAY: Agenda = (DayStarted,)
DRAW_FIRST_PLAYER: Agenda = (FirstPlayerDrawn,)
MEET: Agenda = (MeetingDetected,)
LEAVE: Agenda = (PlayerLeft,)
DECIDE: Agenda = (WinnerDeclared, TiebreakStarted)

_PARTS = [event for effect, events in PARTS.items() if effect != "progress" for event in events]
PLAYED_ON = frozenset((DayStarted, PhaseStarted, DailyEffectStarted, CleanupDiscarded, *TURN, *_PARTS))
"""The events of a game that goes on after a dusk."""


def agenda(state: State) -> Agenda:
    """The types of events that may or must come now, besides those that may come at any time."""
    if state.winner is not None:
        return NOTHING
    if state.triggered:
        return ACTIVATE
    if state.open_effects:
        return END_OPEN_EFFECT
    if spells_done(state):
        return LEAVE_LIMBO
    if state.daily_effect:
        return next_part(state) or END_DAILY_EFFECT
    if state.limbo:
        return REACT
    if state.phase is None:
        return _before_the_morning(state)
    if state.phase == "afternoon" and len(state.passed) < len(state.still_in):
        return TURN
    if state.effects_left:
        return START_DAILY_EFFECT
    if state.phase == "dusk":
        return _after_dusk(state)
    return START_DAY if state.phase == "night" else START_PHASE


def is_decided(state: State) -> bool:
    """Whether somebody has won by what the dusk has come to, said or not, or has been said to have won."""
    if state.winner is not None:
        return True
    if state.phase != "dusk" or state.tiebreak_players is not None or is_beyond_the_rules(state):
        return False
    if agenda(state) not in (MEET, DECIDE, END_DAILY_EFFECT):
        return False
    found = outcome(with_all_met(state))
    return found is not None and found.winner is not None


def _before_the_morning(state: State) -> Agenda:
    if state.moment.reason == "day_start":
        return START_PHASE
    return DRAW_FIRST_PLAYER if state.day == 0 and state.first_player is None and state.seats else START_DAY


def _after_dusk(state: State) -> Agenda:
    if state.tiebreak_players is not None:
        return LEAVE if leavers(state) else START_DAY
    if yet_to_meet(state):
        return MEET
    if state.day_kind == "normal" and not state.meetings:
        return START_PHASE
    return DECIDE if outcome(state) else NOTHING
