"""The commands of the store, of seals and of the viewer, as somebody mistypes them."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import audit
from tests.short_games import first_events
from web.publishing.files import FORMS
from web.site.tokens import tokens

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


def test_a_token_names_a_game_that_is_there_by_its_id_and_a_seat_of_it(folder: Path) -> None:
    (folder / "logs").mkdir()
    for place in (folder / "r3.jsonl", folder / "logs" / "t12.jsonl"):
        place.write_bytes(first_events("dispute", 3))
    id = run("store", "import", "r3.jsonl").output.split()[1].rstrip(",")
    player = ("token", "make", "ada", "--role", "player", "--seat")
    for wrong in (("A", "--game", "nope"), ("Q", "--game", "r3-t12"), ("A", "--game", "t12"), ("Q", "--game", id)):
        assert run(*player, *wrong).exit_code
    assert run("token", "make", "x", "--game", "../r3", "--in", "logs").exit_code
    assert [token.game for token in tokens()] == []
    assert run(*player, "A", "--game", "r3-t12").exit_code == 0
    assert run("token", "make", "bo", *player[3:], "B", "--game", "t12", "--in", "logs").exit_code == 0
    assert [(token.game, token.seat) for token in tokens()] == [(id, "A"), ("t12", "B")]


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


def test_a_folder_is_no_game_and_a_log_is_made_without_a_word_elsewhere_than_on_a_terminal(folder: Path) -> None:
    done = run("simulate", "-o", "sim")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    for asked in (("publish", "sim", "-o", "x.html"), ("case", "open", "sim", "--at", "1", "--by", "Ada", "Why?")):
        done = run(*asked)
        assert done.exit_code == 2
        assert "sim is a folder" in done.stderr
        assert "audit serve sim" in done.stderr


def test_the_list_of_stored_games_says_who_may_open_each(folder: Path) -> None:
    for name in ("dispute", "clean"):
        (folder / f"{name}.jsonl").write_bytes(first_events(name, 3))
    run("store", "import", "dispute.jsonl", "clean.jsonl")
    run("store", "share", "r3-t12", "private")
    told = {line.split()[2]: line.split()[-1] for line in run("store", "list").output.splitlines()[:-1]}
    assert told["r3-t12"] == "private"
    assert sorted(told.values()) == ["private", "public"]
    rows = map(json.loads, run("store", "list", "--json").output.splitlines())
    assert {row["game"]: row["sharing"] for row in rows} == told
