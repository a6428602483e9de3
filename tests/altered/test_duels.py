"""A duel is judged by the rules of the day, never by one of two against two or of Free for All."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from audit.core.auditor import audit
from audit.core.cases import run
from audit.core.model import Event, Header
from audit.core.steps import Step
from audit.games.altered import RULESET
from replays.conformance import mistaken
from replays.generating.simulate import simulated
from tests.altered.situations import CASES, audited

FOREIGN = ("altered.2v2.", "altered.ffa.")


def cited(steps: Iterable[Step]) -> set[str]:
    """The rules of other modes that these steps cite or find broken."""
    rules = [rule for step in steps for rule in (*step.rules, *(one.rule for one in step.violations))]
    return {rule.id for rule in rules if rule.id.startswith(FOREIGN)}


def games(seed: int) -> Iterable[tuple[Header, list[Event]]]:
    header, events = simulated(RULESET, seed, "uniform" if seed % 2 else "greedy", ("duel",))  # type: ignore[arg-type]
    yield header, events
    yield header, mistaken(events)


@pytest.mark.parametrize("seed", range(4))
def test_no_step_of_a_duel_cites_a_rule_of_another_mode(seed: int) -> None:
    for header, events in games(seed):
        assert cited(audit(RULESET, header, events)) == set()


def test_nor_does_any_case_of_a_duel() -> None:
    of_duels = [case for case in CASES if case.setup.get("mode") == "duel"]
    assert len(of_duels) > 50
    assert {case.id: found for case in of_duels if (found := cited(run(RULESET, case)))} == {}


DUEL = {"mode": "duel", "seats": ["ann", "ben"]}
TURN = {**DUEL, "first_player": "ann", "day": 2, "phase": "afternoon"}


@pytest.mark.every(
    ("given", "event"),
    [
        (DUEL, {"type": "first_player_drawn", "player": "ann", "method": "other"}),
        (DUEL, {"type": "communication_agreed", "policy": "as you like"}),
        (DUEL, {"type": "board_placed", "piece": "tumult", "cards": ["t1"], "place": "centre"}),
        (DUEL, {"type": "expeditions_faced", "pairs": [["ann hero", "ben hero"]]}),
        (DUEL, {"type": "seated", "order": ["ben", "ann"]}),
        (DUEL, {"type": "seated", "order": ["ben", "eve"]}),
        (DUEL, {"type": "team_formed", "team": "A", "players": ["ann", "ben"]}),
        (TURN, {"type": "player_left", "player": "ann"}),
        (TURN, {"type": "hand_shown", "player": "ann", "to": "ben"}),
        (TURN, {"type": "card_sacrificed", "player": "ann", "card": "fox", "controller": "ben"}),
        (
            TURN,
            {"type": "target_chosen", "player": "ann", "source": "x", "wording": "your opponent", "targets": ["eve"]},
        ),
        (TURN, {"type": "player_passed", "player": "eve"}),
        (TURN, {"type": "tumult_revealed", "cards": ["t1"], "place": "centre"}),
        (TURN, {"type": "expedition_advanced", "player": "ann", "expedition": "hero", "stat": "water", "spaces": -1}),
        (TURN, {"type": "tiebreak_started", "qualified": ["ann", "ben"]}),
        (TURN, {"type": "arena_totals", "side": "ann", "forest": 1, "mountain": 0, "water": 0}),
        (TURN, {"type": "day_started", "day": 3, "kind": "tiebreak"}),
    ],
    ids=lambda value: str(value.get("type", "")),
)
def test_what_rules_of_other_modes_are_about_is_not_judged_by_them(
    given: dict[str, object], event: dict[str, object]
) -> None:
    assert cited(audited(given, [event])) == set()
