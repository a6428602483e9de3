"""A scorekeeper records a game in a terminal: each line is kept at once, judged, and what needs no choice follows."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.auditor import audit as audited
from audit.core.ruleset import ruleset
from cli import audit
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError
from replays.table.record import Record, header_of_line

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = "game final   A Ada: plague fire water   B Bo: gravity spirit hate   first A"


def recorded(path: Path, *lines: str, language: str = "en") -> str:
    """What a terminal shows of these lines, typed one after another."""
    done = CliRunner().invoke(audit, ["record", str(path), "--lang", language], input="\n".join(lines) + "\n")
    assert done.exit_code == 0, done.output
    return done.output


def test_decisions_alone_are_typed_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = recorded(path, PLAYERS, "A plague-5* 1", "B hate-5* 2", "quit", "A refresh")
    assert [type(event).__name__ for event in open_log(path)] == ["Played", "Played"]
    assert "✓ Ada plays Plague 5 face down in line 1." in text
    assert "Turn 2 begins: it is Bo's." in text
    assert "2 events are kept" in text


def test_what_was_said_to_follow_is_not_said_twice(tmp_path: Path) -> None:
    text = recorded(tmp_path / "game.jsonl", PLAYERS, "A plague-5* 1", "B hate-5* 2")
    assert text.count("Turn 2 begins") == 1


def test_a_recorder_goes_on_where_the_log_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path, PLAYERS, "A plague-5 1")
    recorded(path, "B hate-5* 2")
    assert [event.seq for event in open_log(path)] == [1, 2]


def test_a_mistake_at_the_table_is_recorded_all_the_same_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = recorded(path, PLAYERS, "A plague-5 2", "why")
    assert "✗ Ada plays Plague 5 face up in line 2." in text
    assert "play.face-up-needs-protocol" in text
    assert len(list(open_log(path))) == 1


def test_a_line_that_fits_no_form_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = recorded(path, PLAYERS, "A plague-9 1", "B hate-5* 2 nonsense")
    assert "nothing was written" in text
    assert list(open_log(path)) == []


def test_a_slip_is_amended_and_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path, PLAYERS, "A plague-5 2", "amend 1", "A plague-5 1", "? was it the left line")
    with Record(path) as record:
        lines = record.state.a.lines  # type: ignore[attr-defined]
    assert [[card.card for card in line] for line in lines] == [["plague-5"], [], []]


def test_what_is_offered_can_be_typed(tmp_path: Path) -> None:
    header = header_of_line(f'{PLAYERS}\nheader {{"setup":{{"hands":{{"A":["plague-5","fire-4"],"B":5}}}}}}', "compile")
    with Record(tmp_path / "game.jsonl", header) as record:
        choices = list(record.choices())
        assert "A plague-5 1" in choices
        assert record.enter(choices[0]).step.verdict.value == "legal"


def test_nothing_is_kept_of_a_line_that_cannot_be_read(tmp_path: Path) -> None:
    with Record(tmp_path / "game.jsonl", header_of_line(PLAYERS, "compile")) as record:
        with pytest.raises(MisfitError):
            record.enter("A sings")
        assert record.events == []
    assert len((tmp_path / "game.jsonl").read_bytes().splitlines()) == 1


def test_a_sample_game_recorded_by_its_decisions_ends_where_the_sample_ends(tmp_path: Path) -> None:
    sheet = CliRunner().invoke(audit, ["score", "write", "replays/samples/clean.jsonl"]).output
    path = tmp_path / "copy.jsonl"
    recorded(path, *sheet.splitlines())
    sample = open_log(ROOT / "replays/samples/clean.jsonl")
    view = ruleset("compile").disclosure.view
    with Record(path) as record:
        assert view(record.state) == view([*audited(ruleset("compile"), sample.header, sample)][-1].state)


@pytest.mark.parametrize(("language", "words"), [("fr", "gardés"), ("it", "conservati"), ("pl", "zapisano")])
def test_it_speaks_the_recorders_language(tmp_path: Path, language: str, words: str) -> None:
    assert words in recorded(tmp_path / "g.jsonl", PLAYERS, "A plague-5 1", "B hate-5* 2", language=language)


def test_nothing_is_lost_when_the_terminal_is_closed_or_the_program_killed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for blow in (signal.SIGINT, signal.SIGKILL):
        lines = [PLAYERS, "A plague-5 1"] if not path.exists() else ["B hate-5* 2"]
        before = len(path.read_bytes().splitlines()) if path.exists() else 0
        ours, theirs = pty.openpty()
        program = subprocess.Popen(
            [sys.executable, "-m", "cli", "record", str(path)], cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, "TERM": "xterm"}, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        for line in lines:
            time.sleep(0.6)
            os.write(ours, f"{line}\r".encode())
        _until_written(path, ours, before + len(lines))
        os.write(ours, b"B grav") if blow == signal.SIGINT else None
        program.send_signal(blow)
        _drained(ours, program, blow)
    assert [event.seq for event in open_log(path)] == [1, 2]


def _until_written(path: Path, terminal: int, lines: int) -> None:
    os.set_blocking(terminal, False)
    for _ in range(1200):
        _read(terminal)
        if path.exists() and len(path.read_bytes().splitlines()) >= lines:
            return
        time.sleep(0.05)
    raise AssertionError("nothing was written")


def _drained(terminal: int, program: subprocess.Popen[bytes], blow: signal.Signals) -> None:
    """Wait until the program has ended; between two prompts it may not hear a signal, which is sent again then."""
    for turn in range(1, 2401):
        _read(terminal)
        if program.poll() is not None:
            os.close(terminal)
            return
        if turn % 100 == 0:
            program.send_signal(blow)
        time.sleep(0.05)
    program.kill()
    raise AssertionError("the program goes on")


def _read(terminal: int) -> None:
    try:
        os.read(terminal, 65536)
    except (BlockingIOError, OSError):
        return
