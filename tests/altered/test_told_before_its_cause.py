"""Records of Altered in an order of their own: sums after the advance that they carry, a draw before its Spell.

And what such an order must not hide: an advance that nothing carries is told with what was compared.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tests.altered.situations import audited
from tests.altered.test_real_play import Event, advanced, day, drew, found, last, passed, played, sums, unchecked

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


def squall(effect: str) -> dict[str, Any]:
    """The same dusk with a Tumult card on the way of Kim's Hero; neither player has a Hero who may act."""
    card = {"card": "squall", "face": "down", "effect": effect}
    return dusk(
        tumult={"kim hero 1": card}, advances={"kim": {"hero": 0, "companion": 0}, "leo": {"hero": 0, "companion": 0}},
        heroes={"kim": None, "leo": None}, abilities={"elf": [], "kin": []},
    )  # fmt: skip


def turned_up(effect: str, *brought: Event) -> list[list[Event]]:
    """The card turned up, its effect and what this brings, in every order."""
    turn: Event = {"type": "tumult_revealed", "cards": ["squall"], "place": "kim hero 1"}
    carried_out: Event = {"type": "tumult_effect_resolved", "card": "squall", "effect": effect}
    return [[*told] for told in permutations((turn, carried_out, *brought))]


BOTH_DRAW = [drew(seat, 1, "squall") for seat in ("kim", "leo")]
BOTH_GROW: list[Event] = [{"type": "boosts_changed", "card": card, "count": 1} for card in ("elf", "kin")]
STEP = advanced("kim", "hero", "forest")
NIGHT: Event = {"type": "phase_started", "phase": "night"}


@pytest.mark.parametrize(
    ("effect", "brought"),
    [
        ("Each player draws a card", BOTH_DRAW),
        ("Ogni giocatore pesca una carta", BOTH_DRAW),
        ("Each Character gains 1 boost", BOTH_GROW),
    ],
)
def test_a_tumult_card_its_effect_and_what_it_brings_may_be_told_in_any_order(
    effect: str, brought: list[Event]
) -> None:
    for told in turned_up(effect, *brought):
        steps = audited(squall(effect), [STEP, *told, advanced("leo", "companion", "water"), NIGHT])
        assert (found(steps), unchecked(steps)) == ([], {}), told


def test_a_card_more_than_a_tumult_card_brings_is_one_mistake_in_any_order() -> None:
    for told in turned_up("Draw a card", drew("kim", 2, "squall")):
        steps = audited(squall("Draw a card"), [STEP, *told, advanced("leo", "companion", "water"), NIGHT])
        wrong = next(seq for seq, event in enumerate((STEP, *told), 1) if event["type"] == "cards_drawn")
        assert [seq for seq, _ in found(steps)] == [wrong], told


def morning(*tokens: Event) -> list[list[Event]]:
    """The cards of the morning, what is readied, and the token, in every order."""
    drawn = [drew(seat, 2, "morning") for seat in ("kim", "leo")]
    readied: list[Event] = [{"type": "objects_readied", "player": seat} for seat in ("kim", "leo")]
    return [[*told] for told in permutations((*drawn, *readied, *tokens))]


TOKEN: Event = {"type": "first_player_passed", "from": "kim", "to": "leo"}
MANA: list[Event] = [{"type": "mana_placed", "player": "leo", "card": "?1"}, {"type": "mana_declined", "player": "kim"}]


def test_what_nobody_decides_in_the_morning_may_be_told_in_any_order() -> None:
    for told in morning(TOKEN):
        assert found(audited(day("night", daily_effect="cleanup"), [*told, *MANA])) == [], told


def test_a_token_that_passes_after_a_choice_of_the_morning_is_a_mistake() -> None:
    told = [*morning()[0], *MANA, TOKEN]
    assert len(found(audited(day("night", daily_effect="cleanup"), told))) == 1


# Advances that nothing carries


def race(own: int, opposing: int, **more: Any) -> dict[str, Any]:
    """The end of an afternoon: Kim's Hero has so much forest, Leo's so much."""
    there = {
        seat: {"hero": [{"id": card, "forest": forest}], "companion": []}
        for seat, card, forest in (("kim", "elf", own), ("leo", "kin", opposing))
    }
    return day(characters=there, passed=["kim"], turn_of="leo", abilities={"elf": [], "kin": []}, **more)


FOREST = advanced("kim", "hero", "forest")
DUSK: Event = {"type": "phase_started", "phase": "dusk"}


@pytest.mark.parametrize("before", [[], [DUSK]], ids=["no-heading", "heading"])
@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (race(2, 2), "altered.1.3.2.e.strict"),
        (race(1, 2), "altered.1.3.2.e.strict"),
        (race(2, 1, regions={"kim": {"hero": ["mountain"]}}), MATCH),
        (race(2, 2, facing=[["kim hero", "leo hero"]]) | {"mode": "ffa"}, "altered.1.3.2.e.strict"),
    ],
    ids=["level", "behind", "another-region", "free-for-all"],
)
def test_an_advance_where_none_is_due_is_told_with_what_was_compared(
    given: dict[str, Any], rule: str, before: list[Event]
) -> None:
    steps = audited(given, [*passed("leo"), *before, FOREST, NIGHT])
    assert found(steps) == [(2 + len(before), rule)]


def test_an_advance_in_the_middle_of_the_afternoon_is_no_matter_of_sums() -> None:
    [(seq, rule)] = found(audited(race(2, 2) | {"passed": []}, [FOREST]))
    assert (seq, rule) == (1, "altered.1.3.2.e.one-stat-enough")
