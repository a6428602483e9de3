"""Every example of the README and of every `--help` runs as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from _pytest.mark import ParameterSet

from cli import audit
from tests.command_line import run_line

ROOT = Path(__file__).resolve().parent.parent
NEEDS_A_READER = ("audit serve", "audit record game.jsonl", "audit site", "audit case supersede")
"""They wait for a browser, for somebody who types, for a network, or for cases of one's own."""
OF_A_READER = ("rulebook", "audit qa", "journals", "more.jsonl")
"""What is called so is a file of the reader's own."""


def commands(group: click.Group, path: str = "audit") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def in_help() -> Iterator[str]:
    for _, command in commands(audit):
        shown = (command.help or "").partition("Example:")[2]
        yield from re.findall(r"^\s*(audit .+)$", shown, re.MULTILINE)


def in_readme() -> Iterator[str]:
    yield from re.findall(r"^ {4}(audit .+)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)


def examples() -> Iterator[ParameterSet]:
    """One of each command for `make test`, and the others for `make prove`."""
    names = sorted((path for path, _ in commands(audit)), key=len, reverse=True)
    met = set[str]()
    for line in sorted({*in_help(), *in_readme()}):
        if not line.startswith(NEEDS_A_READER) and not any(word in line for word in ("--step", *OF_A_READER)):
            name = next((path for path in names if f"{line} ".startswith(f"{path} ")), line)
            yield pytest.param(line, marks=[pytest.mark.prove] * (name in met))
            met.add(name)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader of the README has it: the samples, and a game of their own."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "replays").symlink_to(ROOT / "replays")
    (folder / "my-game.jsonl").write_bytes((ROOT / "replays" / "samples" / "dispute.jsonl").read_bytes())
    return folder


@pytest.mark.parametrize("line", [*examples()])
def test_the_example_runs(line: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(desk / "cases", ignore_errors=True)
    monkeypatch.setenv("AUDIT_DATA_DIR", str(desk / "data"))
    monkeypatch.chdir(desk)
    code, out, err = in_a_shell(line) if "$(" in line else run_line(line)
    assert code in (0, 1), err
    assert "Traceback" not in err
    assert out or "-o " in line or "--export" in line


def in_a_shell(line: str) -> tuple[int, str, str]:
    """The exit code and what is printed."""
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(line, shell=True, env=env, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def test_every_command_ends_its_help_with_an_example() -> None:
    silent = [path for path, command in commands(audit) if "Example:" not in (command.help or "")]
    assert silent == []


def test_step_without_a_terminal_prints_all_steps(desk: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli", "replay", "replays/samples/dispute.jsonl", "--step"],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.stdout.count("Step ") >= 131
    assert done.returncode in (0, 1)
