"""Daily effects: what is left to do when one begins, and what each expedition can do at dusk."""

from __future__ import annotations

from collections.abc import Iterator

from audit.altered.events import Stats
from audit.altered.places import apart, region, total, where
from audit.altered.seats import initiative, side_names
from audit.altered.state import COMPANION, DAILY, HERO, LANDMARKS, RESERVE, STATS, Cards, State, changed


def with_effect(state: State, effect: str) -> State:
    """The position with a daily effect that has just begun."""
    todo = effects_after(state.phase, effect)
    return changed(state, effect=effect, todo=todo, pending=parts(state, effect), unsure=False)


def effects_of(phase: str, day: int) -> Cards:
    """The daily effects of a phase, in their order; on the first day the token is not passed."""
    order = DAILY.get(phase, ())
    return order[1:] if day <= 1 and phase == "morning" else order


def effects_after(phase: str | None, effect: str) -> Cards:
    """The daily effects that follow on this one in its phase."""
    return _AFTER.get((phase or "", effect), ())


_AFTER = {(phase, effect): order[at:] for phase, order in DAILY.items() for at, effect in enumerate(order, 1)}


def first_turn(state: State) -> str | None:
    """Whose turn it is when an afternoon begins: the first in initiative order who has not passed."""
    if not state.first:
        return None
    return next((seat for seat in initiative(state) if seat not in state.passed), None)


def parts(state: State, effect: str) -> Cards:
    """What a daily effect consists of: players, sides, Characters, or zones to choose from."""
    if effect == "pass_token":
        return (state.first,) if state.first else ()
    if effect == "progress":
        return side_names(state) if state.kind == "tiebreak" else ()
    if effect == "rest":
        sides = [state.side(seat) for seat in initiative(state)]
        return tuple([one.id for side in sides for group in (side.hero, side.companion) for one in group or ()])
    if effect == "cleanup":
        return tuple([where(seat, zone) for seat in initiative(state) for zone in (RESERVE, LANDMARKS)])
    return initiative(state)


def own_stats(state: State, place: str) -> Stats | None:
    """The sums of an expedition: of its Characters, else as announced."""
    seat, name = apart(place)
    found = total(state.side(seat).characters(name))
    return found if found is not None or place not in state.course.races else state.course.races[place].own


def opposing_stats(state: State, place: str) -> Stats | None:
    """The sums of the expedition opposite: of its Characters, else as announced."""
    facing = state.faces.get(place)
    found = own_stats(state, facing) if facing else None
    return found if found is not None or place not in state.course.races else state.course.races[place].opposing


def winning(state: State, place: str) -> Cards | None:
    """The stats with which an expedition may advance; None where that cannot be told."""
    return carrying(region(state, place), own_stats(state, place), opposing_stats(state, place))


def carrying(types: frozenset[str] | None, own: Stats | None, opposing: Stats | None) -> Cards | None:
    """The stats that are in the region, positive, and higher than those opposite; None where something is not known."""
    if types is None or own is None or opposing is None:
        return None
    return tuple([stat for stat in STATS if stat in types and 0 < getattr(own, stat) > getattr(opposing, stat)])


def movers(state: State) -> Iterator[tuple[str, str]]:
    """The expeditions that are to advance and have not, each with the first stat that carries it."""
    advanced = state.advanced
    for seat in initiative(state):
        side = state.side(seat)
        for name, characters in ((HERO, side.hero), (COMPANION, side.companion)):
            place = where(seat, name)
            if characters != () and place not in advanced and (stats := winning(state, place)):
                yield place, stats[0]


def are_there_movers(state: State) -> bool:
    """Whether an expedition has still to advance."""
    return next(movers(state), None) is not None
