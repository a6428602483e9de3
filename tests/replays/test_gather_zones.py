"""Somebody saves a virtual table of Altered or of a reveal; the judge asks about it a minute later."""

from __future__ import annotations

from typing import cast

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import rulesets
from replays.importing.positions import Gathered, PositionHints
from replays.importing.questions import Asker, published
from replays.importing.saves import table_of
from replays.importing.zoned import gather_table
from replays.judging.positions import header_of, read_position_line
from tests.replays.made_save import Json, Table

ALTERED: Json = {"GameMode": "Altered TCG", "SaveName": "club night"}
RINGS: Json = {"GameMode": "The Lord of the Rings: The Card Game"}


def named(card: str) -> str:
    return card.replace("-", " ").title()


def zone(table: Table, name: str, across: float, out: float, wide: float = 12.0, deep: float = 4.0) -> None:
    told = table.put("ScriptingTrigger", name, across, out)
    cast(Json, told["Transform"]).update(scaleX=wide, scaleZ=deep)


def duel() -> Table:
    """Two players; their zones have names in French, but for one that nobody has named."""
    table = Table(name=named, jitter=0.0)
    table.hand("A", ["sea-heron", "grey-stag"])
    table.hand("B", ["wild-boar"])
    for seat, sign in (("White", -1), ("Green", 1)):
        zone(table, f"Expédition Héros {seat}", -8.0, sign * 4.0)
        zone(table, f"expédition compagnon {seat}", 8.0, sign * 4.0)
        zone(table, "Réserve", -8.0, sign * 9.0)
        zone(table, "Mana", 8.0, sign * 9.0)
        zone(table, "Pioche", 20.0, sign * 9.0, wide=4.0)
        table.pile("Deck", ["sea-heron"] * (30 if sign < 0 else 29), 20.0, sign * 9.0, down=True)
    table.put("Card", "Old Ram", -9.0, -4.0)
    table.put("Card", "Old Ram", 8.0, 4.0)
    table.put("Card", "Young Goat", -8.0, 9.0)
    for number in range(3):
        orb = table.put("Card", "", 5.0 + 2.2 * number, -9.0, down=True)
        cast(Json, orb["Transform"])["rotY"] = 90.0 if number == 0 else 0.0
    return table


def gathered(
    table: Table, more: Json, answers: dict[int, str] | None = None, told: PositionHints | None = None
) -> Gathered:
    given = answers or {}
    asker = Asker(lambda question: given.get(question.number))
    return gather_table(table_of(table.save(**more)), asker, told or PositionHints())


def data_of(found: Gathered) -> Json:
    assert found.line is not None
    game, data = read_position_line(found.line)
    game.rules.start(header_of(game, data))
    return cast(Json, data)


def test_a_duel_of_altered_is_read_from_the_names_of_its_zones() -> None:
    found = gathered(duel(), ALTERED)
    data = data_of(found)
    assert data["hands"] == {"A": ["sea-heron", "grey-stag"], "B": ["wild-boar"]}
    assert data["decks"] == {"A": 30, "B": 29}
    assert data["reserve"] == {"A": [], "B": ["young-goat"]}
    assert [one["id"] for one in data["characters"]["A"]["hero"]] == ["old-ram"]  # type: ignore[index]
    assert data["orbs"]["A"] == {"ready": 2, "exhausted": 1}  # type: ignore[index]
    assert found.unread == ()


def test_a_second_card_of_a_name_gets_a_name_of_its_own_and_it_is_said() -> None:
    found = gathered(duel(), ALTERED)
    assert [one.told["card"] for one in found.told if one.key == "save_copy"] == ["old-ram-2"]
    assert [one["id"] for one in data_of(found)["characters"]["B"]["companion"]] == ["old-ram-2"]  # type: ignore[index]


def test_what_the_table_does_not_show_is_asked_or_said_and_never_guessed_in_silence() -> None:
    found = gathered(duel(), ALTERED)
    assert [question.key for question in found.asker.open] == ["ask_phase", "ask_first", "ask_passed", "ask_passed"]
    (usual,) = [one.told["what"] for one in found.told if one.key == "save_usual"]
    assert usual.startswith("day 1, ")
    assert "mana" not in usual
    assert data_of(found)["orbs"]["B"] == {"ready": 0, "exhausted": 0}  # type: ignore[index]
    answered = gathered(duel(), ALTERED, {1: "afternoon", 2: "B", 3: "no", 4: "yes"})
    assert answered.asker.open == []
    data = data_of(answered)
    assert (data["first_player"], data["turn_of"], data["passed"]) == ("B", "A", ["B"])


def test_cards_in_no_zone_are_asked_about_together() -> None:
    table = duel()
    table.put("Card", "Paper Crane", -20.0, -2.0)
    table.put("Card", "Iron Wolf", -17.5, -2.0)
    found = gathered(table, ALTERED)
    question = found.asker.open[0]
    assert (question.key, question.told["name"]) == ("ask_place", "Paper Crane, Iron Wolf")
    assert "A.landmarks" in question.answers
    assert [one.key for one in found.unread] == ["save_no_place"]
    answered = gathered(table, ALTERED, {1: "A.landmarks"})
    assert data_of(answered)["landmark_zone"] == {"A": ["paper-crane", "iron-wolf"], "B": []}
    apart = gathered(table, ALTERED, {1: "apart", 2: "A.landmarks", 3: "A.discard"})
    assert data_of(apart)["discard"] == {"A": ["iron-wolf"], "B": []}


def test_a_card_without_a_name_in_a_row_is_left_out_and_named() -> None:
    table = duel()
    table.put("Card", "", -9.0, 9.0)
    assert [one.key for one in gathered(table, ALTERED).unread] == ["save_unnamed"]


def test_a_reveal_is_read_with_its_staging_area_and_the_threat_of_each_player() -> None:
    table = Table(name=named, jitter=0.0)
    table.hand("A", ["a-burning-brand", "sneak-attack"])
    table.hand("B", ["gandalf"])
    zone(table, "Staging area", 0.0, 0.0)
    zone(table, "Encounter deck", 20.0, 0.0, wide=4.0)
    zone(table, "Encounter discard", 26.0, 0.0, wide=4.0)
    zone(table, "Engaged", 0.0, -8.0)
    zone(table, "Engaged", 0.0, 8.0)
    table.pile("Deck", ["orc"] * 12, 20.0, 0.0, down=True)
    table.put("Card", "Black Marsh", -2.0, 0.0)
    table.put("Card", "Night Orc", 0.0, -8.0)
    table.put("Card", "Cold Wind", 26.0, 0.0)
    table.put("Counter", "Threat White", -15.0, -15.0, Counter={"value": 31})
    table.put("Counter", "threat", 15.0, 15.0, Counter={"value": 28})
    table.put("Counter", "rounds", 40.0, 0.0, Counter={"value": 3})
    found = gathered(table, RINGS, {1: "p2"})
    data = data_of(found)
    assert data["staging_area"] == ["black-marsh"]
    assert data["encounter_discard"] == ["cold-wind"]
    assert data["engaged"] == {"p1": ["night-orc"], "p2": []}
    assert data["encounter_deck"] == 12
    assert data["threat"] == {"p1": 31, "p2": 28}
    assert data["hand_size"] == {"p1": 2, "p2": 1}
    assert data["first_player"] == "p2"
    assert [(one.key, one.told["name"]) for one in found.unread] == [("save_counter", "rounds")]


def test_a_card_of_the_players_is_known_by_its_name_in_another_language() -> None:
    table = Table(name=named, jitter=0.0)
    table.hand("A", ["sneak-attack"])
    zone(table, "personnages", 0.0, 0.0)
    table.put("Card", "Frodon", 0.0, 0.0)
    assert data_of(gathered(table, RINGS))["characters"] == {"frodo": {"ready": True}}


def test_how_many_play_is_asked_where_the_hands_do_not_tell() -> None:
    table = duel()
    for at, colour in ((-40.0, "Red"), (40.0, "Blue")):
        told = table.put("HandTrigger", "", at, 0.0, FogColor=colour)
        cast(Json, told["Transform"]).update(scaleX=6.0, scaleZ=6.0)
        table.put("Card", f"Card {colour}", at, 0.0)
    question = gathered(table, ALTERED).asker.open[0]
    assert (question.key, question.answers) == ("ask_players", ("ffa-4", "2v2"))


def test_the_game_can_be_said_where_the_title_does_not_say_it() -> None:
    assert data_of(gathered(duel(), {}, told=PositionHints(game="altered")))["decks"] == {"A": 30, "B": 29}
    assert gathered(duel(), {}).line is None


@pytest.mark.parametrize("name", [one for one in rulesets() if one != "compile"])
def test_an_empty_table_is_a_position_with_what_was_assumed(name: str) -> None:
    found = gathered(Table(), {}, told=PositionHints(game=name))
    assert data_of(found)
    assert any(one.key == "save_usual" for one in found.told)


@pytest.mark.every("language", LANGUAGES)
def test_every_question_has_its_sentence(language: str) -> None:
    for found in (gathered(duel(), ALTERED), gathered(Table(), RINGS)):
        for one in (*found.asker.open, *found.unread, *found.told):
            assert published(one, language)["message"]
