"""What dusk changes: sums announced, expeditions on their way, Tumult cards turned up."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.altered.events import (
    ArenaTotals,
    ExpeditionAdvanced,
    ExpeditionTotals,
    Stats,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.altered.evolve.common import Moves, less, reached, sides_with
from audit.altered.places import where
from audit.altered.state import HERO, Race, Resolving, Side, State, Tumult


def totals(state: State, event: ExpeditionTotals) -> State:
    """Sums, region and facing, as far as they were not known."""
    place = where(event.player, event.expedition)
    regions: Mapping[str, frozenset[str]] = {place: frozenset(event.region), **state.regions}
    races = {**state.course.races, place: Race(event.own, event.opposing)}
    return replace(
        state,
        course=replace(state.course, races=races),
        regions=regions,
        faces={place: event.against, event.against: place, **state.faces},
    )


def advanced(state: State, event: ExpeditionAdvanced) -> State:
    """A marker moves; the region it comes to is that of its path, or untold."""
    place = where(event.player, event.expedition)
    sides = sides_with(state, event.player, lambda side: _moved(side, event))
    now = sides[state.seats.index(event.player)].at(event.expedition) if event.player in state.seats else None
    found = () if now is None else reached(state.tumult, event.player, event.expedition, now)
    course = replace(
        state.course,
        advanced=(*state.advanced, place) if state.effect == "progress" else state.advanced,
        reached=(*state.reached, *[spot for spot in found if spot not in state.reached]),
    )
    regions = {other: types for other, types in state.regions.items() if other != place}
    return replace(state, sides=sides, regions=regions, course=course)


def _moved(side: Side, event: ExpeditionAdvanced) -> Side:
    now = side.at(event.expedition)
    now = None if now is None else now + event.spaces
    return replace(side, hero_at=now) if event.expedition == HERO else replace(side, companion_at=now)


def revealed(state: State, event: TumultRevealed) -> State:
    """Tumult cards lie face up; an effect that is known has to be resolved."""
    known = state.tumult.get(event.place, Tumult(event.cards))
    flipped = (*state.flipped, *(event.cards if known.effect else ()))
    return replace(
        state,
        tumult={**state.tumult, event.place: replace(known, up=True)},
        face_up=(*state.face_up, *event.cards),
        course=replace(state.course, reached=less(state.reached, event.place), flipped=flipped),
    )


def effect_resolved(state: State, event: TumultEffectResolved) -> State:
    """The effect of a Tumult card is under way."""
    moment = replace(state.moment, resolving=Resolving("", (event.card,), event.seq))
    course = replace(state.course, flipped=less(state.flipped, event.card))
    return replace(state, course=course, moment=moment)


def arena(state: State, event: ArenaTotals) -> State:
    """The sums of a side in the Arena."""
    sums = Stats(event.forest, event.mountain, event.water)
    return replace(
        state,
        arena={**state.arena, event.side: sums},
        pending=less(state.pending, event.side),
    )


MOVES: Moves = {
    ExpeditionTotals: totals,
    ExpeditionAdvanced: advanced,
    TumultRevealed: revealed,
    TumultEffectResolved: effect_resolved,
    ArenaTotals: arena,
}
