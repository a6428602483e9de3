"""What the settings of all games share: how a change is read, and what a card leaves behind."""

from __future__ import annotations

from typing import cast

import pytest

from audit.core.setting import Data, Setting, number_at, number_told, without
from audit.games.altered.setting import AlteredSetting
from audit.games.compile.setting import CompileSetting
from audit.games.lotr_reveal.setting import RevealSetting
from replays.judging.positions import read_position_line
from web.table.table import changed, settings_at

TABLES = [
    (CompileSetting(), ("fire", "water", "life", "death", "metal", "speed"), "A.hand"),
    (AlteredSetting(), ("duel",), "A.hand"),
    (RevealSetting(), ("2",), "encounter_deck"),
]
each_table = pytest.mark.every(("setting", "words", "place"), TABLES, ids=["compile", "altered", "reveal"])


@each_table
@pytest.mark.every("change", [{}, {"do": "dance"}, {"do": "count", "number": True}, {"do": "put"}])
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


@pytest.mark.every(("number", "told"), [(0, 0), (999, 999), (1000, None), (-1, None), (True, None), ("3", None)])
def test_a_number_is_told_within_bounds(number: object, told: int | None) -> None:
    assert number_told({"number": number}) == told


def test_a_number_is_found_under_its_keys() -> None:
    data = {"orbs": {"A": {"ready": 3}}}
    assert (number_at(data, "orbs", "A", "ready"), number_at(data, "orbs", "B", "ready")) == (3, 0)


def test_one_card_goes_and_something_may_be_left_of_it() -> None:
    assert without(["a", "b", "a"], "a") == ["b", "a"]
    assert without(["a", "b"], "b", ("?",)) == ["a", "?"]


BLANK = "compile/3A.action.-/plague.fire.water:w3*;;:::/spirit.gravity.hate:;g6*;:::"
"""Nobody has told how many cards the hands and decks hold."""


@pytest.mark.every(
    ("change", "line"),
    [
        ({"do": "count", "to": "A.hand", "number": 4}, BLANK.replace("w3*;;::", "w3*;;:4:")),
        ({"do": "count", "to": "B.deck", "number": 0}, BLANK.replace("g6*;:::", "g6*;::0:")),
        ({"do": "put", "card": "fire-4", "to": "A.trash"}, BLANK.replace("w3*;;:::", "w3*;;:::f4")),
        ({"do": "take", "card": "water-3"}, BLANK.replace("w3*", "")),
        ({"do": "turn", "card": "water-3"}, BLANK.replace("w3*", "w3")),
        ({"do": "say", "name": "player", "value": "B"}, BLANK.replace("3A", "3B")),
    ],
    ids=lambda change: change.get("do") if isinstance(change, dict) else "",
)
def test_a_hand_of_unknown_size_stays_so_until_its_number_is_told(change: Data, line: str) -> None:
    assert changed(BLANK, change) == line


def test_a_card_is_put_into_a_hand_of_unknown_size() -> None:
    line = changed(BLANK, {"do": "put", "card": "fire-4", "to": "A.hand"})
    data = read_position_line(line)[1]
    assert cast("Data", cast("Data", data["sides"])["A"])["hand"] == ["fire-4"]
    assert data["untold"] == ["A.hand", "A.deck", "B.hand", "B.deck"]


def test_what_can_be_set_where_hands_are_of_unknown_size_is_listed() -> None:
    said = settings_at(BLANK, "en")
    assert said["settable"]
    left = [card["value"] for group in cast("list[Data]", said["left"]) for card in cast("list[Data]", group["cards"])]
    assert "water-3" not in left
    assert {"plague-1", "gravity-5"} <= set(left)
    counts = {
        place: cast("list[Data]", told["counts"])[0] for place, told in cast("dict[str, Data]", said["about"]).items()
    }
    numbers = {place: (count["number"], count["is_known"]) for place, count in counts.items()}
    assert numbers == {
        "A.hand": (3, False), "A.deck": (14, False), "A.trash": (0, True),
        "B.hand": (3, False), "B.deck": (14, False), "B.trash": (0, True),
    }  # fmt: skip
