"""The commands of the store, of seals and of the viewer, as somebody mistypes them."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import audit
from web.publishing.files import FORMS

SAMPLE = Path(__file__).resolve().parents[2] / "replays" / "samples" / "dispute.jsonl"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's folder, with data of their own."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(audit, args, input=stdin)


def test_the_seal_of_standard_input_is_printed_and_lies_nowhere(folder: Path) -> None:
    done = run("seal", "-", stdin=SAMPLE.read_bytes())
    assert done.exit_code == 0
    assert json.loads(done.output)["events"] == 130
    assert list(folder.glob("*.seal")) == []


def test_standard_input_is_not_measured_by_a_seal_that_lies_about(folder: Path) -> None:
    (folder / "-.seal").write_bytes(run("seal", "-", stdin=SAMPLE.read_bytes()).stdout_bytes)
    done = run("verify", "-", stdin=SAMPLE.read_bytes())
    assert done.exit_code == 1
    assert "not pinned" in done.output


@pytest.mark.parametrize(
    "args",
    [("store", "list", "--page", "0"), ("store", "list", "--page", "-1"), ("store", "list", "--verdict", "nonsense"),
     ("serve", "--port", "65536"), ("serve", "--port", "-1"), ("serve", "--host", "x" * 70)],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_words(folder: Path, args: tuple[str, ...]) -> None:
    done = run(*args)
    assert done.exit_code == 2
    assert "Error: Invalid value for" in done.output


def test_a_port_that_is_taken_is_told_and_nothing_is_served(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", str(taken.getsockname()[1]))
    assert done.exit_code == 2
    assert "in use" in done.output
    assert "http://" not in done.output


def test_the_ending_of_a_published_file_is_read_in_capitals_too_and_a_sheet_is_no_picture(folder: Path) -> None:
    assert run("publish", str(SAMPLE), "-o", "table.SVG").exit_code == 0
    assert (folder / "table.SVG").read_bytes().startswith(b"<svg")
    done = run("publish", str(SAMPLE), "-o", "finding.gif", "--sheet")
    assert done.exit_code == 2
    assert "a sheet is .html, .pdf or .md" in done.output
    assert not (folder / "finding.gif").exists()


def test_the_help_names_every_ending_that_a_published_file_may_have() -> None:
    said = run("publish", "--help").output
    assert [form for form in FORMS if form != "sheet" and f".{form}" not in said] == []
