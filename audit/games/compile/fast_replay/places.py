"""Where the cards are, changed in place as moves are noted."""

from __future__ import annotations

from itertools import chain

from msgspec.structs import replace

from audit.games.compile.cards import CARDS
from audit.games.compile.state import ALL_CARDS, UNKNOWN, PlacedCard, Side, State

Cards = tuple[str, ...]

HAND, DECK, TRASH, PROTOCOLS, COMPILED = ({"A": at, "B": at + 8} for at in range(5))
"""The index of these zones in `Places.now`, by seat."""
LINES = {"A": 4, "B": 12}
"""Line 1 of each seat is at this index plus 1, line 2 at plus 2, line 3 at plus 3."""
CONTROL = 16
_OF_B = 8
FIELD = (5, 6, 7, 13, 14, 15)

DOWN = "*"
"""The suffix of a face-down card, as in a setup."""


_PLACED = {card + (DOWN, "")[up]: PlacedCard(card, up) for card in CARDS for up in (False, True)}


class UnrecordedMoveError(Exception):
    """These events alone do not say where the cards go."""


class Places:
    """The cards of all zones, in one list that can be copied at once.

    `turn` is whose the present turn is, and which; `at_turn` is a copy from its beginning, `left` how many events there
    were from there on; `recompiled` is the `left` of the last turn in which a line was recompiled.
    """

    __slots__ = ("at_turn", "left", "now", "recompiled", "start", "turn")

    def __init__(self, state: State) -> None:
        self.start = state
        self.turn: tuple[str, int] | None = None
        self.now: list[Cards] = []
        for side in (state.a, state.b):
            self.now += (side.hand, side.deck, side.trash, side.protocols, tuple(side.compiled))
            self.now += (
                tuple([placed.card if placed.up else placed.card + DOWN for placed in stack]) for stack in side.lines
            )
        self.now.append((state.control,) if state.control else ())
        self.at_turn = self.now
        self.left = self.recompiled = 0

    def position(self) -> State:
        """The position at the beginning of that turn."""
        zones = self.at_turn
        control = zones[CONTROL][0] if zones[CONTROL] else None
        return replace(self.start, a=_side(*zones[:_OF_B]), b=_side(*zones[_OF_B:CONTROL]), control=control)

    def find(self, card: str) -> tuple[int, str]:
        """In which stack a card lies, and as what."""
        lying = {card, card + DOWN}
        for index in FIELD:
            if not lying.isdisjoint(self.now[index]):
                return index, card if card in self.now[index] else card + DOWN
        raise UnrecordedMoveError

    def lift(self, cards: Cards, stacks: tuple[int, ...] = FIELD) -> tuple[tuple[Cards, Cards], list[str]]:
        """Take cards off these stacks; returns the cards of each seat, and the cards they uncovered."""
        going = {*cards, *[card + DOWN for card in cards]}
        lifted: tuple[list[str], list[str]] = ([], [])
        uncovered_cards: list[str] = []
        for index in stacks:
            stack = self.now[index]
            if not going.isdisjoint(stack):
                self.now[index] = left = tuple([card for card in stack if card not in going])
                lifted[index > _OF_B].extend([card.removesuffix(DOWN) for card in stack if card in going])
                if left and left[-1] != stack[-1]:
                    uncovered_cards.append(left[-1])
        if len(lifted[0]) + len(lifted[1]) != len(cards):
            raise UnrecordedMoveError
        ours, theirs = (tuple([card for card in cards if card in some]) for some in lifted)
        return (ours, theirs), uncovered_cards


def _side(hand: Cards, deck: Cards, trash: Cards, protocols: Cards, compiled: Cards, *lines: Cards) -> Side:
    stacks = tuple([tuple([_PLACED[card] for card in line]) for line in lines])
    return Side(protocols, frozenset(compiled), stacks, hand, deck, trash)


def beside(index: int, line: int) -> int:
    """The stack in another line of the same seat."""
    return LINES["A" if index < _OF_B else "B"] + line


def named(card: str) -> str:
    """The card without the face-down suffix."""
    return card.removesuffix(DOWN)


def without(cards: Cards, card: str) -> Cards:
    """The cards without that one; raises `ValueError` where it is not among them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def all_is_known(state: State) -> bool:
    """Whether every card is known and unique, and no switch changes the rules."""
    a, b = state.a, state.b
    if state.switches or UNKNOWN in a.deck or UNKNOWN in b.deck:
        return False
    cards = [*a.hand, *a.deck, *a.trash, *b.hand, *b.deck, *b.trash]
    cards += [placed.card for placed in chain(*a.lines, *b.lines)]
    each = set(cards)
    return len(each) == len(cards) <= ALL_CARDS and CARDS.keys() >= each
