"""Runs `audit` in the process of a test: what it prints and its exit code, as from a shell."""

from __future__ import annotations

import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
JOINTS = ("&&", "|")


def run(*args: str, stdin: bytes = b"", is_terminal: bool = False) -> subprocess.CompletedProcess[bytes]:
    """`audit` with these arguments, without a terminal or as if it printed to one."""
    from cli import carried_out

    with CliRunner().isolation(input=stdin) as (out, err, _), mock.patch.object(sys, "argv", ["audit", *args]):
        sys.stdout.isatty = sys.stderr.isatty = lambda: is_terminal  # type: ignore[method-assign]
        code = carried_out()
        sys.stdout.flush()
        sys.stderr.flush()
    return subprocess.CompletedProcess(["audit", *args], code, out.getvalue(), err.getvalue())


def run_line(line: str, typed: bytes = b"") -> tuple[int, str, str]:
    """The exit code and what is printed of a line as typed into a shell, which may join several `audit`."""
    words = shlex.shlex(line, posix=True, punctuation_chars="&|")
    words.whitespace_split = True
    code, out, err = 0, b"", b""
    for joint, group in groupby(words, lambda word: word if word in JOINTS else ""):
        if joint == "&&":
            assert code == 0, err
        elif joint == "|":
            out, typed = b"", out
        else:
            done = run(*[*group][1:], stdin=typed)
            code, out, err, typed = done.returncode, out + done.stdout, err + done.stderr, b""
    return code, out.decode(), err.decode()
