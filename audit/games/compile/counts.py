"""Numbers that texts read from the table, and the conditions that texts set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from audit.games.compile.declarations import Condition, Target
from audit.games.compile.parts import field_position, field_positions, opponent, protocol_of, side_of
from audit.games.compile.readings import FACE_DOWN_UNITY_COUNTS
from audit.games.compile.state import LINES, State, Text
from audit.games.compile.totals import total

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
