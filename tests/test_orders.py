"""The orders in which people write that are taken as they are: each row of the documentation, in each game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit.core.auditor import audit
from audit.core.model import LOG_VERSION, Header, Player
from audit.core.ruleset import ruleset
from replays.scoresheet.sheet import read_sheet

Events = Sequence[Mapping[str, Any]]


# Compile


def sheet(position: str, *lines: str) -> str:
    first = "game r1   A Ada: fire life plague   B Bo: death metal speed   first A"
    return "\n".join([first, f"position compile/{position}", *lines])


TEN = "9A.compile.A/fire.life.plague:f5f3f4;;:l2l5:9:/death.metal.speed:d2*;m2*;:4:9:"
HANDS = "8A.action.A/fire.life.plague:;f3*;:l1f1:l2l3l4p1p2:/death.metal.speed:;;:s5s2d4:9:"
PLAGUE = "8A.action.-/fire.life.plague:f4;l4;p1:l2p0:9:/death.metal.speed:d4;m2;s1:d5m0s3:9:"
END = "8A.action.-/fire.life.plague:f3;l4;:l2p5f5:9:/death.metal.speed:d4;m2;s1:4:9:"
LEADS = "8A.action.-/fire.life.plague:f4;l3;:f5f3f2:5:/death.metal.speed:;;:4:9:"
SPEED = "9A.start.-/fire.life.speed:f3*;l4;s5s2s4:l2l5:9:/death.metal.plague:d2*;;p4*:4:9:"
COMPILE = {
    "what a procedure does": sheet(TEN, "A control back", "delete f5,f3,f4,d2", "A compile 1", "B ? 2 down"),
    "what a card does": sheet(PLAGUE, "B discard d5", "A plague-0 3", "A draw 1", "B refresh"),
    "the next card of anybody": sheet(PLAGUE, "A plague-0 3", "B discard d5", "B ? 2 down", "A draw 1"),
    "the heading of a turn": sheet(LEADS, "A f5* 3", "B turn 9", "B ? 3 down", "B turn 9", "A turn 10"),
    "cards drawn, deleted": sheet(TEN, "A compile 1", "delete f5,f3", "delete f4", "delete d2", "B ? 2 down"),
    "the cards of a refresh": sheet(HANDS, "A refresh", "A draw l2,l3,l4", "A control back", "B speed-2 3"),
    "the cards of a compiled line": sheet(
        TEN, "delete f5,f3,f4", "A control back", "delete d2", "A rearrange A life fire plague", "A compile 1",
        "B d4* 2",
    ),
    "the first parts of a refresh": sheet(
        "8A.action.B/fire.life.plague:f3;l4;p4:l2f5:9:/death.metal.speed:d4*;m1;s1:4:9:",
        "A f5* 1", "B control back", "delete d4", "B draw 1", "B refresh", "A l2* 2",
    ),
    "because of a choice": sheet(PLAGUE, "A plague-0 3", "A draw 1", "B discard d5", "B refresh"),
    "the next turn begins": sheet(END, "A f5* 3", "B turn 9", "flip d4*", "A discard l2", "B ? 1 down"),
    "what a text decides in a refresh": sheet(
        SPEED, "A control", "A compile 3", "shift s2 1", "delete s5,s4,p4", "A control back", "B ? 1 down",
    ),
    "control taken": sheet(LEADS, "A fire-3 1", "A control", "B ? 3 down", "A refresh +3"),
    "that a text acts on, is chosen": sheet(END, "A f5* 3", "A discard l2", "A choose d4", "flip d4*", "B ? 1 down"),
    "in the place of its return": sheet(
        "8A.action.-/corruption.life.plague:;;:c1l2:9:/death.metal.speed:m2;;:4:9:",
        "A corruption-1 1", "B top metal-2", "B ? 2 down",
    ),
    "a deck is shuffled": sheet(
        "8A.action.-/time.life.plague:;;:t0l2:9:l3,l4/death.metal.speed:;;:4:9:",
        "A time-0 1", "A life-3 2 trash", "A shuffle", "B ? 2 down",
    ),
    "left of a deck": sheet(
        "8A.action.-/fire.life.plague:;;:f1f3:l2:p1p2p4/death.metal.speed:;;:s5s2d4:9:",
        "A refresh", "A draw l2", "A reshuffle", "A draw 2", "B speed-2 3",
    ),
}  # fmt: skip

EVERY_CHOICE = {
    **COMPILE,
    "what a procedure does": sheet(TEN, "A control back", "A keep", "delete f5,f3,f4,d2", "A compile 1", "B ? 2 down"),
    "a rearrangement before its compile": sheet(TEN, "A rearrange A life fire plague", "A compile 1", "B d4* 2"),
    "cards drawn, deleted": sheet(
        TEN, "A compile 1", "A keep", "delete f5,f3", "delete f4", "delete d2", "B ? 2 down"
    ),
    "the cards of a refresh": sheet(HANDS, "A refresh", "A draw l2,l3,l4", "A control back", "A keep", "B speed-2 3"),
    "the first parts of a refresh": sheet(HANDS, "A keep", "A refresh", "B speed-2 3"),
    "what a text decides in a refresh": sheet(
        SPEED, "A control", "A compile 3", "shift s2 1", "delete s5,s4,p4", "A control back", "A keep", "B ? 1 down",
    ),
    "control taken": sheet(
        LEADS, "A fire-3 1", "A control", "A no", "B ? 3 down", "A refresh", "A keep", "A draw 3"
    ),
}  # fmt: skip
"""The same in logs that tell every choice, so that a no is written as well."""
EVERYTHING = (
    sheet(
        "8A.action.A/fire.life.plague:;f3*;:l1f1:9:/death.metal.speed:;;:4:9:", "A control back", "A keep", "A refresh"
    ),
    sheet(TEN, "A control back", "A rearrange A life fire plague", "A compile 1", "delete f5,f3,f4,d2"),
    sheet(TEN, "A control back", "A rearrange A life fire plague", "delete f5,f3,f4,d2", "A compile 1"),
)
"""Steps in the order of the rules, their announcement behind them, in logs that tell everything."""

# Altered

CARDS = ("clerk", "aunt", "courier", "fox")
ANN_BEN = ("ann", "ben")


def of_both(value: object) -> dict[str, object]:
    return dict.fromkeys(ANN_BEN, value)


def table(phase: str) -> dict[str, Any]:
    """Two players with two Characters each; clerk and courier draw a card as they are played."""
    draws = ["When I join an Expedition, draw a card"]
    empty = of_both([])
    return {
        "mode": "duel", "seats": list(ANN_BEN), "meet_distance": 9, "heroes": of_both(None),
        "types": dict.fromkeys(CARDS, "character"), "costs": {card: {"hand": 1, "reserve": 1} for card in CARDS},
        "stats": {card: {"forest": 1, "mountain": 1 + (card == "aunt"), "water": 1} for card in CARDS},
        "statuses": {card: [] for card in CARDS}, "abilities": {card: draws * (card[0] == "c") for card in CARDS},
        "limits": of_both({"reserve": 2, "landmark_zone": 2}),
        "position": {
            "day": 2, "phase": phase, "first_player": "ann", "limbo": [], "decks": {"ann": 9, "ben": 9},
            "hands": {"ann": ["clerk", "aunt"], "ben": ["courier", "fox"]}, "reserve": empty, "discard": empty,
            "orbs": of_both({"ready": 3, "exhausted": 0}), "landmark_zone": empty,
            "characters": of_both({"hero": [], "companion": []}),
            "advances": of_both({"hero": 1, "companion": 1}),
            "regions": of_both({"hero": ["forest"], "companion": ["mountain"]}),
        },
    }  # fmt: skip


def plays(player: str, card: str) -> dict[str, Any]:
    to = {"from": "hand", "to_zone": "companion_expedition", "to_owner": player}
    return {"type": "card_played", "player": player, "card": card, "mana": 1, **to}


def draws(player: str, reason: str, count: int = 1) -> dict[str, Any]:
    return {"type": "cards_drawn", "player": player, "count": count, "reason": reason}


def phase(name: str) -> dict[str, Any]:
    return {"type": "phase_started", "phase": name}


DAY = {"type": "day_started", "day": 3, "kind": "normal"}
ADVANCE = {"player": "ann", "expedition": "companion"}
SUMS = {
    **ADVANCE, "against": "ben companion", "region": ["mountain"],
    "own": {"forest": 1, "mountain": 2, "water": 1}, "opposing": {"forest": 1, "mountain": 1, "water": 1},
}  # fmt: skip
ALTERED: dict[str, tuple[str, Events]] = {
    "what a procedure does": (
        "afternoon",
        [
            plays("ann", "aunt"), plays("ben", "fox"),
            *({"type": "player_passed", "player": player} for player in ANN_BEN), phase("dusk"),
            {"type": "expedition_advanced", "stat": "mountain", "spaces": 1, **ADVANCE},
            {"type": "expedition_totals", **SUMS}, phase("night"),
        ],
    ),
    "what a card does": ("afternoon", [draws("ann", "clerk"), plays("ann", "clerk"), plays("ben", "fox")]),
    "the next card of anybody": ("afternoon", [plays("ann", "clerk"), plays("ben", "fox"), draws("ann", "clerk")]),
    "the heading of a turn": ("night", [DAY, DAY, phase("morning"), DAY, phase("morning")]),
    "for each player": (
        "night",
        [
            DAY, phase("morning"),
            {"type": "first_player_passed", "from": "ann", "to": "ben"},
            *(draws(player, "morning", 2) for player in ANN_BEN),
            *({"type": "objects_readied", "player": player, "objects": "all"} for player in ANN_BEN), phase("noon"),
        ],
    ),
}  # fmt: skip


# The reveal

STAGING = {
    "first_player": "p1", "encounter_deck": ["orc", "marsh"], "encounter_discard": [], "staging_area": [],
    "cards": {
        "orc": {"type": "enemy", "hit_points": 5, "keywords": {"doomed": 1}},
        "marsh": {"type": "location", "quest_points": 3},
    },
    "in_play": {
        "bow": {"on_reveal": {"effect": "damage", "amount": 1, "to": "enemy"}, "owner": "p2", "committed": True}
    },
    "threat": {"p1": 20, "p2": 21},
}  # fmt: skip
ORC = {"frame": "f1", "card": "orc"}
REVEAL, NEXT = (
    {"type": "reveal_started", "frame": frame, "card": card, "cause": "staging", "player": player, "step": "1"}
    for frame, card, player in (("f1", "orc", "p1"), ("f2", "marsh", "p2"))
)
DAMAGE = {
    "type": "passive_applied", "frame": "f1", "step": "4", "source": "bow", "effect": "damage", "target": "orc",
    "amount": 1,
}  # fmt: skip
DOOMED = {"type": "keyword_resolved", "step": "5.1", "keyword": "doomed", "value": 1, **ORC}
THREAT = [
    {"type": "threat_changed", "frame": "f1", "step": "5.1", "player": player, "delta": 1, "reason": "doomed"}
    for player in ("p1", "p2")
]
MOVED = {"type": "card_moved", "step": "8", "from": "revealing", "to": "staging_area", **ORC}
ENDED = {"type": "reveal_ended", "step": "12", "outcome": "completed", **ORC}
QUEST = {"type": "phase_started", "phase": "quest", "round": 2}
RAIN = {**ORC, "card": "rain"}
ANSWERED = {
    **STAGING,
    "encounter_deck": ["rain", "marsh"],
    "cards": {
        "rain": {
            "type": "treachery",
            "keywords": {"surge": True, "doomed": 1},
            "has_when_revealed": True,
            "text": "Hurt",
        },
        "marsh": {"type": "location", "quest_points": 3},
    },
    "in_play": {"horn": {"response": "cancel_when_revealed", "cost": "exhaust", "owner": "p2"}},
    "characters": {"horn": {"ready": True, "damage": 0}},
}
RESPONSE = {
    "type": "response_played", "frame": "f1", "step": "6", "player": "p2", "source": "horn",
    "effect": "cancel_when_revealed", "target": "rain",
}  # fmt: skip
SURGE = {"type": "surge_armed", "step": "5.1", "origin": "printed", **RAIN}
REVEALS: dict[str, Events] = {
    "what a procedure does": [REVEAL, DAMAGE, *THREAT, DOOMED, MOVED, NEXT],
    "what a card does": [DAMAGE, REVEAL, DOOMED, *THREAT, MOVED, NEXT],
    "the next card of anybody": [REVEAL, DAMAGE, DOOMED, *THREAT, NEXT, MOVED, ENDED],
    "a Response": [
        {**REVEAL, "card": "rain"}, RESPONSE, {**DOOMED, "card": "rain"}, *THREAT, SURGE,
        {**MOVED, "card": "rain", "to": "encounter_discard"},
        {**NEXT, "cause": "surge", "player": "p1", "parent": "f1"},
    ],
    "the card for a surge": [
        {**REVEAL, "card": "rain"}, {**DOOMED, "card": "rain"}, *THREAT, RESPONSE,
        {**NEXT, "cause": "surge", "player": "p1", "parent": "f1"}, SURGE,
        {**MOVED, "card": "rain", "to": "encounter_discard"}, {**MOVED, "frame": "f2", "card": "marsh"},
    ],
    "the heading of a turn": [QUEST, REVEAL, DAMAGE, DOOMED, *THREAT, MOVED, ENDED, QUEST, NEXT],
}  # fmt: skip


def rows(text: str) -> dict[str, set[str]]:
    """What is first written in each row of the documentation, and the games that have it."""
    told = text[text.index("| first written |") :].split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in told]
    return {first: set(re.split(", ", games)) for first, _, games in cells}


def findings(name: str, setup: Mapping[str, Any], told: Events) -> list[int | None]:
    game = ruleset(name)
    players = (Player("p1"), Player("p2")) if name == "lotr-reveal" else ()
    header = Header(log=LOG_VERSION, ruleset=name, players=players, setup=dict(setup))
    events = [
        msgspec.convert({"seq": seq, **event}, game.rules.types[event["type"]]) for seq, event in enumerate(told, 1)
    ]
    return [step.seq for step in audit(game, header, events) if step.verdict.is_finding]


@pytest.mark.every("text", COMPILE.values(), ids=COMPILE)
def test_an_order_of_compile_is_taken_as_it_is(text: str) -> None:
    steps = audit(ruleset("compile"), *read_sheet(text, game="compile"))
    assert [step.seq for step in steps if step.verdict.is_finding] == []


@pytest.mark.every("text", EVERY_CHOICE.values(), ids=EVERY_CHOICE)
def test_an_order_is_taken_as_it_is_in_a_log_that_tells_every_choice(text: str) -> None:
    header, events = read_sheet(text, game="compile")
    steps = audit(ruleset("compile"), msgspec.structs.replace(header, complete="choices"), events)
    assert [step.seq for step in steps if step.verdict.is_finding] == []


@pytest.mark.every("text", EVERYTHING)
def test_what_a_procedure_does_may_come_before_its_announcement_in_a_log_that_tells_everything(text: str) -> None:
    header, events = read_sheet(text, game="compile")
    steps = audit(ruleset("compile"), msgspec.structs.replace(header, complete=True), events)
    assert [step.seq for step in steps if step.verdict.is_finding] == []


@pytest.mark.every(("at", "told"), ALTERED.values(), ids=ALTERED)
def test_an_order_of_altered_is_taken_as_it_is(at: str, told: Events) -> None:
    assert findings("altered", table(at), told) == []


@pytest.mark.every(("name", "told"), REVEALS.items(), ids=REVEALS)
def test_an_order_of_the_reveal_is_taken_as_it_is(name: str, told: Events) -> None:
    assert findings("lotr-reveal", ANSWERED if name in ("a Response", "the card for a surge") else STAGING, told) == []


def test_every_row_of_the_documentation_has_its_test_in_each_game_that_has_it(root: Path) -> None:
    documented = rows((root / "docs" / "log-format.md").read_text("utf-8"))
    tested = {"Compile": COMPILE, "Altered": ALTERED, "the reveal": REVEALS}
    for game, orders in tested.items():
        of_game = [first for first, games in documented.items() if game in games]
        assert len(of_game) == len(orders), game
        assert [first for first in of_game if not any(order in first for order in orders)] == [], game
