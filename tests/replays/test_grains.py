"""A reader goes through a game by what players begin, by what moves, or by every event."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.ruleset import ruleset
from cli import audit
from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.terminal.replay_screen import Screen

SAMPLE = Path(__file__).resolve().parents[2] / "replays" / "samples" / "dispute.jsonl"


@pytest.fixture(scope="module")
def screen() -> Screen:
    game = replay(open_log(SAMPLE))
    return Screen(ruleset("compile"), game)


@pytest.mark.every(
    ("grain", "stops"),
    [("actions", [0, 7, 16, 25, 36]), ("steps", [0, 1, 2, 7, 8, 9]), ("raw", [0, 1, 2, 3, 4])],
)
def test_a_reader_stops_where_something_of_that_grain_happens(screen: Screen, grain: str, stops: list[int]) -> None:
    assert screen.stops(grain)[: len(stops)] == stops


def test_every_finding_and_both_ends_belong_to_every_grain(screen: Screen) -> None:
    findings = [at for at, step in enumerate(screen.replay.steps) if step["verdict"] == "illegal"]
    assert {0, *findings, screen.last} <= set(screen.stops("actions"))


def test_a_key_goes_on_and_back_by_the_grain(screen: Screen) -> None:
    assert screen.beside(7, 1, "actions") == 16
    assert screen.beside(16, -1, "actions") == 7
    assert screen.beside(screen.last, 1, "actions") == screen.last


def test_the_command_prints_only_the_steps_of_a_grain() -> None:
    printed = CliRunner().invoke(audit, ["replay", str(SAMPLE), "--step", "--grain", "actions", "--lang", "en"]).output
    assert "Step 7 of 130" in printed
    assert "Step 8 of 130" not in printed
