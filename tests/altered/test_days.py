"""Days and mistakes by another hand: whole days of two and four players, told in words and orders of their own.

Each was written from the document and the pages for users, without a look at the program. The place of a mistake is
that of its author.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit.core.auditor import audit
from audit.core.model import Header, Verdict
from audit.core.steps import Step
from audit.games.altered import RULESET
from tests.altered.situations import events

FILE = Path(__file__).with_name("days.jsonl.gz")
DAYS = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]
ARGUED = {
    "clean-4": [54],  # Rest names the player on whose side the card lies, and not who brought it
}
"""Where our place is another than the author's."""


def judged(day: dict[str, Any]) -> list[Step]:
    head, *told = day["lines"]
    return list(audit(RULESET, msgspec.convert(head, Header), events(told)))


@pytest.mark.every("day", DAYS, ids=lambda day: day["name"])
def test_a_day_is_judged_as_its_author_would(day: dict[str, Any]) -> None:
    found = [step for step in judged(day) if step.verdict.is_finding]
    places = [step.seq for step in found]
    if day["name"] in ARGUED:
        assert places == ARGUED[day["name"]]
    elif day.get("clean"):
        assert places == []
    else:
        assert day["seq"] in places
        named = {rule.id for rule in found[places.index(day["seq"])].rules[:2]}
        assert not named.isdisjoint(day.get("rules", named))


def test_nine_of_ten_steps_of_a_lawful_day_are_judged() -> None:
    steps = [step for day in DAYS if day.get("clean") for step in judged(day)]
    unchecked = [step for step in steps if step.verdict is Verdict.UNCHECKED]
    assert len(unchecked) * 10 < len(steps)
