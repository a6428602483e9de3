"""An engagement at step 9 told as a move, effects on kinds of cards, and mistakes that are told once."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.model import Verdict
from tests.lotr_reveal.test_told_freely import STRIKES, WOLF, Line, reasons, reveals, told

AMBUSHER = {**WOLF, "keywords": {"ambush": True}}
ENTERS = {
    "type": "card_moved", "frame": "f1", "step": "8", "card": "warg", "from": "revealing", "to": "staging_area"
}  # fmt: skip
AMBUSHES = {
    "type": "enter_play_effect", "frame": "f1", "step": "9", "card": "warg", "source": "warg", "effect": "ambush",
    "target": "bob", "outcome": "engaged",
}  # fmt: skip
ENGAGES = {**ENTERS, "step": "9", "from": "staging_area", "to": "engaged"}
PUT = {"type": "card_put", "card": "warg", "to": "engaged", "player": "bob"}
WITH_BOB = {"type": "checkpoint", "position": {"engaged": {"ann": [], "bob": ["warg"]}}}
FIRST, NEXT = reveals("f1", "warg", "ann"), reveals("f2", "wolf", "bob")
TRAP = {"trap": {"owner": "ann", "enters_with": {"effect": "attach", "to": "enemy"}}}
TRAPS = {**AMBUSHES, "source": "trap", "effect": "attach", "target": "warg", "outcome": None}


@pytest.mark.every("log", [[AMBUSHES, ENGAGES], [ENGAGES, AMBUSHES], [AMBUSHES, PUT], [AMBUSHES, ENGAGES, PUT]])
def test_an_engagement_may_be_told_as_a_move_and_happens_once(log: list[Line]) -> None:
    steps = told([FIRST, ENTERS, *log, WITH_BOB], {"warg": AMBUSHER}, engaged={"ann": [], "bob": []})
    assert {step.verdict for step in steps if step.seq} == {Verdict.LEGAL, Verdict.RECORDED}


@pytest.mark.every(
    ("card", "log", "found"),
    [
        (WOLF, [ENGAGES], (3, "move.again")), (AMBUSHER, [TRAPS, ENGAGES], (4, "enter.trapped")),
        (AMBUSHER, [ENGAGES, TRAPS, NEXT], (5, "due.enter")), (AMBUSHER, [TRAPS, AMBUSHES], (4, "enter.trapped")),
        (AMBUSHER, [TRAPS, PUT], (4, "due.enter")),
    ],
)  # fmt: skip
def test_a_move_that_no_effect_asks_for_is_found(card: Line, log: list[Line], found: tuple[int, str]) -> None:
    in_play = TRAP if TRAPS in log else {}
    assert reasons(told([FIRST, ENTERS, *log], {"warg": card}, in_play=in_play)) == [found]


def test_a_trap_may_be_told_by_a_card_put_while_ambush_is_due() -> None:
    put = {"type": "card_put", "card": "trap", "to": "attached", "player": "ann", "attached_to": "warg"}
    log = [FIRST, ENTERS, TRAPS, put, {**AMBUSHES, "outcome": "no engagement"}, NEXT]
    steps = told(log, {"warg": AMBUSHER}, in_play=TRAP)
    assert reasons(steps) == []
    state: Any = steps[-1].state
    assert state.attachments == {"warg": ("trap",)}


# Kinds of cards by any of their names

HITS = {
    "type": "passive_applied", "frame": "f1", "step": "4", "source": "thalin", "effect": "damage", "target": "warg",
    "amount": 1,
}  # fmt: skip


@pytest.mark.every("kind", ["Enemy", "ennemi", "Nemico", "WRÓG", "wrog", "Wild Beast", "wild-beast"])
@pytest.mark.every("trait", ["wild beast", "Wild_Beast"])
def test_an_effect_on_a_kind_of_cards_is_due_by_any_name_of_the_kind(kind: str, trait: str) -> None:
    cards = {"warg": {**WOLF, "type": "Ennemi", "traits": [trait]}}
    in_play = {"thalin": {"owner": "ann", "committed": True, "on_reveal": {**STRIKES, "to": kind}}}
    assert reasons(told([FIRST, HITS, ENTERS], cards, in_play=in_play)) == []
    assert reasons(told([FIRST, ENTERS], cards, in_play=in_play)) == [(2, "due.passive")]


def test_an_effect_on_a_kind_that_nobody_knows_may_be_told_or_not() -> None:
    in_play = {"thalin": {"owner": "ann", "committed": True, "on_reveal": {**STRIKES, "to": "evildoers"}}}
    assert reasons(told([FIRST, ENTERS], {"warg": WOLF}, in_play=in_play)) == []
    assert reasons(told([FIRST, HITS, ENTERS], {"warg": WOLF}, in_play=in_play)) == []
    known = {"warg": WOLF, "boss": {**WOLF, "traits": ["Evildoers"]}}
    assert reasons(told([FIRST, HITS, ENTERS], known, in_play=in_play)) == [(2, "passive.kind")]


def test_a_forced_effect_with_the_name_of_its_card_is_for_that_card_only() -> None:
    forced = {"step": "10", "effect": "Each player discards 1 card.", "to": "The Warg"}
    cards = {"The Warg": {**WOLF, "forced": forced}, "The Warg#2": {**WOLF, "forced": forced}}
    reacts = {"type": "forced_resolved", "frame": "f1", "step": "10", "source": "The Warg"}
    enters = {**ENTERS, "card": "The Warg"}
    log = [reveals("f1", "The Warg", "ann"), enters, reacts, NEXT]
    assert reasons(told(log, cards)) == []
    assert reasons(told([*log[:2], NEXT], cards)) == [(3, "due.forced")]
    other = [*log, {**reacts, "frame": "f2"}]
    assert reasons(told(other, cards)) == [(5, "forced.kind")]


# A mistake is told once


@pytest.mark.every("ends", [[], [{"type": "quest_resolved", "result": "success"}]])
@pytest.mark.every("enters", [[], [ENTERS]])
def test_the_card_for_a_surge_that_comes_too_late_is_no_second_mistake(enters: list[Line], ends: list[Line]) -> None:
    cards = {"warg": {**WOLF, "keywords": {"surge": True}}}
    late = reveals("f3", "orc", "ann", "surge", parent="f1")
    log = [FIRST, *enters, NEXT, late, *ends]
    assert reasons(told(log, cards)) == [(len(enters) + 2, "due.serve")]


@pytest.mark.parametrize("keyword", ["surge", "Renfort"])
def test_a_surge_may_be_told_as_a_keyword_that_is_carried_out(keyword: str) -> None:
    carried = {"type": "keyword_resolved", "frame": "f1", "step": "5.1", "card": "warg", "keyword": keyword}
    served = reveals("f2", "orc", "ann", "surge", parent="f1")
    cards = {"warg": {**WOLF, "keywords": {"surge": True}}}
    assert reasons(told([FIRST, carried, ENTERS, served], cards)) == []
    assert reasons(told([FIRST, carried, ENTERS, NEXT], cards)) == [(4, "due.serve")]
    assert reasons(told([FIRST, carried, ENTERS], {"warg": WOLF})) == [(2, "surge.no_keyword")]


def test_doomed_of_a_player_who_may_be_out_is_told_or_not() -> None:
    cards = {"warg": {**WOLF, "keywords": {"doomed": 2}}}
    carried = {"type": "keyword_resolved", "frame": "f1", "step": "5.1", "card": "warg", "keyword": "doomed"}
    rises = [
        {"type": "threat_changed", "frame": "f1", "step": "5.1", "player": seat, "delta": 2} for seat in ("ann", "bob")
    ]
    for told_of in (rises, rises[1:], []):
        log = [{**FIRST, "player": "bob"}, carried, *told_of, ENTERS]
        assert reasons(told(log, cards, threat={"ann": 50, "bob": 20})) == []
