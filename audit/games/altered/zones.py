"""What moves between zones: cards put down and taken away, orbs paid, Characters changed, Spells that are done.

The document does not say so. By the public glossary (2.4.6.d to f) it goes from Limbo to the Reserve, and a Fleeting
one, or one played from the Reserve, to the discard pile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec.structs import replace

from audit.games.altered.game_data import Cards
from audit.games.altered.state import LANDMARKS, RESERVE, UNKNOWN, Character, Expedition, Side, State
from audit.games.altered.texts import is_fleeting, moves_itself

HERO_ZONE: Final = "hero_expedition"
COMPANION_ZONE: Final = "companion_expedition"
OPEN_ZONES = (RESERVE, LANDMARKS, HERO_ZONE, COMPANION_ZONE)
"""Zones in which everybody sees an object."""
TOKEN_ZONES = (LANDMARKS, HERO_ZONE, COMPANION_ZONE)
"""Zones in which a token can be."""


def less(cards: Cards, card: str) -> Cards:
    """All but those of that name."""
    return tuple([other for other in cards if other != card])


def out_of_hand(side: Side, card: str) -> Side:
    """The hand without a card; where nobody saw which one left, any of those that are left may have been it."""
    hand = side.hand
    if hand is None:
        return side
    is_any = card == UNKNOWN or (card.startswith(UNKNOWN) and card not in hand)
    return replace(side, hand=(UNKNOWN,) * max(0, len(hand) - 1) if is_any else without(hand, card))


def without(cards: Cards, card: str) -> Cards:
    """One copy of a card fewer; one unknown card fewer where it is not named."""
    for taken in (card, UNKNOWN):
        if taken in cards:
            at = cards.index(taken)
            return cards[:at] + cards[at + 1 :]
    return cards


def number_of_orbs(side: Side) -> int | None:
    """How many Mana Orbs a player has, ready or not."""
    if side.ready_orbs is None or side.exhausted_orbs is None:
        return side.all_orbs
    return side.ready_orbs + side.exhausted_orbs


def paid(side: Side, mana: int | None) -> Side:
    """So many orbs exhausted, and never more than there are; None where nobody has told how many."""
    if mana is None:
        return replace(side, ready_orbs=None, exhausted_orbs=None, all_orbs=number_of_orbs(side))
    if not mana:
        return side
    ready, exhausted = side.ready_orbs, side.exhausted_orbs
    spent = mana if ready is None else min(mana, ready)
    return replace(
        side,
        ready_orbs=None if ready is None else ready - spent,
        exhausted_orbs=None if exhausted is None else exhausted + spent,
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


def taken_out(side: Side, zone: str, card: str) -> Side:
    """The card no longer in that zone, or in none of the open zones if it leaves one of these."""
    match zone:
        case "hand":
            return out_of_hand(side, card)
        case "deck":
            return side if side.deck is None else replace(side, deck=without(side.deck, card))
        case "discard":
            return replace(side, discard=without(side.discard, card))
        case "limbo":
            return replace(side, spells=without(side.spells, card))
        case "mana_zone":
            return _orb_gone(side, card)
    return taken_from(side, card)


def put(side: Side, zone: str, character: Character) -> Side:
    """An object in a zone of that player; an unknown zone stays unknown. Tokens leave the game with their zone."""
    card = character.id
    if character.origin == "token" and zone not in TOKEN_ZONES:
        return side
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
        case "limbo":
            return replace(side, spells=(*side.spells, card))
        case "mana_zone":
            return with_orb(side, card)
        case "deck":
            return side if side.deck is None else replace(side, deck=(UNKNOWN,) * (len(side.deck) + 1))
    return side


def with_orb(side: Side, card: str) -> Side:
    """A card more in the Mana zone: a ready orb."""
    return replace(
        side,
        ready_orbs=None if side.ready_orbs is None else side.ready_orbs + 1,
        all_orbs=None if side.all_orbs is None else side.all_orbs + 1,
        known_orbs=side.known_orbs if card.startswith(UNKNOWN) else (*side.known_orbs, card),
    )


def _orb_gone(side: Side, card: str) -> Side:
    known = without(side.known_orbs, card)
    if side.all_orbs:
        return replace(side, known_orbs=known, all_orbs=side.all_orbs - 1)
    if side.exhausted_orbs:
        return replace(side, known_orbs=known, exhausted_orbs=side.exhausted_orbs - 1)
    return replace(side, known_orbs=known, ready_orbs=side.ready_orbs - 1 if side.ready_orbs else side.ready_orbs)


def sides_with(state: State, seat: str, change: Callable[[Side], Side]) -> tuple[Side, ...]:
    """The sides with that player's changed."""
    return with_side(state, state.sides, seat, change)


def with_side(state: State, sides: tuple[Side, ...], seat: str, change: Callable[[Side], Side]) -> tuple[Side, ...]:
    """These sides of that position with one player's changed."""
    for at, other in enumerate(state.seats):
        if other == seat:
            changed = list(sides)
            changed[at] = change(sides[at])
            return tuple(changed)
    return sides


def characters_changed(state: State, change: Callable[[Character], Character]) -> tuple[Side, ...]:
    """The sides with every Character changed; the same sides where there is none."""

    def each(group: Expedition | None) -> Expedition | None:
        return tuple([change(one) for one in group]) if group else group

    if not any(side.hero or side.companion for side in state.sides):
        return state.sides
    return tuple([replace(side, hero=each(side.hero), companion=each(side.companion)) for side in state.sides])


def with_owner(state: State, card: str, player: str, to: str) -> Mapping[str, str]:
    """The owners, with that of a card that somebody plays to another player's side."""
    if player != to:
        return {**state.owners, card: player}
    return without_owner(state, card)


def without_owner(state: State, card: str) -> Mapping[str, str]:
    """The owners without that of a card that has left the field."""
    owners = state.owners
    return {name: seat for name, seat in owners.items() if name != card} if card in owners else owners


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
    for at, one in enumerate(group or ()):
        if group and one.id == card:
            return group[:at] + group[at + 1 :]
    return group


End = Literal["reserve", "discard"]


def usual_end(state: State, card: str) -> End | None:
    """Where the Spell goes if its text does not send it elsewhere; None where nobody has told its text."""
    known = state.game.abilities.get(card)
    if known is None:
        return None
    traits = (*known, *state.game.statuses.get(card, ()))
    return "discard" if card in state.spells_from_reserve or is_fleeting(traits) else "reserve"


def end_of_spell(state: State, card: str) -> End | None:
    """Where the Spell goes by itself; None where its text is not told or not read, or may send it elsewhere."""
    known = state.game.abilities.get(card)
    return None if known is None or moves_itself(known) else usual_end(state, card)


def spells_done(state: State) -> list[tuple[str, End]]:
    """The Spells in Limbo that go somewhere by themselves now, and where."""
    found: list[tuple[str, End]] = []
    for side in state.sides:
        if side.spells:
            found += [(card, end) for card in side.spells if (end := end_of_spell(state, card)) is not None]
    return found


def is_done(state: State, card: str) -> bool:
    """Whether a Spell goes by itself, and all that its text does is told."""
    played = state.moment.resolving
    is_left = played is not None and card in played.names and played.deeds != ()
    is_open = any(one.source == card for one in state.open_effects)
    return end_of_spell(state, card) is not None and not (is_left or is_open)
