"""A judge takes a game back to an earlier event: what to undo, what came by lot, and who has learned what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.core.model import Event, Header
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import has_file
from cli import audit
from replays.errors import NoSuchEventError
from replays.generating.simulate import simulated
from replays.log.reader import open_log
from replays.table.backing_up import Advice, PlanWriter, branch, plan
from tests.replays.plans_checked import wrong_with

DISPUTE = Path("replays/samples/dispute.jsonl")


def game_of(*events: dict[str, object]) -> tuple[Header, Sequence[Event]]:
    """A small game: A holds Plague 1 and Fire 4, B two cards; the decks are known to the judge."""
    sides = {
        "A": {"protocols": ["plague", "fire", "water"], "hand": ["plague-5", "fire-4"], "deck": ["water-1", "water-2"]},
        "B": {
            "protocols": ["gravity", "spirit", "hate"], "hand": ["spirit-4"], "deck": [], "trash": ["hate-1", "hate-2"],
        },
    }  # fmt: skip
    header = Header(
        log="audit/1",
        ruleset="compile",
        setup={"position": {"player": "A", "phase": "action", "turn": 3, "sides": sides}},
    )
    types = ruleset("compile").rules.types
    made = [types[str(event.pop("type"))](seq=seq, **event) for seq, event in enumerate(events, 1)]
    return header, made


PLAYED = {"type": "played", "player": "A", "card": "plague-5", "line": 1, "face": "up"}
PLAYED_DOWN = {"type": "played", "player": "A", "card": "fire-4", "line": 3, "face": "down"}


def test_a_card_played_face_up_goes_back_and_the_others_have_seen_it() -> None:
    found = plan(*game_of(dict(PLAYED)), 0)
    assert found.advice is Advice.PARTIAL
    assert found.learned == {"A": (), "B": ("plague-5",), "public": ("plague-5",)}
    assert [step.event.card for step in found.undone if step.seq] == ["plague-5"]  # type: ignore[union-attr]


def test_a_card_played_face_down_tells_nobody_and_only_its_player_sees_it_go_back() -> None:
    found = plan(*game_of(dict(PLAYED_DOWN)), 0)
    assert found.learned == {"A": (), "B": (), "public": ()}
    assert [step.seq for step in found.unseen if step.seq] == [1]
    assert found.advice is Advice.PARTIAL


def test_of_each_place_it_is_said_what_lies_there_now_and_what_has_to_lie_there_again() -> None:
    found = plan(*game_of(dict(PLAYED), {"type": "phase_began", "phase": "cache"}), 0)
    moves = PlanWriter(found, "en").json()["moves"]
    assert {"place": "Hand of A", "now": "empty", "then": "Plague 5 and Fire 4"} in moves


def test_going_back_over_nothing_but_markers_is_simple() -> None:
    header, events = game_of(
        dict(PLAYED), {"type": "phase_began", "phase": "cache"}, {"type": "phase_began", "phase": "end"}
    )
    found = plan(header, events, 2)
    assert found.advice is Advice.SIMPLE
    assert not any(found.learned.values())


def test_a_new_deck_cannot_be_undone() -> None:
    header, events = game_of(
        dict(PLAYED),
        {"type": "phase_began", "phase": "cache"},
        {"type": "phase_began", "phase": "end"},
        {"type": "turn_began", "player": "B", "turn": 4},
        {"type": "refreshed", "player": "B"},
        {"type": "reshuffled", "player": "B", "deck": ("hate-2", "hate-1")},
        {"type": "drew", "player": "B", "cards": ("hate-2", "hate-1")},
    )
    found = plan(header, events, 4)
    assert found.advice is Advice.NOT_ADVISABLE
    assert [step.seq for step in found.by_chance] == [6]


def test_a_point_before_or_behind_the_game_is_none() -> None:
    header, events = game_of(dict(PLAYED))
    for to in (-1, 2):
        with pytest.raises(NoSuchEventError):
            plan(header, events, to)
        with pytest.raises(NoSuchEventError):
            branch(header, events, to)


def test_the_branch_says_where_it_left_the_game_and_the_game_stays_as_it_was() -> None:
    log = open_log(DISPUTE)
    events = list(log)
    header, kept = branch(log.header, events, 24)
    assert header.meta["branch_of"] == {"game": log.header.game, "after": 24}
    assert "branch_of" not in log.header.meta
    assert kept == events[:24]
    remedy, from_the_start = branch(log.header, events, 0, case="c1")
    assert remedy.meta["branch_of"] == {"game": log.header.game, "after": 0, "case": "c1"}
    assert from_the_start == []


def test_what_was_amended_is_not_undone_again() -> None:
    log = open_log("replays/samples/kept-by-hand.jsonl")
    events = list(log)
    found = plan(log.header, events, 0)
    amended = next(event for event in events if type(event).__name__ == "Amended")
    assert amended.from_ not in [step.seq for step in found.undone]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.prove) for seed in (1, 2))])
def test_a_plan_leads_where_it_says_and_knows_what_each_has_seen(name: str, seed: int) -> None:
    header, events = simulated(ruleset(name), seed, most=250)
    for end, to in ((len(events), len(events) - 7), (len(events) // 2, len(events) // 3), (9, 2)):
        found = plan(header, events[:end], to)
        assert list(wrong_with(found, header, events[:end])) == []
    has_names = has_file(ruleset(name).catalogue.package, "pl", "position")
    assert bool(PlanWriter(found, "pl").json()["moves"]) == has_names, "a place without a name is not told"


@pytest.mark.parametrize("language", ["en", "fr", "it", "pl"])
def test_the_plan_is_read_aloud_and_the_branch_is_a_log_that_can_be_checked(tmp_path: Path, language: str) -> None:
    out = tmp_path / "remedy.jsonl"
    done = CliRunner().invoke(audit, ["backup", str(DISPUTE), "--to", "112", "-o", str(out), "--lang", language])
    assert done.exit_code == 0
    assert "130" in done.stdout
    assert "{" not in done.stdout
    assert len(list(open_log(out))) == 112


def test_the_plan_as_json_holds_the_position_it_leads_to() -> None:
    done = CliRunner().invoke(audit, ["backup", str(DISPUTE), "--to", "24", "--json"])
    said = json.loads(done.stdout)
    asked = CliRunner().invoke(audit, ["ask", said["position"], "--json"])
    assert [one["events"] for one in said["decisions"]] == [
        one["events"] for one in json.loads(asked.stdout)["decisions"]
    ]
    assert said["advice"] == "partial"
