"""What judges are promised, in short: mistakes are found, clean games are clean, what is left out is inferred.

The same is measured at length by `python -m bench`; `docs/trust.md` has the figures.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from audit.auditor import audit
from audit.ruleset import ruleset
from bench.handwritten import Seen, Stripped, imported_games, look, simulated_games, strip
from bench.mistakes import Tally, at_random, measure

GAMES = 9
SEED = 3


@cache
def planted() -> tuple[dict[str, Tally], int]:
    tallies, _, wolves = measure("compile", at_random("compile", GAMES, SEED), SEED)
    return tallies, wolves


def whole() -> Tally:
    """All kinds of mistakes together."""
    tally = Tally()
    for one in planted()[0].values():
        tally.add(one)
    return tally


def test_every_kind_of_mistake_is_planted_and_found() -> None:
    tallies, _ = planted()
    assert len(tallies) >= 25
    assert [kind for kind, tally in tallies.items() if tally.found < tally.planted] == []


def test_mistakes_are_found_where_they_were_made_with_the_rule_they_break() -> None:
    tally = whole()
    assert tally.planted > 100
    assert tally.placed >= 0.97 * tally.planted
    assert tally.named >= 0.95 * tally.planted


def test_one_mistake_makes_one_finding_and_seldom_more() -> None:
    tally = whole()
    assert tally.findings <= 1.2 * tally.planted


def test_nothing_is_found_in_clean_games() -> None:
    assert planted()[1] == 0
    for header, events in simulated_games("compile", 12, SEED):
        assert [s for s in audit(ruleset("compile"), header, events) if s.verdict.is_finding] == []


def test_what_a_scorekeeper_leaves_out_is_inferred_exactly() -> None:
    tally = Stripped()
    for game in simulated_games("compile", 6, SEED):
        strip(ruleset("compile"), game, tally)
    assert tally.left_out > 3000
    assert tally.exact >= 0.999 * tally.left_out
    assert (tally.guessed, tally.findings) == (0, 0)


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_nothing_one_viewer_writes_down_of_a_clean_game_is_called_illegal(viewer: str) -> None:
    tally = Seen()
    for game in simulated_games("compile", 3, SEED):
        look(ruleset("compile"), game, viewer, tally)
    assert tally.events > 1000
    assert tally.wrong == 0


def test_imported_games_are_told_in_choices_as_well_as_whole(shared: Path) -> None:
    journal = shared / "games" / "journals.jsonl.gz"
    tally = Stripped()
    for game in imported_games(journal):
        strip(ruleset("compile"), game, tally)
    assert tally.games >= 5
    assert tally.exact >= 0.999 * tally.left_out
    assert (tally.guessed, tally.findings) == (0, 0)
