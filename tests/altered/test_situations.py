"""The situations of the shared collection: verdict, step, rule, annotations and final state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from audit.core.model import Verdict
from audit.core.steps import Step
from audit.games.altered.places import in_expedition
from audit.games.altered.state import EXPEDITIONS, State
from audit.games.altered.victory import surplus, types_won
from tests.altered.situations import audited, first_finding
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

FILE = SHARED / "scenarios" / "altered.yaml"


def situations() -> list[Any]:
    """Every situation of the collection; one mark of absence where it is not there."""
    if not FILE.exists():
        return [pytest.param({}, marks=pytest.mark.skip("needs the folder shared/ beside the project"))]
    return [pytest.param(s, id=s["id"]) for s in read_yaml(FILE)["scenarios"]]


every_situation = pytest.mark.every("situation", situations())


def steps_of(situation: Mapping[str, Any]) -> list[Step]:
    return audited(situation["given"], situation["events"])


@every_situation
def test_the_verdict_falls_at_that_step_by_that_rule(situation: Mapping[str, Any]) -> None:
    finding = first_finding(steps_of(situation))
    verdict = situation["verdict"]
    if verdict["result"] == "legal":
        assert finding is None
        return
    assert finding is not None
    assert (finding.seq, finding.verdict) == (verdict["at"], Verdict.ILLEGAL)
    assert finding.rules[0].id == verdict["rule"]


@every_situation
def test_each_annotated_step_cites_its_rules(situation: Mapping[str, Any]) -> None:
    cited = {step.seq: {rule.id for rule in step.rules} for step in steps_of(situation)}
    for seq, rules in situation["annotations"].items():
        assert set(rules) <= cited[seq]


@every_situation
def test_the_table_is_left_as_told(situation: Mapping[str, Any]) -> None:
    steps = steps_of(situation)
    finding = first_finding(steps)
    state: Any = finding.before if finding else steps[-1].state
    for key, wanted in situation["final_state"].items():
        assert SEEN[key](state, wanted) == wanted, key


def players(read: Callable[[State, str, Any], Any]) -> Callable[[State, Any], Any]:
    """What holds of each player who is asked about."""
    return lambda state, wanted: {seat: read(state, seat, value) for seat, value in wanted.items()}


def orbs(state: State, seat: str, wanted: Mapping[str, int]) -> dict[str, Any]:
    side = state.side(seat)
    all_of_them = (side.ready_orbs or 0) + (side.exhausted_orbs or 0)
    seen = {"ready": side.ready_orbs, "exhausted": side.exhausted_orbs, "total": all_of_them}
    return {key: seen[key] for key in wanted}


def statuses(state: State, wanted: Mapping[str, Any]) -> dict[str, Any]:
    found = {card: in_expedition(state, card) for card in wanted}
    return {card: list(place[2].statuses or ()) if place else None for card, place in found.items()}


def same_set(read: Callable[[State], Any]) -> Callable[[State, Any], Any]:
    """A list compared without regard to order."""
    return lambda state, wanted: wanted if set(read(state)) == set(wanted) else list(read(state))


SEEN: Mapping[str, Callable[[State, Any], Any]] = {
    "advances": players(lambda state, seat, _: {name: state.side(seat).advance(name) for name in EXPEDITIONS}),
    "cleanup_choice": lambda state, _: dict(state.kept),
    "daily_effect": lambda state, _: state.daily_effect,
    "day": lambda state, _: state.day,
    "deck_size": players(lambda state, seat, _: state.deck_sizes[seat]),
    "decks_legal": lambda state, _: {seat: True for seat, is_legal in state.decks_legal.items() if is_legal},
    "discard": players(lambda state, seat, _: list(state.side(seat).discard)),
    "exhausted": lambda state, _: list(state.exhausted),
    "face_up": lambda state, _: list(state.face_up),
    "faces_of": lambda state, _: dict(state.facing),
    "first_player": lambda state, _: state.first_player,
    "hand_size": players(lambda state, seat, _: len(state.side(seat).hand or ())),
    "in_expedition": lambda state, wanted: [card for card in wanted if in_expedition(state, card)],
    "limbo": lambda state, _: [emblem.id for emblem in state.limbo],
    "orbs": players(orbs),
    "outcome": lambda state, _: state.winner,
    "passed": same_set(lambda state: state.passed),
    "phase": lambda state, _: state.phase,
    "reserve": players(lambda state, seat, _: list(state.side(seat).reserve or ())),
    "statuses": statuses,
    "still_in": same_set(lambda state: state.still_in),
    "surplus": players(lambda state, seat, _: surplus(state, seat)),
    "turn_of": lambda state, _: state.turn_of,
    "types_won": lambda state, _: {side: list(types) for side, types in types_won(state.arena_totals).items()},
}  # fmt: skip
