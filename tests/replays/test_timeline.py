"""Any step of a game, at once: the same as in the whole audit."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event
from audit.core.ruleset import ruleset
from replays.generating.simulate import simulated
from replays.judging.timeline import EVERY, Timeline
from replays.log.reader import open_log

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


@pytest.mark.parametrize("wrong", [False, True])
def test_every_step_of_a_timeline_is_that_of_the_whole_audit(wrong: bool) -> None:
    game = ruleset("compile")
    header, events = simulated(game, 5, "chains")
    told = _with_mistakes(events) if wrong else events
    assert len(told) > 2 * EVERY
    steps = list(audit(game, header, told))
    timeline = Timeline((header, told))
    assert len(timeline) == len(steps)
    for index in (0, 1, EVERY - 1, EVERY, EVERY + 1, 2 * EVERY, len(steps) - 1, 3):
        assert timeline[index] == steps[index]


@pytest.mark.parametrize("places", [30, pytest.param(1000, marks=pytest.mark.prove)])
@pytest.mark.parametrize("sample", ["kept-by-hand", "hand-entered"])
def test_a_half_told_game_is_entered_anywhere(sample: str, places: int) -> None:
    log = open_log(SAMPLES / f"{sample}.jsonl")
    whole = list(audit(log.ruleset, log.header, log))
    timeline = Timeline(log)
    assert len(timeline) == len(whole)
    for at in Random(7).sample(range(len(whole)), min(places, len(whole))):
        assert timeline[at] == whole[at]


def test_a_timeline_has_no_step_after_its_last() -> None:
    timeline = Timeline(simulated(ruleset("compile"), 1))
    with pytest.raises(IndexError):
        timeline[len(timeline)]
    with pytest.raises(IndexError):
        timeline[-1]


def _with_mistakes(events: list[Event]) -> list[Event]:
    """Every hundredth event left out."""
    return [numbered(event, seq) for seq, event in enumerate((e for e in events if e.seq % 100), 1)]
