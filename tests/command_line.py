"""Runs `audit` in the process of a test: what it prints and its exit code, as from a shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`audit` with these arguments, without a terminal."""
    from cli import carried_out

    with CliRunner().isolation(input=stdin) as (out, err, _), mock.patch.object(sys, "argv", ["audit", *args]):
        code = carried_out()
        sys.stdout.flush()
        sys.stderr.flush()
    return subprocess.CompletedProcess(["audit", *args], code, out.getvalue(), err.getvalue())
