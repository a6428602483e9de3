"""Mistakes with reactions and their emblems."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.event_rules.reactions import first_to_react
from audit.games.altered.events import EffectEnded, EffectStarted, ReactionActivated, ReactionCheck, ReactionPlayed
from audit.games.altered.rules import day_structure, phases, reaction_check, reactions, timing_of_play
from audit.games.altered.state import State
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import changing, ids, in_turn, instead, table


def reaction_out_of_order(moment: Moment, event: Event) -> Iterator[Event]:
    state = table(moment)
    due = first_to_react(state)
    for emblem in state.limbo:
        if emblem.controller != due:
            yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)


def reaction_of_another(moment: Moment, event: Event) -> Iterator[Event]:
    """Somebody plays an emblem that another controls."""
    reaction = cast(ReactionPlayed, event)
    yield from (replace(reaction, player=seat) for seat in table(moment).still_in if seat != reaction.player)


def reaction_forgotten(moment: Moment) -> Iterator[Mutant]:
    """The last reaction in Limbo is not played, nor is what it does."""
    rest = moment.events[moment.index + 1 :]
    own = list(takewhile(lambda event: isinstance(event, EffectStarted | EffectEnded | ReactionCheck), rest))
    following = rest[len(own) :][:1]
    alone = isinstance(moment.event, ReactionPlayed) and len(table(moment).limbo) == 1
    if alone and following and not isinstance(following[0], ReactionActivated):
        rules = (
            reaction_check.INITIATIVE_CHOOSES,
            day_structure.NEXT_PHASE,
            day_structure.NEXT_DAILY_EFFECT,
            timing_of_play.REACTION_OBLIGATORY,
            phases.DUSK_AT_DUSK_FIRST,
        )
        yield Mutant(moment.instead(skip=1 + len(own)), moment.index + 1, ids(rules))


def reaction_again(moment: Moment) -> Iterator[Mutant]:
    before = moment.events[moment.index - 1]
    if isinstance(before, ReactionPlayed) and not isinstance(moment.event, ReactionActivated):
        yield instead(moment, replace(before, seq=0), reaction_check.INITIATIVE_CHOOSES)


def reaction_in_an_effect(moment: Moment) -> Iterator[Mutant]:
    """A reaction does not wait for the daily effect to be over."""
    state = table(moment)
    if state.daily_effect and state.limbo and not state.triggered and moment.game.rules.forced(state) is None:
        emblem = next(one for one in state.limbo if one.controller == first_to_react(state))
        event = ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)
        yield instead(moment, event, day_structure.CHECK_AFTER_DAILY_EFFECT)


def reaction_to_nothing(moment: Moment, state: State) -> Iterator[Event]:
    for key, known in state.game.reactions.items():
        source, _, name = key.partition(":")
        if known.controller in state.still_in:
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=max(1, state.last_seq), emblem=f"{source}.none",
            )  # fmt: skip


def activated_for_another(moment: Moment, event: Event) -> Iterator[Event]:
    """The emblem is given to another player than the controller."""
    activated = cast(ReactionActivated, event)
    for seat in table(moment).still_in:
        if seat != activated.controller:
            yield replace(activated, controller=seat)


KINDS: dict[str, Plant] = {
    "reaction out of initiative order": changing(
        ReactionPlayed, reaction_out_of_order, reaction_check.INITIATIVE_FIRST, reaction_check.INITIATIVE_REGAINED,
        phases.NOON_FIRST_PLAYER_FIRST,
    ),
    "reaction of another player": changing(ReactionPlayed, reaction_of_another, reaction_check.INITIATIVE_CHOOSES),
    "reaction forgotten": reaction_forgotten,
    "reaction played twice": reaction_again,
    "reaction inside a daily effect": reaction_in_an_effect,
    "reaction to nothing": in_turn(reaction_to_nothing, reactions.CREATES_EMBLEM),
    "emblem for another player": changing(ReactionActivated, activated_for_another, reactions.CREATES_EMBLEM),
}  # fmt: skip
