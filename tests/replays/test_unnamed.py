"""A question names a player whom nobody has named: the program asks who that is, and takes nothing else for a name."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from audit.core.model import Player
from replays.table.question import header_at
from replays.table.unnamed import nameless_seats, stranger

POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1s4:9:"
ALTERED = "altered/(setup:(mode:duel,seats:!(A,B),heroes:(A:Old-Fox,B:Grey-Owl)),phase:afternoon)"


def asked(line: str, *players: Player, position: str = POSITION) -> str:
    """The name in a line of which the table knows nothing."""
    return stranger(replace(header_at(position), players=players), [line], 1)


@pytest.mark.parametrize(("line", "name"), [
    ("may Ada play Plague 1 in line 2?", "Ada"),
    ("may ada play plague 1 in line 2?", "Ada"),
    ("Ada plague-1 2", "Ada"),
    ("Ada compiled line 1 with 10 against 10, may she?", "Ada"),
    ("can Bo take control?", "Bo"),
    ("Tomek zagrywa Plague 5 w linii 2", "Tomek"),
    ("Marie complète sa main, c'est permis ?", "Marie"),
    ("May Ada flip a covered card?", "Ada"),
    ("Giulia compila la linea 1, può?", "Giulia"),
])  # fmt: skip
def test_a_name_that_nobody_has_told_is_asked_about(line: str, name: str) -> None:
    assert asked(line) == name


@pytest.mark.parametrize("line", [
    "may Fire 3 be flipped?", "Can a covered card be flipped", "Flipp fire 3", "Fier 3 1", "pley fire 3 1", "Refresh",
    "He plays fire 3", "My opponent compiles line 1, may he?", "A kelon 2", "Peut-on retourner une carte couverte ?",
    "Czy mogę zagrać", "?", "", "4",
])  # fmt: skip
def test_what_is_no_name_is_not_asked_about(line: str) -> None:
    assert asked(line) == ""


def test_a_player_who_is_named_is_no_stranger_and_the_other_one_may_be() -> None:
    ada, bo = Player("A", "Ada"), Player("B", "Bo")
    assert asked("Ada plague-1 2", ada) == ""
    assert asked("can Bo take control?", ada) == "Bo"
    assert asked("can Cleo take control?", ada, bo) == ""
    assert nameless_seats(replace(header_at(POSITION), players=(ada,))) == ["B"]


def test_the_name_of_a_card_is_not_taken_for_a_player() -> None:
    assert asked("may Old Fox advance by forest?", position=ALTERED) == ""
    assert asked("may Kelon Mason be played?", position=ALTERED) == ""
    assert asked("may Ann advance the hero?", position=ALTERED) == "Ann"
