"""What the recorder notes of the table is compared with the record: where it parts, and what was not recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header, Player
from audit.core.ruleset import ruleset
from audit.core.steps import Step
from replays.judging.annotate import Annotator

Told = Mapping[str, Any]

PROTOCOLS = {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}
SIDE = {"lines": [[], [], []], "deck": 13, "trash": []}
TABLE = {
    "turn": 5, "player": "A", "phase": "action", "control": None,
    "sides": {
        "A": {**SIDE, "protocols": PROTOCOLS["A"], "hand": ["fire-0", "fire-1", "life-2", "water-1", "water-5"]},
        "B": {**SIDE, "protocols": PROTOCOLS["B"], "hand": ["death-1", "death-2", "metal-3", "speed-4", "speed-5"]},
    },
}  # fmt: skip
COMPILE: Told = {"position": TABLE}

ORBS = {"ready": 4, "exhausted": 0}
ALTERED: Told = {
    "mode": "duel", "meet_distance": 8, "types": {"ox": "character", "elk": "character"},
    "abilities": {"ox": [], "elk": []}, "costs": {"ox": {"hand": 2, "reserve": 1}, "elk": {"hand": 3, "reserve": 2}},
    "stats": {card: {"forest": 1, "mountain": 1, "water": 1} for card in ("ox", "elk")},
    "position": {
        "day": 3, "phase": "afternoon", "first_player": "kim", "turn_of": "kim", "limbo": [], "passed": [],
        "hands": {"kim": ["ox", "elk"], "leo": 5}, "orbs": {"kim": ORBS, "leo": ORBS},
        "reserve": {"kim": [], "leo": []}, "landmark_zone": {"kim": [], "leo": []},
        "characters": {seat: {"hero": [], "companion": []} for seat in ("kim", "leo")},
        "advances": {seat: {"hero": 1, "companion": 1} for seat in ("kim", "leo")},
    },
}  # fmt: skip

REVEAL: Told = {
    "players": ["ann", "bob"], "encounter_deck": 9, "staging_area": [], "threat": {"ann": 20, "bob": 20},
    "cards": {"lane": {"type": "location"}, "hound": {"type": "enemy", "keywords": {"doomed": 1}}},
}  # fmt: skip

SEATS = {
    "compile": {"A": "Ada", "B": "Bo"}, "altered": {"kim": "Kim", "leo": "Leo"},
    "lotr-reveal": {"ann": "Ann", "bob": "Bob"},
}  # fmt: skip
SETUPS = {"compile": COMPILE, "altered": ALTERED, "lotr-reveal": REVEAL}


def findings(name: str, *told: Told) -> list[tuple[Step, Any]]:
    """The findings of a record that begins at the table of that game, with what is told of them."""
    game = ruleset(name)
    players = tuple(Player(seat=seat, name=called) for seat, called in SEATS[name].items())
    header = Header(log=LOG_VERSION, ruleset=name, setup=dict(SETUPS[name]), players=players)
    types = game.rules.types
    events = [msgspec.convert({"seq": seq, **event}, types[event["type"]]) for seq, event in enumerate(told, 1)]
    annotator = Annotator(game, "en", header=header)
    return [(step, annotator.finding(step)) for step in audit(game, header, events) if step.verdict.is_finding]


def card(player: str, name: str, line: int, face: str = "down") -> Told:
    return {"type": "played", "player": player, "card": name, "line": line, "face": face}


def side(seat: str, **told: object) -> Told:
    return check(sides={seat: told})


def check(**position: object) -> Told:
    return {"type": "checkpoint", "position": position}


def paid(seat: str, name: str, mana: int) -> Told:
    return {
        "type": "card_played", "player": seat, "card": name, "from": "hand", "to_zone": "hero_expedition",
        "to_owner": seat, "mana": mana,
    }  # fmt: skip


def passed(seat: str) -> Told:
    return {"type": "player_passed", "player": seat}


def revealed(seat: str, name: str) -> Told:
    return {"type": "reveal_started", "card": name, "frame": name, "cause": "staging", "player": seat}


DOOMED = {"type": "keyword_resolved", "frame": "hound", "step": "5.1", "card": "hound", "keyword": "doomed", "value": 1}


def raised(seat: str, by: int) -> Told:
    return {"type": "threat_moved", "player": seat, "delta": by}


BOTH_PLAYED = (card("A", "fire-1", 1), card("B", "death-1", 1))


@pytest.mark.parametrize(
    ("game", "told", "because", "reason", "expected"),
    [
        pytest.param(
            "compile",
            (*BOTH_PLAYED, side("A", lines=[["fire-1*"], [], ["water-1*"]], hand=3)),
            (),
            "Before event 3 something was probably not recorded",
            ["Ada plays Water 1 face down in line 3."],
            id="a card that nobody wrote down",
        ),
        pytest.param(
            "compile",
            (*BOTH_PLAYED, side("A", lines=[[], [], ["fire-1*"]])),
            (1,),
            "From event 1 on the record no longer fits. With what is expected here in place of that event",
            ["Ada plays Fire 1 face down in line 3."],
            id="a card in another line",
        ),
        pytest.param(
            "altered",
            (paid("kim", "ox", 2), passed("leo"), check(orbs={"kim": {"ready": 0, "exhausted": 4}})),
            (1,),
            "The last to change this was event 1.",
            [],
            id="more paid",
        ),
        pytest.param(
            "altered",
            (paid("kim", "ox", 2), check(passed=["leo"])),
            (),
            "Before event 2 something was probably not recorded",
            ["Leo passes."],
            id="a pass that nobody wrote down",
        ),
        pytest.param(
            "lotr-reveal",
            (revealed("ann", "lane"), revealed("bob", "hound"), DOOMED, raised("bob", 2), check(threat={"bob": 21})),
            (4,),
            "From event 4 on the record no longer fits. Without that event it leads to this table.",
            [],
            id="threat that nobody raised",
        ),
        pytest.param(
            "lotr-reveal",
            (revealed("ann", "hound"), DOOMED, revealed("bob", "lane"), check(threat={"ann": 22, "bob": 21})),
            (2,),
            "position.threat.ann: 22 on the table, 21 by the record. The last to change this was event 2.",
            [],
            id="threat that never stood there",
        ),
    ],
)
def test_a_checkpoint_says_from_where_the_record_parts_and_what_was_not_recorded(
    game: str, told: tuple[Told, ...], because: tuple[int, ...], reason: str, expected: list[str]
) -> None:
    [(step, found)] = findings(game, *told)
    assert reason in found["message"]
    assert (step.because, found["expected_text"]) == (because, expected)


def test_what_the_table_shows_may_still_turn_out_to_be_right() -> None:
    """The card was played in line 3, as the checkpoint has it, and is covered there later."""
    seen = side("A", lines=[[], [], ["fire-1*"]])
    again = (card("A", "fire-0", 3), card("B", "death-2", 1), side("A", lines=[[], [], ["fire-1*", "fire-0*"]]))
    assert len(findings("compile", *BOTH_PLAYED, seen, *again)) == 1


def test_a_checkpoint_fits_whatever_the_record_leaves_open() -> None:
    """Nothing differs where the table stands as the record may lead to."""
    assert findings("compile", *BOTH_PLAYED, side("A", lines=[["fire-1*"], [], []], hand=4)) == []
