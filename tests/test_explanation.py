"""Why an event is a finding: what is like it, what was skipped before it, and how far an audit looks for that."""

from __future__ import annotations

import pytest

from audit.core.catalogue import Rule
from audit.core.event_rules import Obligation, Violation
from audit.core.explanation import Explainer, distance
from audit.core.findings import distinct
from audit.core.inference import Inference, tells
from audit.core.model import Verdict
from audit.core.steps import Step, unchecked_step
from audit.games.compile.events import Drew, Played
from tests.clock import WHY, AnyOf, Struck, StruckRules, Ticked, TickedRules, Told

PLAYED = Played(seq=3, player="A", card="fire-1", line=2, face="up")


@pytest.mark.every(
    ("other", "apart"),
    [
        (PLAYED, 0),
        (Played(seq=9, player="A", card="fire-1", line=2, face="up", note="slowly"), 0),
        (Played(seq=3, player="A", card="fire-1", line=3, face="down"), 2),
    ],
)
def test_two_events_are_as_far_apart_as_they_have_different_fields(other: Played, apart: int) -> None:
    assert distance(other, PLAYED) == distance(PLAYED, other) == apart


def test_an_event_of_another_kind_is_farther_than_any_of_the_same() -> None:
    assert distance(PLAYED, Struck(seq=1)) == 1
    assert distance(Struck(seq=1), Ticked(seq=1)) == 2


@pytest.mark.every(
    ("record", "does"),
    [
        (Drew(seq=7, player="A"), True),
        (Drew(seq=7, player="A", count=2), True),
        (Drew(seq=7, player="A", count=3), False),
        (Drew(seq=7, player="B"), False),
        (Struck(seq=7), False),
    ],
)
def test_a_record_tells_of_an_event_where_it_says_nothing_else(record: Drew | Struck, does: bool) -> None:
    assert tells(record, Drew(seq=0, player="A", count=2)) is does


# Choices that nobody wrote down


class Summed(TickedRules):
    """Each hand moves the clock by its own number."""

    def apply(self, state: int, event: Ticked) -> int:
        return state + event.hand


def explainer(*expected: AnyOf, strikes: int = 0) -> Explainer[int]:
    rules = Told(*expected)
    rules.event_rules = {Ticked: Summed(1, is_choice=True), Struck: StruckRules(strikes)}
    return Explainer(Inference(rules))


def test_every_way_to_choose_is_tried_up_to_some_the_first_of_each_first() -> None:
    assert list(explainer(AnyOf(1, 2, 3)).unmentioned_choices(10)) == [11, 12, 13]
    assert list(explainer(AnyOf(1, 2, 3), AnyOf(70)).unmentioned_choices(0)) == [1, 70, 2, 3]
    assert list(explainer(AnyOf(*range(1, 100))).unmentioned_choices(0)) == list(range(1, 61))


@pytest.mark.every("obligation", [Obligation.OPTIONAL, Obligation.EXPIRES, Obligation.MARKER])
def test_what_nobody_had_to_do_was_not_left_out(obligation: Obligation) -> None:
    assert list(explainer(AnyOf(1, 2, obligation=obligation)).unmentioned_choices(0)) == []


def test_no_choice_is_tried_without_a_budget() -> None:
    tired = explainer(AnyOf(1, 2))
    tired.inference.budget = 0
    assert list(tired.unmentioned_choices(0)) == []


@pytest.mark.every(("strikes", "is_near"), [(1, True), (4, True), (5, False), (0, False)])
def test_an_event_came_too_early_if_it_follows_within_a_few_steps(strikes: int, is_near: bool) -> None:
    """Then what was skipped is the finding, and not the event."""
    found = explainer(AnyOf(1), strikes=strikes).explain(0 if strikes else 7, Struck(seq=1))
    assert [one.key for one in found.violations] == ([] if is_near else ["clock"])
    assert found.verdict is Verdict.ILLEGAL
    assert found.rules == (WHY,)


def test_what_was_expected_is_listed_the_most_alike_first() -> None:
    wrong = Ticked(seq=4, hand=3)
    found = explainer(AnyOf(*range(1, 100)), strikes=9).explain(0, wrong).expected
    assert len(found) == 60
    assert found[0] == Ticked(seq=0, hand=3)
    assert found[1:4] == tuple(Ticked(seq=0, hand=hand) for hand in (1, 2, 4))


def test_less_is_listed_when_the_budget_is_used_up() -> None:
    tired = explainer(AnyOf(*range(1, 100)))
    tired.inference.budget = -1000
    assert len(tired.explain(0, Struck(seq=4)).expected) == 12


# Other ways in which a mistake may have happened


def test_positions_are_kept_once_and_not_as_written_and_no_more_than_ten() -> None:
    assert distinct([4, 3, 4, 7, 3], known=7) == (4, 3)
    assert distinct(range(20), known=0) == tuple(range(1, 11))


def step(verdict: Verdict) -> Step:
    return Step(4, 3, PLAYED, verdict, (WHY,), (), 0, 1, expected=(PLAYED,))


@pytest.mark.every("verdict", Verdict)
def test_what_was_not_judged_says_why_unless_it_was_inferred_or_speaks_of_the_record(verdict: Verdict) -> None:
    why = (Violation(Rule("", "", ""), "after_gap"),)
    told = unchecked_step(step(verdict), why)
    if verdict in (Verdict.INFERRED, Verdict.RECORDED):
        assert told == step(verdict)
    else:
        assert (told.verdict, told.violations, told.expected) == (Verdict.UNCHECKED, why, ())
        assert (told.index, told.seq, told.before, told.state) == (4, 3, 0, 1)
