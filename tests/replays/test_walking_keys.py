"""The keys of a replay in a terminal lead where the same keys lead on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.core.ruleset import ruleset
from commands.games import led_to
from replays.judging.replay import replay
from replays.log.reader import open_log
from replays.terminal.replay_screen import Screen

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(ruleset("compile"), replay(open_log(SAMPLES / "dispute.jsonl"), viewer="judge", language="en"))


@pytest.mark.every(
    ("start", "key", "end"),
    [
        (0, "n", 25), (25, "n", 73), (73, "p", 25), (116, "n", 116), (0, "N", 25), (130, "P", 116), (0, "\x1b[F", 130),
        (60, "\x1b[H", 0), (0, "\x1b[C", 1), (5, "\x1b[D", 4), (0, " ", 1),
    ],
)  # fmt: skip
def test_a_key_leads_where_it_says(screen: Screen, start: int, key: str, end: int) -> None:
    assert led_to(screen, start, key, "raw") == end


def test_brackets_walk_from_turn_to_turn_and_back(screen: Screen) -> None:
    first = led_to(screen, 0, "]", "raw")
    assert first
    second = led_to(screen, first, "]", "raw")
    assert second
    assert led_to(screen, second, "[", "raw") == first
    titles = [screen.scene(step).chapter.title for step in (second - 1, second)]
    assert titles[0] != titles[1]
    assert led_to(screen, 130, "]", "raw") == 130


def test_another_key_leads_nowhere(screen: Screen) -> None:
    assert led_to(screen, 5, "x", "raw") is None
