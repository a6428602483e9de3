"""What can happen at a table of Compile. The order is that of the documentation of the log."""

# No annotations as strings, which take long to evaluate: see `audit/core/model.py`.
from typing import Annotated, Literal

from msgspec import Meta, field

from audit.core.model import Card, Event, Seat, event_types_in

Line = Annotated[int, Meta(ge=1, le=3, description="1, 2 or 3 from seat A's left.")]
Face = Literal["up", "down"]
Box = Literal["top", "middle", "bottom"]
Cards = Annotated[tuple[Card, ...], Meta(max_length=64)]
Count = Annotated[int, Meta(ge=0, le=64)]
Place = Annotated[
    int | str, Meta(description="A line (1 to 3) or a zone: hand, deck, trash.")
]  # fmt: skip
PhaseName = Literal["start", "control", "compile", "action", "cache", "end"]
Protocols = Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]


class Drafted(Event, frozen=True):
    """A protocol is picked."""

    player: Seat
    protocol: str


class TurnBegan(Event, frozen=True):
    """A marker: another turn begins."""

    player: Seat
    turn: Annotated[int, Meta(ge=1)]


class PhaseBegan(Event, frozen=True):
    """A marker: a part of the turn begins."""

    phase: PhaseName


class Played(Event, frozen=True):
    """A card is announced for a line."""

    player: Seat
    card: Card
    line: Line
    face: Face
    from_: Literal["hand", "deck", "trash"] = field(name="from", default="hand")
    side: Annotated[Seat | None, Meta(description="Whose stack it goes to, where that is not the player's.")] = None
    deck: Annotated[Seat | None, Meta(description="Whose deck it comes from, where that is not the player's.")] = None


class Committed(Event, frozen=True):
    """A card has left its place and is on its way: bound, untouchable."""

    card: Card
    from_: Place | None = field(name="from", default=None)
    to: Place | None = None


class Covered(Event, frozen=True):
    """A card is about to be lain under another."""

    card: Card
    by: Card | None = None


class Uncovered(Event, frozen=True):
    """A card has become the last of its stack."""

    card: Card


class Landed(Event, frozen=True):
    """A committed card has arrived."""

    card: Card
    line: Line | None = None


class Triggered(Event, frozen=True):
    """A text came into force, or its moment came."""

    card: Card
    command: Box
    on: str | None = None


class Resolved(Event, frozen=True):
    """An instruction is over: carried out, a "may" not used, nothing to do, or its text no longer visible."""

    card: Card
    command: Box
    outcome: Literal["done", "declined", "impossible", "stopped"]


class Chose(Event, frozen=True):
    """A choice that is no movement of its own: an order, a line, a card to act on later, a permission."""

    player: Seat
    what: Literal["order", "line", "card", "option", "permission", "rearrange", "number", "protocol"]
    card: Card | None = None
    line: Line | None = None
    order: tuple[str, ...] | None = None
    option: Annotated[int, Meta(ge=1)] | None = None
    accept: bool | None = None
    number: Count | None = None
    protocol: str | None = None


class Drew(Event, frozen=True):
    """Cards are drawn: one event for one instruction."""

    player: Seat
    cards: Cards | None = None
    count: Count | None = None
    deck: Seat | None = None


class Discarded(Event, frozen=True):
    """Cards go to the trash from elsewhere than the field: one event for one instruction."""

    player: Seat
    cards: Cards
    from_: Literal["hand", "deck"] = field(name="from", default="hand")
    deck: Annotated[Seat | None, Meta(description="Whose deck they come from, where that is not the player's.")] = None
    trash: Annotated[
        Seat | None, Meta(description="Whose trash they go to, where it is not that of the hand or deck.")
    ] = None


class Flipped(Event, frozen=True):
    """A card is turned over; `is` says what an unknown card turned out to be."""

    card: Card
    face: Annotated[Face | None, Meta(description="The face it gets; left out, the one it has not.")] = None
    is_: Card | None = field(name="is", default=None)


class Shifted(Event, frozen=True):
    """A card is announced for another line of its side."""

    card: Card
    to: Line
    from_: Line | None = field(name="from", default=None)


class Deleted(Event, frozen=True):
    """Cards go from the field to the trash, at once when more than one."""

    cards: Cards


class Returned(Event, frozen=True):
    """A card goes from the field to a hand; more than one go at once."""

    card: Card | None = None
    to: Seat | None = None
    cards: Cards | None = None


class Revealed(Event, frozen=True):
    """Cards or a zone are shown to both players and put back."""

    player: Seat
    cards: Cards | None = None
    zone: Literal["hand", "deck", "trash"] | None = None
    is_: Cards | None = field(name="is", default=None)


class Looked(Event, frozen=True):
    """A player inspects cards without showing them."""

    player: Seat
    cards: Cards | None = None
    zone: str | None = None


class Identified(Event, frozen=True):
    """The recorder learned which card a handle is."""

    card: Card
    is_: Card = field(name="is")


class OwnerChanged(Event, frozen=True):
    """A card changes hands for the rest of the game."""

    card: Card
    from_: Seat = field(name="from")
    to: Seat
    why: Literal["gave", "took", "recompile", "claimed"]


class Rearranged(Event, frozen=True):
    """One side's protocols lie in a new order."""

    side: Seat
    protocols: Protocols
    by: Seat | None = None


class Refreshed(Event, frozen=True):
    """A refresh is announced."""

    player: Seat


class Reshuffled(Event, frozen=True):
    """The trash becomes part of the deck; `deck` is the whole new deck from the top, where known."""

    player: Seat
    deck: tuple[Card, ...] | None = None


class Shuffled(Event, frozen=True):
    """A player shuffles the deck; `deck` is all of it from the top, where known."""

    player: Seat
    deck: tuple[Card, ...] | None = None


class PutOnDeck(Event, frozen=True):
    """Cards of the field go face down on top of a deck; the first named is the top one."""

    cards: Cards
    deck: Seat


class Copied(Event, frozen=True):
    """The middle command of this card is carried out as though another card carried it."""

    card: Card
    by: Card | None = None


class StacksSwapped(Event, frozen=True):
    """Two stacks of one side change places, their cards in the same order."""

    side: Seat
    lines: tuple[Line, Line]


class ProtocolTurned(Event, frozen=True):
    """A protocol is turned to its compiled side by a text."""

    player: Seat
    protocol: str


class CacheCleared(Event, frozen=True):
    """A player is about to discard down to the limit."""

    player: Seat


class ControlTaken(Event, frozen=True):
    """The control component changes to a player."""

    player: Seat


class ControlReset(Event, frozen=True):
    """The control component goes back to its neutral place."""

    player: Seat


class Compiled(Event, frozen=True):
    """A compile is announced."""

    player: Seat
    line: Line


class Recompiled(Event, frozen=True):
    """A compile is announced in a line whose protocol is compiled already."""

    player: Seat
    line: Line


class Passed(Event, frozen=True):
    """Neither compile, play nor refresh was possible."""

    player: Seat


class GameWon(Event, frozen=True):
    """A player has compiled three protocols."""

    player: Seat


class GameEnded(Event, frozen=True):
    """The game ends otherwise."""

    reason: Literal["conceded", "time", "judge"]
    player: Seat | None = None


EVENTS = event_types_in(globals())


def returned_cards(event: Returned) -> tuple[str, ...]:
    """The cards of a return, however the log lists them."""
    return event.cards or ((event.card,) if event.card else ())


def drawn_count(event: Drew) -> int:
    """How many cards a log says were drawn."""
    return len(event.cards) if event.cards is not None else (event.count or 0)


def cards_of(event: Event) -> tuple[str, ...]:
    """The cards that an event is about, whether it names one or several."""
    cards: tuple[str, ...] | None = getattr(event, "cards", None)
    card: str | None = getattr(event, "card", None)
    return cards or ((card,) if card else ())
