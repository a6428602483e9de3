"""Cards that cannot be where a record says, although its writer does not know the hands or decks.

Every card exists once and belongs to a deck of the game. So there are mistakes that anybody can know of: a card drawn
twice, a card of the other deck, a card turned up that lies face up elsewhere. They are made in records of one viewer,
and have to be found at that very line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar, cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.altered import events as altered
from audit.games.altered.state import LANDMARKS, UNKNOWN
from audit.games.altered.state import State as Altered
from audit.games.compile.cards import CARDS
from audit.games.compile.events import Discarded, Drew, Flipped, OwnerChanged, Played
from audit.games.compile.parts import field_positions, is_known, opponent
from audit.games.compile.state import LINES
from audit.games.compile.state import State as Compile
from audit.games.lotr_reveal.events import RevealStarted
from audit.games.lotr_reveal.lookup import hides_deck
from audit.games.lotr_reveal.state import State as Reveal
from bench.record_lines import Line
from bench.record_lines import Played as Game

E = TypeVar("E", bound=Event)
Change = Callable[[Game, int, Random], Event | None]
"""Another event instead of the one at that place; None where this mistake cannot be made there."""


def one_of(cards: Callable[[Game, int, E], Sequence[str]], kind: type[E], field: str, **also: object) -> Change:
    """One of these cards in that field of an event of that type, or as the last where the field has several."""

    def change(game: Game, index: int, random: Random) -> Event | None:
        event = game.events[index]
        if not isinstance(event, kind) or not getattr(event, field) or not (found := cards(game, index, event)):
            return None
        card = random.choice(found)
        return replace(event, **{field: (*getattr(event, field)[:-1], card) if field == "cards" else card}, **also)

    return change


# Compile


def field(game: Game, index: int) -> Compile:
    """The position before that event, as its writer knows it."""
    return cast(Compile, game.positions[index])


def open_cards(game: Game, index: int) -> list[str]:
    """The cards that lie face up or in a trash."""
    state = field(game, index)
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


def of_the_table(game: Game, index: int, event: Drew) -> list[str]:
    """Cards of the deck that lie face up or in a trash."""
    own = () if event.deck else owners(game, event.player)
    return [card for card in open_cards(game, index) if card in own]


def of_the_hand(game: Game, index: int, event: Drew) -> list[str]:
    """Cards that the player holds already."""
    return [card for card in field(game, index).side(event.player).hand if is_known(card)]


def strange_below(game: Game, index: int, event: Flipped) -> list[str]:
    """Cards of the deck of the player on whose side none of them can lie face down."""
    places = (place for card, place in field_positions(field(game, index)) if card == event.card)
    place = next(places, None)
    return _unseen(game, index, opponent(place.seat)) if place else []


def of_no_deck(game: Game, index: int, event: Played) -> list[str]:
    """Cards of protocols that are not in the game."""
    if event.from_ != "hand" or not is_known(event.card) or not owners(game, "A"):
        return []
    return [card for card in CARDS if card not in owners(game, "A") and card not in owners(game, "B")]


def played_of_the_other_deck(game: Game, index: int, random: Random) -> Event | None:
    """A card of the other player's deck is played face up, in a line with its protocol."""
    event, state = game.events[index], field(game, index)
    if not isinstance(event, Played) or event.from_ != "hand" or event.face != "up":
        return None
    other = opponent(event.player)
    for card in random.sample(strange := _unseen(game, index, other), len(strange)):
        for line in LINES:
            if state.side(other).protocols[line - 1] == CARDS[card].protocol:
                return replace(event, card=card, line=line)
    return None


def strange_in_hand(game: Game, index: int, event: Discarded) -> list[str]:
    """Cards of the other player's deck, where a hand is discarded from."""
    return _unseen(game, index, opponent(event.player)) if event.from_ == "hand" else []


# Altered, by a writer who has lists of the decks


def owned(game: Game, seat: str) -> Sequence[str]:
    """The cards of that player's deck, if the writer has a list of it."""
    return cast("Mapping[str, Sequence[str]]", game.header.setup["deck_lists"]).get(seat, ())


def lying(game: Game, index: int, event: Event) -> list[str]:
    """The cards of the acting player's deck that lie open on their side, or are known to be orbs."""
    seat = getattr(event, "player", "")
    side = cast(Altered, game.positions[index]).side(seat)
    groups = [*(side.hero or ()), *(side.companion or ())]
    lie = (*[one.id for one in groups], *(side.reserve or ()), *(side.landmarks or ()), *side.known_orbs)
    return [card for card in lie if card in owned(game, seat)]


def held(game: Game, index: int, event: altered.CardsDrawn) -> list[str]:
    """Cards that the player holds already."""
    hand = cast(Altered, game.positions[index]).side(event.player).hand or ()
    return [card for card in hand if card != UNKNOWN]


def of_another_deck(game: Game, index: int, event: Event) -> Sequence[str]:
    """The cards of another player's deck."""
    seats = cast(Altered, game.positions[index]).seats
    return owned(game, next((seat for seat in seats if seat != getattr(event, "player", "")), ""))


def stranger(game: Game, index: int, event: Event) -> Sequence[str]:
    """A card that is in no deck."""
    return ("stranger",)


def played(cards: Callable[[Game, int, Event], Sequence[str]]) -> Change:
    """One of these cards played from the hand at its cost, where it can be paid."""

    def change(game: Game, index: int, random: Random) -> Event | None:
        event, state = game.events[index], cast(Altered, game.positions[index])
        if not isinstance(event, altered.CardPlayed) or event.from_ != "hand" or not owned(game, event.player):
            return None
        for card in random.sample(found := list(cards(game, index, event)), len(found)):
            cost = state.game.costs[card].hand if card in state.game.costs else event.mana
            if cost is not None and cost <= (state.side(event.player).ready_orbs or 0):
                zone = LANDMARKS if card in state.game.permanents else "hero_expedition"
                return replace(event, card=card, mana=cost, to_zone=zone)
        return None

    return change


# The reveal, by a writer who knows which cards there are


def revealed(cards: Callable[[Reveal], Sequence[str]]) -> Change:
    """One of these cards revealed, where nobody knows the deck; of a card with copies only one that has a number."""

    def meant(game: Game, index: int, event: RevealStarted) -> list[str]:
        state = cast(Reveal, game.positions[index])
        found = cards(state) if hides_deck(state) and state.deck else ()
        return [card for card in found if card not in state.setup.copied]

    return one_of(meant, RevealStarted, "card")


IMPOSSIBLE: dict[str, dict[str, Change]] = {
    "compile": {
        "drawn from the table": one_of(of_the_table, Drew, "cards"),
        "drawn twice": one_of(of_the_hand, Drew, "cards"),
        "turned up twice": one_of(lambda game, index, _: open_cards(game, index), Flipped, "is_"),
        "turned up of the other deck": one_of(strange_below, Flipped, "is_"),
        "played of the other deck": played_of_the_other_deck,
        "played of no deck": one_of(of_no_deck, Played, "card", face="down"),
        "discarded of the other deck": one_of(strange_in_hand, Discarded, "cards"),
    },
    "altered": {
        "drawn from the table": one_of(lying, altered.CardsDrawn, "cards"),
        "drawn twice": one_of(held, altered.CardsDrawn, "cards"),
        "drawn of no deck": one_of(stranger, altered.CardsDrawn, "cards"),
        "played from the table": played(lying),
        "played of the other deck": played(of_another_deck),
        "played of no deck": played(stranger),
        "an orb from the table": one_of(
            lambda game, index, event: lying(game, index, event) if event.card != UNKNOWN else (),
            altered.ManaPlaced, "card",
        ),
    },
    "lotr-reveal": {
        "revealed from the table": revealed(
            lambda state: [*state.staging, *(card for cards in state.engaged.values() for card in cards)]
        ),
        "revealed from the discard pile": revealed(lambda state: state.discard),
        "revealed while it is under way": revealed(lambda state: [frame.card for frame in state.frames]),
        "revealed of no deck": revealed(lambda _: ["stranger"]),
    },
}  # fmt: skip
"""The mistakes with cards that anybody can know of, by game."""


def with_impossible_card(game: Game, change: Change, random: Random) -> tuple[int, list[Line]] | None:
    """The lines of the game up to a card that cannot be there, and the place of its event."""
    places = list(range(len(game.events)))
    for index in random.sample(places, len(places)):
        if event := change(game, index, random):
            told = game.told_in_full()
            return index, [*told[:index], Line(event, index, label="planted")]
    return None
