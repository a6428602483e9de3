"""What judges are promised, in short: mistakes are found, clean games are clean, what is left out is inferred.

The same is measured at length by `python -m bench`; `docs/trust.md` has the figures.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from audit.core.auditor import audit
from audit.core.ruleset import ruleset
from bench.handwritten import Stripped, imported_games, simulated_games, strip
from bench.mistakes import Tally, at_random, measure

SEED = 3
GAMES = {"compile": 3, "altered": 1, "lotr-reveal": 6}
MANY = {"compile": 9, "altered": 5, "lotr-reveal": 16}
"""So many games for `make prove`."""
KINDS = {"compile": 30, "altered": 70, "lotr-reveal": 28}
FOUND = {"compile": 1.0, "altered": 0.99, "lotr-reveal": 0.99}


@pytest.mark.parametrize(
    ("name", "games"), [*GAMES.items(), *(pytest.param(*many, marks=pytest.mark.prove) for many in MANY.items())]
)
def test_mistakes_of_many_kinds_are_found_once_where_they_were_made_and_none_in_clean_games(
    name: str, games: int
) -> None:
    tallies, _, wolves = measure(name, at_random(name, games, SEED), SEED)
    tally = Tally()
    for one in tallies.values():
        tally.add(one)
    assert sum(one.planted > 0 for one in tallies.values()) >= KINDS[name]
    assert tally.found >= FOUND[name] * tally.planted
    assert tally.placed >= 0.97 * tally.planted
    assert tally.named >= 0.95 * tally.planted
    assert tally.findings <= 1.2 * tally.planted
    assert wolves == 0
    for header, events in at_random(name, 4, SEED + 1):
        assert [s for s in audit(ruleset(name), header, events) if s.verdict.is_finding] == []


def test_what_a_scorekeeper_leaves_out_is_inferred_exactly() -> None:
    tally = Stripped()
    for game in simulated_games("compile", 3, SEED):
        strip(ruleset("compile"), game, tally)
    assert tally.left_out > 1500
    assert tally.exact >= 0.999 * tally.left_out
    assert (tally.guessed, tally.findings) == (0, 0)


def test_imported_games_are_told_in_choices_as_well_as_whole(shared: Path) -> None:
    journal = shared / "games" / "journals.jsonl.gz"
    tally = Stripped()
    for game in islice(imported_games(journal), 5):
        strip(ruleset("compile"), game, tally)
    assert tally.games == 5
    assert tally.exact >= 0.999 * tally.left_out
    assert (tally.guessed, tally.findings) == (0, 0)
