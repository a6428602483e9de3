"""What a remark beside an event of Altered explains: what names something of a rule, in any of the four languages."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.steps import Step
from tests.altered.situations import audited
from tests.altered.test_real_play import PLAIN, day, found, played, unchecked

COST = "altered.day.afternoon.cost-hand"
PLACE = "altered.5.1.1.a"
REST = "altered.1.3.2.f.fleeting"

EXPLAINS = [
    "1 less: the leader", "free this time", "by the effect of the tower", "the tower lets it", "thanks to Teija",
    "scout!", "+1 by the hero", "gratuit ce tour", "de la Réserve, un de moins", "grâce à son Héros",
    "son pouvoir le permet", "elle reste ancrée", "costa uno in meno", "grazie al suo Eroe", "lo permette l'effetto",
    "rimane lì", "kosztuje o 1 mniej", "za darmo", "dzieki zdolnosci bohatera", "dzięki Teiji", "zostaje",
]  # fmt: skip
EXPLAINS_NOTHING = [
    "gg", "gets a drink", "thinks for a long time", "I think that is wrong", "let's go", "ox into the expedition",
    "places it beside his Hero", "merci", "premier tour", "l'ox dans son expédition", "remise en Réserve",
    "grazie amico", "meno male", "l'ox accanto all'Eroe", "effettivamente", "dzięki za grę", "ox obok bohatera",
    "gra wolno", "wraca do Rezerwy",
]  # fmt: skip


def played_with(remark: str, mana: int, **more: Any) -> list[Step]:
    """A day in which the ox, that costs 3, is played for so much with that remark."""
    return audited(day(**PLAIN, **more), [played("kim", "ox", mana, note=remark)])


@pytest.mark.parametrize("remark", EXPLAINS)
def test_a_cost_is_unchecked_where_the_remark_may_explain_it(remark: str) -> None:
    steps = played_with(remark, 1)
    assert found(steps) == []
    assert unchecked(steps) == {1: "unread.note"}


@pytest.mark.parametrize("remark", EXPLAINS_NOTHING)
def test_a_cost_is_judged_where_the_remark_explains_nothing(remark: str) -> None:
    assert found(played_with(remark, 1)) == [(1, COST)]


@pytest.mark.parametrize(("remark", "rules"), [("puts it beside his hero", [(1, PLACE)]), ("its text says so", [])])
def test_a_place_is_judged_in_the_same_way(remark: str, rules: list[tuple[int, str]]) -> None:
    assert found(played_with(remark, 3, types={"ox": "landmark"})) == rules


@pytest.mark.parametrize(
    ("remark", "rules"),
    [
        ("wraca do Rezerwy", [(1, REST)]), ("ox was fleeting", [(1, REST)]), ("gg", [(1, REST)]),
        ("it is anchored", []), ("no longer fleeting", []), ("by the scout", []),
    ],
)  # fmt: skip
def test_rest_is_judged_unless_the_remark_names_more_than_the_card_and_what_it_is_known_to_be(
    remark: str, rules: list[tuple[int, str]]
) -> None:
    there = {"kim": {"hero": [{"id": "ox", "forest": 3, "statuses": ["fleeting"]}], "companion": []}}
    given = day("night", characters=there, daily_effect="rest", **PLAIN)
    rested = {"type": "character_rested", "player": "kim", "card": "ox", "to": "reserve", "note": remark}
    assert found(audited(given, [rested])) == rules


@pytest.mark.parametrize(("remark", "rules"), [("3 + 1", [(1, "altered.1.3.2.e.sum")]), ("one more by a boost", [])])
def test_sums_are_judged_unless_the_remark_names_more_than_what_is_added_up(
    remark: str, rules: list[tuple[int, str]]
) -> None:
    there = {
        "kim": {"hero": [{"id": "ox", "forest": 3}], "companion": []},
        "leo": {"hero": [], "companion": []},
    }
    given = day("dusk", characters=there, daily_effect="progress", **PLAIN)
    sums = {
        "type": "expedition_totals", "player": "kim", "expedition": "hero", "against": "leo hero",
        "region": ["forest"], "own": {"forest": 4}, "opposing": {}, "note": remark,
    }  # fmt: skip
    assert found(audited(given, [sums])) == rules
