"""What the setup does not describe is unchecked and never illegal for that reason; what it describes is judged."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header
from audit.games.lotr_reveal import RULESET
from tests.lotr_reveal.situations import events

Told = dict[str, Any]


def revealed(frame: str, card: str, **more: Any) -> Told:
    return {"type": "reveal_started", "frame": frame, "card": card, "cause": "staging", "player": "ann", **more}


def moved(frame: str, card: str) -> Told:
    return {
        "type": "card_moved", "frame": frame, "step": "8", "card": card, "from": "revealing", "to": "staging_area"
    }  # fmt: skip


def verdicts(cards: dict[str, Any], in_play: dict[str, Any], *log: Told) -> dict[int, tuple[str, list[Any]]]:
    """What is said of each event: its verdict, and the cards named in the reasons."""
    setup = {"players": ["ann"], "encounter_deck": 9, "cards": cards, "in_play": in_play, "staging_area": ["gate"]}
    head = Header(log=LOG_VERSION, ruleset="lotr-reveal", setup=setup)
    steps = audit(RULESET, head, events({"events": log}))
    return {
        step.seq: (step.verdict.value, [one.data.get("card") for one in step.violations]) for step in steps if step.seq
    }


ORC = {"orc": {"type": "enemy", "hit_points": 3, "has_when_revealed": False}, "gate": {"type": "location"}}
DOES = {
    "passive": {"type": "passive_applied", "frame": "f1", "step": "4", "effect": "damage", "amount": 1},
    "response": {"type": "response_played", "frame": "f1", "step": "4.5", "player": "ann", "effect": "other"},
    "entering": {"type": "enter_play_effect", "frame": "f1", "step": "9", "card": "orc", "effect": "attach"},
    "forced": {"type": "forced_resolved", "frame": "f1", "step": "10"},
}


@pytest.mark.every("what", DOES)
@pytest.mark.every("source", ["bell", "gate", "a card nobody named"])
def test_a_card_of_which_nothing_is_told_may_do_anything(what: str, source: str) -> None:
    first = [revealed("f1", "orc"), *([moved("f1", "orc")] if what in ("entering", "forced") else [])]
    found = verdicts(ORC, {"bell": {"owner": "ann"}}, *first, {**DOES[what], "source": source})
    assert found[len(first) + 1] == ("unchecked", [source])


@pytest.mark.every("what", DOES)
def test_a_card_that_is_described_does_nothing_else(what: str) -> None:
    told = {"owner": "ann", "on_reveal": {"effect": "progress", "amount": 1, "to": "location"}}
    first = [revealed("f1", "orc"), *([moved("f1", "orc")] if what in ("entering", "forced") else [])]
    found = verdicts(ORC, {"bell": told}, *first, {**DOES[what], "source": "bell"})
    assert found[len(first) + 1][0] == "illegal"


def test_a_card_out_of_play_does_nothing() -> None:
    """It is known to lie in the discard pile."""
    gone = {"type": "card_put", "card": "gate", "from": "staging_area", "to": "encounter_discard"}
    found = verdicts(ORC, {}, gone, revealed("f1", "orc"), {**DOES["passive"], "source": "gate"})
    assert found[3][0] == "illegal"


@pytest.mark.parametrize(("told", "verdict"), [({}, "unchecked"), ({"has_when_revealed": False}, "illegal")])
def test_nobody_knows_of_a_when_revealed_effect_that_is_not_told(told: Told, verdict: str) -> None:
    resolved = {"type": "when_revealed_resolved", "frame": "f1", "step": "7", "card": "fog"}
    cards = {**ORC, "fog": {"type": "treachery", **told}}
    assert verdicts(cards, {}, revealed("f1", "fog"), resolved)[2] == (verdict, ["fog"])


def test_a_forced_effect_of_an_undescribed_card_comes_before_responses() -> None:
    log = [revealed("f1", "orc"), moved("f1", "orc"), {**DOES["response"], "step": "10", "source": "horn"}]
    horn = {"bell": {"side": "encounter"}, "horn": {"owner": "ann", "response": "other"}}
    assert verdicts(ORC, horn, *log, {**DOES["forced"], "source": "bell"})[4][0] == "illegal"
    later = {**DOES["forced"], "step": "11", "source": "bell"}
    assert verdicts(ORC, horn, *log, later)[4] == ("unchecked", ["bell"])


def test_the_move_of_a_card_of_unknown_type_may_be_told_after_its_surge() -> None:
    surge = revealed("f2", "orc", cause="surge", parent="f1")
    found = verdicts(ORC, {}, revealed("f1", "nobody"), surge, moved("f2", "orc"), moved("f1", "nobody"))
    assert found[4] == ("unchecked", ["nobody"])


SURGING = {**ORC, "bat": {"type": "enemy", "hit_points": 1, "keywords": {"surge": True}, "has_when_revealed": False}}


def test_the_card_for_a_surge_may_be_written_at_once() -> None:
    surge = revealed("f2", "orc", cause="surge", parent="f1")
    log = [revealed("f1", "bat"), surge, moved("f1", "bat"), moved("f2", "orc")]
    assert {verdict for verdict, _ in verdicts(SURGING, {}, *log).values()} == {"legal"}


def test_it_comes_too_early_if_it_has_gone_on_before_its_parent() -> None:
    surge = revealed("f2", "orc", cause="surge", parent="f1")
    found = verdicts(SURGING, {}, revealed("f1", "bat"), surge, moved("f2", "orc"), moved("f1", "bat"))
    assert [seq for seq, (verdict, _) in found.items() if verdict == "illegal"] == [2]
