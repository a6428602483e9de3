"""What a shell and `man` know of the command: every name completes, and the manual tells every command and option."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest

from cli import audit
from commands.manual import COMPLETE
from tests.command_line import ROOT, run
from tests.test_command_table import EVERY


@cache
def manual() -> str:
    done = run("--manual")
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def found(name: str) -> click.Command:
    """The command of that name, or the one inside a group."""
    command: click.Command | None = audit
    for part in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), part)
    assert command is not None
    return command


@pytest.mark.every("name", EVERY)
def test_the_manual_tells_every_command_with_its_options(name: str) -> None:
    _, heading, below = manual().partition(f".SS audit {name} ".replace("-", "\\-"))
    assert heading
    told = below.partition(".SS ")[0]
    for param in found(name).params:
        if isinstance(param, click.Option) and not param.hidden:
            assert param.opts[-1].replace("-", "\\-") in told


def test_what_looks_like_roff_is_printed_as_it_is(tmp_path: Path) -> None:
    @click.group()
    def program() -> None:
        """Program.

        \b
        Example:
        .hidden \\fBfile
        """

    from commands.manual import manual_page

    assert "\n\\&.hidden \\efBfile\n" in manual_page(program, {})


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_is_read_without_a_warning() -> None:
    done = subprocess.run(["groff", "-k", "-ww", "-man", "-Tutf8"], input=manual().encode(), capture_output=True)
    assert done.stderr == b""
    assert b"control component" not in done.stdout
    assert "Judge logs, or every log of a folder" in " ".join(done.stdout.decode().split())


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("audit trust s", ["seal"]),
        ("audit check --lan", ["--lang"]),
        ("audit rulebook l", ["link", "list"]),
    ],
)
def test_bash_completes_what_was_begun(typed: str, offered: list[str], tmp_path: Path) -> None:
    program = tmp_path / "audit"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m audit "$@"\n', "utf-8")
    program.chmod(0o755)
    words = " ".join(f"'{word}'" for word in typed.split())
    script = f"""
        eval "$(audit --completion bash)"
        COMP_WORDS=({words}); COMP_CWORD={len(typed.split()) - 1}
        _audit_completion audit
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert (done.stderr, sorted(done.stdout.split())) == ("", offered)


@pytest.mark.parametrize(("shell", "after"), [("zsh", "2"), ("fish", "s")])
def test_other_shells_are_told_names_and_what_they_do(shell: str, after: str) -> None:
    asked = {COMPLETE: f"{shell}_complete", "COMP_WORDS": "audit trust s", "COMP_CWORD": after}
    done = subprocess.run(
        [sys.executable, "-m", "audit"], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **asked}
    )
    assert "seal" in done.stdout
    assert "verify" not in done.stdout
    assert "Seal a log" in done.stdout


@pytest.mark.every("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_of_its_own(shell: str) -> None:
    done = run("--completion", shell)
    assert (done.returncode, f"{COMPLETE}={shell}_complete" in done.stdout.decode()) == (0, True)


def test_another_shell_is_a_mistake() -> None:
    assert run("--completion", "cmd").returncode == 2
