"""What a journal tells that the rules cannot follow is left out of the log, counted, and the game goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.core.record_events import Gap, PositionSet
from replays.importing.journals.journal import (
    ImportedGame,
    ImportSummary,
    findings,
    import_games,
    imported,
    summary_line,
    total_line,
)
from replays.importing.journals.moves import Work
from replays.importing.journals.reading import JournalGame, SetAside, games
from replays.importing.journals.table import MAX_WORK, MAX_WORK_OF_A_GAME, MIN_WORK, JournalGap, JournalTable
from replays.log.reader import open_log
from tests.command_line import run
from tests.replays.made_journal import Line, journal_of

SEEDS = (4, 7, 10)
Change = Callable[[list[Line]], object]


@cache
def _lines_of(seed: int) -> str:
    return json.dumps(journal_of(seed, seed))


def told(seed: int = 4) -> list[Line]:
    """A game of 97 steps, or another."""
    lines: list[Line] = json.loads(_lines_of(seed))
    return lines


def game_of(lines: Sequence[Line]) -> JournalGame:
    [game] = games([json.dumps(line).encode() for line in lines])
    assert isinstance(game, JournalGame)
    return game


def read(lines: Sequence[Line]) -> ImportedGame:
    return imported(game_of(lines))


def between_actions(lines: Sequence[Line], number: int) -> int:
    """The first line from that number on after which the next player plays, refreshes or compiles."""
    return next(n for n in range(number, len(lines)) if not lines[n]["after"]["pend"] and lines[n + 1]["k"] == "action")


def exchanged(line: Line) -> None:
    """In this snapshot a card of A's hand and one of the deck are exchanged."""
    side = line["z"]["A"]
    side["hd"][0], side["dk"][-1] = side["dk"][-1], side["hd"][0]


def with_a_gap(lines: list[Line]) -> int:
    """From some line on, which is returned, the last two cards of A's deck lie the other way round."""
    number = between_actions(lines, 20)
    one, other = lines[number]["z"]["A"]["dk"][-2:]
    for at in range(number, len(lines)):
        text = json.dumps(lines[at])
        lines[at] = json.loads(text.replace(one, "?").replace(other, one).replace("?", other))
    return number


def kinds(one: ImportedGame) -> list[type[Any]]:
    return [type(event) for event in one.events if isinstance(event, Gap | PositionSet)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_decisions_of_an_unknown_kind_are_read_by_their_prompts_and_the_snapshots(seed: int) -> None:
    one = read(told(seed))
    assert (one.unexplained, one.gaps, one.departures, findings(one)) == ((), (), (), ())
    assert len(one.by_prompt) > 10


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_of_decisions_that_name_nothing_the_snapshots_tell_enough(seed: int) -> None:
    lines = told(seed)
    for line in lines:
        if line.get("dec"):
            line["dec"] = {"do": "something"}
    one = read(lines)
    assert (one.unexplained, one.gaps, findings(one)) == ((), (), ())


def test_a_known_decision_that_does_not_fit_is_read_by_its_prompt() -> None:
    lines = told()
    number = next(n for n, line in enumerate(lines) if line["k"] == "choice" and line["dec"]["accept"])
    lines[number]["dec"] = {"do": "resolveSwapProtocols", "swap": [0, 1]}
    one = read(lines)
    assert (one.unexplained, one.gaps) == ((), ())
    assert number in one.by_prompt


def test_one_snapshot_that_contradicts_is_passed_over_and_told() -> None:
    lines = told()
    number = between_actions(lines, 30)
    exchanged(lines[number])
    one = read(lines)
    assert (one.unexplained, one.gaps) == ((number,), ())
    assert {difference.zone for difference in one.differences} == {"A.hd", "A.dk"}
    assert len(one.events) == len(read(told()).events)


def test_where_nothing_leads_on_there_is_a_gap_and_then_the_position_of_the_snapshot() -> None:
    lines = told()
    number = with_a_gap(lines)
    one = read(lines)
    assert [(gap.first, gap.last) for gap in one.gaps] == [(number, number)]
    assert kinds(one) == [Gap, PositionSet]
    assert (one.unexplained, findings(one)) == ((number,), ())
    [put] = [event for event in one.events if isinstance(event, PositionSet)]
    assert put.position["sides"]["A"]["hand"] == [name.lower() for name in lines[number]["z"]["A"]["hd"]]  # type: ignore[index]


def test_a_turn_left_out_is_a_gap_and_no_accusation() -> None:
    lines = told()
    number = between_actions(lines, 40)
    assert lines[number + 1]["k"] == lines[number + 2]["k"] == "action"
    one = read([*lines[: number + 1], *lines[number + 2 :]])
    assert (len(one.gaps), findings(one)) == (1, ())


def test_a_snapshot_that_shows_no_whole_position_is_no_place_to_go_on_from() -> None:
    lines = told()
    number = between_actions(lines, 30)
    for line in lines[number:-1]:
        line["z"]["B"]["dk"] = line["z"]["B"]["dk"][1:]
    one = read(lines)
    assert kinds(one) == [Gap]
    [gap] = one.gaps
    assert (gap.first, gap.last) == (number, len(lines) - 2)
    assert gap.decisions == sum(1 for line in lines[number + 1 : -1] if line.get("dec"))


def test_the_search_is_bounded_by_what_it_considers_and_ends_the_same_way_each_time() -> None:
    lines = told(10)
    for line in lines[2:-1]:
        line["after"]["ph"] = "dream"
        line["z"]["ctl"] = None if line["z"]["ctl"] else "A"
    work = Work(MAX_WORK_OF_A_GAME)
    table = JournalTable(game_of(lines), work)
    table.go_through()
    assert table.gaps
    assert work.left > -len(lines) * 10 * MIN_WORK
    assert read(lines).events == read(lines).events


def test_one_snapshot_takes_no_more_work_than_it_may() -> None:
    lines = told()
    number = between_actions(lines, 30)
    exchanged(lines[number])
    work = Work(10 * MAX_WORK)
    JournalTable(game_of(lines), work).go_through()
    assert 0 < 10 * MAX_WORK - work.left < 3 * MAX_WORK


# What is reported


def saved(folder: Path, *changes: Change) -> Path:
    """A journal of three games, each changed in its own way."""
    path = folder / "journal.jsonl"
    with path.open("w") as file:
        for seed, change in zip(SEEDS, changes, strict=True):
            change(lines := told(seed))
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def whole(lines: list[Line]) -> None:
    """Nothing is changed."""


def without_a_deal(lines: list[Line]) -> None:
    del lines[1]


Results = list[ImportSummary | SetAside]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """What is told of a whole game, of one with a gap, and of one that is set aside."""
    folder = tmp_path_factory.mktemp("journal")
    return list(import_games(saved(folder, whole, with_a_gap, without_a_deal), folder / "out"))


def test_what_could_not_be_told_is_counted(results: Results) -> None:
    first, second, third = map(summary_line, results)
    assert "gap" not in first
    assert "gap from line" in second
    assert third.startswith("game 10: set aside; line ")
    assert "3 games: 2 written, 1 set aside" in total_line(results)
    assert " gaps in 1 game with " in total_line(results)


def test_a_log_with_a_gap_reads_as_it_was_written(results: Results) -> None:
    assert isinstance(results[1], ImportSummary)
    log = open_log(results[1].log)
    assert [type(event) for event in log if isinstance(event, Gap | PositionSet)][:2] == [Gap, PositionSet]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("changes", "code"), [((whole, with_a_gap, whole), 1), ((whole, whole, whole), 0)])
def test_the_exit_code_says_whether_all_could_be_told(changes: tuple[Change, ...], code: int, tmp_path: Path) -> None:
    done = run("import", str(saved(tmp_path, *changes)), "-o", str(tmp_path / "out"))
    assert done.returncode == code
    assert done.stdout.splitlines()[-1].startswith(b"3 games: ")


def test_each_game_and_each_one_set_aside_is_a_line_of_json(tmp_path: Path) -> None:
    journal = str(saved(tmp_path, whole, with_a_gap, without_a_deal))
    done = run("import", journal, "-o", str(tmp_path / "out"), "--json")
    assert done.returncode == run("conform", journal).returncode == 2
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["gaps"], first["unexplained"]) == ([], [])
    assert set(second["gaps"][0]) == set(JournalGap.__struct_fields__)
    assert third["set_aside"]["expected"] == "one deal, right after the header"
