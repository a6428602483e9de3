"""A question in plain words is read as the event of which it asks, as people type it, and is never guessed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.core.model import Header, Player
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import tell
from replays.judging.replay import state_at
from replays.judging.sentences import event_json
from replays.log.reader import open_log
from replays.table.answer import answered
from replays.table.completion import guesses
from replays.table.question import UnreadEventError, header_after, header_at, question, with_seats
from replays.table.question_words import asks_of_the_moment
from replays.terminal.answers import unread_lines

ASKED = tomllib.loads((Path(__file__).parent / "questions_in_words.toml").read_text("utf-8"))
AT_TABLES = tomllib.loads((Path(__file__).parent / "questions_at_tables.toml").read_text("utf-8"))["asked"]
TABLES = Path(__file__).parent / "tables_asked"
SAMPLES = Path(__file__).parents[2] / "replays" / "samples"
SEATS = {"compile": "A B", "altered": "A B", "lotr-reveal": "p1 p2"}


def at_example(name: str, second: str = "Bo") -> Header:
    """The example of a game, with two players who have names."""
    seats = zip(SEATS[name].split(), ("Ada", second), strict=True)
    return replace(header_at(ruleset(name).setting.example), players=tuple(Player(*one) for one in seats))


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.prove)])
@pytest.mark.parametrize("name", rulesets())
def test_questions_of_four_languages_are_read(name: str, half: int) -> None:
    header, misread = at_example(name, "Bruno" if name == "lotr-reveal" else "Bo"), []
    for asked, expected in ASKED[name][half::2]:
        event = event_json(question(header, [asked]).events[0])
        told = {key: {*value} if isinstance(value, tuple) else value for key, value in event.items()}
        wanted = {key: {*value} if isinstance(value, list) else value for key, value in expected.items()}
        if any(told.get(key) != value for key, value in wanted.items()):
            misread.append((asked, event))
    assert misread == []


@pytest.mark.every("line", ["Kim passes", "Kim O'Hara passes.", "can Kim pass?", "kim pass"])
def test_a_player_may_be_called_by_the_first_word_of_the_name(line: str) -> None:
    event = event_json(question(at_example("altered", "Kim O'Hara"), [line]).events[0])
    assert (event["type"], event["player"]) == ("player_passed", "B")


@pytest.mark.every("line", ["A mana Kelon-Elemental", "A places Kelon-Elemental in the mana zone",
                                  "A plays kelon-elemental from reserve to Hero expedition."])  # fmt: skip
def test_a_card_of_two_words_may_be_spelt_with_a_hyphen(line: str) -> None:
    position = ruleset("altered").setting.example.replace("reserve:(A:!(fox)", "reserve:(A:!('Kelon Elemental')")
    assert event_json(question(header_at(position), [line]).events[0])["card"] == "Kelon Elemental"


@pytest.mark.every(
    "asked",
    ["zzz", "may a face-down card be flipped?", "who has control?", "plague 5 lin 2", "A plage-1 in lin 1",
     "can Bo refresh if his hand is full?", "was plauge 1 in line 3 legal for A?"],
)  # fmt: skip
def test_what_asks_of_no_event_or_has_a_slip_is_not_read(asked: str) -> None:
    with pytest.raises(UnreadEventError):
        question(at_example("compile"), [asked])


def proposed(line: str, language: str = "en") -> list[object]:
    return [one["line"] for one in guesses(at_example("compile"), [line], 1, language)]


def test_the_wrong_word_is_blamed_and_what_fits_the_table_is_proposed() -> None:
    with pytest.raises(UnreadEventError) as error:
        question(at_example("compile"), ["a plague 5 lien 2"])
    assert error.value.found == "lien"
    assert proposed("plague 5 lien 2")[0] == "A plague-5 2", "the card is in the hand of A"
    assert "B plague-5 2" not in proposed("plague 5 lien 2")
    assert proposed("zzz") == []
    assert proposed("was plauge 1 in line 3 legal for A?") == ["A plague-1 3"]


@pytest.mark.every("asked", AT_TABLES)
def test_a_question_at_a_table_is_answered_or_sent_to_the_rule_that_answers(asked: dict[str, str | int]) -> None:
    place = TABLES / str(asked["log"])
    header = header_at_event(place if place.is_file() else SAMPLES / place.name, int(asked["at"]))
    if "read" in asked:
        found = answered(question(header, [str(asked["question"])]))
        assert tell(found.question.game, found.question.events[0], "en") == asked["read"]
        assert ("yes" if found.is_legal else "no") == asked["answer"]
        return
    with pytest.raises(UnreadEventError) as unread:
        question(header, [str(asked["question"])])
    lines = list(unread_lines(unread.value, header, [str(asked["question"])], "en"))
    assert any(f"({asked['rule']})" in line for line in lines)


def header_at_event(log: Path, at: int) -> Header:
    """The header of a game that goes on from there."""
    opened = open_log(log)
    return header_after(opened.header, state_at(opened, at))


def test_a_long_question_that_is_not_read_is_not_said_again_whole() -> None:
    header = header_at_event(SAMPLES / "clean.jsonl", 20)
    asked = f"May she refresh her hand {'when the tea is cold ' * 20}?"
    with pytest.raises(UnreadEventError) as unread:
        question(header, [asked])
    first, *others = unread_lines(unread.value, header, [asked], "en")
    assert "May she refresh her hand when" in first
    assert "…" in first
    assert len(first) < 150
    rules = [line for line in others if line.startswith("  ") and line.endswith(")")]
    assert 1 <= len(rules) <= 3


@pytest.mark.parametrize(
    "asked",
    ["What now?", "whose turn is it", "what can Ada do now?", "What may she do?", "A chi tocca adesso?",
     "Co teraz może zrobić Bo?", "Que doit faire Ada ?"],
)  # fmt: skip
def test_who_asks_what_may_be_done_is_told_what_can_be_chosen(asked: str) -> None:
    header = header_at_event(SAMPLES / "dispute.jsonl", 24)
    assert question(header, [asked]).events == ()
    assert answered(question(header, [asked])).is_legal
    (event,) = question(header, ["Ada refreshes.", asked]).events
    assert event == question(header, ["Ada refreshes."]).events[0]


@pytest.mark.parametrize("asked", ["what can exhausted heroes do?", "what can Bea do?", "what now if Ada refreshes?"])
def test_what_is_asked_of_something_else_is_no_question_of_the_moment(asked: str) -> None:
    header = open_log(SAMPLES / "dispute.jsonl").header
    assert not asks_of_the_moment(with_seats(header, asked), ("A", "B"))
