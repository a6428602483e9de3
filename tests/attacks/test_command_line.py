"""The command line with everything closed, full, or of another kind: one line, an exit code, no traceback, no hang."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests import command_line

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "replays" / "samples" / "dispute.jsonl"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes as files")


def run(tmp_path: Path, shell: str, **environ: str) -> tuple[int, str]:
    """The exit code and all that is printed; `audit` and `LOG` stand for the command and a log with findings."""
    made = shell.replace("audit ", f'"{sys.executable}" "{ROOT / "cli.py"}" ').replace("LOG", f'"{LOG}"')
    done = subprocess.run(
        ["bash", "-c", made], capture_output=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "AUDIT_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), **environ},
    )  # fmt: skip
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def said_here(line: str) -> tuple[int, str]:
    """The exit code and what is said in the process of the test, where nothing but files is unusual."""
    done = command_line.run(*line.split())
    return done.returncode, done.stderr.decode("utf-8", "replace")


def refused(found: tuple[int, str], code: int = 2) -> None:
    """In one line or two, and without a traceback."""
    assert found[0] == code, found
    assert "Traceback" not in found[1]
    assert "Exception ignored" not in found[1]
    assert len(found[1].strip().splitlines()) <= 3, found


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("audit check LOG <&-", 1), ("audit check LOG <&- >&-", 2), ("audit check LOG >&-", 2),
        ("audit check LOG 2>&-", 1), ("audit check nothing 2>&-", 2), ("audit check - <&-", 2),
        ("audit check LOG <&- >&- 2>&-", 2), ("audit score - <&-", 2), ("audit store import - <&-", 2),
        ("audit check LOG > /dev/full", 2), ("audit check LOG --json > /dev/full", 2),
        ("audit seal - < LOG > /dev/full", 2),
        ("audit replay LOG --step <&-", 0), ("audit replay LOG --step < /dev/null", 0),
        ("audit check nothing 2> /dev/full", 2),
        ("exec 3> >(true); sleep 0.3; audit verify LOG >&3", 141),
    ],
)  # fmt: skip
def test_input_and_output_may_be_closed_or_full(tmp_path: Path, shell: str, code: int) -> None:
    found = run(tmp_path, shell)
    assert found[0] == code, found
    assert "Traceback" not in found[1]
    assert "Exception ignored" not in found[1]


def test_a_closed_output_takes_no_other_file_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database opened next would otherwise have the number of the closed output, and be written into."""
    refused(run(tmp_path, "audit store import LOG >&-"))
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    assert b"intact" not in command_line.run("store", "list").stdout
    done = command_line.run("store", "verify")
    assert (done.returncode, b"as it was appended" in done.stdout) == (0, True), done


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "shell",
    [
        r"audit check $'no\xff.jsonl'", r"audit check LOG --lang $'\xff'", r"audit token make $'\xff'",
        r"audit key make $'\xff'", r"audit store list --player $'\xff' --verdict x",
        r"audit publish LOG -o $'\xff.exe'",
        r"audit store show $'\xff'", r"audit rule play --ruleset $'\xff'",
    ],
)  # fmt: skip
def test_arguments_may_be_other_than_utf_8(tmp_path: Path, shell: str) -> None:
    found = run(tmp_path, shell)
    assert found[0] == 2, found
    assert "Traceback" not in found[1]


@pytest.mark.parametrize("arguments", ["NAME", pytest.param("NAME --json", marks=pytest.mark.prove), ". --json"])
def test_a_file_may_be_called_anything(tmp_path: Path, arguments: str) -> None:
    name = os.fsencode(tmp_path) + b"/game\xff\n\x1b[31m.jsonl"
    Path(os.fsdecode(name)).write_bytes(LOG.read_bytes())
    code, said = run(tmp_path, "audit check " + arguments.replace("NAME", r"$'game\xff\n\e[31m.jsonl'"))
    assert (code, "Traceback" in said, "\x1b" in said) == (1, False, False), said


@pytest.mark.parametrize(("encoding", "language"), [("ascii", "pl"), ("cp1250", "fr")])
def test_a_terminal_without_our_letters_is_written_to(tmp_path: Path, encoding: str, language: str) -> None:
    code, said = run(tmp_path, f"audit check LOG --lang {language}", PYTHONIOENCODING=encoding, LC_ALL="C")
    assert (code, "Traceback" in said) == (1, False), said


def test_a_program_is_told_in_letters_that_every_terminal_has(tmp_path: Path) -> None:
    code, said = run(tmp_path, "audit check LOG --lang pl --json", PYTHONIOENCODING="ascii")
    assert (code, len(json.loads(said)["findings"])) == (1, 5)


SPECIAL = {"zero": "ln -s /dev/zero {0}", "full": "ln -s /dev/full {0}", "pipe": "mkfifo {0}", "folder": "mkdir {0}",
           "loop": "ln -s {0} {0}", "terminal": "ln -s /dev/tty {0}"}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", SPECIAL)
def test_keys_and_seals_that_are_no_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    keys, game = tmp_path / "data" / "keys", tmp_path / "game.jsonl"
    game.write_bytes(LOG.read_bytes())

    def put(place: Path) -> None:
        subprocess.run(SPECIAL[kind].format(place), shell=True, check=True)

    refused(said_here("key make mine"), 0)
    put(keys / "other.pub")
    refused(said_here("key list"))
    subprocess.run(["rm", "-r", keys / "other.pub", keys / "mine.pem"], check=True)
    put(keys / "mine.pem")
    refused(said_here("seal game.jsonl --key mine"))
    put(tmp_path / "game.jsonl.seal")
    refused(said_here("verify game.jsonl"), 1 if kind == "loop" else 2)  # a link that leads nowhere is no seal at all
    refused(said_here("store import game.jsonl"), 0 if kind == "loop" else 2)


def test_a_disk_that_fills_while_a_key_is_made_leaves_no_empty_key(tmp_path: Path) -> None:
    """The size of files is limited, which for the program is the same: not all of it can be written."""
    code, said = run(tmp_path, "trap '' XFSZ; ulimit -f 0; audit key make mine")
    assert (code, "Traceback" in said) == (2, False), said
    assert [path.name for path in (tmp_path / "data" / "keys").glob("*")] == []
    refused(run(tmp_path, "audit key make mine"), 0)
    assert stat.S_IMODE((tmp_path / "data" / "keys" / "mine.pem").stat().st_mode) == 0o600


@pytest.mark.parametrize("line", ["key make k", "token make t", "store import LOG", "seal game.jsonl"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """A file stands where the folder should be: also the superuser cannot write below it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "file" / "data"))
    (tmp_path / "file").touch()
    (tmp_path / "game.jsonl").write_bytes(LOG.read_bytes())
    (tmp_path / "game.jsonl.seal").mkdir()
    refused(said_here(line.replace("LOG", str(LOG))))


DISTURBANCES = ["all closed", "output full", "latin-1", "disk full", "read-only data folder", "arguments",
                "files: other letters", "keys: zero"]  # fmt: skip


def ends_with_answers(tmp_path: Path, *disturbances: str) -> None:
    """All of them: `python -m tests.attacks.every_command FOLDER`. A command that is added has to be told there.

    A log may come through a named pipe, and is waited for: that is no hang.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.every_command", str(tmp_path / "runs"), *disturbances],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_ends_with_an_answer_under_one_disturbance(tmp_path: Path) -> None:
    """Each disturbance meets one command in sixteen."""
    ends_with_answers(tmp_path, *(f"{name}={2 * at}/16" for at, name in enumerate(DISTURBANCES, 1)))


@pytest.mark.prove
@pytest.mark.parametrize("disturbance", DISTURBANCES)
def test_every_command_ends_with_an_answer_under_every_disturbance(tmp_path: Path, disturbance: str) -> None:
    ends_with_answers(tmp_path, disturbance)
