"""In a terminal: an option is taken by its number, the game goes on from there, and one comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.core.ruleset import ruleset
from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.terminal.replay_screen import Screen
from replays.terminal.variations import Variations

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


def walk_through(name: str, viewer: str = "judge", language: str = "en") -> Variations:
    log = open_log(SAMPLES / name)
    return Variations(Screen(ruleset(log.header.ruleset), replay(log, viewer=viewer, language=language)), log.header)


def number_of(lines: list[str], said: str) -> int:
    return next(int(line.split()[0]) for line in lines if said in line)


def test_an_option_is_taken_by_its_number_and_then_another() -> None:
    walk = walk_through("clean.jsonl")
    first = walk.take(number_of(walk.options(24), "Ada refreshes"))
    assert first == 25
    assert "Ada refreshes" in " ".join(walk.banner())
    assert walk.screen.replay.steps[25]["verdict"] == "legal"
    second = walk.take(number_of(walk.options(first), "Bo plays Light 2 face down in line 1"))
    assert second
    assert second > first
    assert walk.take_back() == first
    assert walk.take_back() == 24
    assert walk.banner() == []
    assert walk.take_back() is None


def test_what_was_expected_is_taken_instead_of_the_mistake() -> None:
    walk = walk_through("dispute.jsonl")
    step = walk.take(number_of(walk.expected(25), "Ada plays Plague 5 face up in line 1"))
    assert step == 25
    assert walk.screen.replay.steps[step]["verdict"] == "legal"
    assert walk.back() == 24
    assert walk.screen.replay.steps[25]["verdict"] == "illegal"


def test_a_number_that_was_not_offered_leads_nowhere() -> None:
    walk = walk_through("clean.jsonl")
    assert walk.take(1) is None
    walk.options(24)
    assert walk.take(0) is None
    assert walk.take(100) is None
    assert walk.banner() == []


def test_nothing_is_expected_at_a_legal_step() -> None:
    walk = walk_through("clean.jsonl")
    assert walk.expected(24) == ["Nothing was expected instead."]
    assert walk.take(1) is None


@pytest.mark.every("name", ["altered-duel.jsonl", "lotr-journey.jsonl"])
@pytest.mark.every("language", ["fr", "it", "pl"])
def test_every_game_goes_on_in_every_language(name: str, language: str) -> None:
    walk = walk_through(name, language=language)
    index: int | None = 10
    for _ in range(2):
        assert index is not None
        walk.options(index)
        index = walk.take(1)
    assert walk.banner()


def test_who_does_not_see_a_hand_is_offered_nothing_of_it() -> None:
    lines = walk_through("clean.jsonl", "public").options(24)
    assert [line for line in lines if "plays" in line] == []
    assert number_of(lines, "Ada refreshes") == 1
