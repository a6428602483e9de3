"""What the settings of all games share: how a change is read, and what a card leaves behind."""

from __future__ import annotations

import pytest

from audit.core.setting import Data, Setting, number_at, number_told, without
from audit.games.altered.setting import AlteredSetting
from audit.games.compile.setting import CompileSetting
from audit.games.lotr_reveal.setting import RevealSetting

TABLES = [
    (CompileSetting(), ("fire", "water", "life", "death", "metal", "speed"), "A.hand"),
    (AlteredSetting(), ("duel",), "A.hand"),
    (RevealSetting(), ("2",), "encounter_deck"),
]
each_table = pytest.mark.parametrize(("setting", "words", "place"), TABLES, ids=["compile", "altered", "reveal"])


@each_table
@pytest.mark.parametrize("change", [{}, {"do": "dance"}, {"do": "count", "number": True}, {"do": "put"}])
def test_a_change_that_makes_no_sense_leaves_the_table_as_it_is(
    setting: Setting, words: tuple[str, ...], place: str, change: Data
) -> None:
    table = setting.fresh(words)
    assert setting.changed(table, {"to": place, **change}) == table


@each_table
def test_a_change_is_made_to_a_copy(setting: Setting, words: tuple[str, ...], place: str) -> None:
    table = setting.fresh(words)
    assert setting.changed(table, {"do": "count", "to": place, "number": 2}) != table
    assert table == setting.fresh(words)


def test_a_game_without_a_setting_changes_nothing() -> None:
    assert Setting().changed({"a": [1]}, {"do": "put"}) == {"a": [1]}


@pytest.mark.parametrize(("number", "told"), [(0, 0), (999, 999), (1000, None), (-1, None), (True, None), ("3", None)])
def test_a_number_is_told_within_bounds(number: object, told: int | None) -> None:
    assert number_told({"number": number}) == told


def test_a_number_is_found_under_its_keys() -> None:
    data = {"orbs": {"A": {"ready": 3}}}
    assert (number_at(data, "orbs", "A", "ready"), number_at(data, "orbs", "B", "ready")) == (3, 0)


def test_one_card_goes_and_something_may_be_left_of_it() -> None:
    assert without(["a", "b", "a"], "a") == ["b", "a"]
    assert without(["a", "b"], "b", ("?",)) == ["a", "?"]
