"""Encounter cards that cannot be revealed, although the writer does not know the deck."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.lotr_reveal.events import RevealStarted
from audit.games.lotr_reveal.lookup import hides_deck
from audit.games.lotr_reveal.state import State
from bench.records_cards import Change
from replays.generating.telling import Played as Game


def table(game: Game, index: int) -> State:
    """The position before that event, as its writer knows it."""
    return cast(State, game.positions[index])


def revealed(game: Game, index: int, random: Random, cards: Sequence[str]) -> Event | None:
    """One of these cards revealed, where nobody knows the deck; of a card with copies only one that has a number."""
    event, state = game.events[index], table(game, index)
    meant = [card for card in cards if card not in state.setup.copied]
    if not isinstance(event, RevealStarted) or not hides_deck(state) or not state.deck or not meant:
        return None
    return replace(event, card=random.choice(meant))


def from_the_table(game: Game, index: int, random: Random) -> Event | None:
    """A card is revealed that lies in the staging area or before a player."""
    state = table(game, index)
    return revealed(
        game, index, random, [*state.staging, *[card for cards in state.engaged.values() for card in cards]]
    )


def from_the_discard_pile(game: Game, index: int, random: Random) -> Event | None:
    """A card is revealed that lies in the discard pile."""
    return revealed(game, index, random, table(game, index).discard)


def under_way(game: Game, index: int, random: Random) -> Event | None:
    """A card is revealed that is being revealed already."""
    return revealed(game, index, random, [frame.card for frame in table(game, index).frames])


def of_no_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card is revealed that is not in the encounter deck."""
    return revealed(game, index, random, ["stranger"])


IMPOSSIBLE: dict[str, Change] = {
    "revealed from the table": from_the_table,
    "revealed from the discard pile": from_the_discard_pile,
    "revealed while it is under way": under_way,
    "revealed of no deck": of_no_deck,
}
"""The mistakes with cards that a writer who knows which cards there are can know of."""
