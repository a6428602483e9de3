"""The sample logs: one clean game, one with a dispute over a zone, and the tie-break of Alice, Bob and Camille."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from audit.core.auditor import audit
from audit.core.model import Header
from audit.core.steps import Step
from audit.games.altered import RULESET
from tests.altered.situations import events
from tests.conftest import ROOT

SAMPLES = ROOT / "replays" / "samples"


def audited(name: str) -> list[Step]:
    lines = (SAMPLES / f"{name}.jsonl").read_text("utf-8").splitlines()
    log: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return list(audit(RULESET, msgspec.convert(log[0], Header), events(log[1:])))


def test_alice_has_won_because_the_others_share_the_top() -> None:
    last = audited("altered-alice-bob-camille")[-1]
    assert last.state.winner == "alice"  # type: ignore[attr-defined]
    assert {"altered.ffa.tiebreak.example", "altered.ffa.tiebreak.type-won"} <= {rule.id for rule in last.rules}


def test_the_objection_names_who_should_have_won() -> None:
    disputed = next(step for step in audited("altered-alice-bob-camille") if step.verdict.is_finding)
    assert [event.side for event in disputed.expected] == ["alice"]  # type: ignore[attr-defined]


def test_the_objection_has_the_counts_that_decide_it() -> None:
    disputed = next(step for step in audited("altered-alice-bob-camille") if step.verdict.is_finding)
    assert disputed.event
    rows = RULESET.wording.counts(disputed.before, disputed.event, "en")
    assert rows == (
        ("", "forest", "mountain", "water", "types won"), ("alice", "1", "2", "4", "water"),
        ("bob", "5", "3", "1", "–"), ("camille", "5", "3", "2", "–"),
    )  # fmt: skip
