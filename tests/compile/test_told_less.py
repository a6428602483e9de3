"""What is said of a mistake does not depend on how much of the game is written down.

The same is measured at length by `python -m bench.told_less`; `docs/trust.md` has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice

import pytest

from bench.told_less import Broken, Tally, differences, of_cases, of_games, of_texts

TEXTS_APART, CASES_APART = 24, 3
GAMES, SEED = 2, 3


def some_texts() -> Iterator[Broken]:
    """A few texts got wrong."""
    return of_texts(TEXTS_APART)


def some_cases() -> Iterator[Broken]:
    """A few rules broken."""
    return islice(of_cases(), 0, None, CASES_APART)


def some_games() -> Iterator[Broken]:
    return of_games(GAMES, SEED)


SAMPLES: dict[str, tuple[Callable[[], Iterable[Broken]], float]] = {
    "texts": (some_texts, 0.99),
    "cases": (some_cases, 0.97),
    "games": (some_games, 0.92),
}
"""What is told in two ways, and in how much of it the same rule has to come first."""


each_sample = pytest.mark.parametrize("sample", ["texts", "cases", pytest.param("games", marks=pytest.mark.prove)])


@cache
def told(sample: str) -> tuple[Tally, list[str]]:
    tally = Tally()
    return tally, list(differences(SAMPLES[sample][0](), tally))


@each_sample
def test_a_log_of_choices_is_told_the_same_rule_first_at_the_same_event(sample: str) -> None:
    tally, differing = told(sample)
    assert tally.mistakes > 25
    assert tally.same_rule >= SAMPLES[sample][1] * tally.mistakes, differing
    assert tally.same_place >= 0.95 * tally.mistakes, differing


@each_sample
def test_what_is_expected_is_never_a_small_step(sample: str) -> None:
    tally, differing = told(sample)
    assert (tally.small, tally.small_stripped) == (0, 0), differing
