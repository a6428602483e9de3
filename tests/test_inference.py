"""How far the search for omitted events goes: so many events in a row, so many paths, so many positions in all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from audit.core.auditor import Auditor
from audit.core.inference import MAX_GAP, MAX_PATHS, SEARCH_BUDGET, Inference
from audit.core.model import Header
from audit.core.nearest_moment import Moments
from tests.clock import Clock, Struck, Ticked


def lengths(paths: Sequence[Sequence[object]]) -> list[int]:
    return [len(path) for path in paths]


def test_what_leaves_no_choice_is_inferred_up_to_the_event() -> None:
    assert lengths(Inference(Clock(strikes=7)).paths(0, Struck(seq=1))) == [7]
    assert lengths(Inference(Clock(strikes=0)).paths(0, Struck(seq=1))) == [0]


@pytest.mark.every(("strikes", "found"), [(MAX_GAP - 1, 1), (MAX_GAP, 0), (MAX_GAP + 1, 0)])
def test_no_gap_is_longer_than_the_longest(strikes: int, found: int) -> None:
    assert len(Inference(Clock(strikes)).paths(0, Struck(seq=1))) == found


def test_no_more_paths_are_kept_than_the_most() -> None:
    assert lengths(Inference(Clock(2, may_wait=True)).paths(0, Struck(seq=1))) == [2, 3, 4, 5]
    assert len(Inference(Clock(3, hands=2, may_wait=True)).paths(0, Struck(seq=1))) == MAX_PATHS == 4


def test_where_enough_is_open_the_first_path_is_taken() -> None:
    assert lengths(Inference(Clock(2, may_wait=True)).paths(0, Struck(seq=1), open_alternatives=MAX_PATHS)) == [2]


def test_another_way_to_read_an_event_is_kept_beside_those_of_long_ago() -> None:
    auditor = Auditor(Clock(2, may_wait=True), Header(log="audit/1", ruleset="clock", game="tower"), 2)
    auditor.alternatives = tuple(range(20, 20 + MAX_PATHS))
    auditor.judge(Struck(seq=1))
    assert auditor.alternatives == (3, 4, 5, *range(20, 20 + MAX_PATHS))


def test_two_hands_may_tick_in_either_order() -> None:
    paths = Inference(Clock(1, hands=2)).paths(0, Struck(seq=1))
    assert [[(move.event, move.siblings) for move in path] for path in paths] == [
        [(Ticked(seq=0, hand=n), (Ticked(seq=0), Ticked(seq=0, hand=1)))] for n in (1, 0)
    ]


@pytest.mark.parametrize("hands", [2, 3])
def test_what_leaves_a_choice_is_not_inferred(hands: int) -> None:
    assert Inference(Clock(1, hands=hands, is_choice=True)).paths(0, Struck(seq=1)) == []


def test_every_position_that_is_tried_is_paid_for() -> None:
    inference = Inference(Clock(strikes=5))
    inference.paths(0, Struck(seq=1))
    assert inference.budget == SEARCH_BUDGET - 11, "the event in six positions, and five events before it"


def test_the_search_ends_with_the_budget() -> None:
    inference = Inference(Clock(strikes=5))
    inference.budget = 8
    assert inference.paths(0, Struck(seq=1)) == []
    assert inference.is_exhausted


def test_each_step_restores_a_little_and_never_more_than_there_was() -> None:
    inference = Inference(Clock(strikes=5))
    inference.budget = 0
    assert inference.is_exhausted
    inference.replenish(3)
    inference.replenish(4)
    assert inference.budget == 4
    inference.replenish(4 + 2 * SEARCH_BUDGET)
    assert inference.budget == SEARCH_BUDGET


def test_the_position_in_which_an_event_was_meant_is_looked_for_no_further_than_a_gap() -> None:
    path, state = Moments(Inference(Clock(strikes=7))).nearest(0, Struck(seq=1))
    assert (len(path), state) == (7, 7)
    assert Moments(Inference(Clock(strikes=MAX_GAP + 1))).nearest(0, Struck(seq=1)) == ((), 0)


def test_nothing_is_looked_for_without_a_budget() -> None:
    inference = Inference(Clock(strikes=7))
    inference.budget = 3
    assert Moments(inference).nearest(0, Struck(seq=1)) == ((), 0)
    assert list(inference.relaxed(0, 5)) == []


def test_relaxations_are_tried_up_to_a_number() -> None:
    assert list(Inference(Clock(strikes=7)).relaxed(2, 3)) == [2, 3, 4]
