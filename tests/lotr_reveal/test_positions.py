"""Positions as data: `setup.position`, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.errors import SetupError
from audit.core.model import LOG_VERSION, Event, Header, Verdict
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.state import State
from replays.generating.simulate import simulated
from replays.generating.telling import viewer_log
from replays.log.reader import open_log
from tests.lotr_reveal.situations import ROUNDS, audited, events

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
DECISION = Path(__file__).resolve().parents[2] / "docs" / "lotr-setup.md"


def again(state: State, base: State) -> State:
    """The position written down as JSON and read again, in the game of another position."""
    return RULESET.rules.position(json.loads(json.dumps(RULESET.rules.position_data(state))), base)


def test_a_position_of_which_the_deck_is_not_known_can_be_written_down_and_read() -> None:
    """Of one that is known `tests/test_conformance.py` shows it."""
    header, log = simulated(RULESET, 0)  # type: ignore[arg-type]
    head, seen = viewer_log(RULESET, header, log, "public")  # type: ignore[arg-type]
    state = RULESET.rules.start(head)
    for event in seen:
        state = RULESET.rules.evolve(state, event)
        assert event.seq % 4 or again(state, state) == state


@pytest.mark.every("path", sorted(SAMPLES.glob("lotr-*.jsonl")), ids=lambda path: path.stem)
def test_so_can_any_position_of_a_sample(path: Path) -> None:
    log = open_log(path)
    for step in audit(RULESET, log.header, log):
        assert isinstance(step.state, State)
        assert again(step.state, step.state) == step.state


@pytest.mark.every("log", ROUNDS, ids=lambda log: str(log["id"]))
def test_so_can_any_position_of_a_game_that_players_wrote_down(log: dict[str, Any]) -> None:
    for step in audited(log):
        assert isinstance(step.state, State)
        assert again(step.state, step.state) == step.state


# As a judge writes it


def test_the_example_of_the_documentation_is_a_position_in_the_middle_of_a_card() -> None:
    setup, log = _example()
    header = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup)
    state = RULESET.rules.start(header)
    assert [(frame.card, frame.step) for frame in state.frames] == [("dark-rider", 6)]
    assert [task.kind for task in state.frames[0].tasks][:2] == ["keyword", "move"]
    assert state.deck == ("?1", "?2", "?3", "?4", "?5", "?6", "?7")
    verdicts = [step.verdict for step in audit(RULESET, header, log) if step.seq]
    assert verdicts == [Verdict.LEGAL, Verdict.LEGAL, Verdict.LEGAL]


def _example() -> tuple[dict[str, Any], list[Event]]:
    """The setup and the events of the example in the documentation."""
    blocks = DECISION.read_text("utf-8").split("```")
    first, second = (block for block in blocks if block.startswith("json"))
    lines = [json.loads(line) for line in second.removeprefix("jsonl").strip().splitlines()]
    return json.loads(first.removeprefix("json")), events({"events": lines})


START: dict[str, Any] = {"players": ["ann", "bob"], "cards": {"orc": {"type": "enemy"}}, "in_play": {}}


@pytest.mark.every(
    ("position", "field", "allowed"),
    [
        ({"stagin_area": []}, "position.stagin_area", "staging_area"),
        ({"engaged": {"zoe": ["orc"]}}, "position.engaged.zoe", "ann, bob"),
        ({"under_way": [{"frame": "f1", "card": "orc"}]}, "position.under_way[0].player", "text"),
        ({"under_way": [{"frame": "f1", "card": "orc", "player": "ann", "step": "13"}]},
         "position.under_way[0].step", "5.1"),
        ({"characters": {"gimli": {"redy": True}}}, "position.characters.gimli.redy", "ready"),
        ({"elsewhere": {"orc": "limbo"}}, "position.elsewhere.orc", "victory_display"),
        ({"encounter_deck": -1}, "position.encounter_deck", "whole number"),
        ({"damage": {"ork": 1}}, "position.damage.ork", "describes"),
        ({"staging_area": ["orc"], "encounter_discard": ["Orc"]}, "position.encounter_deck", "once"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_position_is_named_with_what_is_allowed(
    position: dict[str, Any], field: str, allowed: str
) -> None:
    header = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=START)
    positioned = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup={**START, "position": position})
    for read in (
        lambda: RULESET.rules.position(position, RULESET.rules.start(header)),
        lambda: RULESET.rules.start(positioned),
    ):
        with pytest.raises(SetupError) as failure:
            read()
        assert failure.value.field == field
        assert allowed in failure.value.expected


def test_a_setup_says_the_table_here_or_in_a_position_not_both() -> None:
    setup = {**START, "staging_area": ["orc"], "position": {"staging_area": []}}
    with pytest.raises(SetupError) as failure:
        RULESET.rules.start(Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup))
    assert failure.value.field == "staging_area"


def test_a_judge_puts_the_table_right_after_a_gap_and_play_is_judged_again() -> None:
    log: list[dict[str, Any]] = [
        {"type": "reveal_started", "frame": "f1", "card": "orc", "cause": "staging", "player": "ann"},
        {"type": "gap"},
        {"type": "reveal_started", "frame": "f5", "card": "wolf", "cause": "staging", "player": "bob"},
        {"type": "position_set", "position": {"encounter_deck": ["warg"], "staging_area": ["orc"]}},
        {"type": "reveal_started", "frame": "f6", "card": "orc", "cause": "staging", "player": "ann"},
    ]
    found = audited({"given": {**START, "encounter_deck": ["orc", "wolf"]}, "events": log})
    steps = [step for step in found if step.seq]
    assert [step.verdict for step in steps] == [
        Verdict.LEGAL, Verdict.RECORDED, Verdict.UNCHECKED, Verdict.RECORDED, Verdict.IMPOSSIBLE
    ]  # fmt: skip
    assert steps[-1].rules[0].id == "reveal.1.take-top"


def test_a_checkpoint_in_another_order_of_cards_that_have_none_is_no_difference() -> None:
    log: list[dict[str, Any]] = [
        {"type": "checkpoint", "position": {"staging_area": ["wolf", "orc"], "threat": {"ann": 20}}},
        {"type": "checkpoint", "position": {"threat": {"ann": 21}}},
    ]
    given = {**START, "staging_area": ["orc", "wolf"], "threat": {"ann": 20, "bob": 30}}
    right, wrong = audited({"given": given, "events": log})[1:]
    assert right.verdict is Verdict.RECORDED
    assert wrong.verdict is Verdict.IMPOSSIBLE
    assert wrong.violations[0].data == {"field": "position.threat.ann", "expected": "20", "found": "21"}


@pytest.mark.parametrize("told", [{}, {"partly_known": {"engaged": {"ann": ["wolf"]}}}])
def test_of_enemies_that_nobody_has_told_of_only_the_known_ones_are_written_down(told: dict[str, Any]) -> None:
    """That nobody named one in front of bob does not say that there is none."""
    setup = {"players": ["ann", "bob"], "encounter_deck": ["orc"], "cards": {"wolf": {"type": "enemy"}}, **told}
    state = RULESET.rules.start(Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup))
    data = json.loads(json.dumps(RULESET.rules.position_data(state)))
    assert data.get("partly_known") == told.get("partly_known")
    assert again(state, state) == state
