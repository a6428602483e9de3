"""Daily effects: their order, what each consists of, and what is left of the one under way."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.events import (
    ArenaTotals,
    CardsDrawn,
    CharacterRested,
    CleanupChoice,
    CleanupDiscarded,
    ExpeditionAdvanced,
    FirstPlayerPassed,
    ManaDeclined,
    ManaPlaced,
    ObjectsReadied,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.games.altered.game_data import Cards
from audit.games.altered.places import place_of
from audit.games.altered.races import are_there_movers
from audit.games.altered.seats import initiative, side_names, side_of
from audit.games.altered.state import LANDMARKS, RESERVE, Moment, State
from audit.games.altered.vocabulary import EffectName

DAILY: Mapping[str, tuple[EffectName, ...]] = {
    "morning": ("pass_token", "prepare", "draw", "mana"),
    "dusk": ("progress",),
    "night": ("rest", "cleanup"),
}
"""The daily effects of each phase that has any, in their order."""

PARTS: Mapping[str, tuple[type[Event], ...]] = {
    "pass_token": (FirstPlayerPassed,),
    "prepare": (ObjectsReadied,),
    "draw": (CardsDrawn,),
    "mana": (ManaPlaced, ManaDeclined),
    "progress": (ArenaTotals,),
    "rest": (CharacterRested,),
    "cleanup": (CleanupChoice,),
}
"""The events that do one part of each daily effect."""

REVEAL: tuple[type[Event], ...] = (TumultRevealed,)
RESOLVE: tuple[type[Event], ...] = (TumultEffectResolved,)
ADVANCE: tuple[type[Event], ...] = (ExpeditionAdvanced,)
DISCARD: tuple[type[Event], ...] = (CleanupDiscarded,)


def effects_of(phase: str, day: int) -> tuple[EffectName, ...]:
    """The daily effects of a phase, in their order; on the first day the token is not passed."""
    order = DAILY.get(phase, ())
    return order[1:] if day <= 1 and phase == "morning" else order


def effects_after(phase: str | None, effect: str) -> tuple[EffectName, ...]:
    """The daily effects that follow on this one in its phase."""
    return _AFTER.get((phase or "", effect), ())


_AFTER: dict[tuple[str, str], tuple[EffectName, ...]] = {
    (phase, effect): order[at:] for phase, order in DAILY.items() for at, effect in enumerate(order, 1)
}


def with_effect(state: State, effect: EffectName, moment: Moment, left: tuple[EffectName, ...]) -> State:
    """The position with a daily effect that has just begun at that moment, and those that are to come after it."""
    return replace(
        state, moment=moment, daily_effect=effect, effects_left=left, parts_left=parts(state, effect),
        is_phase_uncertain=False,
    )  # fmt: skip


def may_begin(state: State) -> tuple[EffectName, ...]:
    """The daily effects that may begin next: the one that is due, and what follows on those passed over before."""
    left = state.effects_left
    if state.is_phase_uncertain:
        return left
    over = state.progress.passed_over
    return left[:1] if not over else (*over, *[one for one in left if one not in over][:1])


def due_before(state: State, effect: str) -> EffectName | None:
    """The daily effect of this phase that comes before that one and is not over; None where it is that one's turn."""
    to_come = _to_come(state)
    if not to_come or to_come[0] == effect or state.is_phase_uncertain:
        return None
    return to_come[0] if effect in effects_after(state.phase, to_come[0]) else None


def _to_come(state: State) -> tuple[EffectName, ...]:
    """The daily effects of the phase that are not over, the one under way as long as nothing of it is done."""
    now = state.daily_effect
    is_untouched = now is not None and state.parts_left and state.parts_left == parts(state, now)
    return (now, *state.effects_left) if now and is_untouched else state.effects_left


def brought_forward(state: State, effect: EffectName, moment: Moment) -> State:
    """The position with a daily effect that has begun, though others come before it: these are still to come."""
    if not state.daily_effect and not state.progress.passed_over and state.effects_left[:1] == (effect,):
        return with_effect(state, effect, moment, state.effects_left[1:])
    order = DAILY.get(state.phase or "", ())
    if state.is_phase_uncertain or effect not in order or effect not in state.effects_left:
        return with_effect(state, effect, moment, effects_after(state.phase, effect))
    left = tuple([one for one in _to_come(state) if one != effect])
    over = tuple([one for one in left if order.index(one) < order.index(effect)])
    state = with_effect(state, effect, moment, left)
    return state if over == state.progress.passed_over else _with_passed_over(state, over)


def _with_passed_over(state: State, over: tuple[EffectName, ...]) -> State:
    return replace(state, progress=replace(state.progress, passed_over=over))


def without_passed_over(state: State) -> State:
    """The position in which the daily effects that another has begun before are over."""
    left = tuple([one for one in state.effects_left if one not in state.progress.passed_over])
    return _with_passed_over(replace(state, effects_left=left), ())


def parts(state: State, effect: str) -> Cards:
    """What a daily effect consists of: players, sides, Characters, or zones to choose from."""
    if effect == "pass_token":
        return (state.first_player,) if state.first_player else ()
    if effect == "progress":
        return side_names(state) if state.day_kind == "tiebreak" else ()
    if effect == "rest":
        sides = [side_of(state, seat) for seat in initiative(state)]
        there = [one.id for side in sides for group in (side.hero, side.companion) for one in group or ()]
        return tuple([card for card in there if card not in state.game.permanents])
    if effect == "cleanup":
        return tuple([place_of(seat, zone) for seat in initiative(state) for zone in (RESERVE, LANDMARKS)])
    return initiative(state)


def next_part(state: State) -> tuple[type[Event], ...]:
    """The types of events that do what is left of the daily effect under way; () when it is complete."""
    effect = state.daily_effect
    if effect == "progress":
        if state.progress.tumult_reached:
            return REVEAL
        if state.progress.tumult_to_resolve:
            return RESOLVE
        if state.day_kind == "normal":
            return ADVANCE if are_there_movers(state) else ()
    if state.parts_left:
        return PARTS[effect] if effect else ()
    return DISCARD if effect == "cleanup" and not state.is_cleaned_up and not_kept(state) else ()


def not_kept(state: State) -> dict[str, Cards]:
    """What each player has not chosen to keep, as far as the zones are known."""
    found = {}
    for seat in state.still_in:
        side = side_of(state, seat)
        if cards := (*_loose(state, seat, RESERVE, side.reserve), *_loose(state, seat, LANDMARKS, side.landmarks)):
            found[seat] = cards
    return found


def _loose(state: State, seat: str, zone: str, held: Cards | None) -> Cards:
    kept = state.kept.get(place_of(seat, zone))
    if not held or kept is None or kept == held:
        return ()
    loose = list(held)
    for card in kept:
        if card in loose:
            loose.remove(card)
    return tuple(loose)
