"""Effects that open and close, emblems that come into Limbo and leave it, objects that move."""

from __future__ import annotations

from msgspec.structs import astuple, replace

from audit.altered.events import (
    CardSacrificed,
    CharacterRested,
    CleanupDiscarded,
    EffectEnded,
    EffectStarted,
    InternalActionPlayed,
    ObjectLeft,
    ReactionActivated,
    ReactionCheck,
    ReactionPlayed,
)
from audit.altered.evolve.common import VISIBLE, Moves, begun, come, put, sides_with, taken_from
from audit.altered.places import character, in_expeditions, zone_of
from audit.altered.state import MOST_A_DAY, Answer, Effect, Emblem, Resolving, State, Triggered, waiting
from audit.model import Event


def effect_opened(state: State, event: EffectStarted) -> State:
    """One more effect is being resolved."""
    return replace(state, effects=(*state.effects, Effect(event.player, event.source, seq=event.seq)))


def internal_action(state: State, event: InternalActionPlayed) -> State:
    """The effect around it holds back the reactions from now on."""
    effects = state.effects or (Effect(event.player, event.within, seq=event.seq),)
    return replace(state, effects=(*effects[:-1], replace(effects[-1], internal=True)))


def effect_closed(state: State, event: EffectEnded) -> State:
    """The effect is complete."""
    return replace(state, effects=state.effects[:-1])


def checked(state: State, event: ReactionCheck) -> State:
    """A marker changes nothing."""
    return state


def activated(state: State, event: ReactionActivated) -> State:
    """An emblem waits in Limbo."""
    key = activation_of(event)
    created_by_reaction = state.moment.name == "after_reaction"
    emblem = Emblem(
        event.emblem, event.controller, event.source, event.trigger_seq, event.seq, created_by_reaction,
        named=event.seq > 0,
    )  # fmt: skip
    count = state.activations.get(key, 0) + 1
    set_off = [one for one in state.triggered if one.key == key]
    exactly = [one for one in set_off if one.seq == event.trigger_seq]
    done = next(iter(exactly or set_off), None)
    left = tuple([one for one in state.triggered if one is not done])
    return replace(
        state,
        triggered=left,
        limbo=(*state.limbo, emblem),
        activations={**state.activations, key: count},
    )


def triggered(answers: tuple[Answer, ...], state: State, before: State, event: Event) -> tuple[Triggered, ...]:
    """The reactions that have been set off, with those of the answers that the event sets off now."""
    told = astuple(event)[_ITS_OWN]
    hearing = [one for one in answers if not one.hears or one.hears in told]
    if not hearing:
        return state.triggered
    there = in_expeditions(before.sides + state.sides if type(event) in MOVE_AWAY else state.sides)
    found = [one for one in hearing if (one.source in there or not one.source) and _can_answer(state, one)]
    return (*state.triggered, *[Triggered(one.key, event.seq) for one in found]) if found else state.triggered


_ITS_OWN = slice(-len(Event.ENVELOPE))
"""Of the fields of an event those of its type: what all events share comes last."""

MOVE_AWAY = (ObjectLeft, CardSacrificed, CharacterRested, CleanupDiscarded)
"""What may take somebody out of an expedition; their reactions are set off all the same."""


def _can_answer(state: State, one: Answer) -> bool:
    """Whether its player is still there, and the day has room for it beside those set off already."""
    set_off = sum([waits.key == one.key for waits in state.triggered]) if state.triggered else 0
    return one.controller in state.still_in and state.activations.get(one.key, 0) + set_off < MOST_A_DAY


def activation_of(event: ReactionActivated) -> str:
    """One and the same reaction: of which object, which one."""
    return f"{event.source}:{event.reaction}"


def reaction_played(state: State, event: ReactionPlayed) -> State:
    """An emblem leaves Limbo; its effect resolves."""
    emblem = waiting(state, event.emblem, event.player)
    names = (event.emblem, emblem.source) if emblem and emblem.source else (event.emblem,)
    resolving = Resolving(event.player, names, event.seq)
    return replace(
        state, moment=begun(state, event, "after_reaction", resolving, later=event.player), effects=(),
        limbo=tuple([one for one in state.limbo if one is not emblem]),
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
    return replace(state, sides=sides, moment=moment, gone={**state.gone, card: event.seq})


MOVES: Moves = {
    EffectStarted: effect_opened,
    InternalActionPlayed: internal_action,
    EffectEnded: effect_closed,
    ReactionCheck: checked,
    ReactionActivated: activated,
    ReactionPlayed: reaction_played,
    ObjectLeft: object_left,
}
