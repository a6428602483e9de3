"""A position of Example Game, and how it is read from the header of a log. Values only: a position never changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from audit.core.errors import SetupError
from audit.core.model import Header
from msgspec import Struct
from msgspec.structs import replace

SEATS = ("A", "B")
SUITS = ("oak", "elm", "ash")
NUMBERS = range(1, 7)
CARDS = tuple(f"{suit}-{number}" for suit in SUITS for number in NUMBERS)
PILES = (1, 2, 3)
FULL = 3
"""So many cards make a pile that is taken."""

UNKNOWN = "?"
"""A card that nobody has named."""

Cards = tuple[str, ...]
Stage = Literal["between", "draw", "lay", "take", "end", "over"]


class Side(Struct, frozen=True):
    """What one player has."""

    hand: Cards = ()
    """The cards in hand, `?` for one that nobody has named."""
    taken: Cards = ()
    """The cards of the piles this player took."""


class State(Struct, frozen=True, kw_only=True):
    """Everything that matters for what may happen next."""

    turn: int = 0
    """The number of the last turn that began, 0 before the first."""
    player: str = "A"
    """Whose turn it is or was; before the first turn who begins."""
    stage: Stage = "between"
    """What comes next: a turn, a draw, a card or a pass, the taking of a pile, the end; `over`: nothing."""
    deck: Cards = ()
    """The deck from the top, `?` for a card that nobody has named."""
    a: Side = Side()
    """What player A has."""
    b: Side = Side()
    """What player B has."""
    piles: tuple[Cards, ...] = ((), (), ())
    """The three piles, each from the bottom."""
    cause: int = 0
    """The seq of the last card laid, or of the last pass: what follows from it names it as its cause."""

    def side(self, seat: str) -> Side:
        """What that player has."""
        return self.a if seat == "A" else self.b

    def pile(self, number: int) -> Cards:
        """The pile of that number."""
        return self.piles[number - 1]


def with_side(state: State, seat: str, side: Side) -> State:
    """The position in which that player has this."""
    return replace(state, a=side) if seat == "A" else replace(state, b=side)


def with_pile(state: State, number: int, cards: Cards) -> State:
    """The position in which that pile is this."""
    return replace(state, piles=tuple(cards if n == number else state.pile(n) for n in PILES))


def without(cards: Cards, card: str) -> Cards:
    """The cards without that one, or without one of the unknown ones if it is none of those named."""
    gone = card if card in cards else UNKNOWN
    if gone not in cards:
        return cards
    at = cards.index(gone)
    return (*cards[:at], *cards[at + 1 :])


def opponent(seat: str) -> str:
    """The other player."""
    return "B" if seat == "A" else "A"


def next_player(state: State) -> str:
    """Whose turn it is, or whose is next where none is under way."""
    return opponent(state.player) if state.stage == "between" and state.turn else state.player


def number_of(card: str) -> int:
    """The number on a card."""
    return int(card.rpartition("-")[2])


def is_seen(state: State, card: str) -> bool:
    """Whether that card is known to be in a hand or on the table, so that it cannot be anywhere else."""
    return any(card in cards for cards in (*state.piles, state.a.hand, state.a.taken, state.b.hand, state.b.taken))


def leader(state: State) -> str | None:
    """Who has taken more cards; None if nobody."""
    more = len(state.a.taken) - len(state.b.taken)
    return None if more == 0 else "A" if more > 0 else "B"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The setup of a header. A number stands for so many cards that nobody has named."""

    deck: Cards | int = ()
    hands: dict[Literal["A", "B"], Cards | int] = {}
    taken: dict[Literal["A", "B"], Cards | int] = {}
    piles: tuple[Cards, Cards, Cards] = ((), (), ())
    player: Literal["A", "B"] = "A"


def opening(header: Header) -> State:
    """The position before the first event; raises `SetupError`."""
    try:
        setup = msgspec.convert(header.setup, Setup)
    except msgspec.ValidationError as error:
        raise SetupError("", str(error)) from None
    a, b = (Side(_cards(setup.hands.get(seat, ())), _cards(setup.taken.get(seat, ()))) for seat in ("A", "B"))
    state = State(player=setup.player, deck=_cards(setup.deck), a=a, b=b, piles=setup.piles)
    named = [card for card in _everywhere(state) if card != UNKNOWN]
    if unknown := [card for card in named if card not in CARDS]:
        raise SetupError("", f"cards of the game, not {unknown[0]!r}")
    if len(set(named)) < len(named):
        raise SetupError("", "each card once")
    return state


def _cards(cards: Cards | int) -> Cards:
    return (UNKNOWN,) * cards if isinstance(cards, int) else cards


def _everywhere(state: State) -> Iterator[str]:
    for cards in (state.deck, *state.piles, state.a.hand, state.a.taken, state.b.hand, state.b.taken):
        yield from cards
