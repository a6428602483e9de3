"""A program that departs from the rules in one way is told which rule that is, once, at its first place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import audit
from replays.importing.journals.conform import ConformedGame, conformity
from tests.replays import departing_program as program
from tests.replays.departing_program import Departure, departing_journal

SEEDS = 60
GAMES = 2

DEPARTURES: tuple[tuple[Departure, str], ...] = (
    (program.plays_in_a_line_without_its_protocol, "play.face-up-needs-protocol"),
    (program.refreshes_with_five_cards, "refresh.only-under-five"),
    (program.passes_a_compile_by, "compile.mandatory"),
    (program.compiles_too_low, "compile.ten-or-more"),
    (program.skips_a_text, "effects.must-be-applied"),
    (program.clears_no_cache, "cache.five-card-limit"),
    (program.acts_on_another_card, "target.uncovered-by-default"),
    (program.draws_one_more, "refresh.up-to-five"),
    (program.draws_one_less, "refresh.up-to-five"),
    (program.keeps_control, "control.back-on-refresh"),
    (program.lets_the_other_player_discard, "discard.player-picks"),
)


def judged(departure: Departure, path: Path, games: int = GAMES) -> list[tuple[ConformedGame, int]]:
    """Some games of a program with that departure, each with the line that shows it first."""
    found = (departing_journal(departure, seed, seed) for seed in range(1, SEEDS))
    made = [game for game in found if game][:games]
    path.write_text("".join(f"{json.dumps(line)}\n" for lines, _ in made for line in lines), "utf-8")
    return list(zip(conformity([str(path)]).games, (at for _, at in made), strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("departure", "rule"), DEPARTURES, ids=lambda value: getattr(value, "__name__", ""))
def test_the_departure_is_found_where_it_comes_first(departure: Departure, rule: str, tmp_path: Path) -> None:
    games = judged(departure, tmp_path / "journal.jsonl")
    assert not any(game.set_aside for game, _ in games)
    assert not any(game.unexplained for game, _ in games)
    told = [(game.occurrences[0], line) for game, line in games if game.occurrences]
    assert len(told) >= len(games) - 1  # control that is kept and then lost to the other player at once leaves no trace
    assert all(0 <= one.line - line <= 1 for one, line in told)
    assert rule in {one.rule for one, _ in told}


def test_what_nothing_explains_is_counted_and_ends_with_an_exit_code(tmp_path: Path) -> None:
    made = departing_journal(program.keeps_control, 1, 1) or departing_journal(program.draws_one_more, 1, 1)
    assert made
    lines, _ = made
    for line in lines[8:-1]:
        line["z"]["A"]["dk"][0], line["z"]["A"]["dk"][-1] = line["z"]["A"]["dk"][-1], line["z"]["A"]["dk"][0]
    path = tmp_path / "journal.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines[:12] + lines[-1:]), "utf-8")
    result = CliRunner().invoke(audit, ["conform", str(path)])
    assert result.exit_code == 1
    assert "Nothing explains" in result.stdout
