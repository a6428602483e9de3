"""The situations of the shared collection: what happens at the table is what the rules ask for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Verdict
from audit.games.compile import RULESET
from audit.games.compile.events import Compiled, Played, Rearranged, Recompiled, Revealed, Shifted
from audit.games.compile.state import State
from audit.games.compile.totals import totals
from tests.conftest import SHARED
from tests.scenario import Table, header
from tests.yaml_files import read_yaml

FILE = SHARED / "scenarios" / "compile.yaml"
PHASES = {"hand_limit": "cache"}


def situations() -> list[Any]:
    """Every situation of the collection; one mark of absence where it is not there."""
    if not Path(FILE).exists():
        return [pytest.param(None, marks=pytest.mark.skip("needs the folder shared/ beside the project"))]
    return [pytest.param(s, id=s["id"]) for s in read_yaml(FILE)["scenarios"]]


def card(name: str) -> str:
    return name.rstrip("*").lower()


def placed(name: str) -> dict[str, str]:
    return {"card": card(name), "face": "down" if name.endswith("*") else "up"}


def position(situation: Mapping[str, Any]) -> dict[str, Any]:
    sides = {
        seat: {
            "protocols": [
                {"name": name.lower(), "compiled": bool(compiled)}
                for name, compiled in zip(side["protocols"], side["compiled"], strict=True)
            ],
            "lines": [[placed(name) for name in stack] for stack in side["lines"]],
            "hand": [card(name) for name in side["hand"]],
            "deck": [card(name) for name in side["deck"]],
            "trash": [card(name) for name in side["discard"]],
        }
        for seat, side in situation["setup"].items()
    }
    control = None if situation["control"] == "none" else situation["control"]
    phase = PHASES.get(situation["phase"], situation["phase"])
    return {"sides": sides, "player": situation["turn"], "phase": phase, "control": control, "turn": 7}


def played(action: str, seat: str) -> Event:
    _, name, face, _, _, line = action.split()
    facing = "up" if face == "face-up" else "down"
    return Played(seq=0, player=seat, card=card(name), line=int(line) + 1, face=facing)


def answer(value: Any) -> Any:
    if isinstance(value, list):
        return [card(name) for name in value] if all(isinstance(v, str) for v in value) else tuple(value)
    if isinstance(value, str) and value.startswith("line "):
        return int(value.removeprefix("line ")) + 1
    return card(value)


def decisions(situation: Mapping[str, Any]) -> list[Any]:
    return [answer(choice["answer"]) for choice in situation.get("choices", []) if choice["what"] != "(card shown)"]


def swap(table: Table, places: tuple[int, int]) -> Event:
    side = table.state.a if table.state.player == "A" else table.state.b
    order = list(side.protocols)
    order[places[0]], order[places[1]] = order[places[1]], order[places[0]]
    return Rearranged(seq=0, side=table.state.player, protocols=tuple(order), by=table.state.player)


def play_out(situation: Mapping[str, Any]) -> Table:
    table = Table(header(position(situation)))
    answers = decisions(situation)

    def next_turn(state: State) -> bool:
        return state.turn == 8

    def action_is_up(state: State) -> bool:
        return state.phase == "action"

    for number, action in enumerate(situation["action"]):
        if action.startswith("play "):
            table.happens(played(action, situation["turn"]))
        elif action.startswith("compile "):
            line = int(action.split()[-1]) + 1
            again = any(situation["setup"][situation["turn"]]["compiled"][line - 1 : line])
            event = Recompiled if again else Compiled
            table.happens(event(seq=0, player=situation["turn"], line=line))
        until = action_is_up if action.startswith("start phase") else next_turn
        if answers and isinstance(answers[0], tuple):
            table.go_on(until)
            table.happens(swap(table, answers.pop(0)))
        table.decides(answers if number == 0 else [], until)
    return table


def shown(state: State, seat: str) -> dict[str, Any]:
    side = state.side(seat)
    return {
        "protocols": list(side.protocols),
        "compiled": [int(name in side.compiled) for name in side.protocols],
        "lines": [[c.card + ("" if c.up else "*") for c in stack] for stack in side.lines],
        "hand": sorted(side.hand),
        "deck": list(side.deck),
        "discard": sorted(side.trash),
    }


def wanted(side: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "protocols": [name.lower() for name in side["protocols"]],
        "compiled": list(side["compiled"]),
        "lines": [[name.lower() for name in stack] for stack in side["lines"]],
        "hand": sorted(map(str.lower, side["hand"])),
        "deck": [name.lower() for name in side["deck"]],
        "discard": sorted(map(str.lower, side["discard"])),
    }


@pytest.mark.every("situation", situations())
def test_the_rules_ask_for_this_outcome(situation: Mapping[str, Any]) -> None:
    table = play_out(situation)
    assert [step for step in table.audited() if step.verdict is not Verdict.LEGAL] == []
    end = situation.get("end_state")
    if end is None:
        return
    for seat in ("A", "B"):
        assert shown(table.state, seat) == wanted(end[seat])
        assert list(totals(table.state, seat)) == end["totals"][seat]
    assert (table.state.control or "none") == end["control"]
    if "open_choice" not in end:
        assert table.state.player == end["turn"]
        assert table.state.phase == PHASES.get(end["phase"], end["phase"])


@pytest.mark.every("situation", situations())
def test_a_scorekeepers_log_of_it_comes_to_the_same(situation: Mapping[str, Any]) -> None:
    table = play_out(situation)
    log = table.stripped()
    steps = list(audit(RULESET, table.head, log))
    assert {step.verdict for step in steps} <= {Verdict.LEGAL, Verdict.INFERRED}
    told = [step.event for step in steps if step.event is not None]
    everything = [numbered(event, 0) for event in table.log]
    assert [numbered(event, 0) for event in told] == everything[: len(told)]


def test_a_shift_past_the_line_of_gravity_1_is_found(shared: Path) -> None:
    situation = next(s.values[0] for s in situations() if s.id == "R85")
    table = play_out(situation)
    log = [event for event in table.log if not isinstance(event, Shifted)]
    at = next(n for n, event in enumerate(table.log) if isinstance(event, Shifted))
    wrong = numbered(Shifted(seq=0, card="fire-5", to=3, from_=2), at + 1)
    finding = list(audit(RULESET, table.head, [*log[:at], wrong]))[-1]
    assert finding.verdict is Verdict.ILLEGAL
    assert finding.rules[0].id == "shift.other-line-same-side"


def test_the_reveal_of_light_2_cannot_be_declined(shared: Path) -> None:
    situation = next(s.values[0] for s in situations() if s.id == "R82")
    table = play_out(situation)
    at = next(n for n, e in enumerate(table.log) if isinstance(e, Revealed))
    state = RULESET.rules.start(table.head)
    for event in table.log[:at]:
        state = RULESET.rules.evolve(state, event)
    up = [expectation.event for expectation in RULESET.rules.expected(state)]
    assert up == [Revealed]
