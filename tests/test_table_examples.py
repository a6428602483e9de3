"""Every example of the pages on positions, score sheets and clients runs as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_line

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("docs/positions.md", "docs/score-sheet.md", "docs/clients/README.md")
SHEET = """game final   A Ada: fire life water   B Bo: death metal speed   first A
A fire-3 1
B death-2 1
"""
RAN = (0, 1)
"""An example may find something; it may not be misspelt or unreadable."""


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder as a reader has it: the project's files, and some of their own."""
    for name in ("replays", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "replays" / "samples" / "table-save.json", tmp_path / "table.json")
    (tmp_path / "game.txt").write_text(SHEET, "utf-8")
    return tmp_path


def run(line: str, desk: Path) -> subprocess.CompletedProcess[str]:
    """One line in a shell."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "AUDIT_DATA_DIR": str(desk)}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=desk, env=environment, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip


def examples(page: Path, program: str) -> list[str]:
    """The lines of a page that call a program, in the order in which they stand there."""
    return re.findall(rf"^ {{4}}({program} .+)$", page.read_text("utf-8"), re.MULTILINE)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run_one_after_the_other(page: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(desk))
    monkeypatch.chdir(desk)
    lines = examples(ROOT / page, "audit")
    assert lines
    for line in lines:
        for made in re.findall(r"-o (\S+)", line):
            (desk / made).unlink(missing_ok=True)
        if "$(" in line or " > " in line:
            code, said = (done := run(line, desk)).returncode, done.stderr
        else:
            code, _, said = run_line(line, b"B speed-5 2 down\n" if line.startswith("audit record") else b"")
        assert code in RAN, f"{line}\n{said}"
        assert "Traceback" not in said, line
