"""What happens before the first day of Altered. The order is that of the documentation of the log."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta

from audit.core.model import Event, Seat, Side
from audit.games.altered.vocabulary import Cards, DeckCard, HeroCard, Mode, Pair, Seats, Text


class GameConfigured(Event, frozen=True):
    """Which kind of game, and who takes part."""

    mode: Mode
    players: Seats
    meet_distance: Annotated[int, Meta(ge=1, le=99)] | None = None


class DeckRegistered(Event, frozen=True):
    """A player hands in a deck. Who was not shown its cards leaves them out."""

    player: Seat
    heroes: Annotated[tuple[HeroCard, ...], Meta(max_length=20)]
    cards: Annotated[tuple[DeckCard, ...], Meta(max_length=500)] | None = None
    tokens: Annotated[tuple[str, ...], Meta(max_length=200)] = ()


class TeamFormed(Event, frozen=True):
    """Two players form a team."""

    team: Side
    players: Seats


class Seated(Event, frozen=True):
    """Who sits where, clockwise."""

    order: Seats


class FirstPlayerDrawn(Event, frozen=True):
    """Who starts."""

    player: Seat
    method: Literal["random", "other"] = "random"


class BoardPlaced(Event, frozen=True):
    """A piece of the board is laid out."""

    piece: Literal["hero_region", "companion_region", "tumult"]
    cards: Cards
    place: Text
    pile: Annotated[int, Meta(ge=1, le=3)] | None = None
    identical: bool | None = None


class ExpeditionsFaced(Event, frozen=True):
    """Which expeditions are opposite each other."""

    pairs: Annotated[tuple[Pair, ...], Meta(max_length=16)]


class CommunicationAgreed(Event, frozen=True):
    """What the participants may tell each other."""

    policy: Text
