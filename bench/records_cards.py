"""Cards that cannot be where a record says, although its writer does not know the hands.

Every card exists once and belongs to a deck of the game. So there are mistakes that anybody can know of: a card drawn
twice, a card of the other deck, a card turned up that lies face up elsewhere. They are made in records of one viewer,
and have to be found at that very line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.cards import CARDS
from audit.games.compile.events import Discarded, Drew, Flipped, OwnerChanged, Played
from audit.games.compile.parts import field_positions, is_known, opponent
from audit.games.compile.state import LINES, State
from replays.generating.telling import Line
from replays.generating.telling import Played as Game

Change = Callable[[Game, int, Random], Event | None]
"""Another event instead of the one at that place; None where this mistake cannot be made there."""


def table(game: Game, index: int) -> State:
    """The position before that event, as its writer knows it."""
    return cast(State, game.positions[index])


def open_cards(state: State) -> list[str]:
    """The cards that lie face up or in a trash."""
    up = [card for card, place in field_positions(state) if place.up]
    return [card for card in (*up, *state.a.trash, *state.b.trash) if is_known(card)]


def owners(game: Game, seat: str) -> list[str]:
    """The cards of that player's deck, by its protocols; none where cards have changed hands."""
    if any(isinstance(event, OwnerChanged) or _is_of_the_other(event) for event in game.events):
        return []
    names = cast("Mapping[str, Sequence[str]]", game.header.setup["protocols"])[seat]
    return [card for card in CARDS if CARDS[card].protocol in names]


def _is_of_the_other(event: Event) -> bool:
    return isinstance(event, Drew) and event.deck not in (None, event.player)


def drawn_from_the_table(game: Game, index: int, random: Random) -> Event | None:
    """A card is drawn that lies face up or in a trash."""
    event = game.events[index]
    seen = [card for card in open_cards(table(game, index)) if card in owners(game, getattr(event, "player", "A"))]
    if not isinstance(event, Drew) or not event.cards or event.deck or not seen:
        return None
    return replace(event, cards=(*event.cards[:-1], random.choice(seen)))


def drawn_twice(game: Game, index: int, random: Random) -> Event | None:
    """A card is drawn that its player holds already."""
    event = game.events[index]
    if not isinstance(event, Drew) or not event.cards:
        return None
    held = [card for card in table(game, index).side(event.player).hand if is_known(card)]
    return replace(event, cards=(*event.cards[:-1], random.choice(held))) if held else None


def turned_up_twice(game: Game, index: int, random: Random) -> Event | None:
    """A card nobody knew turns out to be one that lies face up."""
    event, seen = game.events[index], open_cards(table(game, index))
    return replace(event, is_=random.choice(seen)) if isinstance(event, Flipped) and event.is_ and seen else None


def turned_up_of_the_other_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card nobody knew turns out to be one of the other player's deck."""
    event = game.events[index]
    if not isinstance(event, Flipped) or not event.is_:
        return None
    place = next((place for card, place in field_positions(table(game, index)) if card == event.card), None)
    strange = _unseen(game, index, opponent(place.seat)) if place else []
    return replace(event, is_=random.choice(strange)) if strange else None


def played_of_the_other_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card of the other player's deck is played face up, in a line with its protocol."""
    event, state = game.events[index], table(game, index)
    if not isinstance(event, Played) or event.from_ != "hand" or event.face != "up":
        return None
    other = opponent(event.player)
    for card in random.sample(strange := _unseen(game, index, other), len(strange)):
        for line in LINES:
            if state.side(other).protocols[line - 1] == CARDS[card].protocol:
                return replace(event, card=card, line=line)
    return None


def played_of_no_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card of a protocol that is not in the game is played."""
    event = game.events[index]
    if not isinstance(event, Played) or event.from_ != "hand" or not is_known(event.card):
        return None
    strange = [card for card in CARDS if card not in owners(game, "A") and card not in owners(game, "B")]
    return replace(event, card=random.choice(strange), face="down") if owners(game, "A") else None


def discarded_of_the_other_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card of the other player's deck is discarded from a hidden hand."""
    event = game.events[index]
    if not isinstance(event, Discarded) or event.from_ != "hand":
        return None
    strange = _unseen(game, index, opponent(event.player))
    return replace(event, cards=(*event.cards[:-1], random.choice(strange))) if strange else None


def _unseen(game: Game, index: int, seat: str) -> list[str]:
    """The cards of that player's deck that the writer has not seen so far."""
    seen = {card for event in game.events[:index] for card in _named(event)}
    return [card for card in owners(game, seat) if card not in seen]


def _named(event: Event) -> Iterator[str]:
    for name in ("card", "is_", "by"):
        if isinstance(value := getattr(event, name, None), str):
            yield value
    for name in ("cards", "is_"):
        if isinstance(value := getattr(event, name, None), tuple):
            yield from value


IMPOSSIBLE: dict[str, Change] = {
    "drawn from the table": drawn_from_the_table,
    "drawn twice": drawn_twice,
    "turned up twice": turned_up_twice,
    "turned up of the other deck": turned_up_of_the_other_deck,
    "played of the other deck": played_of_the_other_deck,
    "played of no deck": played_of_no_deck,
    "discarded of the other deck": discarded_of_the_other_deck,
}
"""The mistakes with cards that anybody can know of."""


def with_impossible_card(game: Game, change: Change, random: Random) -> tuple[int, list[Line]] | None:
    """The lines of the game up to a card that cannot be there, and the place of its event."""
    places = list(range(len(game.events)))
    for index in random.sample(places, len(places)):
        if event := change(game, index, random):
            told = game.told_in_full()
            return index, [*told[:index], Line(event, index, label="planted")]
    return None
