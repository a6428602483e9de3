"""Hostile logs: none of them crashes the reader or the auditor, and none makes them work without end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.errors import AuditError, SetupError
from audit.core.event_rules import Expectation
from audit.core.model import Verdict
from audit.games.altered.state import MAX_USES_A_DAY
from audit.games.compile.game import RULESET, CompileRules
from audit.games.compile.state import State
from bench.fuzz import MUTATIONS, case, judge, long_log
from replays.judging.replay import replay
from replays.log.reader import open_log

CASES = sorted((Path(__file__).parent / "fuzz_cases").glob("*.jsonl"))
HOSTILE = [kind for kind in MUTATIONS if kind not in ("bytes", "values", "header")]
LOOKS = 28
"""Positions looked at for an event, on the average of a long log: by so much the work is bounded."""


class CountingRules(CompileRules):
    """The rules, counting how often somebody asks what may come next."""

    asked = 0

    def expected(self, state: State) -> Iterator[Expectation[State]]:
        self.asked += 1
        return super().expected(state)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in CASES])
def test_a_case_once_found_is_judged_or_refused(path: Path) -> None:
    outcome = judge(path.read_bytes())
    assert outcome.what != "crash", outcome.error


@pytest.mark.sampled(30)
@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_log_is_judged_or_refused(seed: int) -> None:
    kind, data = case("compile", Random(seed))
    outcome = judge(data)
    assert outcome.what != "crash", f"{kind}: {outcome.error}"


@pytest.mark.parametrize("size", [20_000, pytest.param(150_000, marks=pytest.mark.prove)])
@pytest.mark.parametrize("kind", HOSTILE)
def test_the_work_for_a_log_full_of_mistakes_is_bounded(kind: str, size: int) -> None:
    log = open_log(BytesIO(long_log("compile", kind, 5, size=size)))
    rules = CountingRules()
    steps = list(audit(replace(RULESET, rules=rules), log.header, log))
    assert sum(step.verdict.is_finding or step.verdict is Verdict.UNCHECKED for step in steps) > 20
    assert rules.asked < LOOKS * log.events


def test_no_reaction_is_set_off_more_often_than_a_day_allows_whatever_a_log_says() -> None:
    data = next(path for path in CASES if path.stem == "an-advance-again-and-again").read_bytes()
    log = open_log(BytesIO(data))
    state: Any = log.start()
    for event in log:
        state = log.ruleset.rules.evolve(state, event)
    assert len(state.triggered) == MAX_USES_A_DAY < log.events


def test_no_place_holds_more_cards_than_there_are_whatever_a_log_says() -> None:
    data = next(path for path in CASES if path.stem == "one-card-lands-again-and-again").read_bytes()
    log = open_log(BytesIO(data))
    *_, last = audit(RULESET, log.header, log)
    assert isinstance(last.state, State)
    assert max(len(stack) for side in (last.state.a, last.state.b) for stack in side.lines) <= 36


def test_what_is_under_way_is_bounded_whatever_a_log_says() -> None:
    data = next(path for path in CASES if path.stem == "played-and-never-landed").read_bytes()
    log = open_log(BytesIO(data))
    *_, last = audit(RULESET, log.header, log)
    assert isinstance(last.state, State)
    assert len(last.state.stack) < 150
    assert len(last.because) < 150


def test_a_deck_of_far_too_many_cards_is_refused_with_the_field_named() -> None:
    data = next(path for path in CASES if path.stem == "a-deck-of-four-hundred").read_bytes()
    log = open_log(BytesIO(data))
    with pytest.raises(SetupError, match=r"decks\.A"):
        next(iter(audit(RULESET, log.header, log)))
    with pytest.raises(AuditError):
        log.start()


@pytest.mark.every("sample", ["dispute", "altered-duel", "lotr-crows"])
def test_somebody_who_is_not_at_the_table_is_shown_to_every_viewer(sample: str) -> None:
    """An event names a player who does not exist. It is a finding, and nobody's view of the game fails by it."""
    path = Path(__file__).parents[1] / "replays" / "samples" / f"{sample}.jsonl"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    first_of_type = {line["type"]: at for at, line in reversed(list(enumerate(lines))) if line.get("player")}
    for at in first_of_type.values():
        changed = [*lines[:at], {**lines[at], "player": "e"}, *lines[at + 1 :][:10]]
        log = b"".join(json.dumps(line).encode() + b"\n" for line in changed)
        for viewer in ("public", *(player["seat"] for player in lines[0]["players"])):
            with suppress(AuditError):
                assert list(replay(open_log(BytesIO(log)), viewer=viewer).steps)
