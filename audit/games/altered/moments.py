"""Moments at which reactions are checked, and the reactions that an event sets off."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Literal

from msgspec.structs import astuple, replace

from audit.core.model import Event
from audit.games.altered.game_data import Listener
from audit.games.altered.places import in_reserves, on_the_field
from audit.games.altered.state import MAX_USES_A_DAY, Moment, Resolving, State, Triggered
from audit.games.altered.triggers import meets
from audit.games.altered.vocabulary import CheckReason

NO_ARRIVALS: Mapping[str, int] = {}


def begun(
    state: State,
    event: Event,
    reason: CheckReason | Literal["day_start"] | None,
    resolving: Resolving | None = None,
    reaction_of: str | None = None,
    arrivals: Mapping[str, int] = NO_ARRIVALS,
) -> Moment:
    """The new moment that the event begins: only what happens from now on can trigger at it."""
    earlier = _over_night(state.moment.earlier) if reason == "day_start" else not_all_told(state.moment)
    return Moment(reason, event.seq, event.seq or state.last_seq + 1, resolving, earlier, reaction_of, arrivals)


def not_all_told(moment: Moment) -> tuple[Resolving, ...]:
    """What was played up to now of which the log has not told all: the next moment comes, and it may still be told."""
    played = moment.resolving
    return (*moment.earlier, played) if played and played.deeds != () else moment.earlier


def _over_night(earlier: tuple[Resolving, ...]) -> tuple[Resolving, ...]:
    """What of it still counts the next day: cards that may have come to a hand."""
    drawn = [replace(one, deeds=tuple([deed for deed in one.deeds or () if deed.kind in TO_HAND])) for one in earlier]
    return tuple([one for one in drawn if one.deeds])


TO_HAND = ("draw", "hand")


def with_arrival(state: State, event: Event, card: str) -> Moment:
    """The present moment, in which a card has become visible."""
    return replace(state.moment, arrivals={**state.moment.arrivals, card: event.seq})


def set_off(listeners: tuple[Listener, ...], before: State, state: State, event: Event) -> tuple[Triggered, ...]:
    """The reactions without an emblem yet, with those of the listeners that the event sets off now."""
    values = astuple(event)[_OWN_FIELDS]
    hearing = [one for one in listeners if (not one.value or one.value in values) and one.trigger.is_read]
    if not hearing:
        return state.triggered
    field = on_the_field(before.sides)
    there = field if state.sides is before.sides else on_the_field(state.sides)
    found = [one for one in hearing if _is_set_off(one, field, there, before, state, event) and _can_react(state, one)]
    return (*state.triggered, *[Triggered(one.reaction, event.seq) for one in found]) if found else state.triggered


_OWN_FIELDS = slice(-len(Event.ENVELOPE))
"""The fields of an event's own type: those that all events share come last."""


def _is_set_off(one: Listener, field: Set[str], there: Set[str], before: State, state: State, event: Event) -> bool:
    """Whether the reaction worked where its source was before the event, and its text asks for this event.

    `field` and `there` are what is on the field before and after the event. A reaction that is said to be about its
    own source's arrival, or of which nothing is said, did not work before.
    """
    source, trigger = one.source, one.trigger
    if source is not None and source not in (in_reserves(before.sides) if one.in_reserve else field):
        now = in_reserves(state.sides) if one.in_reserve else there
        if trigger.who in ("you", "opponent") or source not in now:
            return False
    return meets(trigger, state.game, one.controller, source or one.reaction.partition(":")[0], event)


def _can_react(state: State, one: Listener) -> bool:
    """Whether its player is still there, and the reaction may be activated once more today."""
    waiting = sum([other.reaction == one.reaction for other in state.triggered]) if state.triggered else 0
    return one.controller in state.still_in and state.activations.get(one.reaction, 0) + waiting < MAX_USES_A_DAY
