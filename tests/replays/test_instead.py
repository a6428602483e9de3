"""What is told in the place of a mistake: the nearest legal thing to what was done, and never an act among many."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from audit.core.auditor import audit
from audit.core.model import Header
from audit.core.ruleset import ruleset
from replays.judging.annotate import Annotator
from tests.conftest import ROOT

ELK = {"type": "card_played", "player": "cy", "card": "elk", "from": "hand", "to_zone": "hero_expedition"}
TO_HERO = "Cy plays elk from hand to Hero expedition (2 mana)."
TO_COMPANION = "Cy plays elk from hand to Companion expedition (2 mana)."


def told(name: str, seq: int, event: dict[str, object] | None = None) -> list[str]:
    """What is told in the place of an event of a sample, or of another event in its place."""
    lines = (ROOT / "replays" / "samples" / f"{name}.jsonl").read_text("utf-8").splitlines()
    log: list[dict[str, Any]] = [json.loads(line) for line in lines[: seq + 1]]
    log[-1] = {"seq": seq, **(event or log[-1])}
    header = msgspec.convert(log[0], Header)
    game = ruleset(header.ruleset)
    events = [msgspec.convert(each, game.rules.types[each["type"]]) for each in log[1:]]
    step = next(step for step in audit(game, header, events) if step.seq == seq)
    assert step.verdict.is_finding
    annotator = Annotator(game, "en", header=header)
    return [annotator.tell(each) for each in annotator.told_instead(step)]


@pytest.mark.every(("event", "instead"), [
    ({**ELK, "to_owner": "ada", "mana": 2}, [TO_HERO, TO_COMPANION]),
    ({**ELK, "to_owner": "cy", "mana": 1}, [TO_HERO, TO_COMPANION]),
    ({**ELK, "to_owner": "cy", "mana": 9, "card": "whale"}, []),
    ({"type": "phase_started", "phase": "dusk"}, []),
])  # fmt: skip
def test_a_card_played_wrongly_may_be_played_otherwise_and_nobody_has_to_pass(
    event: dict[str, object], instead: list[str]
) -> None:
    assert told("altered-two-teams", 34, event) == instead


def test_of_a_card_in_the_wrong_line_its_own_lines_and_faces_are_told() -> None:
    assert told("dispute", 25) == [
        "Ada plays Plague 5 face up in line 1.", "Ada plays Plague 5 face down in line 2.",
        "Ada plays Plague 5 face down in line 1.", "Ada plays Plague 5 face down in line 3.",
    ]  # fmt: skip


@pytest.mark.every(("name", "seq", "instead"), [
    ("lotr-eleanor", 5, ["Ada reveals Hill Orc for an armed surge."]),
    ("dispute", 87, ["Ada draws 1 card: Water 0."]),
    ("dispute", 116, ["Plague 1 is turned face down.", "Gravity 2 is turned face down."]),
])  # fmt: skip
def test_what_had_to_come_is_told_whole(name: str, seq: int, instead: list[str]) -> None:
    assert told(name, seq) == instead
