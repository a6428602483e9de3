"""Logs that were judged wrongly once, kept in the folder `logs` of the shared collection with what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import AuditError
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict, type_name
from audit.core.ruleset import ruleset
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.events import Deleted, Discarded, Played, Triggered
from audit.games.compile.state import State
from replays.judging.annotate import Annotator
from replays.log.reader import open_log
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

LOGS = SHARED / "logs"

NOT_YET: frozenset[str] = frozenset()
"""Entries that are not due yet: still judged wrongly, or nobody has looked at what is said of them."""

ELSEWHERE = ("altered", "decks")
"""Sections with a test of their own."""


IN_WORDS = {"text order": "effects.reading-order"}
"""What the index says in words, and the rule that is meant."""


def entries() -> list[Any]:
    """Every entry that is due, by its name; one mark of absence where the collection is not there."""
    if not LOGS.is_dir():
        return [pytest.param("", {}, marks=pytest.mark.skip("needs the folder shared/ beside the project"))]
    index = read_yaml(LOGS / "INDEX.yaml")
    return [
        pytest.param(name, entry, id=name, marks=pytest.mark.skip("not due yet") if name in NOT_YET else ())
        for section, logs in index.items()
        if section not in ELSEWHERE
        for name, entry in logs.items()
    ]


def steps(name: str, folder: Path = LOGS) -> list[Step]:
    log = open_log(folder / f"{name}.jsonl")
    return list(audit(ruleset(log.header.ruleset), log.header, log))


def findings(name: str, folder: Path = LOGS) -> list[Step]:
    return [step for step in steps(name, folder) if step.verdict.is_finding]


def said(name: str) -> list[tuple[int | None, str, str]]:
    """What is found in a log: where, the verdict, the first rule."""
    return [(step.seq, step.verdict.value, step.rules[0].id) for step in findings(name)]


def state(step: Step) -> State:
    assert isinstance(step.state, State)
    return step.state


@pytest.mark.every(("name", "entry"), entries())
def test_the_log_is_judged_as_the_index_says(name: str, entry: Mapping[str, Any]) -> None:
    if entry.get("error"):
        with pytest.raises(AuditError):
            said(name)
        return
    found = said(name)
    if entry.get("clean"):
        assert found == []
        return
    if entry.get("verdict") == Verdict.UNCHECKED.value:
        assert found == []
        assert Verdict.UNCHECKED in {step.verdict for step in steps(name)}
        return
    wanted = (entry.get("at"), entry.get("verdict"), IN_WORDS.get(entry.get("rule", ""), entry.get("rule")))
    first = next(iter(found), (None, None, None))
    assert all(right in (None, told) for right, told in zip(wanted, first, strict=True)), found
    assert entry.get("findings", len(found)) == len(found), found
    assert entry.get("only", [at for at, *_ in found]) == [at for at, *_ in found], found
    assert entry.get("at_most", len(found)) >= len(found), found


def test_no_name_is_left_on_the_list_that_the_index_does_not_have(shared: Path) -> None:
    index = read_yaml(shared / "logs" / "INDEX.yaml")
    assert NOT_YET - {name for section in index.values() for name in section} == set()


def test_half_of_one_card_is_no_card(shared: Path) -> None:
    played = [s for s in steps("P1-gravity0-alone", shared / "logs") if isinstance(s.event, Played)]
    assert [step.seq for step in played] == [1, 2]


def test_a_card_played_against_a_rule_lies_where_it_was_played(shared: Path) -> None:
    last = steps("P2-illegal-short", shared / "logs")[-1]
    assert [placed.card for placed in state(last).b.lines[1]] == ["speed-5", "psychic-5"]
    assert not last.guessed


def test_metal_6_turned_up_deletes_itself_and_says_that_this_is_a_reading(shared: Path) -> None:
    found = steps("Q-metal6-turned-up", shared / "logs")
    assert any(isinstance(step.event, Deleted) and "metal-6" in step.event.cards for step in found)
    told = [Annotator(RULESET).step(step).get("readings") for step in found if isinstance(step.event, Triggered)]
    assert told == [None, ["face-down-metal-6-stays"]]


def test_a_covered_bottom_text_does_not_act(shared: Path) -> None:
    assert [(s.seq, s.rules[0].id) for s in findings("Q-covered-start-text", shared / "logs")] == [
        (4, "field.bottom-command")
    ]


def first_finding(name: str, shared: Path) -> tuple[int | None, str, list[str]]:
    """Where the first finding is, the rule named first, and the criteria."""
    found = findings(name, shared / "logs")[0]
    return found.seq, found.rules[0].id, [violation.key for violation in found.violations]


@pytest.mark.parametrize(
    ("name", "at", "rule", "criteria"),
    [
        ("C-love-1.bottom.x-one", 2, "draw.one-event-per-instruction", ["draw.number"]),
        ("C-hate-2.middle.x-lower", 3, "effects.cards-beat-rules", ["pick.rank"]),
        ("C-love-3.middle.x-give-first", 2, "effects.reading-order", ["order.later"]),
        ("C-speed-3.bottom.x-no-shift", 1, "effects.condition-must-be-met", []),
        ("C-darkness-3.middle.x-from-deck", 2, "effects.must-be-applied", ["play.from"]),
        ("C-death-0.middle.x-this-line", 3, "field.line-two-protocols", ["pick.own_line"]),
        ("C-metal-3.middle.x-declined", 3, "effects.may-only-if-said", ["resolved.declined"]),
        ("C-hate-1.middle.x-delete-first", 2, "effects.reading-order", []),
        ("C-delete-before-discard", 2, "effects.condition-must-be-met", []),
        ("D2a-water0-second-sentence-first", 2, "effects.reading-order", ["overdue"]),
        ("D2b-psychic2-rearranges-before-discard", 2, "effects.reading-order", ["overdue"]),
        ("D2c-recompile-reward-before-deletion", 2, "compile.steps-in-order", ["overdue"]),
        ("D2d-landing-out-of-queue", 6, "committed.queue", ["overdue"]),
        ("D3a-life0-goes-on-after-being-covered", 3, "interrupt.lost-text-dropped", ["text.lost"]),
        ("D3b-light2-both-shift-and-flip", 5, "card.light-2", ["option.taken"]),
        ("D3c-silenced-text-carried-out", 2, "effects.cards-beat-rules", ["triggered.silenced"]),
    ],
)
def test_the_rule_named_first_is_the_one_whose_condition_failed(
    name: str, at: int, rule: str, criteria: list[str], shared: Path
) -> None:
    assert first_finding(name, shared) == (at, rule, criteria)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("C-hate-1.middle.x-delete-first", {"discarded"}),
        ("C-delete-before-discard", {"discarded"}),
        ("C-speed-3.bottom.x-no-shift", {"shifted", "resolved"}),
        ("C-metal-3.middle.x-declined", {"deleted"}),
        ("D2b-psychic2-rearranges-before-discard", {"discarded"}),
        ("D2c-recompile-reward-before-deletion", {"deleted"}),
    ],
)
def test_what_is_expected_is_the_decision_that_is_missing(name: str, missing: set[str], shared: Path) -> None:
    expected = findings(name, shared / "logs")[0].expected
    assert {type_name(type(event)) for event in expected} == missing


def test_a_discard_nobody_wrote_down_is_a_question_and_not_inferred(shared: Path) -> None:
    discards = [s for s in steps("C-forced-discard-unrecorded", shared / "logs") if isinstance(s.event, Discarded)]
    assert [(s.verdict, [item.key for item in s.violations]) for s in discards] == [
        (Verdict.UNCHECKED, ["not_recorded"])
    ]


def test_in_a_complete_log_a_discard_nobody_wrote_down_is_a_finding(shared: Path) -> None:
    log = open_log(shared / "logs" / "C-forced-discard-unrecorded.jsonl")
    told = completed_up_to_discard(log.header, list(log))
    found = [step for step in audit(RULESET, replace(log.header, complete=True), told) if step.verdict.is_finding]
    assert [(type(step.event), type(step.expected[0])) for step in found[:1]] == [(Played, Discarded)]


def completed_up_to_discard(header: Header, events: Sequence[Event]) -> list[Event]:
    """The log with every small step, and without the discard."""
    told = [step.event for step in audit(RULESET, header, events) if step.event and step.verdict != Verdict.UNCHECKED]
    return [numbered(event, seq) for seq, event in enumerate(told, 1)]
