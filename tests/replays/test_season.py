"""A season judged at once: in order, by several processes, again only where something changed, and nothing lost."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from replays.judging.report import check
from replays.log.reader import open_log
from replays.scoresheet.opening import opened
from replays.scoresheet.sheet import write_sheet
from replays.season.cache import Cache
from replays.season.judging import A, Asked, Judged, Question, judged
from replays.season.season import Cores, judged_season
from replays.season.showing import spread, statements_of
from replays.season.sources import NoLogError, logs_at, stored
from replays.season.statistics import DIMENSIONS, Filters, Statistics, statistics, summary_json
from replays.season.workers import COPIES, Lost, WorkError, side_by_side
from replays.store.store import Store
from replays.terminal.season import statistics_lines
from tests import command_line
from tests.replays.conftest import NAMES

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "replays" / "samples"


def judged_all(folder: Path, cache: Cache, jobs: int = 1, asked: Asked | None = None) -> list[Judged]:
    """Every game of the folder."""
    return list(judged_season(asked or Asked(), logs_at([str(folder)]), cache, Cores(jobs)))


# Processes


def doubled(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return 2 * number


def test_results_come_in_the_order_of_the_items_whoever_is_done_first() -> None:
    found = list(side_by_side(doubled, range(40), 3))
    assert found == [(number, 2 * number) for number in range(40)]


def test_only_so_many_items_are_begun_ahead() -> None:
    begun = 0

    def items() -> Iterator[int]:
        nonlocal begun
        for begun in count():  # noqa: UP028
            yield begun

    results = side_by_side(doubled, items(), 2)
    assert next(results) == (0, 0)
    assert begun < 40
    results.close()  # type: ignore[attr-defined]


def dies_once(folder: Path, number: int) -> int:
    """A process that is killed over the seventh item, unless it has been killed before."""
    mark = folder / "killed"
    if number == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_that_dies_loses_no_item(tmp_path: Path) -> None:
    found = list(side_by_side(partial(dies_once, tmp_path), range(20), 2))
    assert found == [(number, number) for number in range(20)]


def always_dies(number: int) -> int:
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_an_item_that_kills_two_processes_is_named_and_the_others_are_done() -> None:
    found = dict(side_by_side(always_dies, range(20), 2))
    assert found.pop(7) == Lost()
    assert found == {number: number for number in range(20) if number != 7}


def echoed(text: str) -> str:
    return text


def test_items_and_results_may_be_of_any_size() -> None:
    texts = [letter * size for letter, size in zip("abcdefgh", [3, 500_000, 7, 200_000] * 2, strict=True)] * 3
    assert [result for _, result in side_by_side(echoed, texts, 2)] == texts


LIMITED = """
import resource
from replays.season.workers import most_processes, side_by_side
from tests.replays.test_season import doubled

resource.setrlimit(resource.RLIMIT_NOFILE, (80, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
assert most_processes() == 20
assert list(side_by_side(doubled, range(200), 1_000_000)) == [(number, 2 * number) for number in range(200)]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
def test_no_more_processes_are_started_than_there_may_be_open_files() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def fails(number: int) -> int:
    return 1 // number


def test_a_mistake_of_the_program_is_raised() -> None:
    with pytest.raises(WorkError, match="ZeroDivisionError"):
        list(side_by_side(fails, range(3), 2))


def test_what_is_known_is_not_worked_on() -> None:
    found = list(side_by_side(always_dies, range(10), 2, lambda number: -1 if number == 7 else None))
    assert found == [(number, -1 if number == 7 else number) for number in range(10)]


def test_what_the_work_needs_is_loaded_once_before_processes_start() -> None:
    prepared: list[str] = []
    found = list(side_by_side(doubled, range(20), 2, prepare=lambda: prepared.append("loaded")))
    assert found == [(number, 2 * number) for number in range(20)]
    assert prepared == ["loaded"] * COPIES


def test_nothing_is_loaded_where_every_result_is_known() -> None:
    prepared: list[str] = []
    found = list(side_by_side(doubled, range(20), 2, known=int, prepare=lambda: prepared.append("loaded")))
    assert found == [(number, number) for number in range(20)]
    assert not prepared


# Where games come from


def zipped(folder: Path) -> Path:
    with zipfile.ZipFile(folder.parent / "season.zip", "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"games/{path.name}")
    return folder.parent / "season.zip"


def tarred(folder: Path) -> Path:
    with tarfile.open(folder.parent / "season.tar.gz", "w:gz") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, f"games/{path.name}")
    return folder.parent / "season.tar.gz"


def nested(folder: Path) -> Path:
    return Path(shutil.copytree(folder, folder.parent / "year" / "june")).parent


@pytest.mark.parametrize("packed", [zipped, tarred, nested])
def test_an_archive_is_judged_like_the_folder_it_was_made_of(season: Path, packed: Callable[[Path], Path]) -> None:
    with Cache(None) as cache:
        wanted = [each.report for each in judged_all(season, cache)]
        found = [each.report for each in judged_season(Asked(), logs_at([str(packed(season))]), cache, Cores(1))]
    for report in (*wanted, *found):
        assert report is not None
        report.log = Path(report.log).name
    assert found == wanted


@pytest.mark.parametrize("packed", [lambda folder: folder, zipped, tarred])
def test_notes_and_cases_that_lie_beside_the_logs_are_no_logs(season: Path, packed: Callable[[Path], Path]) -> None:
    logs = len(list(logs_at([str(season)])))
    for name in ("clean.notes.jsonl", "c123456789.case.jsonl"):
        (season / name).write_text("{}\n", "utf-8")
    assert len(list(logs_at([str(packed(season))]))) == logs


@pytest.mark.parametrize("packed", [lambda folder: folder, zipped, tarred])
@pytest.mark.parametrize("jobs", [1, 2])
def test_score_sheets_are_judged_like_their_logs_beside_logs(
    tmp_path: Path, jobs: int, packed: Callable[[Path], Path]
) -> None:
    """A note and a chat that lie beside them are no sheets, whatever they begin with."""
    folder = tmp_path / "evening"
    folder.mkdir()
    for name in ("dispute", "clean"):
        log = open_log(SAMPLES / f"{name}.jsonl")
        (folder / f"{name}.txt").write_text(write_sheet(log.ruleset, log.header, log), "utf-8")
    shutil.copy(SAMPLES / "hidden.jsonl", folder)
    (folder / "note.txt").write_text("Crisps for the game night\n", "utf-8")
    (folder / "chat.txt").write_text("game compile  A Ada  B Bo\n[20:01] Ada: hello\n", "utf-8")
    with Cache(tmp_path / "cache.db") as cache:
        found = list(judged_season(Asked(), logs_at([str(packed(folder))]), cache, Cores(jobs)))
    with Cache(tmp_path / "cache.db") as cache:
        again = list(judged_season(Asked(), logs_at([str(packed(folder))]), cache, Cores(jobs)))
    first, second = ([each.report.verdicts for each in games if each.report] for games in (found, again))
    assert first == second
    assert [len(each.trouble) for each in found] == [0, 0, 0]
    told = {Path(each.name).name: each.report.findings for each in found if each.report}
    for path in map(folder.joinpath, told):
        assert [one["seq"] for one in told[path.name]] == [one["seq"] for one in check(opened(path)).findings]
    assert [*told] == ["clean.txt", "dispute.txt", "hidden.jsonl"]
    assert told["dispute.txt"]


def test_stored_games_are_judged_like_their_logs(season: Path) -> None:
    with Store(season / "games.db") as store, Cache(None) as cache:
        for name in NAMES:
            store.import_log(season / f"{name}.jsonl")
        found = list(judged_season(Asked(), stored(store), cache, Cores(1)))
        wanted = judged_all(season, cache)
    assert {each.facts.game: each.facts for each in found if each.facts} == {
        each.facts.game: each.facts for each in wanted if each.facts
    }


def test_a_damaged_archive_and_one_without_a_log_say_so(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 not an archive")
    (source,) = logs_at([str(tmp_path / "broken.zip")])
    assert "a damaged archive" in judged(Asked(), source).trouble[0]
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("readme.txt", "no log")
    with pytest.raises(NoLogError):
        list(logs_at([str(tmp_path / "empty.zip")]))


def test_a_log_that_cannot_be_read_does_not_keep_the_others_from_being_judged(season: Path) -> None:
    (season / "bad.jsonl").write_text("no log\n")
    with Cache(None) as cache:
        found = judged_all(season, cache)
    assert [bool(each.trouble) for each in found] == [False, True, False, False, False, False]


# Only what changed


def shown(found: list[Judged]) -> list[str]:
    """What is printed of judgements."""
    return [json.dumps(each.report.json()) for each in found if each.report]


def counted(folder: Path, file: Path, asked: Asked | None = None) -> tuple[list[Judged], int]:
    """Every game judged, and how many of them were not known."""
    again = 0

    class Counting(Cache):
        def keep(self, key: str, question: Question[A], answer: A) -> None:
            nonlocal again
            again += 1
            super().keep(key, question, answer)

    with Counting(file) as cache:
        return judged_all(folder, cache, asked=asked), again


def test_an_unchanged_season_is_not_judged_again(season: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    first, _ = counted(season, file)
    again, number = counted(season, file)
    assert number == 0
    assert shown(again) == shown(first)


def test_a_game_that_went_on_is_judged_again_alone(season: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    counted(season, file)
    log = (season / "dispute.jsonl").read_bytes().splitlines(keepends=True)
    (season / "dispute.jsonl").write_bytes(b"".join(log[:60]))
    found, number = counted(season, file)
    assert number == 1
    assert [each.facts.events for each in found if each.facts and each.facts.game == "r3-t12"] == [59]


@pytest.mark.parametrize("asked", [Asked(reading="fr"), Asked(language="pl"), Asked(complete=True)])
def test_another_question_is_judged_anew(tmp_path: Path, asked: Asked) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "dispute.jsonl").write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    counted(folder, tmp_path / "kept.db")
    assert counted(folder, tmp_path / "kept.db", asked)[1] == 1


def test_another_version_of_the_program_judges_everything_anew(
    season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(season, tmp_path / "kept.db")
    monkeypatch.setattr("replays.season.cache.engine", lambda: "another")
    assert counted(season, tmp_path / "kept.db")[1] == len(NAMES)


def test_a_damaged_file_of_judgements_is_dropped(season: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    wanted, _ = counted(season, file)
    file.write_bytes(b"no database at all" * 100)
    for number in (len(NAMES), 0):
        found, judged_again = counted(season, file)
        assert (shown(found), judged_again) == (shown(wanted), number)


def test_a_changed_judgement_is_not_believed(season: Path, tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "kept.db"
    wanted, _ = counted(season, file)
    with sqlite3.connect(file) as database:
        ((key, said),) = database.execute("SELECT key, said FROM judged WHERE instr(said, ?)", (b"r3-t12",))
        database.execute("UPDATE judged SET said = ? WHERE key = ?", (said.replace(b"illegal", b"LEGAL!!"), key))
    database.close()
    found, number = counted(season, file)
    assert (shown(found), number) == (shown(wanted), 1)


# What a season tells


def facts_of(folder: Path) -> Statistics:
    with Cache(None) as cache:
        return statistics(each.facts for each in judged_all(folder, cache) if each.facts)


def test_a_season_tells_which_rules_were_broken_and_by_whom(season: Path) -> None:
    found = facts_of(season)
    assert (found.whole.games, found.whole.disputed, found.whole.findings) == (5, 1, 5)
    assert found.whole.broken["refresh.only-under-five"] == 1
    assert found.by["player"]["Bo"].broken["refresh.only-under-five"] == 1
    assert "refresh.only-under-five" not in found.by["player"]["Ada"].broken
    assert found.by["brought"]["plague"].broken["play.face-up-needs-protocol"] == 1
    assert found.cards["compile", "plague-5"] == 1


def test_the_public_is_told_no_card_that_it_did_not_see(season: Path) -> None:
    with Cache(None) as cache:
        games = [each.facts for each in judged_all(season, cache) if each.facts]
    assert ("compile", "water-0") in statistics(games).cards
    assert ("compile", "water-0") not in statistics(games, told=True).cards


def test_filters_count_some_games_only(season: Path) -> None:
    with Cache(None) as cache:
        games = [each.facts for each in judged_all(season, cache) if each.facts]
    assert statistics(games, Filters(ruleset="altered")).whole.games == 1
    assert statistics(games, Filters(brought="hate")).by["brought"]["hate"].games == 1
    assert statistics(games, Filters(player="nobody")).whole.games == 0


def test_how_long_a_turn_takes_is_told_of_the_games_whose_logs_tell_it(season: Path) -> None:
    with Cache(None) as cache:
        one, other, *_ = [each.facts for each in judged_all(season, cache) if each.facts]
    timed = replace(one, seconds=600, turns=10)
    assert statistics([timed, replace(other, seconds=None)]).whole.seconds_a_turn == 60


def test_a_rule_that_a_game_used_is_not_among_the_unused(season: Path) -> None:
    unused = facts_of(season).unused()
    assert "compile.mandatory" not in unused["compile"]
    assert unused["compile"]
    assert json.dumps(summary_json(facts_of(season)))


def test_several_processes_show_the_stored_games_as_one_does(season: Path) -> None:
    shown = []
    for jobs in (1, 3):
        with Store(season / f"games-{jobs}.db") as store:
            for name in NAMES:
                store.import_log(season / f"{name}.jsonl")
            store.follow(spread(store, jobs))
            shown.append((store.shown.games().rows, list(store.shown.facts()), store.shown.weights("compile")))
    assert shown[0] == shown[1]


def test_what_the_public_finds_a_game_by_is_the_same_whether_or_not_its_free_texts_are_searched_for_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    for searches in (False, True):
        if searches:
            monkeypatch.setattr("replays.store.shown_game._has_a_card_in_a_text", lambda event: True)
        found.append([statements_of({source.name: 1}, source.carried()) for source in logs_at([str(SAMPLES)])])
    assert found[0] == found[1]


# On the command line


def audit(*args: str) -> subprocess.CompletedProcess[str]:
    done = command_line.run(*args)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_season_ends_with_a_summary(season: Path) -> None:
    done = audit("check", str(season))
    assert done.returncode == 1
    assert re.search(r"\n5 games; \d+ events; 5 findings; 1 with findings\n", done.stdout)
    assert audit("check", str(season / "clean.jsonl")).stdout.count("game") == 0


def test_statistics_are_told_of_the_logs_that_can_be_read_and_the_exit_code_tells_of_the_others(season: Path) -> None:
    assert audit("stats", str(season)).returncode == 0
    (season / "bad.jsonl").write_text("no log\n")
    done = audit("stats", str(season), "--json")
    assert done.returncode == 2
    assert "bad.jsonl" in done.stderr
    assert [json.loads(done.stdout)["summary"][name] for name in ("games", "unreadable")] == [5, 1]


def test_a_terminal_has_the_filters_of_the_page(season: Path) -> None:
    log = (season / "clean.jsonl").read_bytes().splitlines(keepends=True)
    header = json.loads(log[0])
    header["meta"] = {**header.get("meta", {}), "language": "pl"}
    (season / "clean.jsonl").write_bytes(json.dumps(header).encode() + b"\n" + b"".join(log[1:]))
    found = audit("stats", str(season), "--log-language", "pl", "--json", "--lang", "fr")
    assert json.loads(found.stdout)["summary"]["games"] == 1
    said = audit("stats", "--help").stdout
    assert [name for name in DIMENSIONS if f"--{name}" not in said and f"--log-{name}" not in said] == []


def test_in_json_the_last_object_is_the_whole(season: Path) -> None:
    lines = [json.loads(line) for line in audit("check", str(season), "--json").stdout.splitlines()]
    assert len(lines) == 6
    assert lines[-1]["summary"]["games"] == 5


def test_several_processes_print_what_one_prints(season: Path) -> None:
    for number in range(6):
        for name in ("clean", "dispute"):
            (season / f"more-{name}-{number}.jsonl").write_bytes((SAMPLES / f"{name}.jsonl").read_bytes() * 1)
    alone = audit("check", str(season), "--jobs", "1", "--no-cache")
    many = audit("check", str(season), "--jobs", "3", "--no-cache")
    assert (many.returncode, many.stdout) == (alone.returncode, alone.stdout)


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_a_list_that_is_cut_says_how_much_is_left_out(language: str) -> None:
    found = Statistics()
    found.cards.update({("compile", f"card {number:02}"): 1 for number in range(12)})
    lines = list(statistics_lines(found, language))
    assert len([line for line in lines if " card " in line]) == 10
    assert " 2 " in lines[-1]
    assert "--json" in lines[-1]
    del found.cards["compile", "card 11"], found.cards["compile", "card 10"]
    assert "--json" not in "".join(statistics_lines(found, language))


def test_a_command_whose_reader_has_gone_ends_as_one_that_a_broken_pipe_ends(season: Path) -> None:
    for number in range(40):
        (season / f"more-{number}.jsonl").write_bytes((SAMPLES / "clean.jsonl").read_bytes())
    command = [sys.executable, "-m", "cli", "check", str(season), "--jobs", "2", "--no-cache"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.readline()
        started.stdout.close()
        assert (started.wait(60), started.stderr.read()) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended otherwise there")
@pytest.mark.parametrize(("signalled", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_command_that_is_stopped_leaves_no_process_behind(tmp_path: Path, signalled: int, code: int) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    for number in range(1_500):
        os.link(SAMPLES / "clean.jsonl", folder / f"{number:04}.jsonl")
    command = [sys.executable, "-m", "cli", "check", str(folder), "--jobs", "2", "--no-cache"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline()
        os.killpg(started.pid, signalled) if signalled == signal.SIGINT else started.send_signal(signalled)
        started.stdout.close()
        assert started.wait(60) in (code, 141)
    with pytest.raises(ProcessLookupError):
        os.killpg(started.pid, 0)
