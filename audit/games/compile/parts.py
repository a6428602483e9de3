"""The parts of a position: where something lies or is under way, and the position with one thing changed. No rules.

They stand apart from the values in `state.py` so that they can be compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from audit.games.compile.state import (
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
OfStack = tuple[tuple[str, FieldPosition], ...]
Placed = tuple[Lines, tuple[OfStack, OfStack, OfStack], dict[str, FieldPosition]]

PROTOCOLS_TO_WIN: Final = 3

_NOWHERE: Final[Placed] = (((), (), ()), ((), (), ()), {})
_LATEST: Final[dict[str, Placed]] = {"A": _NOWHERE, "B": _NOWHERE}
"""For each seat the stacks last asked about, the cards in each with their places, and the places by card."""


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


def with_line(
    state: State, seat: str, line: int, stack: tuple[PlacedCard, ...], frames: tuple[Frame, ...] | None = None
) -> State:
    """The position with one stack changed, and with other frames under way where they are named."""
    side = state.a if seat == "A" else state.b
    lines = [*side.lines]
    lines[line - 1] = stack[:ALL_CARDS]
    side = replace(side, lines=tuple(lines))
    under_way = state.stack if frames is None else frames
    return replace(state, a=side, stack=under_way) if seat == "A" else replace(state, b=side, stack=under_way)


def pushed(state: State, *frames: Frame) -> State:
    """With more under way, the last of them acting now."""
    return replace(state, stack=state.stack[-MAX_FRAMES:] + frames)


def swapped(state: State, frame: Frame) -> State:
    """With the newest frame replaced."""
    return replace(state, stack=(frame,) if len(state.stack) == 1 else (*state.stack[:-1], frame))


def popped(state: State) -> State:
    """With the newest frame over."""
    return replace(state, stack=state.stack[:-1])


def field_position(state: State, card: str) -> FieldPosition | None:
    """Where on the field a card lies, if it does."""
    of_a, of_b = _LATEST["A"], _LATEST["B"]
    if of_a[0] is not state.a.lines:
        of_a = _placed("A", state.a.lines)
    place = of_a[2].get(card)
    if place is not None:
        return place
    return (of_b if of_b[0] is state.b.lines else _placed("B", state.b.lines))[2].get(card)


def seats_of_cards(state: State) -> dict[str, str]:
    """In whose stacks the cards of the field lie."""
    return {
        placed.card: seat for seat, side in (("B", state.b), ("A", state.a)) for line in side.lines for placed in line
    }


def field_positions(state: State) -> tuple[tuple[str, FieldPosition], ...]:
    """Every card on the field with its place."""
    (a, b, c), (d, e, f) = _placed("A", state.a.lines)[1], _placed("B", state.b.lines)[1]
    return a + b + c + d + e + f


def _placed(seat: str, lines: Lines) -> Placed:
    """Where the cards of a side lie; asked for again and again while none of them moves."""
    known = _LATEST[seat]
    if known[0] is lines:
        return known
    (a, b, c), (was_a, was_b, was_c), (in_a, in_b, in_c) = lines, known[0], known[1]
    found = (
        in_a if a is was_a else _of_stack(seat, 1, a),
        in_b if b is was_b else _of_stack(seat, 2, b),
        in_c if c is was_c else _of_stack(seat, 3, c),
    )
    known = _LATEST[seat] = lines, found, dict(found[0] + found[1] + found[2])
    return known


def _of_stack(seat: str, line: int, stack: tuple[PlacedCard, ...]) -> OfStack:
    last = len(stack) - 1
    return tuple(
        [
            (placed.card, FieldPosition(seat, line, index, placed.up, index == last))
            for index, placed in enumerate(stack)
        ]
    )


def top_of(state: State, seat: str, line: int) -> PlacedCard | None:
    """The uncovered card of a stack."""
    stack = (state.a if seat == "A" else state.b).lines[line - 1]
    return stack[-1] if stack else None


def lies_on_text(state: State, card: str) -> bool:
    """Whether a card lies on one that is face up, so that a text is laid bare if it leaves."""
    place = field_position(state, card)
    stack = side_of(state, place.seat).lines[place.line - 1] if place else ()
    return any(over.card == card and under.up for under, over in pairwise(stack))


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
