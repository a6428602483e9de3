"""Whole rounds as players write them down, each with what the rules say of it."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.model import LOG_VERSION, Header, Verdict
from audit.core.sentences import tell, violation_sentence
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.events import AtTheTable
from tests.lotr_reveal.situations import ROUNDS, Situation, audited, differences, events, findings

each_log = pytest.mark.every("log", ROUNDS, ids=lambda log: str(log["id"]))


@each_log
def test_the_log_is_judged_as_the_rules_say(log: Situation) -> None:
    steps = audited(log)
    assert [[step.seq, step.rules[0].id] for step in findings(steps)] == log["findings"]
    assert [step.seq for step in steps if step.verdict is Verdict.UNCHECKED] == log["unchecked"]


@each_log
def test_the_table_stands_as_the_log_tells(log: Situation) -> None:
    view: Any = RULESET.disclosure.view(audited(log)[-1].state)  # type: ignore[arg-type]
    assert list(differences(view, log.get("table", {}))) == []


@each_log
@pytest.mark.every("language", LANGUAGES)
def test_what_happens_at_the_table_and_every_reason_has_its_sentence(log: Situation, language: str) -> None:
    said = [tell(RULESET, step.event, language) for step in audited(log) if isinstance(step.event, AtTheTable)]
    said += [violation_sentence(RULESET, one, language) for step in audited(log) for one in step.violations]
    assert [text for text in said if not text.endswith(".") or "…" in text or "{" in text] == []


def test_a_log_that_says_it_tells_everything_is_held_to_it() -> None:
    """The surge of the marsh was not armed, or nobody wrote it down; a complete log would have it."""
    marsh = {"type": "location", "quest_points": 2, "keywords": {"surge": True}}
    setup = {"players": ["ann"], "encounter_deck": ["marsh", "orc"], "cards": {"marsh": marsh}, "in_play": {}}
    log = [
        {"type": "reveal_started", "frame": "f1", "card": "marsh", "cause": "staging", "player": "ann"},
        {"type": "reveal_started", "frame": "f2", "card": "orc", "cause": "surge", "parent": "f1", "player": "ann"},
    ]
    said = []
    for complete in (False, True):
        head = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup, complete=complete)
        said.append([step.violations[0].key for step in findings(list(audit(RULESET, head, events({"events": log}))))])
    assert said == [[], ["due.surge"]]
