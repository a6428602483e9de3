"""Hands and decks of which nobody has told how many cards they hold: the position has a guess."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from audit.games.compile.parts import is_known, side_of, with_side
from audit.games.compile.state import HAND_LIMIT, UNKNOWN, Refreshing, Side, State

GUESSED_HAND = 3
"""So many cards a hand is taken to hold: most that is done with a hand can be done with three."""

DECK_SIZE = 18
MOST_IN_HAND = 9
"""A hand of more cards is not thought of."""


def with_guesses(side: Side, seat: str, untold: Collection[str]) -> Side:
    """The side with a guess for each hand or deck that is untold and holds nothing."""
    if f"{seat}.hand" in untold and not side.hand:
        side = replace(side, hand=(UNKNOWN,) * GUESSED_HAND)
    if f"{seat}.deck" in untold and not side.deck:
        elsewhere = len(side.hand) + len(side.trash) + sum(map(len, side.lines))
        side = replace(side, deck=(UNKNOWN,) * guessed_deck(elsewhere))
    return side


def guessed_deck(elsewhere: int) -> int:
    """How many cards a deck is taken to hold: all of the player's that are not elsewhere."""
    return max(0, DECK_SIZE - elsewhere)


def other_numbers(state: State) -> Iterator[State]:
    """The positions with another number of unknown cards in one hand or deck that is untold, the nearest first."""
    for place in state.untold:
        seat, name = place.split(".")
        side = side_of(state, seat)
        cards = side.hand if name == "hand" else side.deck
        known = tuple(card for card in cards if is_known(card))
        guessed = len(cards) - len(known)
        numbers = range((MOST_IN_HAND if name == "hand" else DECK_SIZE) + 1)
        for number in sorted(numbers, key=lambda one: abs(one - guessed)):
            if number != guessed:
                held = (*known, *(UNKNOWN,) * number)
                other = replace(side, hand=held) if name == "hand" else replace(side, deck=held)
                yield with_side(state, seat, other)


def told_by_refresh(state: State, frame: Refreshing) -> State:
    """The position with the hand of who has refreshed told: a full one holds five."""
    place = f"{frame.seat}.hand"
    if place not in state.untold or len(side_of(state, frame.seat).hand) != HAND_LIMIT:
        return state
    return replace(state, untold=tuple(one for one in state.untold if one != place))
