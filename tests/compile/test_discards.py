"""Which discards are up for choice: every set of cards once, those nobody can tell apart counted as one."""

from __future__ import annotations

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Event, Header, Verdict
from audit.games.compile import RULESET
from audit.games.compile.event_rules.discarding import discards
from audit.games.compile.events import Discarded, OwnerChanged, Played
from audit.games.compile.state import Side, State

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


# A card drawn at random: a log shows which it was, and cannot show how it was picked

B_HOLDS = ("spirit-5", "plague-5")
PICKS = {
    "fear-4": Discarded(seq=2, player="B", cards=("spirit-5",)),
    "love-3": OwnerChanged(seq=2, card="spirit-5", from_="B", to="A", why="took"),
}


def verdict_of(card: str, picked: Event, held: tuple[str, ...] = B_HOLDS) -> Verdict:
    sides = {
        "A": {"protocols": ["fear", "love", "water"], "hand": [card, "water-5"], "deck": ["water-4"]},
        "B": {"protocols": ["metal", "plague", "spirit"], "hand": list(held), "deck": ["spirit-4", "spirit-3"]},
    }
    header = Header(
        log=LOG_VERSION,
        ruleset="compile",
        setup={"position": {"player": "A", "phase": "action", "turn": 5, "sides": sides}},
    )
    line = 1 if card == "fear-4" else 2
    played = Played(seq=1, player="A", card=card, line=line, face="up")
    return list(audit(RULESET, header, (played, picked)))[-1].verdict


@pytest.mark.parametrize("card", PICKS)
def test_a_card_drawn_at_random_out_of_several_is_not_called_right(card: str) -> None:
    assert verdict_of(card, PICKS[card]) is Verdict.UNCHECKED


@pytest.mark.parametrize("card", PICKS)
def test_the_only_card_in_hand_leaves_nothing_to_chance(card: str) -> None:
    assert verdict_of(card, PICKS[card], ("spirit-5",)) is Verdict.LEGAL


def test_what_else_is_wrong_with_a_random_discard_is_a_finding() -> None:
    assert verdict_of("fear-4", Discarded(seq=2, player="B", cards=B_HOLDS)) is Verdict.ILLEGAL
    assert verdict_of("fear-4", Discarded(seq=2, player="A", cards=("water-5",))) is Verdict.ILLEGAL
