"""The table of Compile as a scene: two sides across three lines, hands, decks, trashes, and the control component.

Keys: a card by its id or handle; `A.hand`, `A.deck`, `A.trash`; `A.line.2` a stack, `A.protocol.2` the protocol at
its head; `control`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, cast

from msgspec.structs import replace

from audit.core import scene as s
from audit.core.catalogue import words
from audit.core.names import Players
from audit.core.ruleset import SceneMaker
from audit.games.compile.cards import CARDS
from audit.games.compile.parts import is_known
from audit.games.compile.state import SEATS, UNKNOWN
from audit.games.compile.totals import TO_COMPILE

Json = Mapping[str, object]
PACKAGE = "audit.games.compile"
PHASES = ("start", "control", "compile", "action", "cache", "end")
BOXES = ("top", "middle", "bottom")
ICONS = {
    "drafted": "choose", "turn_began": "turn", "phase_began": "turn", "played": "play", "committed": "commit",
    "covered": "lay-on", "uncovered": "lay-bare", "landed": "land", "triggered": "trigger", "resolved": "resolve",
    "chose": "choose", "drew": "draw", "discarded": "discard", "flipped": "turn-over", "shifted": "move",
    "deleted": "delete", "returned": "return", "revealed": "reveal", "looked": "reveal", "identified": "reveal",
    "owner_changed": "give", "shuffled": "renew", "put_on_deck": "return", "copied": "trigger",
    "stacks_swapped": "reorder", "protocol_turned": "complete", "rearranged": "reorder", "refreshed": "renew",
    "reshuffled": "renew",
    "cache_cleared": "discard", "control_taken": "token", "control_reset": "token", "compiled": "complete",
    "recompiled": "complete", "passed": "turn", "game_won": "win", "game_ended": "end",
}  # fmt: skip
"""The icon of each event."""

ACTIONS = dict.fromkeys(("played", "refreshed", "compiled", "recompiled", "passed", "game_won", "game_ended"), 0)


class _SceneBuilder(s.SceneBuilder):
    def __init__(self, package: str, view: Json, language: str, players: Players) -> None:
        super().__init__(package, view, language, players)
        self.sides = cast(Mapping[str, Json], view.get("sides") or {})

    def scene(self, pending: Sequence[Json]) -> s.Scene:
        """The whole table."""
        areas = [self.side(seat, side) for seat, side in self.sides.items()]
        token = s.Token("control", self.words["control"], str(self.view.get("control") or ""))
        field = s.Area("field", self.words["field"], (*areas, token), "facing")
        pending_now = tuple(map(self.pending, pending))
        return s.Scene(
            self.words["field"], field, _captions(self.language), self.chapter(), pending_now, s.tints(self.package),
            tuple(self.names[f"phase.{one}"] for one in PHASES),
        )  # fmt: skip

    def chapter(self) -> s.Chapter:
        """The turn, its phase and its player."""
        turn = self.words["turn"].format(turn=self.view["turn"]) if self.view.get("turn") else ""
        phase = self.view.get("phase")
        part = self.names[f"phase.{phase}"] if phase in PHASES else ""
        return s.Chapter(turn, part, self.called(self.view.get("player")))

    def side(self, seat: str, side: Json) -> s.Area:
        """One player's side."""
        stacks = (self.stack(seat, side, line) for line in range(1, 1 + len(cast(Sequence[object], side["lines"]))))
        piles = (self.zone(seat, "deck", side, "deck"), self.zone(seat, "trash", side, "discard"))
        parts = (self.zone(seat, "hand", side, "hand"), *piles, *stacks)
        return s.Area(seat, seat, parts, owner=seat, is_turn=self.view.get("player") == seat)

    def zone(self, seat: str, name: str, side: Json, role: s.Role) -> s.Zone:
        """A hand, a deck or a trash: its cards, or how many."""
        held, key = side[name], f"{seat}.{name}"
        is_unknown = key in cast(Sequence[str], self.view.get("untold", ()))
        if is_unknown:
            held = [] if isinstance(held, int) else [card for card in cast(Sequence[str], held) if card != UNKNOWN]
        cards = () if isinstance(held, int) else _cards(tuple(cast(Sequence[str], held)), self.language)
        return s.Zone(
            key, self.names[f"zone.{name}"], role, "row" if role == "hand" else "pile", cards,
            held if isinstance(held, int) else None, unknown=is_unknown, secret=role == "hand",
            coming=self.coming(seat, name),
        )  # fmt: skip

    def stack(self, seat: str, side: Json, line: int) -> s.Zone:
        """One line of a side, its protocol and total at the head."""
        placed = cast(Sequence[Sequence[Json]], side["lines"])[line - 1]
        title = self.words["line"].format(n=line)
        cards = tuple(self.lying(one) for one in placed)
        head = self.protocol(seat, side, line)
        return s.Zone(f"{seat}.line.{line}", title, "play", "stack", cards, coming=self.coming(seat, line), head=head)

    def protocol(self, seat: str, side: Json, line: int) -> s.Counter:
        """A protocol with the total of its stack."""
        protocol = cast(Sequence[Json], side["protocols"])[line - 1]
        total = cast(Sequence[int], side["totals"])[line - 1]
        facing = [cast(Sequence[int], other["totals"])[line - 1] for one, other in self.sides.items() if one != seat]
        name = str(protocol["name"])
        return s.Counter(
            f"{seat}.protocol.{line}", self.names.get(f"protocol.{name}", name), str(total), _sign(name),
            leads=total >= TO_COMPILE and total > max(facing, default=0), full=total >= TO_COMPILE,
            done=bool(protocol["compiled"]),
        )  # fmt: skip

    def lying(self, placed: Json) -> s.Card:
        """A card of a stack."""
        down = placed["face"] == "down"
        return self.card(str(placed["card"]), down, str(placed.get("value", "")) if down else "")

    def card(self, card: str, down: bool = False, value: str = "") -> s.Card:
        """A card by its id, or by its handle where nobody here knows it."""
        return _card(card, self.language, down, value)

    def coming(self, seat: str, to: object) -> tuple[s.Card, ...]:
        """The cards on their way to a stack, a hand or a trash."""
        found = cast(Sequence[Json], self.view.get("committed") or ())
        here = ((one, cast(Json, one["to"])) for one in found)
        return tuple(
            self.flying(one, aim)
            for one, aim in here
            if aim.get("side") == seat and to in (aim.get("line"), aim.get("zone"))
        )

    def flying(self, one: Json, aim: Json) -> s.Card:
        """A card on its way: where it comes from, and under which cards it goes."""
        card = self.card(str(one["card"]), one.get("face", "up") == "down")
        origin, above = _place(cast(Json, one.get("from") or {})), cast("int | None", aim.get("above"))
        return replace(card, origin=origin, above=above)

    def pending(self, item: Json) -> s.Pending:
        """A text or a procedure under way."""
        card, box = str(item.get("card") or ""), str(item.get("command") or "")
        name = _title(card, self.language) if card else " ".join(self.procedure(item))
        title = " ".join(filter(None, (name, self.words.get(f"box.{box}", box))))
        return s.Pending(title, card, cast(int, item.get("rest") or 0), bool(item.get("waits")))

    def procedure(self, item: Json) -> Iterator[str]:
        """What is under way without a card: the refresh of a player, the compile of a line."""
        found = {kind: str(item[kind]) for kind in ("refresh", "compile", "clear") if kind in item}
        return (f"{self.words[kind]} {self.players.get(what, what)}" for kind, what in found.items())


@lru_cache(maxsize=8)
def _captions(language: str) -> Mapping[str, str]:
    own, names = words(PACKAGE, language, "scene"), words(PACKAGE, language, "names")
    mine = {key.removeprefix("caption."): word for key, word in own.items() if key.startswith("caption.")}
    return {**s.captions(language), "up": names["face.up"], "down": names["face.down"], **mine}


@lru_cache(maxsize=1024)
def _cards(cards: tuple[str, ...], language: str) -> tuple[s.Card, ...]:
    return tuple(_card(card, language, False, "") for card in cards)


@lru_cache(maxsize=4096)
def _card(card: str, language: str, down: bool, value: str) -> s.Card:
    return s.Card(card, _face(card, language), down or not is_known(card), value)


@lru_cache(maxsize=4096)
def _face(card: str, language: str) -> s.Face | None:
    if not is_known(card):
        return None
    if card not in CARDS:
        return s.Face(card)
    protocol, value = card.rsplit("-", 1)
    own = words(PACKAGE, language, "scene")
    texts = cast(Mapping[str, Mapping[str, str]], words(PACKAGE, language, "cards")).get(card, {})
    boxes = tuple((own[f"box.{box}"], texts.get(box, "")) for box in BOXES)
    return s.Face(_title(card, language), card, _sign(protocol), value, boxes)


class CompileScene(SceneMaker):
    """The table as a scene."""

    package = PACKAGE
    builder = _SceneBuilder
    icons = ICONS
    legend: ClassVar[Mapping[str, str]] = {
        "control": "◇", "total": "10", "done": "✓", "covered": "▬", "down": "2", "gone": "▢",
    }  # fmt: skip
    actions = ACTIONS
    decisions = frozenset({"chose", "drafted"})
    endings = frozenset({"game_won", "game_ended"})

    def face(self, card: str, language: str) -> s.Face | None:
        """What is printed on a card."""
        return _face(card, language)

    def touched(self, event: Json) -> tuple[str, ...]:
        """The keys of what an event speaks of: its cards, the stack they go to, the protocol that is compiled."""
        seat, line = event.get("side") or event.get("player"), event.get("line")
        kind = "protocol" if event["type"] in ("compiled", "recompiled") else "line"
        cards = (event.get("card"), *cast(Sequence[object], event.get("cards") or ()))
        hands = [f"{seat}.hand"] if event["type"] == "refreshed" else []
        places = [f"{one}.{kind}.{line}" for one in ((seat,) if seat else SEATS)] if isinstance(line, int) else []
        return (*(str(card) for card in cards if card), *places, *hands)


def _title(card: str, language: str) -> str:
    if not is_known(card):
        return s.captions(language)["unknown"]
    protocol, _, value = card.rpartition("-")
    names = words(PACKAGE, language, "names")
    return (
        names["card"].format(protocol=names.get(f"protocol.{protocol}", protocol), value=value)
        if card in CARDS
        else card
    )


def _place(place: Json) -> str:
    """The key of the place that a card left; nothing where nobody knows."""
    where = f"line.{place['line']}" if "line" in place else place.get("zone")
    return f"{place['side']}.{where}" if where else ""


def _sign(protocol: str) -> str:
    return protocol if protocol in s.signs(PACKAGE) else ""
