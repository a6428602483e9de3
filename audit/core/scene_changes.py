"""What is new in a scene since the one before it, and how finely a reader goes through a game.

Things are compared by their keys, so this holds for every game. A mark is the name of an icon, or `changed` where
only the fact counts.

The same for every game and every renderer: a game only names the events by which a player begins something
(`SceneMaker.actions`); what moves is told from its scenes.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from audit.core.ruleset import SceneMaker
from audit.core.scene import Card, Counter, Role, Scene, Thing, Token, TrackStep, Zone

MOVES: Mapping[tuple[Role, Role], str] = {
    ("deck", "hand"): "draw", ("hand", "discard"): "discard", ("deck", "discard"): "discard",
    ("play", "discard"): "delete", ("transit", "discard"): "delete", ("play", "hand"): "return",
    ("transit", "hand"): "return", ("play", "transit"): "commit", ("hand", "transit"): "commit",
    ("deck", "transit"): "commit", ("transit", "play"): "land", ("hand", "play"): "play", ("deck", "play"): "play",
    ("hand", "hand"): "give", ("discard", "deck"): "renew",
}  # fmt: skip
"""What a move is called, by the roles of the zones it leads from and to."""

MOVED = "move"
CHANGED = "changed"
LEFT = "left"
"""Of a space of a path: what stood there has gone on."""


class Ghost(Struct, frozen=True, omit_defaults=True, gc=False):
    """A card that lay in a zone until this step."""

    zone: str
    card: Card
    mark: str
    at: int | None = None
    """How many cards of the zone it lay on; where nobody knows, it comes last."""


class Changes(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a step changed."""

    marks: Mapping[str, str] = {}
    """By key of a card, zone, counter, step or token."""
    ghosts: tuple[Ghost, ...] = ()
    origins: Mapping[str, str] = {}
    """Of every card on its way, the zone it left."""
    focus: str = ""
    """The zone to look at."""
    verdict: str = ""
    """Of a step that is wrong: how."""
    struck: tuple[str, ...] = ()
    """What a wrong step touched."""
    could: tuple[str, ...] = ()
    """What it could have touched instead."""
    path: tuple[str, ...] = ()
    """What led to the step, from the first cause to what the step touched."""


class Place(Struct, frozen=True, gc=False):
    """Where a card lies, and how."""

    zone: Zone
    card: Card
    role: Role
    on_top: bool
    at: int


def changes(
    scenes: Sequence[Scene], touched: Sequence[tuple[str, ...]], icons: Sequence[str], steps: range | None = None
) -> list[Changes]:
    """For every step what it changed; `touched` are the keys its event speaks of, `icons` the icons of the events.

    Where only some `steps` are asked for, one after the other, no earlier scenes are looked at than it takes.
    """
    steps = range(len(scenes)) if steps is None else steps
    start = _nothing_on_its_way(scenes, steps.start)
    found, origins = [Changes()] if start == steps.start else [], dict[str, str]()
    tables = pairwise(_SceneIndex(scenes[step]) for step in range(start, steps.stop))
    for step, (before, after) in enumerate(tables, start + 1):
        new = _Difference(before, after).changes(touched[step], icons[step], origins)
        if step >= steps.start:
            found.append(new)
    return found[: len(steps)]


def _nothing_on_its_way(scenes: Sequence[Scene], step: int) -> int:
    """The last step before that one after which no card is on its way, the start at the earliest."""
    before = max(0, step - 1)
    while before and any(zone.coming or zone.role == "transit" for zone in scenes[before].zones):
        before -= 1
    return before


class _SceneIndex:
    """What is asked of a scene again and again: its zones, its parts, and where its cards lie."""

    def __init__(self, scene: Scene) -> None:
        self.parts = dict(scene.parts)
        self.zones = {key: part for key, part in self.parts.items() if isinstance(part, Zone)}
        self.places = _places(tuple(self.zones.values()))


class _Difference:
    def __init__(self, before: _SceneIndex, after: _SceneIndex) -> None:
        self.before, self.after, self.now = before, after, after.places
        names = _renamed(before.zones, after.zones)
        self.was = {names.get(key, key): place for key, place in before.places.items()} if names else before.places

    def changes(self, touched: tuple[str, ...], icon: str, origins: dict[str, str]) -> Changes:
        """What is new; `origins` is carried from step to step."""
        marks, ghosts = self._moves()
        gone = [Ghost(was.zone.key, was.card, icon, was.at) for key, was in self.was.items() if self._is_gone(key, was)]
        gone += self._drawn_from_backs(marks)
        self._follow(origins)
        parts, olds = self.after.parts, self.before.parts
        things = {key for key, part in parts.items() if not isinstance(part, Zone)} | set(self.now)
        pointed = {key: icon for key in touched if key in things}
        marks = {**_parts_changed(olds, parts, marks), **pointed, **marks}
        return Changes(marks, (*ghosts, *gone), dict(origins), self._focus(touched, marks, (*ghosts, *gone), parts))

    def _moves(self) -> tuple[dict[str, str], list[Ghost]]:
        marks, ghosts = dict[str, str](), list[Ghost]()
        for key, now in self.now.items():
            was = self.was.get(key)
            if was is None:
                mark = "play" if now.role == "play" else ""
            elif was.zone.key == now.zone.key and was.role == now.role:
                mark = _turned(was, now)
            elif was.role == now.role == "transit":
                mark = ""
            else:
                mark = MOVES.get((was.role, now.role), MOVED)
                ghosts += [Ghost(was.zone.key, was.card, mark, was.at)] if _leaves_a_gap(was) else []
            marks |= {key: mark} if mark else {}
        return marks, ghosts

    def _is_gone(self, key: str, was: Place) -> bool:
        return key not in self.now and was.role == "play"

    def _drawn_from_backs(self, marks: dict[str, str]) -> list[Ghost]:
        """Backs where hidden cards left a hand; a card that can now be followed is told where it came from."""
        found, fresh = list[Ghost](), [key for key in self.now if key not in self.was]
        for zone in self.after.zones.values():
            old, news = self.before.zones.get(zone.key), list(fresh)
            if old is None or zone.role != "hand" or old.count is None or zone.count is None:
                continue
            for _ in range(old.count - zone.count):
                mark = self._left_for(zone.role, news.pop() if news else "", marks)
                found.append(Ghost(zone.key, Card("", down=True), mark))
        return found

    def _left_for(self, role: Role, key: str, marks: dict[str, str]) -> str:
        mark = MOVES.get((role, self.now[key].role), MOVED) if key else MOVED
        if key:
            marks[key] = mark
        return mark

    def _follow(self, origins: dict[str, str]) -> None:
        """Remembers where the cards on their way set out."""
        for key in list(origins):
            if key not in self.now or self.now[key].role != "transit":
                del origins[key]
        for key, now in self.now.items():
            if now.role == "transit" and key in self.was and self.was[key].role != "transit":
                origins[key] = self.was[key].zone.key
            if now.role == "transit" and now.card.origin:
                origins[key] = now.card.origin

    def _focus(
        self, touched: Sequence[str], marks: Mapping[str, str], ghosts: Sequence[Ghost], parts: Mapping[str, object]
    ) -> str:
        """The zone in play where something happened: where a card moved to, else what the event names, else a gap."""
        in_play = [
            place.zone.key for key, place in self.now.items() if place.role in ("play", "transit") and key in marks
        ]
        named = [key for key in touched if isinstance(parts.get(key), Zone)]
        coming = [key for key, zone in self.after.zones.items() if zone.coming]
        heads = {zone.head.key: key for key, zone in self.after.zones.items() if zone.head}
        left = [ghost.zone for ghost in ghosts if ghost.zone in parts]
        return next(iter([*in_play, *named, *coming, *(heads[key] for key in marks if key in heads), *left]), "")


def _places(zones: Sequence[Zone]) -> dict[str, Place]:
    """Every card by its key; cards that share a key, as unknown ones do, cannot be followed."""
    found = [
        (card.key, Place(zone, card, zone.role, at == len(zone.cards) - 1, at))
        for zone in zones
        for at, card in enumerate(zone.cards)
    ]
    found += [(card.key, Place(zone, card, "transit", True, 0)) for zone in zones for card in zone.coming]
    often = collections.Counter(key for key, _ in found)
    return {key: place for key, place in found if often[key] == 1}


def _renamed(olds: Mapping[str, Zone], news: Mapping[str, Zone]) -> dict[str, str]:
    """The new key by the old one of cards that turned over and are called otherwise since: an unknown card shown."""
    found = dict[str, str]()
    for key, zone in news.items():
        old = olds.get(key)
        if old and zone.layout == "stack" and old.cards != zone.cards and len(old.cards) == len(zone.cards):
            pairs = [(a, b) for a, b in zip(old.cards, zone.cards, strict=True) if a.key != b.key]
            if len(pairs) == 1 and pairs[0][0].down != pairs[0][1].down:
                found[pairs[0][0].key] = pairs[0][1].key
    return found


def _leaves_a_gap(was: Place) -> bool:
    return was.role != "transit" and was.zone.layout != "pile"


def _turned(was: Place, now: Place) -> str:
    if was.card.down != now.card.down:
        return "turn-over"
    if now.zone.layout == "stack" and was.on_top != now.on_top:
        return "lay-bare" if now.on_top else "lay-on"
    return "" if was.card == now.card else CHANGED


def _parts_changed(olds: Mapping[str, object], parts: Mapping[str, Thing], marks: Mapping[str, str]) -> dict[str, str]:
    heads = {part.head.key for part in parts.values() if isinstance(part, Zone) and part.head}
    found = {}
    for key, part in parts.items():
        old = olds.get(key)
        if old is not None and old != part and (mark := _part_changed(old, part, marks, is_head=key in heads)):
            found[key] = mark
    return found


def _part_changed(old: object, part: object, marks: Mapping[str, str], *, is_head: bool) -> str:
    """The mark of a part that is not as it was. A total that goes up and down with its cards is no news of its own."""
    if isinstance(old, Zone) and isinstance(part, Zone):
        return _zone_changed(old, part, marks)
    if isinstance(old, Counter) and isinstance(part, Counter) and is_head:
        return "reorder" if old.title != part.title else "complete" if old.done != part.done else ""
    if isinstance(old, Token) and isinstance(part, Token):
        return "token" if old.at != part.at else ""
    if isinstance(old, TrackStep) and isinstance(part, TrackStep):
        return _step_changed(old, part)
    return CHANGED


def _step_changed(old: TrackStep, now: TrackStep) -> str:
    if old.signs != now.signs:
        return LEFT if set(now.signs) < set(old.signs) else CHANGED
    return CHANGED if now.state == "now" != old.state else ""


def _zone_changed(old: Zone, now: Zone, marks: Mapping[str, str]) -> str:
    if now.layout == "stack":
        return ""
    if now.role in ("deck", "discard", "hand") and (now.layout == "pile" or now.count is not None):
        return _more(old, now, marks)
    return "" if replace(old, counters=now.counters, title=now.title) == now else CHANGED


def _more(old: Zone, now: Zone, marks: Mapping[str, str]) -> str:
    """A heap or a hidden hand that has grown: what its newest card did, else what such a zone grows by."""
    if not (old.size.isdigit() and now.size.isdigit() and int(now.size) > int(old.size)):
        return ""
    newest = next((marks[card.key] for card in reversed(now.cards) if card.key in marks), "")
    return newest or {"deck": "renew", "discard": "discard", "hand": "draw"}[now.role]


GRAINS = ("actions", "steps", "raw")
"""From coarse to fine. A reader of one grain stops at its own steps and at those of the grains before it."""

ACTION, MOVE, RAW = range(3)
Json = Mapping[str, object]


def grain_of(step: Json, maker: SceneMaker, before: Scene | None, after: Scene) -> int:
    """The place in `GRAINS` of the coarsest grain that stops at a step."""
    event = cast("Json | None", step.get("event"))
    if event is None or step["verdict"] not in ("legal", "inferred") or event.get("note"):
        return ACTION
    if cast(int, step.get("depth") or 0) <= maker.actions.get(str(event["type"]), -1):
        return ACTION
    moves = before is None or event["type"] in maker.decisions or _things(before) != _things(after)
    return MOVE if moves else RAW


def _things(scene: Scene) -> list[object]:
    """What lies on the table. The parts of a day are no things: that another has come moves nothing."""
    return [part for _, part in scene.parts if not isinstance(part, TrackStep) or part.number]
