"""Somebody saves a virtual table in the middle of a dispute; the judge asks about it a minute later."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.errors import AuditError
from cli import audit
from replays.importing.positions import Gathered, PositionHints, gather_position
from replays.importing.questions import AnswerError, Asker
from replays.importing.saves import SaveError, frame_told, read_table, table_of
from replays.importing.words import cards_named, protocols_named
from replays.judging.positions import read_position_line
from tests.replays.made_save import Json, Table, laid_out

SIDES: dict[str, Json] = {
    "A": {
        "protocols": ["fire", {"name": "life", "compiled": True}, "water"],
        "lines": [["fire-3", "life-2*", "fire-0"], [], ["water-0*"]],
        "hand": ["life-1", "fire-4"], "deck": 8, "trash": ["fire-1", "water-5", "water-4", "life-3"],
    },
    "B": {
        "protocols": ["death", "metal", "speed"],
        "lines": [["speed-1*"], ["metal-2", "metal-5"], []],
        "hand": ["death-1"], "deck": 13, "trash": ["death-5"],
    },
}  # fmt: skip
LINE = (
    "compile/1A.action.A/fire.life!.water:f3l2*f0;;w0*:l1f4:8:f1w54l3"
    "/death.metal.speed:s1*;m25;:d1:13:d5"
)  # fmt: skip


def gathered(
    table: Table, answers: dict[int, str] | None = None, told: PositionHints | None = None, **more: object
) -> Gathered:
    given = answers or {}
    return gather_position(
        table_of(table.save(**more)), Asker(lambda question: given.get(question.number)), told or PositionHints()
    )


def asked(found: Gathered) -> list[tuple[str, str]]:
    return [(question.key, question.told.get("name", "")) for question in found.asker.open]


def left_out(found: Gathered) -> list[str]:
    return [one.key for one in found.unread]


def french(card: str) -> str:
    names = {"fire": "Feu", "life": "Vie", "water": "Eau", "death": "Mort", "metal": "MÉTAL", "speed": "Vitesse"}
    protocol, _, value = card.rpartition("-")
    return f"{names[protocol]} n° {value}".replace(" n°", " –")


OTHERS: dict[str, Callable[[], Table]] = {
    "as one would lay it out": Table,
    "the whole table turned by ninety degrees": lambda: Table(turned=90.0),
    "a table turned a little": lambda: Table(turned=17.0),
    "cards straight on one another, with a slight jitter": lambda: Table(step=0.0, jitter=0.05),
    "wide lines, and not in the middle of the table": lambda: Table(apart=9.0, at=(33.0, -12.0)),
    "names in French": lambda: Table(name=french),
    "names such as fire3": lambda: Table(name=lambda card: card.replace("-", "")),
    "names with the number first, in colour": lambda: Table(
        name=lambda card: "[b][ff0000]{1} {0}[-][/b]".format(*card.split("-"))
    ),
    "names kept in tags": lambda: Table(tags=True),
}  # fmt: skip


@pytest.mark.every("way", OTHERS)
def test_a_save_whose_cards_carry_their_names_is_a_position(way: str) -> None:
    table = laid_out(SIDES, OTHERS[way]())
    found = gathered(table)
    assert asked(found) == []
    assert left_out(found) == []
    assert found.line == LINE
    assert read_position_line(found.line)[1]["sides"]["A"]["deck"] == 8  # type: ignore[index]


def test_turned_half_round_the_same_table_is_seen_from_the_other_side() -> None:
    found = gathered(laid_out(SIDES, Table(turned=180.0)), told=PositionHints(side_a="White"))
    assert found.line == LINE
    swapped = gathered(laid_out(SIDES, Table(turned=180.0)))
    assert swapped.line is not None
    assert swapped.line.startswith("compile/1B.action.B/speed.metal.death:")


def test_who_sits_where_and_how_many_cards_were_found_is_said() -> None:
    found = gathered(laid_out(SIDES, Table()))
    assert [(one.key, one.where, one.told) for one in found.told[:2]] == [
        ("save_seat", "A", {"colour": "White"}), ("save_seat", "B", {"colour": "Green"}),
    ]  # fmt: skip


def test_a_face_down_card_without_a_name_is_unknown_and_no_question() -> None:
    table = laid_out(SIDES, Table())
    table.stack("B", 3, ["?*"])
    found = gathered(table)
    assert asked(found) == []
    assert found.line is not None
    assert ";?t1*:d1:13:d5" in found.line


def test_a_card_between_two_lines_is_asked_about_with_its_place() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 2", -2.0, -4.0)
    found = gathered(table)
    (question,) = found.asker.open
    assert (question.key, question.told["name"]) == ("ask_place", "Fire 2")
    assert question.where.endswith("(x -2.0, z -4.0)")
    assert question.answers[:2] == ("A1", "A2")
    assert left_out(found) == ["save_no_place"]
    answered = gathered(table, {question.number: "A2"})
    assert answered.line is not None
    assert ":f3l2*f0;f2;w0*:" in answered.line
    assert answered.asker.open == []


def test_two_cards_at_one_spot_are_no_stack_until_somebody_says_so() -> None:
    table = laid_out(SIDES, Table(jitter=0.0))
    for card in ("Death 2", "Death 3"):
        table.put("Card", card, 4.0, 4.0, y=1.0)
    found = gathered(table)
    assert asked(found) == [("ask_order", "B3")]
    assert left_out(found) == ["save_no_order"]
    answered = gathered(table, {found.asker.open[0].number: "death-3,death-2"})
    assert answered.line is not None
    assert ";d32:" in answered.line


def test_cards_merged_to_a_deck_in_a_line_are_asked_for_their_order() -> None:
    table = laid_out(SIDES, Table())
    table.pile("Deck", ["death-2", "death-3"], 4.0, 4.0, down=False)
    found = gathered(table)
    assert found.asker.open[0].answers == ("death-2,death-3", "death-3,death-2", "out")


def test_distance_and_height_that_contradict_each_other_are_asked_about() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Death 2", 4.0, 4.0, y=1.3)
    table.put("Card", "Death 3", 4.0, 5.0, y=1.1)
    assert gathered(table).asker.open[0].answers == ("death-2,death-3", "death-3,death-2", "out")


@pytest.mark.every(
    ("name", "key"),
    [("Fyre 2", "ask_card"), ("Fire 9", "ask_card"), ("a note", "ask_card"), ("Fire 1 / Fire 2", "ask_card")],
)
def test_an_unknown_name_is_asked_about(name: str, key: str) -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", name, 4.0, 4.0)
    found = gathered(table)
    assert asked(found) == [(key, name)]
    assert left_out(found) == ["save_unnamed"]


def test_a_misspelt_name_has_the_likely_card_first() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fyre 2", 4.0, 4.0)
    assert gathered(table).asker.open[0].answers[0] == "fire-2"


def test_a_face_up_card_without_a_name_is_asked_about() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "", 4.0, 4.0)
    assert asked(gathered(table)) == [("ask_card", "?")]


def test_a_card_of_a_third_player_is_left_out_and_named() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Plague 2", 4.0, 4.0)
    found = gathered(table)
    assert [(one.key, one.told["name"]) for one in found.unread] == [("save_foreign", "Plague 2")]
    assert found.line == LINE


def test_a_hand_at_the_end_of_the_table_is_nobodys_until_somebody_says_so() -> None:
    table = laid_out(SIDES, Table())
    zone = table.put("HandTrigger", "", 40.0, 0.0, FogColor="Red")
    transform = zone["Transform"]
    assert isinstance(transform, dict)
    transform["scaleX"] = 6.0
    table.put("Card", "Fire 2", 40.0, 0.0)
    assert gathered(table).asker.open[0].answers == ("A hand", "B hand", "out")


def test_a_card_that_is_there_twice_counts_once() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 3", 4.0, 4.0)
    found = gathered(table)
    assert found.asker.open[0].answers == ("1:A1", "2:B3", "out")
    assert left_out(found) == ["save_twice"]
    assert gathered(table, {1: "1:A1"}).line == LINE


def test_two_piles_face_up_beside_the_lines_are_asked_about() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 2", 9.0, -12.0)
    assert asked(gathered(table))[0] == ("ask_place", "?")


def test_a_card_on_its_edge_is_asked_for_its_face() -> None:
    table = laid_out(SIDES, Table())
    one = table.put("Card", "Death 2", 4.0, 4.0)
    transform = one["Transform"]
    assert isinstance(transform, dict)
    transform["rotZ"] = 88.0
    assert asked(gathered(table)) == [("ask_face", "death-2")]


def test_a_turned_protocol_may_be_compiled_or_not() -> None:
    table = laid_out(SIDES, Table())
    transform = table.objects[0]["Transform"]
    assert isinstance(transform, dict)
    transform["rotZ"] = 180.0
    found = gathered(table)
    assert asked(found) == [("ask_compiled", "fire")]
    answered = gathered(table, {found.asker.open[0].number: "yes"})
    assert answered.line is not None
    assert "fire!.life!.water" in answered.line


def test_whose_turn_it_is_and_who_has_control_is_asked_where_the_table_does_not_show_it() -> None:
    table = laid_out(SIDES, Table())
    table.objects = [one for one in table.objects if "Control" not in str(one["Nickname"])]
    assert asked(gathered(table, Turns={"Enable": False, "TurnColor": ""})) == [("ask_player", ""), ("ask_control", "")]


def test_bags_are_named_and_not_read() -> None:
    table = laid_out(SIDES, Table())
    table.put("Infinite_Bag", "spare cards", 30.0, 0.0, ContainedObjects=[{"Name": "Card", "Nickname": "Fire 2"}])
    found = gathered(table)
    assert left_out(found) == ["save_bag"]
    assert found.line == LINE


def test_protocols_that_were_not_drafted_lie_aside() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Plague", 30.0, 13.0)
    found = gathered(table)
    assert left_out(found) == ["save_aside"]
    assert found.line == LINE


def test_a_row_of_protocols_that_were_not_drafted_is_not_taken_for_those_of_the_game() -> None:
    table = laid_out(SIDES, Table())
    for number, name in enumerate(("Plague", "Love", "Hate", "Light", "Spirit")):
        table.put("Card", name, 30.0 + 2 * number, 4.0)
    found = gathered(table)
    assert left_out(found) == ["save_aside"] * 5
    assert found.line == LINE


def test_a_table_full_of_cards_is_read_or_refused_in_good_time() -> None:
    table = laid_out(SIDES, Table())
    for number in range(500):
        table.put("Card", f"Fyre {number}", 4.0, -4.0 - number / 100)
    assert len(gathered(table).asker.open) == 500
    for number in range(3000):
        table.put("Card", f"Fyre {number}", 30.0, 4.0)
    with pytest.raises(SaveError, match="at most 3,000 cards"):
        gathered(table)


def test_without_names_on_the_protocols_somebody_says_where_the_lines_are() -> None:
    table = laid_out(SIDES, Table())
    for one in table.objects:
        if one["Name"] == "Custom_Tile":
            one["Nickname"] = ""
    assert left_out(gathered(table)) == ["save_layout"]
    protocols = {"A": ("fire", "life", "water"), "B": ("death", "metal", "speed")}
    told = PositionHints(frame=frame_told((-4.0, 0.0, 4.0), (-1.2, 1.2), is_along_x=True), protocols=protocols)
    assert gathered(table, told=told).line == LINE.replace("life!", "life")


def test_lines_along_the_other_axis_can_be_told_too() -> None:
    table = laid_out(SIDES, Table(turned=90.0))
    protocols = {"A": ("fire", "life", "water"), "B": ("death", "metal", "speed")}
    told = PositionHints(frame=frame_told((-4.0, 0.0, 4.0), (-1.2, 1.2), is_along_x=False), protocols=protocols)
    assert gathered(table, told=told).line == LINE.replace("life!", "life")


def test_the_hands_of_an_older_save_are_read() -> None:
    table = laid_out(SIDES, Table())
    zones = [one for one in table.objects if one["Name"] == "HandTrigger"]
    table.objects = [one for one in table.objects if one not in zones]
    hands = [{"Color": one["FogColor"], "Transform": one["Transform"]} for one in zones]
    assert gathered(table, Hands={"Enable": True, "HandTransforms": hands}).line == LINE


def test_an_answer_that_is_not_possible_is_refused() -> None:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 2", -2.0, -4.0)
    with pytest.raises(AnswerError, match="answer 1: expected A1, A2"):
        gathered(table, {1: "somewhere"})


# Names


@pytest.mark.every(
    ("name", "cards"),
    [
        ("Fire 3", ("fire-3",)), ("fire3", ("fire-3",)), ("3 FIRE", ("fire-3",)), ("Feu 3", ("fire-3",)),
        ("Compile: Fire - 3", ("fire-3",)), ("Ténèbres 1", ("darkness-1",)), ("tenebres (1)", ("darkness-1",)),
        ("Fire", ()), ("Fire 7", ()), ("3", ()), ("", ()), ("Fire 3 4", ()), ("Fire Water 3", ()), ("🔥 3", ()),
        ("fire-٣", ("fire-3",)), ("Fire " + "9" * 5000, ()),
    ],
)  # fmt: skip
def test_a_card_is_known_by_the_names_that_people_give_it(name: str, cards: tuple[str, ...]) -> None:
    assert cards_named(name) == cards


def test_a_protocol_is_known_without_a_number() -> None:
    assert protocols_named("Fire (Loading)") == ("fire",)
    assert protocols_named("Protocole Feu") == ("fire",)
    assert protocols_named("Fire 3") == ()


# Bad input


@pytest.mark.every(
    ("data", "expected"),
    [
        (b"", "JSON"), (b"{", "JSON"), (b"[]", "got `array`"), (b"null", "got `null`"), (b"\xff\xfe", "JSON"),
        (b"{}", "ObjectStates"), (b'{"ObjectStates": 3}', "$.ObjectStates"),
        (b'{"ObjectStates": [1]}', "$.ObjectStates"),
        (b'{"ObjectStates": [{"Transform": {"posX": NaN}}]}', "JSON"),
        (b'{"ObjectStates": [' + b'{"ContainedObjects": [' * 100_000, "nesting"),
        (b'{"ObjectStates": [' + b"{}," * 30_000 + b"{}]}", "at most 20,000 objects"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_save_is_refused_in_one_line(data: bytes, expected: str) -> None:
    with pytest.raises(SaveError) as error:
        table_of(data, "table.json")
    assert str(error.value).startswith("table.json: ")
    assert expected in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.every(
    "broken",
    [
        {"Transform": {"posX": "NaN"}}, {"Transform": {"posX": 1e300}}, {"Transform": 3}, {"Nickname": 7},
        {"ContainedObjects": "all"}, {"Tags": [3]}, {"Name": None},
    ],
)  # fmt: skip
def test_one_broken_thing_does_not_spoil_the_table(broken: Json) -> None:
    table = laid_out(SIDES, Table())
    table.objects.append({"Name": "Card", "Nickname": "odd", **broken})
    found = gathered(table)
    assert left_out(found) == ["save_broken"]
    assert found.line == LINE


def test_nulls_are_as_good_as_nothing() -> None:
    table = laid_out(SIDES, Table())
    table.put("Notecard", "", 30.0, 0.0, Description=None, GMNotes=None, Tags=None, ContainedObjects=None)
    assert gathered(table).line == LINE


def test_a_deck_within_decks_without_end_is_refused_or_read_but_never_a_crash() -> None:
    deep = '{"Name":"Deck","ContainedObjects":[' * 300 + "]}" * 300
    found = gather_position(table_of(f'{{"ObjectStates":[{deep}]}}'.encode()), Asker(lambda _: None), PositionHints())
    assert found.line is None


@pytest.mark.every("path", ["/dev/zero", "/nowhere/at/all", "/"])
def test_what_is_no_plain_file_is_no_save(path: str) -> None:
    with pytest.raises(AuditError):
        read_table(Path(path))


# The command


def told(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(audit, ["position", "import", *arguments], input=typed)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def doubtful(tmp_path: Path) -> str:
    table = laid_out(SIDES, Table())
    table.put("Card", "Fire 2", -2.0, -4.0)
    path = tmp_path / "table.json"
    path.write_bytes(table.save())
    return str(path)


def test_the_command_prints_the_line_and_what_is_open(doubtful: str) -> None:
    code, out, err = told(doubtful)
    assert (code, out) == (1, LINE + "\n")
    assert "1? ObjectStates[" in err
    assert "Where does Fire 2 lie?" in err
    assert "A1 | A2" in err


def test_the_command_takes_answers_and_asks(doubtful: str) -> None:
    assert told(doubtful, "--answer", "1=A2")[0] == 0
    code, out, _ = told(doubtful, "--ask", typed="nowhere\nA2\n")
    assert code == 0
    assert ":f3l2*f0;f2;w0*:" in out


def test_the_command_speaks_four_languages(doubtful: str) -> None:
    for language, words in (("fr", "Où se trouve Fire 2"), ("it", "Dove si trova Fire 2"), ("pl", "Gdzie leży Fire 2")):
        assert words in told(doubtful, "--lang", language)[2]


def test_the_command_gives_everything_as_data(doubtful: str) -> None:
    found = json.loads(told(doubtful, "--json")[1])
    assert found["position"] == LINE
    assert found["questions"][0]["answers"][:2] == ["A1", "A2"]
    assert [one["key"] for one in found["unread"]] == ["save_no_place"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--answer", "1"], ["--answer", "x=A1"], ["--answer", "1=nowhere"], ["--answer", "9=A1"], ["--lines", "1,2,3"],
        ["--lines", "1,1,1", "--rows", "0,1"], ["--lines", "nan,1,2", "--rows", "0,1"], ["--protocols", "A:fire"],
        ["--lines", "1,2", "--rows", "0,1"], ["--protocols", "C:fire,life,water"],
    ],
)  # fmt: skip
def test_what_is_told_wrongly_is_refused(doubtful: str, arguments: list[str]) -> None:
    done = CliRunner().invoke(audit, ["position", "import", doubtful, *arguments])
    assert done.exit_code == 2 or isinstance(done.exception, AnswerError)
