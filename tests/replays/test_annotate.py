"""What a replay tells a viewer, and what it keeps to itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replays.judging import editions
from replays.judging.replay import options_at, replay
from replays.log.reader import open_log

LOGS_OF_PLAYERS = Path(__file__).parents[1] / "logs_of_players"

ROOT = Path(__file__).resolve().parents[2]
DISPUTE = ROOT / "replays" / "samples" / "dispute.jsonl"


@pytest.mark.parametrize("viewer", ["A", "B", "public"])
def test_a_finding_names_no_card_its_viewer_does_not_know(viewer: str) -> None:
    judge, seen = replay(open_log(DISPUTE)), replay(open_log(DISPUTE), viewer=viewer)
    for own, whole in zip(seen.steps, judge.steps, strict=True):
        sides = own["state"]["sides"]  # type: ignore[index]
        hidden = {
            card
            for seat in ("A", "B")
            if isinstance(sides[seat]["hand"], int)
            for card in whole["state"]["sides"][seat]["hand"]  # type: ignore[index]
        }
        told = json.dumps([own.get("expected"), own.get("expected_text"), own["pending"]])
        assert not [card for card in hidden if f'"{card}"' in told and card not in json.dumps(own["event"])]


def test_everybody_is_told_what_is_wrong_and_why() -> None:
    judge, public = replay(open_log(DISPUTE)), replay(open_log(DISPUTE), viewer="public")
    whole = {finding["seq"]: finding["message"] for finding in judge.findings}
    told = {finding["seq"]: finding["message"] for finding in public.findings}
    assert judge.counts["illegal"] == public.counts["illegal"] == len(whole) == 5
    assert {seq for seq in whole if told[seq] == whole[seq]} == {25, 73, 103, 116}
    assert told[87] == "Ada draws 2 cards. 1 card has to be drawn, not 2."
    assert told[103] == "Ada compiles line 2. Line 2 totals 7; a compile needs ten."


def test_the_public_is_told_what_the_shown_card_could_do() -> None:
    step = next(step for step in replay(open_log(DISPUTE), viewer="public").steps if step["seq"] == 25)
    assert step["expected_text"] == [
        "Ada plays Plague 5 face up in line 1.",
        "Ada plays Plague 5 face down in line 2.",
        "Ada plays Plague 5 face down in line 1.",
        "Ada plays Plague 5 face down in line 3.",
    ]
    assert "expected_perhaps" not in step


def test_a_judge_is_told_no_perhaps() -> None:
    assert not [step for step in replay(open_log(DISPUTE)).steps if "expected_perhaps" in step]


@pytest.mark.every("viewer", ["A", "B", "public"])
def test_the_header_of_a_viewers_replay_has_no_decks(viewer: str) -> None:
    assert "decks" in replay(open_log(DISPUTE)).header.setup
    assert "decks" not in replay(open_log(DISPUTE), viewer=viewer).header.setup


def test_what_the_opponent_could_play_is_not_told() -> None:
    as_judge = options_at(open_log(DISPUTE), 24)
    as_b = options_at(open_log(DISPUTE), 24, viewer="B")
    assert any(option["events"] for option in as_judge if option["type"] == "played")
    assert not any(option["events"] for option in as_b if option["type"] == "played")


def test_a_chain_of_causes_leads_back_to_the_play() -> None:
    step = next(step for step in replay(open_log(DISPUTE)).steps if step["seq"] == 116)
    assert step["because"] == [115, 114, 111]


def provisional(name: str, *, is_at_rest: bool = False) -> list[object]:
    """The seqs of the provisional steps of a sample."""
    log = open_log(ROOT / "replays" / "samples" / f"{name}.jsonl")
    return [step["seq"] for step in replay(log, is_at_rest=is_at_rest).steps if step.get("provisional")]


def test_a_step_is_provisional_only_near_the_end_of_a_record_that_may_go_on() -> None:
    assert min(seq for seq in provisional("dispute") if isinstance(seq, int)) > 130 - 17
    assert provisional("dispute", is_at_rest=True) == []
    assert provisional("altered-duel") == []


ESCAPE = """
{"log":"audit/1","ruleset":"compile","players":[{"seat":"A"},{"seat":"B"}],"setup":{"position":{"player":"A","phase":"compile",\
"turn":5,"sides":{"A":{"protocols":["fire","life","speed"],"lines":[["life-5","fire-3","fire-1","speed-2"],[],[]],\
"hand":["life-1"]},"B":{"protocols":["metal","plague","spirit"],"lines":[[],[],["spirit-5"]],"hand":["spirit-4"]}}}}}
{"seq":1,"type":"compiled","player":"A","line":1}
{"seq":2,"type":"shifted","card":"speed-2","to":2}
{"seq":3,"type":"deleted","cards":["life-5","fire-3","fire-1"]}
"""
"""Speed 2 escapes a compile and uncovers Fire 1, which does not act."""


def test_the_judge_is_told_by_which_reading_a_finding_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "escape.jsonl"
    place.write_text(ESCAPE.replace("\\\n", "").lstrip(), "utf-8")
    (finding,) = (step for step in replay(open_log(place)).steps if step["verdict"] == "illegal")
    assert finding["readings"] == ["escape-lays-bare-nothing"]
    assert "does not act" in finding["readings_text"][0]
    assert not replay(open_log(place), reading="escape-lays-bare-nothing").findings
    assert all("readings" not in step for step in replay(open_log(place), viewer="public").steps)
    monkeypatch.setattr(editions, "MOST", 3)
    assert all("readings" not in step for step in replay(open_log(place)).steps if step["verdict"] == "illegal")


def test_a_count_that_is_right_by_another_reading_names_that_reading() -> None:
    """Whether face-down Unity cards count is nothing that the rules of the finding speak of."""
    steps = replay(open_log(LOGS_OF_PLAYERS / "compile-n-m10.jsonl")).steps
    (finding,) = (step for step in steps if step["verdict"] == "illegal")
    assert finding["readings"] == ["face-down-unity-counts"]
