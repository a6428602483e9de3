"""What lies on the table of Compile, and what is under way. Values and questions; nothing here decides."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from audit.compile.words import BoxName

SEATS = ("A", "B")
LINES = (1, 2, 3)
HAND_LIMIT = 5
ALL_CARDS = 36
"""There are no more in a game; a log that puts more into one place is not followed any further."""
DEEPEST = 60
"""So much is under way at once at most: more than any game knows, and what was older is forgotten."""
UNKNOWN = "?"
"""A card nobody has named. A handle (`?1`) is an unknown card that the recorder can tell from the others."""


class PlacedCard(Struct, frozen=True, gc=False, array_like=True):
    """A card in a stack."""

    card: str
    up: bool


class Side(Struct, frozen=True, gc=False):
    """What belongs to one player. Stacks run from the protocol outwards, the deck from its top."""

    protocols: tuple[str, ...]
    compiled: frozenset[str] = frozenset()
    lines: tuple[tuple[PlacedCard, ...], ...] = ((), (), ())
    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    trash: tuple[str, ...] = ()


class FieldPosition(Struct, frozen=True, gc=False):
    """Where on the field a card lies: `index` counts from the protocol, the last of the stack is uncovered."""

    seat: str
    line: int
    index: int
    up: bool
    uncovered: bool


class Moment(Struct, frozen=True, gc=False):
    """A text whose moment has come and that waits for its turn."""

    card: str
    box: BoxName
    entry: int
    on: str
    seat: str


class Due(Struct, frozen=True, gc=False):
    """Texts that are due at one moment."""

    moments: tuple[Moment, ...]
    why: tuple[int, ...] = ()


class Text(Struct, frozen=True, gc=False):
    """A text being carried out.

    `step` is the instruction next in turn; `that` the card the last one picked; `done` how many it moved; `todo`
    what an instruction that is done several times has left (lines, cards, or so many blanks), `taken` and `aim`
    the cards and the line it has settled on so far; `chosen` the cards said to be chosen, which bind what follows;
    `lost` when the text went out of sight.
    """

    card: str
    box: BoxName
    entry: int
    seat: str
    line: int
    step: int = 0
    last_picked: str | None = None
    done: int = 0
    labels: tuple[str, ...] = ()
    remaining: tuple[str | int, ...] | None = None
    taken: tuple[str, ...] = ()
    chosen_line: int = 0
    chosen: tuple[str, ...] = ()
    option: int = -1
    on: str = ""
    text_hidden: bool = False
    why: tuple[int, ...] = ()


class CardMovement(Struct, frozen=True, gc=False):
    """A card on its way to a line: announced, then committed, then landed.

    `bare` is the card it laid open by leaving, until that has been said; `warned` those told that they are about
    to be covered; `under` the card it goes below; `freed` that a card lay on it where it comes from.
    """

    card: str
    up: bool
    seat: str
    line: int
    origin: int | str
    played: bool
    committed: bool = False
    uncovered_cards: tuple[str, ...] = ()
    notified: tuple[str, ...] = ()
    under: str | None = None
    order: int = 0
    freed: bool = False
    triggered_by_uncover: tuple[Moment, ...] = ()
    why: tuple[int, ...] = ()


class CardsLeaving(Struct, frozen=True, gc=False):
    """Cards on their way off the field, held back by the texts they laid open."""

    cards: tuple[tuple[str, str], ...]
    to: str
    uncovered_cards: tuple[str, ...] = ()
    triggered_by_uncover: tuple[Moment, ...] = ()
    why: tuple[int, ...] = ()


class Refreshing(Struct, frozen=True, gc=False):
    """A refresh under way: the control component first, then the draw."""

    seat: str
    control: bool
    choice: bool = False
    why: tuple[int, ...] = ()


class Compiling(Struct, frozen=True, gc=False):
    """A compile under way: control, escapes, the deletion, the protocol.

    `again` is what the protocol of the line still has to become by a rearrangement: compiled already (True) or not
    yet (False), because the log announced it so; None where it lay as announced.
    """

    seat: str
    line: int
    control: bool
    choice: bool = False
    asked: bool = False
    deleted: bool = False
    reward: bool = False
    again: bool | None = None
    why: tuple[int, ...] = ()


class Clearing(Struct, frozen=True, gc=False):
    """The cache being cleared."""

    seat: str
    why: tuple[int, ...] = ()


Frame = Due | Text | CardMovement | CardsLeaving | Refreshing | Compiling | Clearing


class Skipped(Struct, frozen=True, gc=False):
    """An instruction that was not to be carried out: of which card, which verb, and the id of the rule why."""

    card: str
    verb: str
    rule: str


class State(Struct, frozen=True, gc=False):
    """A position: the table, whose turn, and everything that is under way, the newest last."""

    a: Side
    b: Side
    turn: int = 1
    player: str = "A"
    phase: str = "start"
    control: str | None = None
    stack: tuple[Frame, ...] = ()
    due: tuple[Moment, ...] = ()
    acted: str = ""
    barred: tuple[tuple[str, int], ...] = ()
    over: str | None = None
    skipped: tuple[Skipped, ...] = ()
    just_left: tuple[str, ...] = ()
    draft: tuple[str, ...] | None = None
    switches: frozenset[str] = frozenset()

    def side(self, seat: str) -> Side:
        """The side of a seat."""
        return self.a if seat == "A" else self.b

    @property
    def other(self) -> str:
        """The player whose turn it is not."""
        return "B" if self.player == "A" else "A"


def opponent(seat: str) -> str:
    """The other seat."""
    return "B" if seat == "A" else "A"


def with_side(state: State, seat: str, side: Side) -> State:
    """The position with one side changed."""
    return replace(state, a=side) if seat == "A" else replace(state, b=side)


def with_line(state: State, seat: str, line: int, stack: tuple[PlacedCard, ...]) -> State:
    """The position with one stack changed."""
    side = state.side(seat)
    lines = (*side.lines[: line - 1], stack[:ALL_CARDS], *side.lines[line:])
    return with_side(state, seat, replace(side, lines=lines))


def pushed(state: State, *frames: Frame) -> State:
    """With more under way, the last of them acting now."""
    return replace(state, stack=(*state.stack[-DEEPEST:], *frames))


def swapped(state: State, frame: Frame) -> State:
    """With the newest frame replaced."""
    return replace(state, stack=(*state.stack[:-1], frame))


def popped(state: State) -> State:
    """With the newest frame over."""
    return replace(state, stack=state.stack[:-1])


def field_position(state: State, card: str) -> FieldPosition | None:
    """Where on the field a card lies, if it does."""
    for seat, side in (("A", state.a), ("B", state.b)):
        for number, stack in enumerate(side.lines, 1):
            for placed in stack:
                if placed.card == card:
                    index = stack.index(placed)
                    return FieldPosition(seat, number, index, placed.up, index == len(stack) - 1)
    return None


def seats_of_cards(state: State) -> dict[str, str]:
    """In whose stacks the cards of the field lie."""
    return {
        placed.card: seat for seat, side in (("B", state.b), ("A", state.a)) for line in side.lines for placed in line
    }


def field_positions(state: State) -> Iterator[tuple[str, FieldPosition]]:
    """Every card on the field with its place."""
    for seat, side in (("A", state.a), ("B", state.b)):
        for number, stack in enumerate(side.lines, 1):
            for index, placed in enumerate(stack):
                yield placed.card, FieldPosition(seat, number, index, placed.up, index == len(stack) - 1)


def top_of(state: State, seat: str, line: int) -> PlacedCard | None:
    """The uncovered card of a stack."""
    stack = state.side(seat).lines[line - 1]
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


def zone_of(state: State, card: str) -> tuple[str, str] | None:
    """Seat and zone (hand, deck, trash, field, committed) of a card by its name or handle; None if nowhere."""
    for seat, side in (("A", state.a), ("B", state.b)):
        for zone, cards in (("hand", side.hand), ("trash", side.trash), ("deck", side.deck)):
            if card in cards:
                return seat, zone
    if place := field_position(state, card):
        return place.seat, "field"
    return ("", "committed") if card in committed(state) else None
