"""Mistakes of dusk: expeditions, sums, Tumult cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.model import Event
from audit.games.altered.events import (
    DailyEffectEnded,
    ExpeditionAdvanced,
    ExpeditionTotals,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.games.altered.places import expeditions, place_of, region, split_place
from audit.games.altered.races import movers, opposing_stats, own_stats
from audit.games.altered.rules import day_overview, multiplayer, phases, two_against_two
from audit.games.altered.state import STATS, State
from audit.games.altered.vocabulary import Stat, Stats
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_altered.planting import changing, ids, in_turn, instead, table, with_


def racing(moment: Moment) -> bool:
    """Expeditions are compared, and nothing else waits."""
    state = table(moment)
    return (
        state.daily_effect == "progress"
        and state.day_kind == "normal"
        and not (state.progress.tumult_reached or state.progress.tumult_to_resolve or state.triggered)
    )


def moving(test: Callable[[int, int, bool], bool], *rules: Rule, again: bool = False) -> Plant:
    """An expedition advances by a stat of which that is true: own, opposing, in the region."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        state = table(moment)
        for seat, name in expeditions(state) if racing(moment) else ():
            place = place_of(seat, name)
            own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
            if own is None or opposing is None or types is None or (place in state.progress.advanced) != again:
                continue
            for stat in STATS:
                if test(getattr(own, stat), getattr(opposing, stat), stat in types):
                    event = ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)
                    yield instead(moment, event, *rules)

    return plant


def at_another_time(moment: Moment, state: State) -> Iterator[Event]:
    if state.moment.resolving is None and state.turn_of:
        yield ExpeditionAdvanced(seq=0, player=state.turn_of, expedition="hero", stat="forest")


def in_order(types: frozenset[str]) -> tuple[Stat, ...]:
    """Region types as an event tells them."""
    return tuple(stat for stat in STATS if stat in types)


def sums_wrong(moment: Moment) -> Iterator[Mutant]:
    """The sums of an expedition are announced wrongly."""
    state = table(moment)
    for seat, name in expeditions(state) if racing(moment) else ():
        place = place_of(seat, name)
        own, opposing, types = own_stats(state, place), opposing_stats(state, place), region(state, place)
        if own is None or opposing is None or types is None or place not in state.facing:
            continue
        event = ExpeditionTotals(
            seq=0, player=seat, expedition=name, against=state.facing[place], region=in_order(types),
            own=Stats(own.forest + 1, own.mountain, own.water), opposing=opposing,
        )  # fmt: skip
        yield instead(moment, event, day_overview.SUM_STATS)


def against_another(moment: Moment) -> Iterator[Mutant]:
    """An expedition is compared with one it does not face."""
    state = table(moment)
    for seat, name in expeditions(state) if racing(moment) else ():
        place = place_of(seat, name)
        own, types = own_stats(state, place), region(state, place)
        for other in (place_of(*one) for one in expeditions(state)):
            opposing = own_stats(state, other)
            is_another = split_place(other)[0] != seat and state.facing.get(place) not in (None, other)
            if own and opposing and types and is_another:
                event = ExpeditionTotals(
                    seq=0, player=seat, expedition=name, against=other, region=in_order(types),
                    own=own, opposing=opposing,
                )  # fmt: skip
                rules = (day_overview.SUM_STATS, multiplayer.RACE_NEIGHBOURS, two_against_two.FACING)
                yield instead(moment, event, *rules)


def tumult_not_reached(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    moving_on = {place_of(seat, name) for seat, name, _ in movers(state)}
    for place, one in state.tumult.items() if racing(moment) else ():
        if not one.is_up and place != "centre" and split_place(place)[0] not in moving_on:
            event = TumultRevealed(seq=0, cards=one.cards, place=place)
            yield instead(moment, event, phases.DUSK_TUMULT_FLIP)


def tumult_effect_forgotten(moment: Moment) -> Iterator[Mutant]:
    last = isinstance(moment.events[min(moment.index + 1, len(moment.events) - 1)], DailyEffectEnded)
    if isinstance(moment.event, TumultEffectResolved) and len(table(moment).progress.tumult_to_resolve) == 1 and last:
        rules = moment.owed(moment.events[moment.index + 1])
        yield Mutant(moment.instead(), moment.index + 1, rules | ids([phases.DUSK_TUMULT_EFFECT]))


def tumult_by_halves(moment: Moment, event: Event) -> Iterator[Event]:
    revealed = cast(TumultRevealed, event)
    if revealed.place == "centre":
        yield replace(revealed, cards=revealed.cards[:1])


def tumult_same_way_up(moment: Moment, event: Event) -> Iterator[Event]:
    if cast(TumultRevealed, event).place == "centre":
        yield replace(event, second_reversed=False)


def tumult_of_another_place(moment: Moment, event: Event) -> Iterator[Event]:
    revealed, state = cast(TumultRevealed, event), table(moment)
    for place, one in state.tumult.items():
        if place not in ("centre", revealed.place) and revealed.place != "centre" and not one.is_up:
            yield replace(revealed, cards=one.cards)


KINDS: dict[str, Plant] = {
    "moved on a tie": moving(lambda own, other, fits: own == other > 0 and fits, day_overview.STAT_HIGHER),
    "moved at zero": moving(
        lambda own, other, fits: own == other == 0 and fits, day_overview.STAT_POSITIVE, day_overview.STAT_HIGHER
    ),
    "moved though behind": moving(lambda own, other, fits: own < other and fits, day_overview.STAT_HIGHER),
    "moved by a stat of another region": moving(
        lambda own, other, fits: own > other and not fits, day_overview.STAT_OF_REGION
    ),
    "moved twice in a dusk": moving(lambda own, other, fits: own > other and fits, phases.DUSK_ONCE, again=True),
    "moved by two spaces": changing(ExpeditionAdvanced, with_(spaces=2), phases.DUSK_ONE_SPACE),
    "moved in the afternoon": in_turn(at_another_time, day_overview.ONE_STAT_ENOUGH),
    "sums wrong": sums_wrong,
    "compared with another": against_another,
    "Tumult card turned up unreached": tumult_not_reached,
    "Tumult effect forgotten": tumult_effect_forgotten,
    "another effect of a Tumult card": changing(
        TumultEffectResolved, with_(effect="rain"), phases.DUSK_TUMULT_EFFECT
    ),
    "one Tumult card of the centre": changing(
        TumultRevealed, tumult_by_halves, two_against_two.CENTRE_FLIP, phases.DUSK_TUMULT_FLIP
    ),
    "Tumult cards the same way up": changing(TumultRevealed, tumult_same_way_up, two_against_two.CENTRE_ORIENT),
    "Tumult card of another place": changing(TumultRevealed, tumult_of_another_place, phases.DUSK_TUMULT_FLIP),
}  # fmt: skip
