"""The parts of a position: where something lies or is under way, and the position with one thing changed. No rules.

They stand apart from the values in `state.py` so that they can be compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from audit.compile.state import (
    ALL_CARDS,
    MAX_FRAMES,
    UNKNOWN,
    CardMovement,
    CardsLeaving,
    FieldPosition,
    Frame,
    PlacedCard,
    Side,
    State,
)

Lines = tuple[tuple[PlacedCard, ...], ...]
Placed = tuple[Lines, tuple[tuple[str, FieldPosition], ...], dict[str, FieldPosition]]

PROTOCOLS_TO_WIN: Final = 3

_LATEST: Final[dict[str, Placed]] = {"A": ((), (), {}), "B": ((), (), {})}
"""For each seat the stacks last asked about, the cards in them with their places, and the places by card."""


def side_of(state: State, seat: str) -> Side:
    """The side of a seat."""
    return state.a if seat == "A" else state.b


def is_idle(state: State) -> bool:
    """Whether nothing is under way and nobody has won: then the turn goes on."""
    return not state.stack and len(state.a.compiled) < PROTOCOLS_TO_WIN and len(state.b.compiled) < PROTOCOLS_TO_WIN


def newest(state: State) -> Frame | None:
    """What acts now: the newest of all that is under way."""
    return state.stack[-1] if state.stack else None


def winner(state: State) -> str | None:
    """Who has all three protocols on the compiled side."""
    if len(state.a.compiled) == PROTOCOLS_TO_WIN:
        return "A"
    return "B" if len(state.b.compiled) == PROTOCOLS_TO_WIN else None


def opponent(seat: str) -> str:
    """The other seat."""
    return "B" if seat == "A" else "A"


def with_side(state: State, seat: str, side: Side) -> State:
    """The position with one side changed."""
    return replace(state, a=side) if seat == "A" else replace(state, b=side)


def with_line(state: State, seat: str, line: int, stack: tuple[PlacedCard, ...]) -> State:
    """The position with one stack changed."""
    side = side_of(state, seat)
    lines = (*side.lines[: line - 1], stack[:ALL_CARDS], *side.lines[line:])
    return with_side(state, seat, replace(side, lines=lines))


def pushed(state: State, *frames: Frame) -> State:
    """With more under way, the last of them acting now."""
    return replace(state, stack=(*state.stack[-MAX_FRAMES:], *frames))


def swapped(state: State, frame: Frame) -> State:
    """With the newest frame replaced."""
    return replace(state, stack=(*state.stack[:-1], frame))


def popped(state: State) -> State:
    """With the newest frame over."""
    return replace(state, stack=state.stack[:-1])


def field_position(state: State, card: str) -> FieldPosition | None:
    """Where on the field a card lies, if it does."""
    return _placed("A", state.a.lines)[2].get(card) or _placed("B", state.b.lines)[2].get(card)


def seats_of_cards(state: State) -> dict[str, str]:
    """In whose stacks the cards of the field lie."""
    return {
        placed.card: seat for seat, side in (("B", state.b), ("A", state.a)) for line in side.lines for placed in line
    }


def field_positions(state: State) -> tuple[tuple[str, FieldPosition], ...]:
    """Every card on the field with its place."""
    return (*_placed("A", state.a.lines)[1], *_placed("B", state.b.lines)[1])


def _placed(seat: str, lines: Lines) -> Placed:
    """Where the cards of a side lie; asked for again and again while none of them moves."""
    known = _LATEST[seat]
    if known[0] is not lines:
        found = tuple(
            [
                (placed.card, FieldPosition(seat, number, index, placed.up, index == len(stack) - 1))
                for number, stack in enumerate(lines, 1)
                for index, placed in enumerate(stack)
            ]
        )
        known = _LATEST[seat] = lines, found, dict(found)
    return known


def top_of(state: State, seat: str, line: int) -> PlacedCard | None:
    """The uncovered card of a stack."""
    stack = side_of(state, seat).lines[line - 1]
    return stack[-1] if stack else None


def movements(state: State) -> Iterator[CardMovement]:
    """Cards committed to a line, in the order in which they were committed."""
    return (frame for frame in state.stack if type(frame) is CardMovement and frame.committed)


def committed(state: State) -> tuple[str, ...]:
    """Every card that is on its way."""
    return tuple(movement.card for movement in movements(state)) + tuple(
        card for frame in state.stack if type(frame) is CardsLeaving for card, _ in frame.cards
    )


def is_known(card: str) -> bool:
    """Whether the card has a name, so that its text and value can be told."""
    return not card.startswith(UNKNOWN)


def protocol_of(card: str) -> str:
    """The protocol that stands on a card."""
    return card.rpartition("-")[0]


def zone_of(state: State, card: str) -> tuple[str, str] | None:
    """Seat and zone (hand, deck, trash, field, committed) of a card by its name or handle; None if nowhere."""
    for seat, side in (("A", state.a), ("B", state.b)):
        for zone, cards in (("hand", side.hand), ("trash", side.trash), ("deck", side.deck)):
            if card in cards:
                return seat, zone
    if place := field_position(state, card):
        return place.seat, "field"
    return ("", "committed") if card in committed(state) else None
