"""What follows by itself from a text that is read, told or not; and what is more than the text says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.altered.situations import audited
from tests.altered.test_real_play import (
    EMPTY,
    PLAIN,
    Event,
    day,
    drew,
    effect,
    found,
    moved,
    passed,
    phase,
    played,
    rested,
    sums,
    unchecked,
)

HEROES: dict[str, Any] = {"heroes": {"kim": None, "leo": None}}
TEXTS = PLAIN["abilities"]


def known(text: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """A table on which the text of every card is told, `flash` having this one; None: nobody has told that of it."""
    abilities = TEXTS if text is None else TEXTS | {"flash": text}
    given = {"abilities": abilities, "types": {"flash": "spell"}, "hands": {"kim": 5, "leo": 5}, **HEROES, **more}
    return day(**given)


def checkpoint(**position: Any) -> Event:
    return {"type": "checkpoint", "position": position}


def accused(given: dict[str, Any], told: list[Event]) -> list[int | None]:
    """The events at which something is found."""
    return [step.seq for step in audited(given, told) if step.verdict.is_finding]


FLASH = played("kim", "flash", 2, "limbo")
AGAIN = FLASH | {"from": "reserve", "mana": 1}
IN_RESERVE = {"reserve": {"kim": ["flash"], "leo": []}}

# Spells leave Limbo


@pytest.mark.every(
    ("given", "play", "where"),
    [
        (known([]), FLASH, "reserve"),
        (known(["Draw a card."]), FLASH, "reserve"),
        (known([], statuses={"flash": ["fleeting"]}), FLASH, "discard"),
        (known(["Fleeting"]), FLASH, "discard"),
        (known([], **IN_RESERVE), AGAIN, "discard"),
    ],
)
def test_a_spell_that_is_done_lies_where_spells_go(given: dict[str, Any], play: Event, where: str) -> None:
    card = {name: {"kim": ["flash"] if name == where else []} for name in ("reserve", "discard")}
    after = [*passed("leo"), *passed("kim")]
    for between in ([], [moved("flash", "limbo", where)], after, [*after, moved("flash", "limbo", where)]):
        assert accused(given, [play, *between, checkpoint(**card)]) == [], between


def test_a_spell_that_nobody_has_put_anywhere_is_missed() -> None:
    told = checkpoint(reserve={"kim": []}, discard={"kim": []})
    assert accused(known([]), [FLASH, told]) == [2]
    night = [*passed("leo", "kim"), phase("night")]
    kept = {"type": "cleanup_choice", "player": "kim", "zone": "reserve", "kept": ["ox", "whale"]}
    none = {"type": "cleanup_discarded", "discarded": {"kim": [], "leo": []}}
    given = known(["Draw a card."], reserve={"kim": ["ox", "whale"], "leo": []})
    assert found(audited(given, [FLASH, *night, kept, none])) == [(6, "altered.4.2.5.c.simultaneous")]
    assert accused(given, [FLASH, *night, kept, none | {"discarded": {"kim": ["flash"]}}]) == []


def test_a_spell_may_lie_anywhere_whose_text_nobody_has_told() -> None:
    for where in ("reserve", "discard"):
        told = checkpoint(**{where: {"kim": ["flash"]}})
        assert accused(known(), [FLASH, told]) == []
    steps = audited(known(), [FLASH, moved("flash", "limbo", "discard")])
    assert (found(steps), unchecked(steps)) == ([], {2: "unread.spell_text"})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (known(["Draw a card."], heroes={}), "cause.hero"),
        (known(["Return this card to your hand."]), "unread.spell_text"),
    ],
)
def test_a_spell_may_go_elsewhere_where_something_may_have_sent_it(given: dict[str, Any], why: str) -> None:
    steps = audited(given, [FLASH, moved("flash", "limbo", "hand")])
    assert (found(steps), unchecked(steps)) == ([], {2: why})


def test_a_spell_goes_nowhere_else_by_a_text_that_does_not_say_so() -> None:
    told = [FLASH, moved("flash", "limbo", "discard"), *passed("leo", "kim"), phase("night")]
    kept = {"type": "cleanup_choice", "player": "kim", "zone": "reserve", "kept": ["flash"]}
    given = known(["Draw a card."], reserve={"kim": [], "leo": []})
    assert found(audited(given, [*told, kept])) == [(2, "altered.5.1.1.c")]


@pytest.mark.every(
    ("traits", "where", "rule"),
    [
        ({"statuses": ["fleeting"]}, "discard", None),
        ({"statuses": ["fleeting"]}, "reserve", "altered.1.3.2.f.fleeting"),
        ({"origin": "reserve"}, "discard", None),
        ({"origin": "token"}, "removed", None),
        ({"statuses": []}, "reserve", None),
        ({"statuses": []}, "discard", "altered.5.1.1.c"),
    ],
)
def test_what_is_sent_to_the_reserve_goes_where_its_kind_goes(
    traits: dict[str, Any], where: str, rule: str | None
) -> None:
    groups = {"kim": {"hero": [], "companion": []}, "leo": {"hero": [{"id": "ox", **traits}], "companion": []}}
    given = known(["Send target Character to Reserve."], characters=groups)
    expected = [(2, rule)] if rule else []
    assert found(audited(given, [FLASH, moved("ox", "hero_expedition", where)])) == expected


@pytest.mark.parametrize(
    "told",
    [
        {"type": "status_lost", "card": "ox", "status": "anchored"},
        {"type": "boosts_changed", "card": "ox", "count": -1},
    ],
)
def test_a_text_that_gives_takes_nothing_away(told: Event) -> None:
    texts = TEXTS | {"ox": ["When I enter play, I gain Anchored.", "When I enter play, I gain 1 boost."]}
    assert accused(known(abilities=texts), [played("kim", "ox", 3), told]) == [2]


# Mana that a text readies


def short(text: list[str] | None) -> dict[str, Any]:
    return known(text, orbs={"kim": {"ready": 3, "exhausted": 2}, "leo": {"ready": 6, "exhausted": 0}})


LATER = [*passed("leo"), played("kim", "ox", 3)]


@pytest.mark.every(
    "text", [["Ready two Mana Orbs."], ["Redressez deux Orbes de Mana"], None, ["Do what you like with mana."]]
)
def test_a_cost_is_not_accused_that_a_text_may_have_made_ready(text: list[str] | None) -> None:
    steps = audited(short(text), [FLASH, *LATER])
    assert found(steps) == []
    assert list(unchecked(steps)) == [3]


def test_no_more_is_ready_than_the_text_readies() -> None:
    for told in ([], [{"type": "objects_readied", "player": "kim"}]):
        steps = audited(short(["Ready two Mana Orbs."]), [FLASH, *told, *LATER, played("kim", "scout", 2)])
        assert found(steps) == [(4 + len(told), "altered.day.afternoon.cost-hand")]
    assert accused(short(["Draw a card."]), [FLASH, *LATER]) == [3]
    assert accused(short(["You look at the cards of the other hand."]), [FLASH, *LATER]) == [3]


# More than the text says

BUG = {"type": "token_created", "player": "kim", "source": "flash", "token": "bug", "to_zone": "hero_expedition",
       "to_owner": "kim"}  # fmt: skip
OX: dict[str, Any] = {
    "characters": {"kim": EMPTY | {"hero": [{"id": "ox", "statuses": [], "abilities": []}]}, "leo": EMPTY}
}


def boost(count: int) -> Event:
    return {"type": "boosts_changed", "card": "ox", "count": count}


@pytest.mark.every(
    ("text", "enough", "more"),
    [
        ("Draw a card.", [drew("kim", 1, "flash")], drew("kim", 2, "flash")),
        ("Piochez deux cartes.", [drew("kim", 1, "flash"), drew("kim", 1, "flash")], drew("kim", 3, "flash")),
        ("Each player draws a card.", [drew("kim", 1, "flash"), drew("leo", 1, "flash")], drew("leo", 2, "flash")),
        ("Pesca una carta.", [], drew("leo", 1, "flash")),
        ("Dobierz kartę.", [], moved("ox", "hero_expedition", "discard")),
        ("Target Character gains 2 boosts.", [boost(2)], boost(4)),
        ("Create a Bug token.", [BUG], boost(1)),
    ],
)
def test_what_is_done_by_a_spell_is_held_against_its_text(text: str, enough: list[Event], more: Event) -> None:
    given = known([text], **OX)
    steps = audited(given, [FLASH, *enough, *passed("leo")])
    assert (found(steps), unchecked(steps)) == ([], {})
    assert found(audited(given, [FLASH, more, *passed("leo")])) == [(2, "altered.5.1.1.c")]
    assert found(audited(given, [FLASH, *effect("flash", text, more), *passed("leo")])) == [(3, "altered.5.1.1.c")]


def test_what_another_card_does_meanwhile_takes_nothing_from_a_spell() -> None:
    given = known(["Draw a card."], landmark_zone={"kim": ["tower"], "leo": []})
    tower = effect("tower", "Draw a card.", drew("kim", 1, "tower"))
    assert found(audited(given, [FLASH, *tower, drew("kim", 1, "flash"), *passed("leo")])) == []


def test_an_empty_list_of_abilities_is_no_text() -> None:
    assert found(audited(known([]), [FLASH, drew("kim", 1, "flash")])) == [(2, "altered.5.1.1.c")]
    assert accused(known(), [FLASH, drew("kim", 1, "flash")]) == []


TWO = drew("kim", 2, "flash")
REACTS = TEXTS | {"flash": ["Draw a card."], "tower": ["When you play a Spell, draw a card."]}


@pytest.mark.every(
    ("given", "reason"),
    [
        (known(abilities=REACTS, landmark_zone={"kim": [], "leo": ["tower"]}), "cause.text.rest"),
        (known(["Draw a card."], landmark_zone={"kim": ["well"], "leo": []}), "cause.unknown.rest"),
        (known(["Draw a card."], reserve={"kim": [], "leo": ["well"]}), "cause.unknown.rest"),
        (known(["Draw a card."], heroes={"kim": None}), "cause.hero.rest"),
        (known(["Draw a card."], heroes={"kim": None, "leo": "boss"}), "cause.unknown.rest"),
        (known(["Draw a card. Dance."]), "unread.sentence"),
        (known(), "unread.text"),
    ],
)  # fmt: skip
def test_nobody_is_accused_where_another_text_may_have_done_it(given: dict[str, Any], reason: str) -> None:
    steps = audited(given, [FLASH, TWO, *passed("leo")])
    assert (found(steps), unchecked(steps)) == ([], {2: reason})


@pytest.mark.every(
    "told",
    [
        [FLASH, *passed("leo"), drew("kim", 1, "flash")],
        [FLASH, played("leo", "scout", 2), drew("kim", 1, "flash"), *passed("kim")],
        [drew("kim", 1, "flash"), FLASH, *passed("leo")],
        [drew("kim", 1, "a card"), FLASH, *passed("leo")],
        [FLASH, moved("flash", "limbo", "reserve"), *passed("leo"), AGAIN, drew("kim", 2, "flash")],
        [FLASH, drew("kim", 1, "flash"), moved("flash", "limbo", "reserve"), *passed("leo")],
    ],
)
def test_one_card_is_one_card_wherever_it_is_written(told: list[Event]) -> None:
    assert accused(known(["Draw a card."]), told) == []


def test_a_card_that_nobody_said_was_drawn_may_be_played() -> None:
    hands = {"hands": {"kim": ["flash", "ox"], "leo": 5}}
    told = [FLASH, *passed("leo"), played("kim", "scout", 2)]
    steps = audited(known(["Draw a card."], **hands), told)
    assert (found(steps), unchecked(steps)) == ([], {3: "unread.owed"})
    assert accused(known([], **hands), told) == [3]
    assert accused(known(["Draw a card."]), [FLASH, checkpoint(hands={"kim": 5})]) == []
    assert accused(known([]), [FLASH, checkpoint(hands={"kim": 5})]) == [2]


# What a Character does to itself as it enters

DUSK = [*passed("leo", "kim"), phase("dusk"), {"type": "daily_effect_started", "effect": "progress"}]
ENTERS = [
    "When I enter play, I gain 1 boost.",
    "Quand j'arrive en jeu, je gagne 1 boost",
    "I gain 1 boost when I enter play",
]


@pytest.mark.every("text", ENTERS)
def test_boosts_that_a_character_gives_itself_count(text: str) -> None:
    given = known(abilities=TEXTS | {"scout": [text]})
    told = {"type": "boosts_changed", "card": "scout", "count": 1}
    for between in ([], [told]):
        start = [played("kim", "scout", 2), *between, *DUSK]
        steps = audited(given, [*start, sums((2, 2, 2), (0, 0, 0))])
        assert (found(steps), unchecked(steps)) == ([], {})
        assert [rule for _, rule in found(audited(given, [*start, sums((1, 1, 1), (0, 0, 0))]))] == [
            "altered.1.3.2.e.sum"
        ]


@pytest.mark.parametrize("text", ["When I enter play, I gain Anchored.", "Gdy wchodzę do gry, zyskuję Zakotwiczona"])
def test_a_status_that_a_character_gives_itself_counts(text: str) -> None:
    given = known(abilities=TEXTS | {"scout": [text]})
    told = {"type": "status_gained", "card": "scout", "status": "anchored"}
    for between in ([], [told]):
        start = [played("kim", "scout", 2), *between, *passed("leo", "kim"), phase("night")]
        assert accused(given, [*start, rested("kim", "scout", "stays", "anchored")]) == []
        steps = audited(given, [*start, rested("kim", "scout", "reserve")])
        assert [rule for _, rule in found(steps)] == ["altered.4.2.5.b.anchored-asleep-stay"]
