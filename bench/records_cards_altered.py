"""Cards of Altered that cannot be where a record says, although its writer does not know all hands and decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered.events import CardPlayed, CardsDrawn, ManaPlaced
from audit.games.altered.state import LANDMARKS, UNKNOWN, State
from bench.records_cards import Change
from replays.generating.telling import Played as Game


def table(game: Game, index: int) -> State:
    """The position before that event, as its writer knows it."""
    return cast(State, game.positions[index])


def owned(game: Game, seat: str) -> Sequence[str]:
    """The cards of that player's deck, if the writer has a list of it."""
    return cast("Mapping[str, Sequence[str]]", game.header.setup["deck_lists"]).get(seat, ())


def open_cards(game: Game, index: int, seat: str) -> list[str]:
    """The cards of that player's deck that lie open on their side, or are known to be orbs."""
    side = table(game, index).side(seat)
    groups = [*(side.hero or ()), *(side.companion or ())]
    lie = (*[one.id for one in groups], *(side.reserve or ()), *(side.landmarks or ()), *side.known_orbs)
    return [card for card in lie if card in owned(game, seat)]


def drawn(game: Game, index: int, random: Random, cards: Sequence[str]) -> Event | None:
    """One of these cards drawn instead of one of those that were."""
    event = game.events[index]
    if not isinstance(event, CardsDrawn) or not event.cards or not cards:
        return None
    return replace(event, cards=(*event.cards[:-1], random.choice(cards)))


def drawn_from_the_table(game: Game, index: int, random: Random) -> Event | None:
    """A card is drawn that lies on the table."""
    return drawn(game, index, random, open_cards(game, index, getattr(game.events[index], "player", "")))


def drawn_twice(game: Game, index: int, random: Random) -> Event | None:
    """A card is drawn that its player holds already."""
    hand = table(game, index).side(getattr(game.events[index], "player", "")).hand or ()
    return drawn(game, index, random, [card for card in hand if card != UNKNOWN])


def drawn_of_no_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card is drawn that is not in the deck."""
    return drawn(game, index, random, ["stranger"])


def played(game: Game, index: int, random: Random, cards: Sequence[str]) -> Event | None:
    """One of these cards played from the hand at its cost, where it can be paid."""
    event = game.events[index]
    if not isinstance(event, CardPlayed) or event.from_ != "hand" or not owned(game, event.player):
        return None
    state = table(game, index)
    for card in random.sample(list(cards), len(cards)):
        cost = state.game.costs[card].hand if card in state.game.costs else event.mana
        if cost is not None and cost <= (state.side(event.player).ready_orbs or 0):
            zone = LANDMARKS if card in state.game.permanents else "hero_expedition"
            return replace(event, card=card, mana=cost, to_zone=zone)
    return None


def played_from_the_table(game: Game, index: int, random: Random) -> Event | None:
    """A card is played from the hand that lies on the table."""
    return played(game, index, random, open_cards(game, index, getattr(game.events[index], "player", "")))


def played_of_the_other_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card of another player's deck is played."""
    other = next((seat for seat in table(game, index).seats if seat != getattr(game.events[index], "player", "")), "")
    return played(game, index, random, owned(game, other))


def played_of_no_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card is played that is in no deck."""
    return played(game, index, random, ["stranger"])


def orb_from_the_table(game: Game, index: int, random: Random) -> Event | None:
    """A card becomes a Mana Orb that lies on the table."""
    event = game.events[index]
    if not isinstance(event, ManaPlaced) or event.card == UNKNOWN:
        return None
    seen = open_cards(game, index, event.player)
    return replace(event, card=random.choice(seen)) if seen else None


IMPOSSIBLE: dict[str, Change] = {
    "drawn from the table": drawn_from_the_table,
    "drawn twice": drawn_twice,
    "drawn of no deck": drawn_of_no_deck,
    "played from the table": played_from_the_table,
    "played of the other deck": played_of_the_other_deck,
    "played of no deck": played_of_no_deck,
    "an orb from the table": orb_from_the_table,
}
"""The mistakes with cards that a writer with a deck list can know of."""
