"""A card exists once: what a table says of its cards, what follows for those nobody has named, and what cannot be."""

from __future__ import annotations

import pytest

from audit.core.catalogue import Rule
from audit.core.conservation import Holding, Holdings, contradiction, crowded, deductions, hides_some

PACK = Rule("pack.four-cards", "definition", "pack")
SUIT = frozenset({"ace", "king", "queen", "jack"})


def lies(card: str, player: str = "ann", zone: str = "hand") -> Holding:
    return Holding(card, player, zone)


def hidden(handle: str, *may_be: str) -> Holding:
    return Holding(handle, "ben", "hand", frozenset(may_be))


def table(*cards: Holding) -> Holdings:
    return Holdings(PACK, cards, SUIT)


# Cards without a name


def test_a_table_hides_a_card_if_one_of_them_has_no_name() -> None:
    assert hides_some(table(lies("ace"), hidden("?1", "king")))
    assert not hides_some(table(lies("ace")))
    assert not hides_some(None)


@pytest.mark.every(
    ("cards", "told"),
    [
        ((lies("ace"),), {}),
        ((lies("king"), hidden("?1", "ace", "king")), {"?1": "ace"}),
        ((hidden("?1", "ace"), hidden("?2", "ace", "king")), {"?1": "ace", "?2": "king"}),
        ((hidden("?1", "ace", "king"), hidden("?2", "ace", "king")), {}),
        ((hidden("?1", "ace", "king"), hidden("?2", "ace", "king"), hidden("?3", *SUIT - {"jack"})), {"?3": "queen"}),
        ((hidden("?1", "ace", "king"), hidden("?2", "ace", "queen")), {}),
        ((lies("king"), hidden("?", "ace", "king")), {}),
        ((lies("ace"), lies("king"), hidden("?1", "ace", "king")), {}),
        ((hidden("?1", "ace"), hidden("?2", "queen"), hidden("?3", "queen")), {}),
    ],
    ids=[
        "all lie open", "the other one lies open", "the other one is certain", "which of two is which",
        "two take up two cards", "each may be a third", "it has no name to speak of it by", "no card is left",
        "two others are one card",
    ],
)  # fmt: skip
def test_what_a_card_has_to_be(cards: tuple[Holding, ...], told: dict[str, str]) -> None:
    assert deductions(table(*cards)) == told


def test_a_table_is_crowded_when_there_are_more_cards_than_they_may_be() -> None:
    assert not crowded(table(hidden("?1", "ace", "king"), hidden("?2", "ace", "king")))
    assert crowded(table(hidden("?1", "ace", "king"), hidden("?2", "ace", "king"), hidden("?3", "ace", "king")))
    assert crowded(table(lies("ace"), hidden("?1", "ace", "king"), hidden("?2", "king")))


def ring(number: int) -> Holdings:
    """So many kinds of unknown cards for one card less, where any of the kinds alone or with some others would fit."""
    pack = [f"card {n}" for n in range(1, number)]
    kinds = [pack, *([card for card in pack if card != gone] for gone in pack)]
    return table(*(hidden(f"?{n}", *kind) for n, kind in enumerate(kinds)))


def test_six_kinds_of_cards_are_compared_with_each_other_and_no_more() -> None:
    assert crowded(ring(6))
    assert not crowded(ring(7))


# What cannot be


def said(before: Holdings, after: Holdings) -> tuple[str, object] | None:
    found = contradiction(before, after)
    assert found is None or found.rule is PACK
    return (found.key, found.data) if found else None


def test_a_card_may_go_from_place_to_place_and_a_new_one_may_come() -> None:
    assert said(table(lies("ace")), table(lies("ace", "ben", "play"))) is None
    assert said(table(), table(lies("ace"))) is None
    assert said(table(), table(hidden("?1", "ace"))) is None
    assert said(table(), table(hidden("?", "ace", "king"), hidden("?", "ace", "king"))) is None


def test_a_card_that_two_players_have_is_in_one_place_too_many() -> None:
    before = table(lies("queen"), lies("ace"))
    assert said(before, table(*before.cards, lies("ace", "ben", "play"))) == (
        "card.twice", {"card": "ace", "player": "ann", "zone": "hand", "other": "ben", "to": "play"},
    )  # fmt: skip


def test_a_card_of_nobody_is_in_two_zones() -> None:
    there = Holding("ace", "", "deck")
    assert said(table(there), table(there, Holding("ace", "", "discard"))) == (
        "card.two_zones", {"card": "ace", "player": "", "zone": "deck", "other": "", "to": "discard"},
    )  # fmt: skip


def test_a_card_that_was_in_two_places_before_is_told_again_only_when_a_third_comes() -> None:
    twice = (lies("ace"), lies("ace", "ben"))
    assert said(table(*twice), table(*twice)) is None
    assert said(table(*twice), table(*twice, lies("king"))) is None
    third = said(table(*twice), table(*twice, lies("ace", "ann", "play")))
    assert third is not None
    assert third[0] == "card.twice"


@pytest.mark.parametrize(("player", "key"), [("ann", "card.elsewhere"), ("", "card.not_left")])
def test_a_card_comes_that_the_pack_does_not_have(player: str, key: str) -> None:
    joker = Holding("joker", player, "hand")
    assert said(table(), table(lies("king"), joker)) == (key, {"card": "joker", "player": player})
    assert said(table(joker), table(joker, lies("king"))) is None


def test_the_first_of_two_strange_cards_is_told() -> None:
    joker = ("card.elsewhere", {"card": "joker", "player": "ben"})
    assert said(table(), table(lies("joker", "ben"), Holding("fool", "", "deck"))) == joker
    only_king = (hidden("?1", "king"), lies("king"), lies("joker", "ben"))
    assert said(table(hidden("?1", "king")), table(*only_king)) == joker, "though the king cannot be there either"


def test_a_card_comes_that_the_hidden_ones_have_to_be() -> None:
    """Ben holds the ace and the king, so nobody else draws the ace."""
    both = (hidden("?1", "ace", "king"), hidden("?2", "ace", "king"))
    assert said(table(*both), table(*both, lies("queen"))) is None
    assert said(table(*both), table(*both, lies("ace"))) == ("card.elsewhere", {"card": "ace", "player": "ann"})
    assert said(table(lies("ace"), *both), table(lies("ace"), *both, lies("king"))) is None, "it was wrong before"
