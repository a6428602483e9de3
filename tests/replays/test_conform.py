"""What a program does otherwise than the rules is told by rule and card, with what follows from it folded under it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from cli import audit
from replays.importing.journals.conform import Conformity, conformity, is_journal
from replays.terminal.comparison import conformity_json, conformity_junit, conformity_lines
from tests.conftest import SHARED

JOURNAL = SHARED / "games" / "journals.jsonl.gz"
KNOWN = SHARED / "games" / "known-deviations.json"
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"

needs_games = pytest.mark.skipif(not JOURNAL.exists(), reason="needs the folder shared/ beside the project")

FOUND = {
    ("deck.only-drawing-reshuffles", "life-0"), ("card.light-3", "light-3"), ("control.back-on-refresh", "spirit-0"),
    ("target.covered-if-named", "hate-4"), ("refresh.only-under-five", ""), ("turn.one-action", ""),
    ("field.top-command", "metal-2"),
}  # fmt: skip
"""What the program of the journals does otherwise. The last is not among its own notes."""


def log(tmp_path: Path, *added: dict[str, object], events: int = 60) -> str:
    """The first events of a clean game, and more."""
    lines = (SAMPLES / "clean.jsonl").read_text("utf-8").splitlines()[: events + 1]
    more = [json.dumps({"seq": seq, **event}) for seq, event in enumerate(added, events + 1)]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join([*lines, *more]) + "\n", "utf-8")
    return str(path)


def checkpoint(control: str | None) -> dict[str, object]:
    return {"type": "checkpoint", "position": {"control": control}}


@needs_games
def test_every_known_departure_of_the_journals_is_found_and_one_more() -> None:
    found = conformity([str(JOURNAL)])
    assert {(one.rule, one.card) for one in found.departures} == FOUND
    at = {(one.game, one.line) for departure in found.departures for one in departure.occurrences}
    known = json.loads(KNOWN.read_text("utf-8"))
    noted = {(f"journal-{game}", line) for game, departures in known.items() for line, _ in departures}
    assert at == noted | {("journal-1008", 97)}


def test_a_game_by_the_rules_has_no_departure(tmp_path: Path) -> None:
    found = conformity([log(tmp_path)])
    assert found.departures == ()
    assert [(game.events, game.occurrences) for game in found.games] == [(60, ())]


def test_a_checkpoint_that_differs_is_a_departure_and_the_next_one_its_consequence(tmp_path: Path) -> None:
    found = conformity([log(tmp_path, checkpoint("B"), checkpoint("B"))])
    [departure] = found.departures
    [occurrence] = departure.occurrences
    assert (occurrence.seq, occurrence.line) == (61, 62)
    assert [one.seq for one in occurrence.consequences] == [62]


def test_the_same_departure_in_two_games_is_one(tmp_path: Path) -> None:
    path = log(tmp_path, checkpoint("B"))
    [departure] = conformity([path, path]).departures
    assert len(departure.occurrences) == 2


def test_a_sample_with_five_mistakes_has_five_departures_at_most() -> None:
    found = conformity([str(SAMPLES / "dispute.jsonl")])
    told = [one for departure in found.departures for one in departure.occurrences]
    assert told
    assert all(one.rule and one.statement and one.message for one in told)


@pytest.fixture
def departing(tmp_path: Path) -> Conformity:
    return conformity([log(tmp_path, checkpoint("B"), checkpoint("B"))])


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_it_is_told_in_every_language(departing: Conformity, language: str) -> None:
    text = "\n".join(conformity_lines(departing, language))
    assert "conform_" not in text
    assert ":62: " in text


def test_it_is_data_for_a_program(departing: Conformity) -> None:
    data = json.loads(json.dumps(conformity_json(departing)))
    assert data["games"][0]["occurrences"] == 1
    assert data["departures"][0]["occurrences"][0]["consequences"][0]["seq"] == 62


def test_it_is_a_failed_test_for_a_test_runner(departing: Conformity) -> None:
    suite = ElementTree.fromstring(conformity_junit(departing, "en"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    assert suite.find("testcase/failure") is not None


def test_a_journal_is_told_from_a_log(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text('{"g": 1, "k": "header"}\n', "utf-8")
    assert is_journal(str(journal))
    assert not is_journal(str(SAMPLES / "clean.jsonl"))
    assert not is_journal(str(tmp_path / "missing.jsonl"))


def test_the_command_says_by_its_exit_code_whether_there_are_departures(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(audit, ["conform", log(tmp_path)]).exit_code == 0
    assert run(audit, ["conform", log(tmp_path, checkpoint("B"))]).exit_code == 1
    assert json.loads(run(audit, ["conform", "--json", log(tmp_path)]).output)["departures"] == []
