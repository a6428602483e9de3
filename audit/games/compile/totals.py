"""Values and totals, the numbers that texts read from the table, and the conditions that texts set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from audit.games.compile.declarations import Condition, Passive, Target
from audit.games.compile.parts import Lines, field_position, field_positions, is_known, opponent, protocol_of, side_of
from audit.games.compile.readings import FACE_DOWN_UNITY_COUNTS
from audit.games.compile.state import LINES, FieldPosition, PlacedCard, Side, State, Text
from audit.games.compile.texts import PASSIVES, VALUES

UNITY: Final = "unity"


def number_read(state: State, text: Text, number: str) -> int:
    """The number of that name, as the table shows it now."""
    if number == "cards_in_your_hand":
        return len(side_of(state, text.seat).hand)
    if number == "unity_in_field":
        return sum(1 for _ in unity_cards(state))
    line = text.line if number == "protocols_in_this_line" else None
    return len(protocols_shown(state, line))


def protocols_shown(state: State, line: int | None = None) -> set[str]:
    """The protocols that stand on face-up cards of the field, or of a line."""
    return {protocol_of(card) for card, place in field_positions(state) if place.up and line in (None, place.line)}


def unity_cards(state: State) -> Iterator[str]:
    """The Unity cards of the field: a face-down card shows no protocol, and counts by a reading only."""
    too = FACE_DOWN_UNITY_COUNTS.name in state.switches
    return (card for card, place in field_positions(state) if protocol_of(card) == UNITY and (place.up or too))


def leads_line(state: State, seat: str, line: int) -> bool:
    """Whether that side has the higher total in a line."""
    return total(state, seat, line) > total(state, opponent(seat), line)


def highest_lines(state: State, seat: str) -> tuple[int, ...]:
    """The lines in which that side has its highest total."""
    found = {line: total(state, seat, line) for line in LINES}
    return tuple(line for line, one in found.items() if one == max(found.values()))


def line_meant(state: State, text: Text, target: Target, turned: str) -> int:
    """The line that a target names by something that happened before; 0 where there is none."""
    if target.line == "same_as_that":
        return text.last_line
    protocols = side_of(state, text.seat).protocols
    return protocols.index(turned) + 1 if turned in protocols else 0


def is_met(state: State, text: Text, condition: Condition) -> bool:
    """Whether the condition of an instruction is met now."""
    return _CONDITIONS[condition.word](state, text, condition.number)


def _is_covered(state: State, text: Text, number: int) -> bool:
    place = field_position(state, text.card)
    return place is not None and not place.uncovered


def _is_covering(state: State, text: Text, number: int) -> bool:
    place = field_position(state, text.card)
    return place is not None and place.index > 0


_CONDITIONS: Final[dict[str, Callable[[State, Text, int], bool]]] = {
    "this_covered": _is_covered,
    "this_covering": _is_covering,
    "your_hand_empty": lambda state, text, number: not side_of(state, text.seat).hand,
    "your_hand_above_1": lambda state, text, number: len(side_of(state, text.seat).hand) > 1,
    "your_trash_not_empty": lambda state, text, number: bool(side_of(state, text.seat).trash),
    "opponent_leads_this_line": lambda state, text, number: leads_line(state, opponent(text.seat), text.line),
    "that_matches_stated_protocol": lambda state, text, number: (
        bool(text.done) and protocol_of(text.last_picked or "") == text.stated
    ),
    "another_unity_in_field": lambda state, text, number: any(card != text.card for card in unity_cards(state)),
    "protocols_in_field_at_least": lambda state, text, number: len(protocols_shown(state)) >= number,
    "protocols_in_field_below": lambda state, text, number: len(protocols_shown(state)) < number,
    "unity_in_field_at_least": lambda state, text, number: sum(1 for _ in unity_cards(state)) >= number,
}


Stack = tuple[PlacedCard, ...]
Totals = tuple[int, int, int]
OfBoth = tuple[int, int, bool]
"""Both totals of a line apart from cards held, and whether these count."""
Pair = tuple[Totals, Totals]
"""The totals of a side, and those of the other, line by line."""
Counted = tuple[Lines, Lines, tuple[OfBoth, OfBoth, OfBoth], Pair, Pair, bool]
"""The stacks of both sides, what was found of each line, the totals as A and as B sees them, apart from cards held, and
whether these count."""

FACE_DOWN_VALUE: Final = 2
TO_COMPILE: Final = 10
TO_CONTROL: Final = 2

CHANGES: Final[dict[str, Passive]] = {
    card: passive for card, found in PASSIVES.items() for _, passive in found if passive.rule == "line_total"
}
"""The cards whose text changes a total of their line. All stand in the top box, which is never covered."""

HAND_COUNTED: Final = frozenset(card for card, passive in CHANGES.items() if passive.per == "cards_in_your_hand")

_EMPTY: Final[OfBoth] = (0, 0, False)
_NOTHING: Final[Pair] = ((0, 0, 0), (0, 0, 0))
_LATEST: Final[list[Counted]] = [(((), (), ()), ((), (), ()), (_EMPTY, _EMPTY, _EMPTY), _NOTHING, _NOTHING, False)]
"""What was counted last. It is asked for in every turn, often while no card has moved."""

READS_LINE: Final = CHANGES.keys() | {
    card for card, found in PASSIVES.items() for _, passive in found if passive.rule == "face_down_value"
}
"""The cards whose text changes a total, or what face-down cards count in it."""


def value_of(state: State, card: str) -> int | None:
    """The current value of a card: by its face on the field, printed in a trash, else 2; None if unknown."""
    place = field_position(state, card)
    if place is not None:
        return value_at(state, card, place)
    return VALUES.get(card) if card in state.a.trash or card in state.b.trash else FACE_DOWN_VALUE


def value_at(state: State, card: str, place: FieldPosition) -> int | None:
    """The current value of a card that lies there; None if unknown."""
    return VALUES.get(card) if place.up else face_down_value(state, place.seat, place.line)


def face_down_value(state: State, seat: str, line: int) -> int:
    """What a face-down card of that stack counts (rule field.face-down-value)."""
    return _face_down_value(side_of(state, seat).lines[line - 1])


def _face_down_value(stack: Stack) -> int:
    for placed in stack:
        if placed.up and placed.card in PASSIVES:
            for _, passive in PASSIVES[placed.card]:
                if passive.rule == "face_down_value":
                    return passive.value
    return FACE_DOWN_VALUE


def total(state: State, seat: str, line: int) -> int:
    """The total of a stack with everything that changes it, never below 0 (rule field.value-counts)."""
    return totals(state, seat)[line - 1]


def _total(own: Stack, theirs: Stack, held: int) -> int:
    down = _face_down_value(own)
    counted = sum([VALUES.get(placed.card, 0) if placed.up else down for placed in own])
    return max(0, counted + _changes(own, theirs, held))


def _changes(own: Stack, theirs: Stack, held: int) -> int:
    """What texts in force add to or take from the total of the first stack, whose player holds so many cards."""
    change = 0
    for stack, meant in ((own, "you"), (theirs, "opponent")):
        for placed in stack:
            if placed.up and placed.card in CHANGES and (passive := CHANGES[placed.card]).side == meant:
                change += passive.amount * _times(passive, placed, own, theirs, held)
    return change


def _times(passive: Passive, source: PlacedCard, own: Stack, theirs: Stack, held: int) -> int:
    """How often the change of a total counts."""
    if passive.per == "face_down_cards_in_this_line":
        return sum(not placed.up for placed in (*own, *theirs))
    if passive.per == "opposing_cards_in_this_line":
        return len(theirs)
    if passive.per == "cards_in_your_hand":
        return held
    if passive.when == "other_protocol_face_up_in_this_stack":
        return int(any(placed.up and protocol_of(placed.card) != protocol_of(source.card) for placed in own))
    return 1


def totals(state: State, seat: str) -> Totals:
    """The totals of a side, line by line."""
    return own_and_theirs(state, seat)[0]


def own_and_theirs(state: State, seat: str) -> Pair:
    """The totals of a side, and those of the other, line by line."""
    a, b = state.a, state.b
    known = _LATEST[0]
    if known[0] is not a.lines or known[1] is not b.lines:
        known = _LATEST[0] = _counted(a.lines, b.lines, known)
    if known[5]:
        of_a, of_b = _with_hand(a, b), _with_hand(b, a)
        return (of_a, of_b) if seat == "A" else (of_b, of_a)
    return known[3] if seat == "A" else known[4]


def _counted(a: Lines, b: Lines, known: Counted) -> Counted:
    """The totals apart from cards held. A line is counted anew where a card of it has moved since it was asked for."""
    known_a, known_b, lines = known[0], known[1], known[2]
    one = lines[0] if known_a[0] is a[0] and known_b[0] is b[0] else _of_both(a[0], b[0])
    two = lines[1] if known_a[1] is a[1] and known_b[1] is b[1] else _of_both(a[1], b[1])
    three = lines[2] if known_a[2] is a[2] and known_b[2] is b[2] else _of_both(a[2], b[2])
    of_a, of_b = (one[0], two[0], three[0]), (one[1], two[1], three[1])
    return a, b, (one, two, three), (of_a, of_b), (of_b, of_a), one[2] or two[2] or three[2]


def _of_both(a: Stack, b: Stack) -> OfBoth:
    of_a = of_b = 0
    for placed in a:
        if placed.up and placed.card in READS_LINE:
            return _with_texts(a, b)
        of_a += VALUES.get(placed.card, 0) if placed.up else FACE_DOWN_VALUE
    for placed in b:
        if placed.up and placed.card in READS_LINE:
            return _with_texts(a, b)
        of_b += VALUES.get(placed.card, 0) if placed.up else FACE_DOWN_VALUE
    return of_a, of_b, False


def _with_texts(a: Stack, b: Stack) -> OfBoth:
    """The same where a text changes a total of the line."""
    hand_counts = any(placed.up and placed.card in HAND_COUNTED for placed in (*a, *b))
    return _total(a, b, 0), _total(b, a, 0), hand_counts


def _with_hand(own: Side, other: Side) -> tuple[int, int, int]:
    held = len(own.hand)
    one, two, three = [_total(stack, opposite, held) for stack, opposite in zip(own.lines, other.lines, strict=True)]
    return one, two, three


def leads(state: State, seat: str) -> int:
    """In how many lines a side is ahead."""
    own, theirs = own_and_theirs(state, seat)
    return (own[0] > theirs[0]) + (own[1] > theirs[1]) + (own[2] > theirs[2])


def takes_control(state: State, seat: str) -> bool:
    """Whether the control component changes to that side now (rule control.gained)."""
    return state.control != seat and leads(state, seat) >= TO_CONTROL


def compilable(state: State, seat: str) -> tuple[int, ...]:
    """The lines that qualify for a compile (rules compile.ten-or-more, compile.beats-opponent)."""
    own, theirs = own_and_theirs(state, seat)
    if own[0] < TO_COMPILE and own[1] < TO_COMPILE and own[2] < TO_COMPILE:
        return ()
    return tuple([line for line, one, other in zip(LINES, own, theirs, strict=True) if TO_COMPILE <= one > other])


def qualifies(state: State, seat: str, line: int) -> bool:
    """Ten at least, and more than the other side."""
    return line in compilable(state, seat)


def is_certain(state: State) -> bool:
    """Whether no unknown card is face up, so that every total is certain."""
    return not any(
        placed.up and not is_known(placed.card)
        for side in (state.a, state.b)
        for stack in side.lines
        for placed in stack
    )


def standing(state: State, seat: str) -> float:
    """How well a side stands: what it has compiled, and how near its lines are to being compiled."""
    own = [min(value, TO_COMPILE) for value in totals(state, seat)]
    return 30 * len(side_of(state, seat).compiled) + sum(own) + max(own) + len(side_of(state, seat).hand) / 2
