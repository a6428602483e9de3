"""Whole score sheets and chats of players who wrote down their games in words and an order of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.steps import Step
from audit.games.compile.game import RULESET
from replays.importing.questions import Asker
from replays.importing.sheets import import_sheet
from replays.judging.tally import superseded_steps
from replays.scoresheet.sheet import read_sheet
from tests.yaml_files import read_yaml

KEPT = read_yaml(Path(__file__).with_name("sheets_of_players.yaml"))


def findings(text: str) -> list[Step]:
    """The findings of a sheet, or of the sheet that a chat becomes, in what stands of it."""
    if ": " in text.splitlines()[-1]:
        text = import_sheet(text.encode(), "chat", Asker(lambda question: None)).sheet
    steps = list(audit(RULESET, *read_sheet(text, game="compile")))
    aside = superseded_steps(steps)
    return [step for step in steps if step.verdict.is_finding and step.index not in aside]


@pytest.mark.every("text", KEPT["honest"].values(), ids=KEPT["honest"])
def test_an_honest_record_is_not_accused(text: str) -> None:
    assert findings(text) == []


@pytest.mark.every("wrong", KEPT["wrong"].values(), ids=KEPT["wrong"])
def test_a_mistake_is_told_once_at_its_event_by_a_rule_that_a_judge_would_name(wrong: dict[str, Any]) -> None:
    (found,) = findings(wrong["text"])
    assert found.seq == wrong["event"]
    assert found.rules[0].id in wrong["rules"]
