"""The pages of docs: their examples run as printed, their links lead somewhere, and each is short enough to be read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import run_line
from tests.test_hygiene import texts

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("scorekeeper", "judge", "organiser", "compile-setup", "client-author")
NEEDS_A_READER = ("--cluster", "audit site", "journals")
"""It needs machines, a network or a file of the reader's own."""
LINES = 200
"""So many lines a page has at most."""
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
    shutil.copy(ROOT / "replays" / "samples" / "dispute.jsonl", tmp_path / "my-game.jsonl")
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
    found = re.findall(rf"^ {{4}}({program} .+)$", page.read_text("utf-8"), re.MULTILINE)
    return [line for line in found if not any(word in line for word in NEEDS_A_READER)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run_one_after_the_other(page: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(desk))
    monkeypatch.chdir(desk)
    lines = examples(ROOT / "docs" / f"{page}.md", "audit")
    assert lines
    for line in lines:
        for made in re.findall(r"-o (\S+)", line):
            (desk / made).unlink(missing_ok=True)
        if "$(" in line or " > " in line:
            code, said = (done := run(line, desk)).returncode, done.stderr
        else:
            code, _, said = run_line(line, SHEET.encode() if line.startswith("audit record") else b"")
        assert code in RAN, f"{line}\n{said}"
        assert "Traceback" not in said, line


# Links and length


def pages() -> list[Path]:
    """What a reader of the project reads."""
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def anchors(page: Path) -> set[str]:
    """What a link may name of a page: its headings, as a page on the web writes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_nowhere(page: Path, link: str) -> bool:
    """Whether no file or heading of the project is called so."""
    name, _, heading = link.partition("#")
    there = page.parent / name if name else page
    return not there.exists() or (bool(heading) and heading not in anchors(there))


@pytest.mark.every("page", pages())
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text("utf-8"))
    assert [link for link in links if leads_nowhere(page, link)] == []


def test_every_page_that_a_file_of_the_project_names_is_there() -> None:
    named = {
        (str(path), name)
        for path, text in texts()
        for name in re.findall(r"\bdocs/[\w/-]+\.md\b", text)
        if not (ROOT / name).exists()
    }
    assert named == set()


@pytest.mark.every("page", [page for page in pages() if page.name != "CHANGELOG.md"])
def test_a_page_is_short_enough_to_be_read(page: Path) -> None:
    assert len(page.read_text("utf-8").splitlines()) <= LINES
