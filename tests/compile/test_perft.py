"""The number of legal continuations from fixed positions: a change of any rule shows here."""

from __future__ import annotations

import pytest

from bench.perft import Position, counts, positions


@pytest.mark.parametrize("position", [pytest.param(position, id=position.name) for position in positions()])
def test_the_legal_continuations_of_a_position_are_those_counted_before(position: Position) -> None:
    assert counts(position, 4) == position.counts


def test_there_are_a_dozen_positions_counted_four_choices_deep() -> None:
    assert len(positions()) >= 12
    assert all(len(position.counts) == 4 and position.counts[3] for position in positions())
