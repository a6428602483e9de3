"""How expeditions fare at dusk: their sums, and which of them may advance."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.event_rules import Violations
from audit.games.altered.places import place_of, region, split_place, total
from audit.games.altered.seats import characters_of, initiative, side_of
from audit.games.altered.state import COMPANION, HERO, STATS, State
from audit.games.altered.unread import are_plain, doubts, uncertain
from audit.games.altered.vocabulary import ExpeditionName, Stat, Stats


def known_stats(state: State, place: str) -> Stats | None:
    """The sums of the Characters of an expedition; None where these are unknown or not all that counts."""
    seat, name = split_place(place)
    side = side_of(state, seat)
    if not are_plain(side) and any(doubts(state, place)):
        return None
    return total(characters_of(side, name))


def written_stats(state: State, place: str) -> Stats | None:
    """The sums of what is told of an expedition's Characters, whatever a text that is not read may add."""
    seat, name = split_place(place)
    return total(characters_of(side_of(state, seat), name))


def certain_stats(state: State, place: str) -> Stats | None:
    """The same, where no text that is not known here may have changed them."""
    seat, name = split_place(place)
    side = side_of(state, seat)
    return total(characters_of(side, name)) if are_plain(side) or not uncertain(state, place) else None


def own_stats(state: State, place: str) -> Stats | None:
    """The sums of an expedition: of its Characters if they are certain, else as announced."""
    found = certain_stats(state, place)
    if found is not None:
        return found
    announced = state.progress.comparisons.get(place)
    return announced.own if announced else known_stats(state, place)


def opposing_stats(state: State, place: str) -> Stats | None:
    """The sums of the expedition opposite: of its Characters if they are certain, else as announced."""
    facing = state.facing.get(place)
    found = certain_stats(state, facing) if facing else None
    if found is not None:
        return found
    announced = state.progress.comparisons.get(place)
    return announced.opposing if announced else own_stats(state, facing) if facing else None


def is_uncertain(state: State, place: str) -> bool:
    """Whether an expedition may fare otherwise than its Characters say, and no sums were announced for it."""
    return place not in state.progress.comparisons and bool(uncertain(state, place, state.facing.get(place)))


def stats_ahead(types: frozenset[str] | None, own: Stats | None, opposing: Stats | None) -> tuple[Stat, ...] | None:
    """The stats that are in the region, positive, and higher than those opposite; None where something is not known."""
    if types is None or own is None or opposing is None:
        return None
    return tuple([stat for stat in STATS if stat in types and 0 < getattr(own, stat) > getattr(opposing, stat)])


def may_advance(state: State, place: str) -> tuple[Stat, ...]:
    """The stats by which an expedition may advance at this dusk, as far as anybody knows its region and the sums."""
    seat, name = split_place(place)
    if place in state.progress.advanced or characters_of(side_of(state, seat), name) == ():
        return ()
    types = [stat for stat in STATS if stat in (region(state, place) or STATS)]
    if is_uncertain(state, place):
        own = certain_stats(state, place)
        return tuple([stat for stat in types if own is None or getattr(own, stat) > 0])
    own, opposing = own_stats(state, place), opposing_stats(state, place)
    return tuple([stat for stat in types if _may_be_ahead(stat, own, opposing)])


def _may_be_ahead(stat: Stat, own: Stats | None, opposing: Stats | None) -> bool:
    least = 0 if opposing is None else getattr(opposing, stat)
    return own is None or getattr(own, stat) > least


def why_uncertain(state: State) -> Violations:
    """What makes it uncertain which expeditions advance, besides statistics that nobody has told."""
    places = [place_of(seat, name) for seat in state.still_in for name in (HERO, COMPANION)]
    open_places = [place for place in places if may_advance(state, place)]
    return uncertain(state, *dict.fromkeys(one for place in open_places for one in (place, state.facing.get(place))))


def untold_stats(state: State) -> tuple[str, ...]:
    """The Characters whose statistics nobody has told."""
    groups = [group for side in state.sides for group in (side.hero, side.companion) if group]
    return tuple([one.id for group in groups for one in group if one.stats is None])


def movers(state: State) -> Iterator[tuple[str, ExpeditionName, Stat]]:
    """The expeditions that have still to advance, each with its player and the first stat that carries it."""
    advanced, is_plain = state.progress.advanced, all(map(are_plain, state.sides))
    expeditions: tuple[ExpeditionName, ...] = (HERO, COMPANION)
    for seat in initiative(state):
        side = side_of(state, seat)
        for name in expeditions:
            place = place_of(seat, name)
            if characters_of(side, name) == () or place in advanced or (not is_plain and is_uncertain(state, place)):
                continue
            if ahead := stats_ahead(region(state, place), own_stats(state, place), opposing_stats(state, place)):
                yield seat, name, ahead[0]


def are_there_movers(state: State) -> bool:
    """Whether an expedition has still to advance."""
    return next(movers(state), None) is not None
