"""A game told in a chat, or kept by a client as choices, becomes a score sheet, and what is unclear is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.errors import AuditError
from cli import audit
from replays.errors import LogError
from replays.importing.clauses import Imported
from replays.importing.questions import AnswerError, Asker
from replays.importing.sheets import MAX_BYTES, import_sheet, read_source
from replays.scoresheet.sheet import read_sheet

ROOT = Path(__file__).resolve().parents[2]
GAME = "game chat   A Ada: plague fire water   B Bo: gravity spirit hate   first A"
PLAYERS = json.dumps({
    "game": "t", "first": "A",
    "players": [
        {"seat": "A", "name": "Ada", "protocols": ["Plague", "Fire", "Water"]},
        {"seat": "B", "name": "Bo", "protocols": ["Gravity", "Spirit", "Hate"]},
    ],
})  # fmt: skip


def chat(*lines: str, face: str = "up", answers: dict[int, str] | None = None) -> Imported:
    told = answers or {}
    source = "\n".join([GAME, *lines]).encode()
    return import_sheet(source, "chat", Asker(lambda question: told.get(question.number)), usual_face=face)


def choices(*objects: object, answers: dict[int, str] | None = None) -> Imported:
    told = answers or {}
    lines = [one if isinstance(one, str) else json.dumps(one) for one in objects]
    source = "\n".join([PLAYERS, *lines]).encode()
    return import_sheet(source, "choices", Asker(lambda question: told.get(question.number)))


def lines_of(found: Imported) -> list[str]:
    """The lines of the sheet behind its two first ones; each sheet can be read."""
    read_sheet(found.sheet, game="compile")
    return found.sheet.splitlines()[2:]


def asked(found: Imported) -> list[tuple[str, str]]:
    return [(question.key, question.where) for question in found.asker.open]


@pytest.mark.every(
    ("text", "lines"),
    [
        ("A plays Fire 3 in line 1, B refreshes", ["A fire-3 1", "B refresh"]),
        ("Ada PLAYS FIRE 3 LINE 2 and then Bo refreshed.", ["A fire-3 2", "B refresh"]),
        ("A plays f3 in 2", ["A fire-3 2"]),
        ("A plays Fire 3 up 1", ["A fire-3 1"]),
        ("A plays Fire 3 face down in line 1", ["A fire-3* 1"]),
        ("A fire-3* 1", ["A fire-3* 1"]),
        ("A fire3 l2", ["A fire-3 2"]),
        ("turn 4: A plays Water 0 facedown in the middle", ["A water-0* 2"]),
        ("B discards Hate 1 and Spirit 2, A draws 2 cards", ["B discard hate-1,spirit-2", "A draw 2"]),
        ("A deletes Hate 3. B compiles line 2", ["delete hate-3", "B compile 2"]),
        ("B shifts Hate 3 from line 1 to line 2", ["shift hate-3 2"]),
        ("A flips Hate 3 face up", ["flip hate-3 up"]),
        ("A plays Fire 3 from my deck face down in line 1", ["A fire-3* 1 deck"]),
        ("Ada joue Feu 3 face cachée ligne 1 depuis la pioche", ["A fire-3* 1 deck"]),
        ("A gioca Fuoco 3 a faccia in giù nella colonna 1 dal mazzo", ["A fire-3* 1 deck"]),
        ("A zagrywa Ogień 3 z talii zakrytą w linii 1", ["A fire-3* 1 deck"]),
        ("Ada: zmieniam układ moich protokołów: woda ogień zaraza", ["A rearrange water,fire,plague"]),
        ("A returns Fire 3, B reveals Hate 0", ["return fire-3", "B reveal hate-0"]),
        # Other languages
        ("A joue Feu 3 face cachée dans la ligne 1, B pioche 2 cartes", ["A fire-3* 1", "B draw 2"]),
        ("Ada joue Feu 3 face inactive visible ligne 1", ["A fire-3* 1"]),
        ("A gioca Fuoco 3 a faccia in giù nella colonna 1, B scarta Odio 2", ["A fire-3* 1", "B discard hate-2"]),
        ("A gioca Fuoco 3 a faccia in su su linea 2", ["A fire-3 2"]),
        ("A zagrywa Ogień 3 zakrytą w linii 1, B odświeża", ["A fire-3* 1", "B refresh"]),
        ("Ada: zagrywam Ogień 3 zakryty w linii 1", ["A fire-3* 1"]),
        ("Ada a rafraîchi et pioché 3 cartes", ["A refresh", "A draw 3"]),
        ("Ada: je passe", ["A pass"]),
        ("Bo: rimetto a posto il controllo", ["B control back"]),
        ("Ada: cofam Ogień 3 na rękę", ["return fire-3"]),
        ("Ada: zagrałam Ogień 3 odkrytą w linii 1", ["A fire-3 1"]),
        ("Bo: ciągnę 2 karty", ["B draw 2"]),
        # Who says it
        ("Ada: I play fire 3 in line 2", ["A fire-3 2"]),
        ("[20:14] <Bo> refresh", ["B refresh"]),
        ("2026-03-01 20:14:02 Bo: compile line 2", ["B compile 2"]),
        ("Ada: Bo plays hate 1 in line 3", ["B hate-1 3"]),
        ("P1 plays fire 3 in line 2, P2 refreshes", ["A fire-3 2", "B refresh"]),
        ("P1 fire 3 l2", ["A fire-3 2"]),
        # Lines by their protocols
        ("Ada: I play fire 3 into Protocol Fire", ["A fire-3 2"]),
        ("A plays Fire 3 face down in Gravity", ["A fire-3* 1"]),
        ("B compiles Spirit, A shifts Fire 3 to Water", ["B compile 2", "shift fire-3 3"]),
        # Other verbs
        ("Ada: refresh +3", ["A refresh", "A draw 3"]),
        ("Ada: refresh, turn 3", ["A refresh"]),
        ("Ada: uzupełniam karty na ręce", ["A refresh"]),
        ("Bo: I draw three cards", ["B draw 3"]),
        ("Ada: je remets le contrôle au centre", ["A control back"]),
        ("Bo: biorę znacznik kontroli", ["B control"]),
        ("Bo: I choose hate 3", ["B choose hate-3"]),
        ("Bo: choose line 2", ["B line 2"]),
        ("Bo: I decline", ["B no"]),
        ("Bo: I turn Fire 3 face down", ["flip fire-3*"]),
        ("Ada: I win", ["A wins"]),
        ("Bo: I arrange hate spirit gravity", ["B rearrange hate,spirit,gravity"]),
        ("Ada: I arrange hate spirit gravity", ["A rearrange B hate,spirit,gravity"]),
    ],
)
def test_what_is_said_plainly_becomes_the_line_of_a_sheet(text: str, lines: list[str]) -> None:
    found = chat(text)
    assert asked(found) == []
    assert lines_of(found) == lines


def test_a_line_called_by_its_protocol_is_where_that_lies_now() -> None:
    told = ("Bo: I arrange hate spirit gravity", "Bo: I play hate 1 into Hate", "Ada: fire 3 into Gravity, face down")
    assert lines_of(chat(*told))[1:] == ["B hate-1 1", "A fire-3* 3"]
    assert [key for key, _ in asked(chat("Bo: I arrange hate and spirit somehow", "Bo plays hate 1 in Hate"))] == [
        "ask_line"
    ]
    assert lines_of(chat("Ada: I play fire 3 into Fire", "Ada: undo", "Ada: I play fire 2 in Fire")) == [
        "A fire-3 2", "A undo", "A fire-2 2",
    ]  # fmt: skip
    assert [key for key, _ in asked(chat(told[0], "Bo: undo", "Bo: I play hate 1 in Hate"))] == ["ask_line"]


@pytest.mark.every("word", ["undo", "j’annule", "annullo", "cofnij"])
def test_a_move_is_taken_back_in_four_languages(word: str) -> None:
    assert lines_of(chat("Ada: I play fire 3 in line 2", f"Ada: {word}")) == ["A fire-3 2", "A undo"]


@pytest.mark.every("word", ["undo", "undo please", "[20:04] annule", "annulla", "cofnij"])
def test_the_last_thing_told_is_taken_back_without_a_word_of_who_says_so(word: str) -> None:
    assert lines_of(chat("Ada: I play fire 3 in line 2", word)) == ["A fire-3 2", "undo"]


def test_a_line_that_may_take_something_back_is_a_question_for_the_judge() -> None:
    found = chat("Ada: I play fire 3 in line 2", "shall we all go back and undo that one then")
    assert [key for key, _ in asked(found)] == ["ask_happened"]
    assert lines_of(found)[1].startswith("?")


@pytest.mark.every(
    ("said", "line"),
    [
        ("P1 takes control", "A control"),
        ("P2 takes the control component", "B control"),
        ("P1 puts the control component back", "A control back"),
        ("P1 puts back the control component", "A control back"),
        ("P2 rend le module de contrôle", "B control back"),
        ("P1 prende il controllo", "A control"),
        ("P2 bierze znacznik kontroli", "B control"),
        ("Player 1 takes control", "A control"),
        ("P1 then refreshes", "A refresh"),
        ("P2 also plays hate 1 in line 3", "B hate-1 3"),
        ("A plays fire 3 in line 2, P2 takes control", "A fire-3 2\nB control"),
    ],
)
def test_a_player_called_by_number_is_not_asked_for(said: str, line: str) -> None:
    found = chat(said)
    assert asked(found) == []
    assert lines_of(found) == line.split("\n")


def test_what_was_drafted_stands_in_the_first_line_already() -> None:
    assert lines_of(chat("Ada drafts fire", "Bo: refresh")) == ["B refresh"]


def test_a_heading_says_who_speaks_in_the_lines_below() -> None:
    assert lines_of(chat("Ada — Today at 20:14", "play fire 3 line 2", "Bo — Today at 20:15", "refresh")) == [
        "A fire-3 2", "B refresh",
    ]  # fmt: skip


@pytest.mark.every(
    ("text", "key", "where", "answers"),
    [
        ("A plays Fire 3", "ask_line", "line 2, column 1", ("1", "2", "3", "out")),
        ("A plays Fire 3 on the left", "ask_line", "line 2, column 23", ("1", "3", "2", "out")),
        ("A plays Fire 3 in line 7", "ask_line", "line 2, column 24", ("1", "2", "3", "out")),
        ("A plays Fire 3 on Light", "ask_line", "line 2, column 19", ("1", "2", "3", "out")),
        ("Bo: no", "ask_happened", "line 2, column 5", ("yes", "out")),
        ("Bo: oui", "ask_happened", "line 2, column 5", ("yes", "out")),
        ("P1 l2 down", "ask_happened", "line 2, column 1", ("yes", "out")),
        ("someone plays Fire 3 in line 2", "ask_who_did", "line 2, column 9", ("A", "B", "out")),
        ("Zed: I play Fire 3 in line 2", "ask_who", "line 2, column 1", ("A", "B", "out")),
        ("does A play Fire 3 in line 2?", "ask_happened", "line 2, column 6", ("yes", "out")),
        ("A didn't play Fire 3 in line 2", "ask_happened", "line 2, column 1", ("yes", "out")),
        ("A may play Fire 3 in line 2", "ask_happened", "line 2, column 1", ("yes", "out")),
        ("Bo: spirit4 l2", "ask_happened", "line 2, column 5", ("yes", "out")),
        ("A draws some cards", "ask_count", "line 2, column 1", ("1", "2", "3", "4", "5", "6", "out")),
    ],
)  # fmt: skip
def test_what_is_ambiguous_is_asked_with_line_and_column_and_answers(
    text: str, key: str, where: str, answers: tuple[str, ...]
) -> None:
    found = chat(text)
    (question,) = found.asker.open
    assert (question.key, question.where, question.answers) == (key, where, answers)
    assert all(line.startswith("?? ") for line in lines_of(found))


def test_speakers_of_italian_tell_their_own_decisions() -> None:
    told = chat(
        "Ada: gioco Fire 3 colonna 1 a faccia in su, cancello Hate 2",
        "Bo: Hate 4 a faccia in giù colonna 2",
        "Ada: volto Hate 4 a faccia in su",
        "Ada: rendo il controllo e riordino acqua, fuoco, peste",
        "Ada: ricarico",
        "Bo: prendo il controllo",
    )
    assert lines_of(told) == [
        "A fire-3 1", "delete hate-2", "B hate-4* 2", "flip hate-4 up", "A control back",
        "A rearrange water,fire,plague",
        "A refresh", "B control",
    ]  # fmt: skip


def test_the_lines_of_a_sheet_may_name_players_in_small_letters() -> None:
    assert lines_of(chat("a fire3 1", "b Hate 2 l2")) == ["A fire-3 1", "B hate-2 2"]


def test_the_face_is_asked_unless_somebody_says_what_is_usual() -> None:
    assert asked(chat("A plays Fire 3 in line 2", face="")) == [("ask_played_face", "line 2, column 1")]
    assert asked(chat("A puts down Fire 3 in line 2", face="")) == [("ask_played_face", "line 2, column 1")]


def test_a_card_that_nobody_knows_is_asked_about_the_likeliest_first() -> None:
    (question,) = chat("A plays fyre 3 in line 2").asker.open
    assert question.key == "ask_which_card"
    assert question.answers[0] == "fire-3"
    (other,) = chat("A plays Love 3 in line 2").asker.open
    assert "love-3" not in other.answers


def test_a_card_cut_too_short_is_asked_about() -> None:
    found = import_sheet(
        b"game g   A Ada: speed spirit water   B Bo: fire life metal   first A\nA plays s3 in line 1",
        "chat", Asker(lambda _: None), usual_face="up",
    )  # fmt: skip
    assert found.asker.open[0].answers[:2] == ("speed-3", "spirit-3")


def test_the_answers_fill_the_sheet() -> None:
    assert lines_of(chat("A plays Fire 3", answers={1: "2"})) == ["A fire-3 2"]
    assert lines_of(chat("does A play Fire 3 in line 2?", answers={1: "yes"})) == ["A fire-3 2"]
    assert lines_of(chat("does A play Fire 3 in line 2?", answers={1: "out"})) == []


def test_who_somebody_is_needs_one_answer() -> None:
    found = chat("Zed: I play Fire 3 in line 2", "Zed: I refresh", answers={1: "A"})
    assert lines_of(found) == ["A fire-3 2", "A refresh"]
    assert [question.key for question in chat("Zed: I refresh now", "Zed: refresh").asker.open] == ["ask_who"]


def test_two_cards_of_one_play_are_not_taken_for_one() -> None:
    found = chat("A plays Fire 3 and Fire 4 in line 2", answers={1: "fire-4"})
    assert lines_of(found) == ["A fire-4 2"]
    assert [one.key for one in found.unread] == ["told_several"]


def test_chatter_is_ignored_and_listed() -> None:
    found = chat("Ada: hi!", "Bo: nice play", "A refreshes", "what a good game")
    assert lines_of(found) == ["A refresh"]
    assert [one.where for one in found.ignored] == ["line 2", "line 3", "line 5"]


def test_a_choice_is_told_by_its_keys() -> None:
    found = choices(
        {"player": "A", "choice": "play", "card": "Fire 3", "line": 1, "face": "up"},
        {"by": "Bo", "action": "refresh", "at": "20:04"},
        {"player": "A", "choice": "discard", "cards": ["Fire 1", "water-0"]},
        {"player": "A", "choice": "draw", "count": 2},
        {"player": "B", "choice": "may", "answer": False},
        {"player": "B", "choice": "flip", "card": "Fire 3", "face": "down"},
        {"player": "A", "choice": "play", "card": "Fire 4", "line": 2, "face": "down", "from": "deck"},
    )
    assert asked(found) == []
    assert not found.unread
    assert lines_of(found) == [
        "A fire-3 1", "B refresh", "A discard fire-1,water-0", "A draw 2", "B no", "flip fire-3*",
        "A fire-4* 2 deck",
    ]  # fmt: skip


@pytest.mark.every(
    ("told", "key"),
    [
        ({"player": "A", "choice": "play", "card": "Fire 3", "line": 1}, "ask_played_face"),
        ({"player": "A", "choice": "play", "card": "Fire 3", "face": "up"}, "ask_line"),
        ({"player": "A", "choice": "play", "card": "Fire 3", "face": "up", "line": [1]}, "ask_line"),
        ({"player": "A", "choice": "play", "card": "Fire 9", "face": "up", "line": 1}, "ask_which_card"),
        ({"player": "A", "choice": "play", "card": {"a": 1}, "face": "up", "line": 1}, "ask_which_card"),
        ({"player": "A", "choice": "play", "card": "Fire 3", "face": 1, "line": 1}, "ask_played_face"),
        ({"choice": "refresh"}, "ask_who_did"),
        ({"player": "Zed", "choice": "refresh"}, "ask_who"),
    ],
)  # fmt: skip
def test_a_choice_with_a_gap_is_asked_about(told: object, key: str) -> None:
    found = choices(told)
    assert [question.key for question in found.asker.open] == [key]
    assert found.asker.open[0].where.startswith("line 2, column ")
    assert lines_of(found)[0].startswith("?? {")


@pytest.mark.every(
    ("line", "key"),
    [
        ("{", "told_no_json"), ("[]", "told_no_json"), ("3", "told_no_json"),
        ('{"a":' * 40 + "1" + "}" * 40, "told_no_json"),
        ('{"choice": NaN}', "told_no_json"), ({"choice": "sing"}, "told_no_choice"), ({"choice": 3}, "told_no_choice"),
        ({}, "told_no_choice"), ({"choice": "may", "answer": []}, "told_no_choice"),
        ({"choice": "refresh", "player": "A", "mood": "good"}, "told_key"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_choice_is_named(line: object, key: str) -> None:
    found = choices(line)
    assert [one.key for one in found.unread] == [key]
    assert found.unread[0].where.startswith("line 2")


@pytest.mark.every(
    "source",
    [
        b"", b"A plays Fire 3", b"\xff\xfe", b"{}", b"game x", b"game x   A Ada: fire", b'{"players": 3}',
        b'{"players": [{"seat": "A", "protocols": ["fire", "life", "nothing"]}]}', b"{" * 5000,
        b"game " + b"x" * 100_000,
        PLAYERS.replace("Plague", "Nothing").encode(), b"game x\n" * 60_000, b" " * (MAX_BYTES + 1),
    ],
)  # fmt: skip
def test_a_source_that_does_not_say_who_plays_is_refused_in_one_line(source: bytes) -> None:
    with pytest.raises(LogError) as error:
        import_sheet(source, "source", Asker(lambda _: None))
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.every("path", ["/dev/zero", "/nowhere/at/all", "/"])
def test_what_is_no_plain_file_is_refused(path: str) -> None:
    with pytest.raises(AuditError):
        read_source(Path(path))


WORDS = [
    "A", "b", "Ada", "plays", "fire", "3", "l1", "line", "?", "joue", "Haine", "down", ",", "refresh", ":", "[20:01]",
]  # fmt: skip
SAID = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))


@given(st.lists(SAID, max_size=6))
@settings(max_examples=40, deadline=None)
def test_whatever_is_said_gives_a_sheet_that_can_be_read(lines: list[str]) -> None:
    found = chat(*(line.replace("\n", " ") for line in lines), face="")
    lines_of(found)


# The command


def told(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(audit, ["score", "import", *arguments], input=typed)
    return done.exit_code, done.stdout, done.stderr


def test_the_chat_of_the_documentation_becomes_a_game_without_findings(tmp_path: Path) -> None:
    sample = str(ROOT / "replays" / "samples" / "chat.txt")
    code, _, err = told(sample, "--face", "up")
    assert code == 1
    assert "1? line 6, column 44: In which line: left?" in err
    sheet = tmp_path / "sheet.txt"
    assert told(sample, "--face", "up", "--ask", "-o", str(sheet), typed="maybe\n1\n")[0] == 0
    assert len(read_sheet(sheet.read_text("utf-8"), game="compile")[1]) == 5


def test_the_record_of_the_documentation_is_a_sheet() -> None:
    code, out, _ = told(str(ROOT / "docs" / "clients" / "choices.jsonl"), "--answer", "1=1")
    assert code == 0
    assert out.splitlines()[2:] == ["A plague-5* 3", "B spirit-4* 2", "A plague-4 1", "B refresh"]


def test_the_command_takes_the_players_and_gives_everything_as_data() -> None:
    code, out, _ = told("-", "--game", GAME, "--json", typed="A plays Fire 3\nhello\n")
    found = json.loads(out)
    assert code == 1
    assert found["sheet"].splitlines()[-1] == "?? A plays Fire 3"
    assert [one["key"] for one in found["questions"]] == ["ask_line", "ask_played_face"]
    assert [one["where"] for one in found["told"]] == ["line 2"]


@pytest.mark.every(
    ("language", "words"), [("fr", "Dans quelle ligne"), ("it", "In quale colonna"), ("pl", "W której linii")]
)
def test_the_command_asks_in_the_readers_language(language: str, words: str) -> None:
    assert words in told("-", "--game", GAME, "--lang", language, typed="A plays Fire 3\n")[2]


def test_an_answer_to_a_question_that_nobody_asks_is_refused() -> None:
    done = CliRunner().invoke(audit, ["score", "import", "-", "--game", GAME, "--answer", "7=1"], input="A refreshes\n")
    assert isinstance(done.exception, AnswerError)


VERSUS = "game v   A Ann: darkness gravity apathy   B Ben: life spirit psychic   first A"


@pytest.mark.every(
    ("line", "read"),
    [
        ("Ben: I take control, spirit 4 face up in l2", ["B control", "B spirit-4 2"]),
        ("Ben: I refresh, spirit 4 face up in l2", ["B refresh", "B spirit-4 2"]),
        ("Ann: I discard gravity 5, spirit 4 face up in l2", ["A discard gravity-5", "A spirit-4 2"]),
        ("Ann: I discard gravity 5, gravity 4", ["A discard gravity-5,gravity-4"]),
        ("Ben: I flip darkness 5 down, spirit 4 face up in l2", ["flip darkness-5*", "B spirit-4 2"]),
        ("Ben: life 2 face down in line 1, spirit 3 face down in line 3", ["B life-2* 1", "B spirit-3* 3"]),
        ("Ben: I play life 2 face down in line 1 and spirit 3 face down in line 3", ["B life-2* 1", "B spirit-3* 3"]),
        ("Ben: I shift life 2 to line 3, spirit 3 to line 1", ["shift life-2 3", "shift spirit-3 1"]),
        ("Ann: I discard gravity 5, spirit 4 in l2", ["A discard gravity-5", "?? spirit 4 in l2"]),
        ("Ben: spirit 4 face up, I take control", ["B control", "?? spirit 4"]),
        ("Tom: Psychic 2 is played by Ben face up in line 2", ["B psychic-2 2"]),
        ("Tom: Psychique 2 a été jouée par Ben face visible en ligne 2", ["B psychic-2 2"]),
        ("Tom: Psiche 2 è giocato da Ben a faccia in su in linea 2", ["B psychic-2 2"]),
        ("Ann: darkness 5 was discarded by Ann", ["A discard darkness-5"]),
        ("Ann: darkness 5 is flipped face down", ["flip darkness-5*"]),
        ("Tom: two cards are drawn by Ben", ["B draw 2"]),
        ("Ann: Darkness 5 is played face up in line 1", ["?? Darkness 5 is played face up in line 1"]),
    ],
)
def test_nothing_that_a_line_tells_is_lost(line: str, read: list[str]) -> None:
    """A card without a verb is played where its face or line says so; what cannot be read stands as a question."""
    source = f"{VERSUS}\n{line}".encode()
    found = import_sheet(source, "chat", Asker(lambda question: None), usual_face="")
    assert found.sheet.splitlines()[-len(read) :] == [*map(str, read)]


def test_a_card_of_which_nothing_is_made_is_named() -> None:
    found = import_sheet(
        f"{VERSUS}\nBen: spirit 4 face up, I take control".encode(), "chat", Asker(lambda question: None)
    )
    assert [(one.key, one.told["name"]) for one in found.unread] == [("told_left_over", "spirit 4")]


def test_a_verb_beside_a_decision_that_tells_none_is_named() -> None:
    found = import_sheet(f"{VERSUS}\nBen: I discard, then I refresh".encode(), "chat", Asker(lambda question: None))
    assert found.sheet.splitlines()[-1] == "B refresh"
    assert [one.told["name"] for one in found.ignored] == ["discard, then I"]
