"""What moves between zones: cards put down and taken away, orbs paid, Characters changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from audit.altered.state import LANDMARKS, RESERVE, UNKNOWN, Cards, Character, Expedition, Side, State

HERO_ZONE = "hero_expedition"
COMPANION_ZONE = "companion_expedition"
OPEN_ZONES = (RESERVE, LANDMARKS, HERO_ZONE, COMPANION_ZONE)
"""Zones in which everybody sees an object."""


def less(cards: Cards, card: str) -> Cards:
    """All but those of that name."""
    return tuple([other for other in cards if other != card])


def without(cards: Cards, card: str) -> Cards:
    """One copy of a card fewer; one unknown card fewer where it is not named."""
    for taken in (card, UNKNOWN):
        if taken in cards:
            at = cards.index(taken)
            return cards[:at] + cards[at + 1 :]
    return cards


def paid(side: Side, mana: int) -> Side:
    """So many orbs exhausted."""
    if not mana:
        return side
    ready, exhausted = side.ready_orbs, side.exhausted_orbs
    return replace(
        side,
        ready_orbs=None if ready is None else max(0, ready - mana),
        exhausted_orbs=None if exhausted is None else exhausted + mana,
    )


def taken_from(side: Side, card: str) -> Side:
    """The card in none of the open zones any more."""
    return replace(
        side,
        reserve=_one_less(side.reserve, card),
        landmarks=_one_less(side.landmarks, card),
        hero=_gone(side.hero, card),
        companion=_gone(side.companion, card),
    )


def put(side: Side, zone: str, character: Character) -> Side:
    """An object in a zone of that player; an unknown zone stays unknown."""
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

    def each(group: Expedition | None) -> Expedition | None:
        return None if group is None else tuple(map(change, group))

    return tuple(replace(side, hero=each(side.hero), companion=each(side.companion)) for side in state.sides)


def without_departure(state: State, card: str) -> Mapping[str, int]:
    """The departures without that of a card that is back."""
    gone = state.departures
    return {name: seq for name, seq in gone.items() if name != card} if card in gone else gone


def _one_less(cards: Cards | None, card: str) -> Cards | None:
    if not cards or card not in cards:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _gone(group: Expedition | None, card: str) -> Expedition | None:
    return tuple([one for one in group if one.id != card]) if group else group
