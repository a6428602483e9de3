"""Effects that open and close, emblems that come into Limbo and leave it, objects that move."""

from __future__ import annotations

from msgspec.structs import replace

from audit.altered.events import (
    EVENTS,
    EffectEnded,
    EffectStarted,
    InternalActionPlayed,
    ObjectLeft,
    ReactionActivated,
    ReactionCheck,
    ReactionPlayed,
)
from audit.altered.evolve.common import VISIBLE, Moves, come, moment, put, sides_with, step, taken_from
from audit.altered.state import (
    MOST_A_DAY,
    Answer,
    Effect,
    Emblem,
    Resolving,
    State,
    Triggered,
    character,
    in_expeditions,
    zone_of,
)
from audit.model import Event, type_name
from audit.ruleset import own_fields

_NAMES = {event: type_name(event) for event in EVENTS}


def effect_opened(state: State, event: EffectStarted) -> State:
    """One more effect is being resolved."""
    return step(state, event, effects=(*state.effects, Effect(event.player, event.source, seq=event.seq)))


def internal_action(state: State, event: InternalActionPlayed) -> State:
    """The effect around it holds back the reactions from now on."""
    effects = state.effects or (Effect(event.player, event.within, seq=event.seq),)
    return step(state, event, effects=(*effects[:-1], replace(effects[-1], internal=True)))


def effect_closed(state: State, event: EffectEnded) -> State:
    """The effect is complete."""
    return step(state, event, effects=state.effects[:-1])


def checked(state: State, event: ReactionCheck) -> State:
    """A marker changes nothing."""
    return step(state, event)


def activated(state: State, event: ReactionActivated) -> State:
    """An emblem waits in Limbo."""
    key = activation_of(event)
    created_by_reaction = state.moment.name == "after_reaction"
    emblem = Emblem(
        event.emblem, event.controller, event.source, event.trigger_seq, event.seq, created_by_reaction
    )  # fmt: skip
    count = state.activations.get(key, 0) + 1
    waiting = [one for one in state.triggered if one.key == key]
    done = next((one for one in waiting if one.seq == event.trigger_seq), waiting[0] if waiting else None)
    left = tuple(one for one in state.triggered if one is not done)
    return step(
        state, event, triggered=left, limbo=(*state.limbo, emblem), activations={**state.activations, key: count}
    )


def set_off(state: State, before: State, event: Event) -> State:
    """The same position, with the reactions told of that the event has set off."""
    answers = state.box.answers.get(_NAMES[type(event)])
    if answers is None:
        return state
    told = _told(event)
    heard = [one for one in answers if not one.hears or one.hears in told]
    if not heard:
        return state
    there = in_expeditions(state.sides if state.sides is before.sides else before.sides + state.sides)
    found = [
        Triggered(one.key, event.seq)
        for one in heard
        if (one.source is None or one.source in there) and _can_answer(state, one)
    ]
    return replace(state, triggered=(*state.triggered, *found)) if found else state


def _told(event: Event) -> list[object]:
    return [getattr(event, name) for name in own_fields(type(event))]


def _can_answer(state: State, one: Answer) -> bool:
    return one.controller in state.still_in and state.activations.get(one.key, 0) < MOST_A_DAY


def activation_of(event: ReactionActivated) -> str:
    """One and the same reaction: of which object, which one."""
    return f"{event.source}:{event.reaction}"


def reaction_played(state: State, event: ReactionPlayed) -> State:
    """An emblem leaves Limbo; its effect resolves."""
    emblem = next((waiting for waiting in state.limbo if waiting.id == event.emblem), None)
    names = (event.emblem, emblem.source) if emblem and emblem.source else (event.emblem,)
    return moment(
        state, event, "after_reaction", limbo=tuple(waiting for waiting in state.limbo if waiting is not emblem),
        resolving=Resolving(event.player, names, event.seq), later=event.player, effects=(),
    )  # fmt: skip


def object_left(state: State, event: ObjectLeft) -> State:
    """An object is in another zone; its statuses are those it comes with."""
    card = event.object
    found = zone_of(state, card)
    sides = state.sides
    if found:
        state = replace(state, sides=sides_with(state, found[0], lambda side: taken_from(side, card)))
        sides = sides_with(state, found[0], lambda side: put(side, event.to, character(state.box, card)))
    moment = come(state, event, card) if event.to in VISIBLE else state.moment
    return step(state, event, sides=sides, moment=moment, gone={**state.gone, card: event.seq})


MOVES: Moves = {
    EffectStarted: effect_opened,
    InternalActionPlayed: internal_action,
    EffectEnded: effect_closed,
    ReactionCheck: checked,
    ReactionActivated: activated,
    ReactionPlayed: reaction_played,
    ObjectLeft: object_left,
}
