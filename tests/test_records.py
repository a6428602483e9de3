"""Records as people keep them: honest ones are not accused, and mistakes are found in them as in complete logs.

The same is measured at length by `python -m bench.records`; `docs/trust.md` has the figures.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from audit.core.record_events import Amended, Gap, PositionSet, TakenBack
from audit.core.ruleset import ruleset
from bench.mistakes import at_random
from bench.record_lines import ALL, Played, as_known
from bench.records import clean, planted_in, written_by
from bench.records_planted import Tally
from bench.ways import WAYS

SEED = 21

PLANTED_IN = {"compile": 2, "altered": 1, "lotr-reveal": 3}
TOLD = ("in full", "declines unspoken", "half told", "slips amended", "taken back", "a turn missing")
EVERY = {"compile": 2, "lotr-reveal": 1}
"""Of how many kinds of mistakes `make test` plants one."""
MANY = 3
"""So many games, all these ways, and every kind, for `make prove`."""


@cache
def game() -> Played:
    header, events = next(at_random("compile", 1, SEED))
    return as_known(ruleset("compile"), header, events, ALL)


def test_what_leaves_no_choice_is_not_among_the_choices() -> None:
    record = written_by(game(), "choices only", Random(1))
    assert len(record.events) < len(game().events) / 3
    assert not record.header.complete


def test_a_late_line_comes_after_others_and_nothing_is_lost() -> None:
    record = written_by(game(), "late", Random(1))
    places = [record.places[seq] for seq in sorted(record.places)]
    assert sorted(places) == list(range(1, len(game().events) + 1))
    assert places != sorted(places)


@pytest.mark.parametrize(("way", "kind"), [("slips amended", Amended), ("taken back", TakenBack)])
def test_what_went_wrong_stays_in_the_record(way: str, kind: type[Amended | TakenBack]) -> None:
    record = written_by(game(), way, Random(1))
    assert any(isinstance(event, kind) for event in record.events)
    assert len(record.events) > len(game().events)


def test_the_position_is_put_down_after_a_missing_turn() -> None:
    record = written_by(game(), "a turn missing", Random(1))
    gap = next(seq for seq, event in enumerate(record.events) if isinstance(event, Gap))
    assert isinstance(record.events[gap + 1], PositionSet)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        *(("compile", 400), ("altered", 250), ("lotr-reveal", 400)),
        *(pytest.param(name, None, marks=pytest.mark.prove) for name in PLANTED_IN),
    ],
)
def test_nothing_is_found_in_clean_games_written_down_as_people_do(name: str, lines: int | None) -> None:
    games = [(header, events[:lines]) for header, events in at_random(name, 1, SEED)]
    tallies = clean(name, games, tuple(WAYS), SEED, each=True)
    assert {way: tally.findings for way, tally in tallies.items() if tally.findings} == {}
    assert all(tally.games == 1 and tally.lines > 50 for tally in tallies.values())


@pytest.mark.parametrize(
    ("name", "games", "told", "every"),
    [
        *((name, PLANTED_IN[name], TOLD[2::3], EVERY[name]) for name in EVERY),
        *(pytest.param(name, MANY, TOLD, 1, marks=pytest.mark.prove) for name in PLANTED_IN),
    ],
)
def test_mistakes_are_found_in_records_as_in_complete_logs(
    name: str, games: int, told: tuple[str, ...], every: int
) -> None:
    tally = Tally()
    for one in planted_in(name, at_random(name, games, SEED), told, SEED, every)[0].values():
        tally.add(one)
    assert tally.planted >= 12
    assert tally.found >= 0.98 * tally.planted
    assert tally.placed >= 0.93 * tally.planted
    assert tally.named >= 0.9 * tally.planted
    assert tally.findings <= 1.2 * tally.planted
    if name == "compile":  # what nobody can know does not count
        assert tally.legal
        assert tally.gone
        assert tally.legal + tally.gone < tally.planted
