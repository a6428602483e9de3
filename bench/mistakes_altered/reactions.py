"""Slips with reactions and their emblems."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import cast

from msgspec.structs import replace

from audit.altered.events import EffectEnded, EffectStarted, ReactionActivated, ReactionCheck, ReactionPlayed
from audit.altered.options.limbo import due_player
from audit.altered.rules import day, s4_2, s4_4, s5_1_1, s6_3
from audit.altered.state import State
from audit.model import Event
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import changing, ids, in_turn, instead, table


def reaction_out_of_order(moment: Moment, event: Event) -> Iterator[Event]:
    state = table(moment)
    due = due_player(state)
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
        rules = (s4_4.B, s4_2.E_NEXT_PHASE, s4_2.E_NEXT_EFFECT, s5_1_1.D, day.DUSK_AT_DUSK_FIRST)
        yield Mutant(moment.instead(skip=1 + len(own)), moment.index + 1, ids(rules))


def reaction_again(moment: Moment) -> Iterator[Mutant]:
    before = moment.events[moment.index - 1]
    if isinstance(before, ReactionPlayed) and not isinstance(moment.event, ReactionActivated):
        yield instead(moment, replace(before, seq=0), s4_4.B)


def reaction_in_an_effect(moment: Moment) -> Iterator[Mutant]:
    """A reaction does not wait for the daily effect to be over."""
    state = table(moment)
    if state.effect and state.limbo and not state.triggered and moment.game.rules.forced(state) is None:
        emblem = next(one for one in state.limbo if one.controller == due_player(state))
        event = ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)
        yield instead(moment, event, s4_2.D)


def reaction_to_nothing(moment: Moment, state: State) -> Iterator[Event]:
    for key, known in state.box.reactions.items():
        source, _, name = key.partition(":")
        if known.controller in state.still_in:
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=max(1, state.last), emblem=f"{source}.none",
            )  # fmt: skip


def activated_for_another(moment: Moment, event: Event) -> Iterator[Event]:
    """The emblem is given to another player than the controller."""
    activated = cast(ReactionActivated, event)
    for seat in table(moment).still_in:
        if seat != activated.controller:
            yield replace(activated, controller=seat)


KINDS: dict[str, Plant] = {
    "reaction out of initiative order": changing(
        ReactionPlayed, reaction_out_of_order, s4_4.C_INITIATIVE_FIRST, s4_4.C_INITIATIVE_REGAINED,
        day.NOON_FIRST_PLAYER_FIRST,
    ),
    "reaction of another player": changing(ReactionPlayed, reaction_of_another, s4_4.B),
    "reaction forgotten": reaction_forgotten,
    "reaction played twice": reaction_again,
    "reaction inside a daily effect": reaction_in_an_effect,
    "reaction to nothing": in_turn(reaction_to_nothing, s6_3.B),
    "emblem for another player": changing(ReactionActivated, activated_for_another, s6_3.B),
}  # fmt: skip
