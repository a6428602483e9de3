"""What can happen at the table. The order is that of the documentation."""

from __future__ import annotations

from typing import Annotated

from audit.core.model import Card, Event, Seat
from msgspec import Meta

Pile = Annotated[int, Meta(ge=1, le=3, description="1, 2 or 3 from the left.")]


class TurnBegan(Event, frozen=True):
    """A marker: another turn begins."""

    player: Seat
    turn: Annotated[int, Meta(ge=1)]


class Drew(Event, frozen=True):
    """A player draws a card; without the card where whoever wrote the log did not see it."""

    player: Seat
    card: Card | None = None


class Laid(Event, frozen=True):
    """A player lays a card on a pile."""

    player: Seat
    card: Card
    pile: Pile


class Passed(Event, frozen=True):
    """A player lays no card in this turn."""

    player: Seat


class PileTaken(Event, frozen=True):
    """A player takes all cards of a pile."""

    player: Seat
    pile: Pile


class GameEnded(Event, frozen=True):
    """The game is over; without a winner where nobody won."""

    winner: Seat | None = None
