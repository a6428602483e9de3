"""Positions of the other two games, in their published shape, made up for the tests of their tables."""

from __future__ import annotations

from copy import deepcopy
from typing import cast

Json = dict[str, object]
ORDER = ("1", "2", "3", "4", "4.5", "5.0", "5.1", "6", "7", "8", "9", "10", "11", "12")
WINDOWS = ("3", "4.5", "5.0", "6", "10", "11")


def frame(card: str, at: str, **more: object) -> Json:
    """A card that has come to a step."""
    here = ORDER.index(at)
    return {
        "card": card, "started_as": "revealed", "cause": "staging", "parent": None, "player": "p1", "step": at,
        "zone": "revealing", "open": True, "peril": False, "named_type": None, "cancelled_at_3": False,
        "discarded_at_3": False, "left_at_4": False, "when_revealed_cancelled": False, "replace_after_12": False,
        "forced_pending": [], "surges_left": 0, "due": [],
        "windows": {name: "open" if ORDER.index(name) >= here else "shut" for name in WINDOWS},
        "track": {name: "now" if name == at else "done" if n < here else "ahead" for n, name in enumerate(ORDER)},
        **more,
    }  # fmt: skip


def reveal() -> list[Json]:
    """A guarded card that reveals another; a surge waits; the second is cancelled."""
    start: Json = {
        "players": ["p1", "p2"], "reveals": 1, "encounter_deck": ["knight", "orc-scout"], "encounter_discard": [],
        "staging_area": [], "engaged": {"p1": [], "p2": ["orc-scout"]}, "threat": {"p1": 27, "p2": 30},
        "frames": {"f1": frame("old-keep", "3")}, "open_frames": ["f1"],
    }  # fmt: skip
    nested = deepcopy(start)
    due = [{"step": "9", "what": "entered", "source": "old-keep"}]
    nested["frames"] = {
        "f1": frame("old-keep", "9", surges_left=1, due=due, when_revealed_cancelled=True),
        "f2": frame("knight", "4", cause="guarded", parent="f1", peril=True),
    }
    nested["staging_area"] = ["old-keep"]
    nested["encounter_deck"] = ["orc-scout"]
    ended = deepcopy(nested)
    cast(dict[str, Json], ended["frames"])["f2"].update(left_at_4=True, open=False, started_as="placed")
    ended["encounter_deck"] = 1
    ended["threat"] = {"p1": 28, "p2": 30}
    return [start, nested, ended]


def _expedition(faces: str, **more: object) -> Json:
    return {"at": 2, "faces": faces, "region": ["forest"], "totals": None, "characters": [], **more}


def _seat(seat: str, against: str) -> Json:
    expeditions = {name: _expedition(f"{against} {name}") for name in ("hero", "companion")}
    return {
        "in": True, "passed": False, "hand": ["oak", "reed"], "deck": None, "mana": {"ready": 2, "exhausted": 1},
        "reserve": ["moss"], "landmarks": None, "exhausted": [], "discard": [], "expeditions": expeditions,
        "limits": {"reserve": 2, "landmarks": 2},
    }  # fmt: skip


def altered() -> list[Json]:
    """Two seats: an afternoon, a dusk in which one leads, a night of a tie-break day with one of them gone."""
    start: Json = {
        "turn": 3, "player": "p1", "phase": "afternoon", "mode": "duel", "kind": "normal", "effect": None,
        "first": "p1", "distance": 6, "over": None, "teams": {}, "limbo": [], "effects": [], "tumult": {},
        "sides": {"p1": _seat("p1", "p2"), "p2": _seat("p2", "p1")},
    }  # fmt: skip
    dusk = deepcopy(start)
    dusk.update(player=None, phase="dusk", limbo=[{"emblem": "e1", "controller": "p2", "source": "reed"}])
    stats = {"forest": 3, "mountain": 0, "water": 1}
    sides = cast(dict[str, Json], dusk["sides"])
    one = {"card": "oak", "stats": stats, "statuses": ["fleeting"], "eternal": True}
    cast(dict[str, Json], sides["p1"]["expeditions"])["hero"].update(totals=stats, characters=[one])
    less = {"forest": 2, "mountain": 5, "water": 1}
    cast(dict[str, Json], sides["p2"]["expeditions"])["hero"].update(totals=less, characters=None)
    sides["p2"].update(hand=4, passed=True, exhausted=["moss"])
    night = deepcopy(dusk)
    night.update(phase="night", kind="tiebreak", turn=4)
    cast(dict[str, Json], night["sides"])["p1"]["reserve"] = ["moss", "fern", "vine"]
    cast(dict[str, Json], night["sides"])["p2"]["in"] = False
    return [start, dusk, night]
