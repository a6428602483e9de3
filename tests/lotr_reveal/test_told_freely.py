"""What people tell in words and places of their own: an honest record is not accused, a mistake is told once."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header, Player
from audit.core.steps import Step
from audit.games.lotr_reveal import RULESET
from tests.lotr_reveal.situations import events, findings

WOLF = {"type": "enemy", "hit_points": 3, "has_when_revealed": False}
STRIKES = {"effect": "damage", "amount": 1, "to": "enemy"}
AT_HOME = {"thalin": {"ready": True}, "gimli": {"ready": True}}
Line = dict[str, Any]


def told(log: list[Line], cards: Line, **setup: Any) -> list[Step]:
    """The steps of a log of two players with these cards."""
    whole = {"encounter_deck": 20, "cards": {"wolf": WOLF, "orc": WOLF, **cards}, **setup}
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", players=(Player("ann"), Player("bob")), setup=whole)
    return list(audit(RULESET, head, events({"events": log})))


def reasons(steps: list[Step]) -> list[tuple[int | None, str]]:
    """The event and the sentence of each finding."""
    return [(step.seq, step.violations[0].key) for step in findings(steps)]


def reveals(frame: str, card: str, player: str, cause: str = "staging", **more: Any) -> Line:
    return {"type": "reveal_started", "frame": frame, "card": card, "cause": cause, "player": player, **more}


def commits(*characters: str) -> Line:
    return {"type": "characters_committed", "player": "ann", "characters": list(characters)}


def hits(source: str, card: str, amount: int = 1) -> Line:
    return {
        "type": "passive_applied", "frame": "f1", "step": "4", "source": source, "effect": "damage", "target": card,
        "amount": amount,
    }  # fmt: skip


# Who quests


@pytest.mark.parametrize("told_of", [{}, {"committed": None}, {"committed": True}])
@pytest.mark.parametrize("name", ["thalin", "dunhere"])
def test_a_character_whom_the_commitment_leaves_out_stays_at_home(name: str, told_of: Line) -> None:
    setup = {
        "characters": {name: {"ready": True}},
        "in_play": {name: {"owner": "ann", "on_reveal": STRIKES, **told_of}},
    }
    log = [commits("gimli"), reveals("f1", "wolf", "ann"), reveals("f2", "orc", "bob")]
    assert reasons(told(log, {}, **setup)) == []
    assert reasons(told([*log[:2], hits(name, "wolf"), *log[2:]], {}, **setup)) == [(3, "passive.none")]


def test_of_a_character_nobody_has_spoken_of_it_is_not_known_whether_it_quests() -> None:
    setup = {"characters": AT_HOME, "in_play": {"thalin": {"owner": "ann", "on_reveal": STRIKES}}}
    *_, last = told([reveals("f1", "wolf", "ann"), reveals("f2", "orc", "bob")], {}, **setup)
    assert [one.key for one in last.violations] == ["unchecked.commitment"]


def test_characters_may_be_committed_one_by_one() -> None:
    setup = {"characters": AT_HOME, "in_play": {"thalin": {"owner": "ann", "on_reveal": STRIKES}}}
    log = [commits("thalin"), commits("gimli"), reveals("f1", "wolf", "ann"), hits("thalin", "wolf")]
    assert reasons(told(log, {}, **setup)) == []


def test_a_card_that_may_be_no_character_acts_whether_it_is_named_or_not() -> None:
    setup = {"in_play": {"blade": {"owner": "ann", "on_reveal": STRIKES}}}
    first = [commits("gimli"), reveals("f1", "wolf", "ann")]
    assert reasons(told([*first, hits("blade", "wolf"), reveals("f2", "orc", "bob")], {}, **setup)) == []
    assert reasons(told([*first, reveals("f2", "orc", "bob")], {}, **setup)) == []
