"""Which discards are up for choice: every set of cards once, those nobody can tell apart counted as one."""

from __future__ import annotations

from audit.compile.event_rules.discarding import discards
from audit.compile.state import Side, State

PROTOCOLS = ("fire", "water", "life")


def hand(*cards: str) -> State:
    return State(a=Side(PROTOCOLS, hand=cards), b=Side(("death", "light", "speed")))


def listed(state: State, low: int, high: int) -> list[tuple[str, ...]]:
    return [event.cards for event in discards(state, "A", low, high)]


def test_every_pair_of_three_cards_is_up() -> None:
    assert listed(hand("fire-1", "fire-2", "life-3"), 2, 2) == [
        ("fire-1", "fire-2"),
        ("fire-1", "life-3"),
        ("fire-2", "life-3"),
    ]


def test_two_unknown_cards_may_go_together_but_not_in_two_orders() -> None:
    assert listed(hand("?", "fire-1", "?"), 2, 2) == [("?", "?"), ("?", "fire-1")]


def test_a_hand_of_thirty_unknown_cards_has_one_discard_of_each_number() -> None:
    assert [len(cards) for cards in listed(hand(*"?" * 30), 1, 30)] == list(range(1, 31))
