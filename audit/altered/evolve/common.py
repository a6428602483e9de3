"""What many events have in common: places on the table, and moments at which reactions are looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from audit.altered.state import LANDMARKS, RESERVE, Cards, Character, Moment, Resolving, Side, State, Tumult
from audit.model import Event

Moves = dict[type[Event], Callable[[State, Any], State]]
E = TypeVar("E", bound=Event)

NOBODY_NEW: Mapping[str, int] = {}

VISIBLE = (RESERVE, LANDMARKS, "hero_expedition", "companion_expedition")
"""Zones in which everybody sees an object."""


def begun(
    state: State,
    event: Event,
    named: str | None,
    resolving: Resolving | None = None,
    later: str | None = None,
    born: Mapping[str, int] = NOBODY_NEW,
) -> Moment:
    """The moment of its own that the event begins: only what happens from now on can trigger at it."""
    return Moment(named, event.seq, event.seq or state.last + 1, resolving, later, born)


def come(state: State, event: Event, card: str) -> Moment:
    """The moment it is, in which a card has come into sight."""
    return replace(state.moment, born={**state.moment.born, card: event.seq})


def less(pending: Cards, part: str) -> Cards:
    """What is left when a part is done."""
    return tuple([other for other in pending if other != part])


def paid(side: Side, mana: int) -> Side:
    """So many orbs exhausted."""
    if not mana:
        return side
    ready = None if side.ready is None else max(0, side.ready - mana)
    return replace(side, ready=ready, spent=None if side.spent is None else side.spent + mana)


def taken_from(side: Side, card: str) -> Side:
    """The card in none of the open zones any more."""
    return replace(
        side,
        reserve=_left(side.reserve, card),
        landmarks=_left(side.landmarks, card),
        hero=_gone(side.hero, card),
        companion=_gone(side.companion, card),
    )


def put(side: Side, zone: str, character: Character) -> Side:
    """An object in a zone of that player; a zone nobody has told of stays untold."""
    card = character.id
    match zone:
        case "hero_expedition":
            return replace(side, hero=None if side.hero is None else (*side.hero, character))
        case "companion_expedition":
            return replace(side, companion=None if side.companion is None else (*side.companion, character))
        case "reserve":
            return replace(side, reserve=None if side.reserve is None else (*side.reserve, card))
        case "landmark_zone":
            return replace(side, landmarks=None if side.landmarks is None else (*side.landmarks, card))
        case "hand":
            return replace(side, hand=None if side.hand is None else (*side.hand, card))
        case "discard":
            return replace(side, discard=(*side.discard, card))
    return side


def sides_with(state: State, seat: str, change: Callable[[Side], Side]) -> tuple[Side, ...]:
    """The sides with that player's changed."""
    if seat not in state.seats:
        return state.sides
    at = state.seats.index(seat)
    return (*state.sides[:at], change(state.sides[at]), *state.sides[at + 1 :])


def characters_changed(state: State, change: Callable[[Character], Character]) -> tuple[Side, ...]:
    """The sides with every Character changed."""

    def each(group: tuple[Character, ...] | None) -> tuple[Character, ...] | None:
        return None if group is None else tuple(map(change, group))

    return tuple(replace(side, hero=each(side.hero), companion=each(side.companion)) for side in state.sides)


def reached(tumult: Mapping[str, Tumult], seat: str, expedition: str, at: int) -> Cards:
    """The places with face-down Tumult cards that an expedition comes to on its n-th space."""
    places = (f"{seat} {expedition} {at}", "centre")
    return tuple(
        [
            place
            for place in places
            if (found := tumult.get(place)) and not found.up and (place != "centre" or found.at == at)
        ]
    )


def _left(cards: Cards | None, card: str) -> Cards | None:
    if not cards or card not in cards:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _gone(group: tuple[Character, ...] | None, card: str) -> tuple[Character, ...] | None:
    return tuple([one for one in group if one.id != card]) if group else group
