"""Staging steps of two and three players as people write them down, and the mistakes that may be made in them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from audit.core.model import Verdict
from audit.games.lotr_reveal.events import AtTheTable
from tests.lotr_reveal.situations import Situation, audited, findings

ROUNDS: list[Situation] = tomllib.loads(Path(__file__).with_name("staging.toml").read_text("utf-8"))["round"]
LEAST_JUDGED = 0.9


def told(one: Situation, mistake: Situation | None = None) -> Situation:
    """The round as a situation, with a mistake in it if there is one."""
    given: dict[str, Any] = {"players": one["players"], **one["setup"]}
    events = list(one["events"])
    for change in reversed((mistake or {}).get("changes", ())):
        first = change["at"] - 1
        events[first : first + change["skip"]] = change["put"]
    for path, value in (mistake or {}).get("setup", {}).items():
        given = changed(given, path.split("."), value)
    return {"given": given, "events": events}


def changed(data: dict[str, Any], path: list[str], value: object) -> dict[str, Any]:
    """The data with one value changed."""
    return {**data, path[0]: changed(data[path[0]], path[1:], value) if path[1:] else value}


@pytest.mark.every("one", ROUNDS, ids=lambda one: str(one["id"]))
def test_a_round_without_a_mistake_is_judged_and_has_no_finding(one: Situation) -> None:
    steps = [step for step in audited(told(one)) if step.seq and not isinstance(step.event, AtTheTable)]
    assert findings(steps) == []
    assert sum(step.verdict is Verdict.LEGAL for step in steps) >= LEAST_JUDGED * len(steps)


@pytest.mark.parametrize(
    ("one", "mistake"),
    [pytest.param(one, mistake, id=mistake["title"]) for one in ROUNDS for mistake in one["mistake"]],
)
def test_a_mistake_is_found_where_it_shows_by_its_rule(one: Situation, mistake: Situation) -> None:
    found = findings(audited(told(one, mistake)))[0]
    assert found.seq == mistake["at"]
    assert found.rules[0].id in mistake["rules"]
