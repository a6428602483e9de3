"""From a score sheet written from memory to a published game: read, judged, amended, published, judged again."""

from __future__ import annotations

from pathlib import Path

import pytest

from replays import library
from replays.errors import LogError
from replays.judging.report import Report, check
from replays.log.reader import open_log
from replays.log.writer import write_log
from replays.scoresheet.sheet import read_sheet, write_sheet
from replays.terminal.reports import text
from web.publishing.files import publish
from web.publishing.record import read_record, source_of_record
from web.publishing.sources import source_at

FROM_MEMORY = """\
game r2-t7   A Ada: fire life water   B Bo: death metal speed   first A
# Written down after the round.
1. A Plays F3* 2
2. B plays m5 2
3. B discards d2
4. A w5 2          # as I remember it
5. A discards f1
6. B s4* 1
7. A refreshes
8. B m2* 3
"""
PUT_RIGHT = """\
9. amend 4 "It lay in line 3." by Cleo
10. A w5 3
11. A discards f1
? Bo turned something over here
B s4* 1
A refreshes
B m2* 3
"""


def judged(sheet: str, folder: Path) -> Report:
    log = folder / "game.jsonl"
    write_log(log, *read_sheet(sheet, "game.txt", "compile"))
    return check(open_log(log))


def test_a_wrong_line_is_found_at_its_number(tmp_path: Path) -> None:
    [finding] = judged(FROM_MEMORY, tmp_path).findings
    assert finding["seq"] == 4
    assert str(finding["rules"]).startswith("['play.face-up-needs-protocol'")


def test_what_was_amended_counts_no_longer_and_what_was_asked_is_named(tmp_path: Path) -> None:
    report = judged(FROM_MEMORY + PUT_RIGHT, tmp_path)
    assert report.findings == []
    assert (report.superseded, report.flagged, report.judged) == (5, [12], report.steps)
    assert "Event 12 is flagged: somebody wants it looked at." in "\n".join(text(report, "en"))


@pytest.mark.parametrize("viewer", ["judge", "A", "B", "public"])
def test_published_it_shows_the_slip_and_is_judged_alike(tmp_path: Path, viewer: str) -> None:
    judged(FROM_MEMORY + PUT_RIGHT, tmp_path)
    record = read_record(publish(source_at(tmp_path / "game.jsonl"), "json", viewer))
    [reason] = {str(event["reason"]) for event in record.log if event.get("type") == "amended"}
    assert reason == "It lay in line 3."
    assert [step["superseded_by"] for step in record.steps if step["seq"] in (4, 8)] == [9, 9]
    assert source_of_record(record).replay("judge", "en").findings == []


def test_a_forgotten_choice_is_a_question_and_no_accusation(tmp_path: Path) -> None:
    lines = [line.partition(". ")[2] or line for line in FROM_MEMORY.replace("w5 2", "w5 3").splitlines()]
    report = judged("\n".join(line for line in lines if line != "B discards d2"), tmp_path)
    assert report.findings == []
    assert [(reason["steps"], reason["reason"]) for reason in report.unchecked] == [
        (1, "Somebody had to choose here, and the choice is not recorded.")
    ]
    assert report.superseded == 0


def test_a_forgotten_line_is_noticed_where_the_lines_have_numbers() -> None:
    with pytest.raises(LogError) as refused:
        read_sheet(FROM_MEMORY.replace("3. B discards d2\n", ""), "game.txt", "compile")
    assert refused.value.lines() == [
        "game.txt: line 5: column 1: expected 3, the number of this line in the log, found 4"
    ]


def test_written_out_it_is_the_same_game_with_or_without_numbers(tmp_path: Path) -> None:
    header, events = read_sheet(FROM_MEMORY + PUT_RIGHT, "game.txt", "compile")
    log = tmp_path / "game.jsonl"
    write_log(log, header, events)
    for numbered in (False, True):
        source = open_log(log)
        assert read_sheet(write_sheet(source.ruleset, source.header, source, is_numbered=numbered)) == (header, events)


THERE = "(fire, life, water, death, metal, speed)"
"""The cards of the table, none of which is near."""


@pytest.mark.every(
    ("line", "said"),
    [
        ("A x2 1", f"column 3: expected a card of this game {THERE} or turn-over, found x2"),
        ("B fyre-3 1", "column 3: expected a card of this game or turn-over (did you mean “fire-3”?), found fyre-3"),
        ("B d9 1", f"column 3: expected a card of this game {THERE} or turn-over, found d9"),
        ("B s4 9", "column 6: expected a whole number from 1 to 3"),
        ("1. B s4 2 x", "column 11: expected the end of the line or on or deck, found x"),
    ],
)  # fmt: skip
def test_an_error_says_what_would_fit(line: str, said: str) -> None:
    head = "game r2-t7   A Ada: fire life water   B Bo: death metal speed".replace(
        "death", "darkness" if "d2" in line else "death"
    )
    with pytest.raises(LogError) as refused:
        read_sheet(f"{head}\n{line}", "game.txt", "compile")
    assert said in refused.value.lines()[0]


def test_a_short_name_of_several_cards_is_refused_with_their_names() -> None:
    with pytest.raises(LogError) as refused:
        read_sheet("game x   A: fire life water   B: speed metal spirit\nB s4 3", "game.txt", "compile")
    assert refused.value.lines() == ["game.txt: line 2: column 3: expected speed-4 or spirit-4, found s4"]


@pytest.mark.every(
    ("head", "said"),
    [
        ("game x   A Ada: fire life water   B Bo: death metal speed   first Z", "line 1: first: expected A or B"),
        ("game x   A Ada: fire life   B Bo: death metal speed", "line 1: protocols.A"),
        ("game x   A Ada: fire life water   B Bo: fire metal speed", "line 1: protocols"),
    ],
)
def test_a_first_line_with_which_no_game_begins_is_refused(head: str, said: str) -> None:
    with pytest.raises(LogError) as refused:
        read_sheet(f"{head}\nA f3 1", "game.txt", "compile")
    assert said in refused.value.lines()[0]


@pytest.mark.parametrize(
    "start", ["", "\ufeff", "# by Cleo\n", "\n \n"], ids=["plain", "mark of order", "comment", "blank lines"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_sheet_is_judged_as_it_is_like_the_log_that_is_made_of_it(tmp_path: Path, start: str, end: str) -> None:
    sheet, log = tmp_path / "r2.txt", tmp_path / "r2.jsonl"
    sheet.write_bytes((start + FROM_MEMORY).replace("\n", end).encode())
    write_log(log, *read_sheet(FROM_MEMORY, game="compile"))
    of_sheet, of_log = library.check(sheet), library.check(log)
    assert of_sheet.findings == of_log.findings != []
    assert (of_sheet.log, of_sheet.game) == (str(sheet), "r2-t7")
    assert library.check(sheet.open("rb")).findings == of_log.findings


def test_a_sheet_that_cannot_be_read_says_where_and_no_log_is_taken_for_one(tmp_path: Path) -> None:
    sheet = tmp_path / "r2.txt"
    for words, said in (
        (FROM_MEMORY.replace("m5 2", "m9 2"), r"r2\.txt: line 4: column \d+: expected a card"),
        ("gamer r2\n", "expected a header, which is a JSON object"),
        ("", "an empty file"),
    ):
        sheet.write_text(words, "utf-8")
        with pytest.raises(LogError, match=said):
            library.check(sheet)
    sheet.write_bytes(FROM_MEMORY.encode("utf-8").replace(b"round", b"r\xff"))
    with pytest.raises(LogError, match="text in UTF-8"):
        library.check(sheet)
