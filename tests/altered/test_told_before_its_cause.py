"""Records of Altered in an order of their own: sums after the advance that they carry, a draw before its Spell."""

from __future__ import annotations

from typing import Any

import pytest

from tests.altered.situations import audited
from tests.altered.test_real_play import Event, advanced, day, drew, found, last, played, sums, unchecked

ELF = {
    "kim": {"hero": [{"id": "elf", "forest": 1}], "companion": []},
    "leo": {"hero": [], "companion": [{"id": "kin", "water": 2}]},
}
PATH = {"hero": [["forest"], ["forest"], ["water"]], "companion": [["water"], ["water"], ["forest"]]}
MATCH = "altered.1.3.2.e.match"


def dusk(**more: Any) -> dict[str, Any]:
    """The first dusk of a race whose paths are known."""
    return day("dusk", daily_effect="progress", characters=ELF, paths={"kim": PATH, "leo": PATH}, **more)


def compared(*types: str) -> Event:
    return sums((1, 0, 0), (0, 0, 0), region=list(types))


@pytest.mark.parametrize("between", [[], [advanced("leo", "companion", "water")]])
def test_sums_after_the_advance_are_of_the_region_compared_in(between: list[Event]) -> None:
    told = [advanced("kim", "hero", "forest"), *between]
    assert found(audited(dusk(), [*told, compared("forest")])) == []
    assert found(audited(dusk(), [*told, compared("water")])) == [(len(told) + 1, MATCH)]


def test_sums_of_a_wrong_advance_are_not_another_mistake() -> None:
    steps = audited(dusk(), [advanced("kim", "hero", "water"), compared("water")])
    assert [seq for seq, _ in found(steps)] == [1]


def test_sums_after_the_advance_say_nothing_of_the_region_it_leads_to() -> None:
    given = dusk(regions={"kim": {"hero": ["forest"]}})
    state = last(audited({**given, "paths": {}}, [advanced("kim", "hero", "forest"), compared("forest")]))
    assert "kim hero" not in state.regions


SEER: dict[str, Any] = {
    "abilities": {"seer": ["Draw a card."], "ox": []}, "types": {"seer": "spell", "ox": "character"},
    "costs": {"seer": {"hand": 1, "reserve": 1}, "ox": {"hand": 3, "reserve": 2}},
}  # fmt: skip


@pytest.mark.parametrize("heroes", [{}, {"heroes": {"kim": None, "leo": None}}])
def test_a_draw_before_its_spell_is_judged_whether_the_hero_is_told_or_not(heroes: dict[str, Any]) -> None:
    draw, spell = drew("leo", 1, "seer"), played("leo", "seer", 1, "limbo")
    ox, more = played("kim", "ox", 3), {"type": "player_passed", "player": "kim"}
    steps = audited(day(**{**SEER, **heroes}), [ox, draw, spell, more])
    assert (found(steps), unchecked(steps)) == ([], {})


def test_a_draw_that_names_a_spell_nobody_plays_is_unchecked_as_before() -> None:
    steps = audited(day(**SEER), [played("kim", "ox", 3), drew("leo", 1, "seer"), played("leo", "ox", 3)])
    assert (found(steps), list(unchecked(steps))) == ([], [2])
