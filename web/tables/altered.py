"""Altered for two to four seats: expeditions against those they face, reserves, landmarks, mana, Limbo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask_babel import gettext as _

from audit.catalogue import words as file_words
from web.drawing.tree import Attributes, Node, mark_of, node
from web.tables.plain import changes

__all__ = ["SCRIPT", "band", "changes", "draw", "mark", "public_setup", "words"]

SCRIPT = "tables/altered.js"
PHASES = ("morning", "noon", "afternoon", "dusk", "night")
STATS = ("forest", "mountain", "water")
Json = Mapping[str, object]

MARKS = {
    "day_started": "turn", "phase_started": "turn", "first_player_passed": "give", "cards_drawn": "draw",
    "mana_placed": "land", "mana_declined": "turn", "objects_readied": "refresh", "card_played": "play",
    "quick_action_played": "trigger", "player_passed": "turn", "reaction_activated": "trigger",
    "reaction_played": "resolve", "expedition_totals": "event", "expedition_advanced": "shift",
    "character_rested": "return", "cleanup_choice": "choose", "cleanup_discarded": "discard",
    "meeting_detected": "win", "winner_declared": "win", "tiebreak_started": "turn", "object_left": "shift",
    "card_sacrificed": "delete", "target_chosen": "choose", "tumult_revealed": "flip", "effect_started": "trigger",
    "effect_ended": "resolve",
}  # fmt: skip


def words(states: Sequence[Json], players: Mapping[str, str], language: str) -> dict[str, object]:
    """The captions."""
    parts = {
        "morning": _("morning"), "noon": _("noon"), "afternoon": _("afternoon"), "dusk": _("dusk"), "night": _("night"),
    }  # fmt: skip
    names = file_words("audit.altered", language, "names")
    effects = {name.removeprefix("effect."): said for name, said in names.items() if name.startswith("effect.")}
    return {
        "players": dict(players), "band": _("day {turn}"), "parts": parts, "say": _say(), "place": names["place"],
        "frames": {"effect": effects},
    }  # fmt: skip


def _say() -> dict[str, str]:
    return {
        "table": _("The table"), "day": _("The day"), "limbo": _("Limbo"), "hand": _("hand"), "deck": _("deck"),
        "mana": _("mana ready {ready}, spent {spent}"), "reserve": _("reserve"), "landmarks": _("landmarks"),
        "discard": _("discard"), "hero": _("Hero expedition"), "companion": _("Companion expedition"),
        "first": _("first player"), "passed": _("has passed"), "out": _("no longer in play"),
        "unknown": _("unknown"), "nothing": _("nothing"), "at": _("space {n}"), "against": _("against {who}"),
        "forest": _("forest"), "mountain": _("mountain"), "water": _("water"), "tumult": _("tumult"),
        "tiebreak": _("tie-break day"), "eternal": _("eternal"), "fleeting": _("fleeting"),
        "anchored": _("anchored"), "asleep": _("asleep"),
    }  # fmt: skip


def public_setup(setup: Json) -> dict[str, object]:
    """Nothing: a setup may hold hands and decks."""
    return {}


def band(state: Json) -> tuple[str, str, str]:
    """The day and its phase, and whose turn it is."""
    return str(state.get("turn") or ""), str(state.get("phase") or ""), str(state.get("player") or "")


def mark(event: Json | None) -> str:
    """The icon of an event."""
    return MARKS.get(str(event["type"]), "event") if event else "event"


def draw(state: Json, changes: Json, words: Json, how: Json) -> Node:
    """The table, seat by seat."""
    return Table(state, changes, words).whole()


class Table:
    """One picture in the making."""

    def __init__(self, state: Json, changes: Json, words: Json) -> None:
        self.state, self.words = state, words
        self.say = cast(Mapping[str, str], words["say"])
        self.parts = cast(Mapping[str, str], words["parts"])
        self.paths = frozenset(cast(Sequence[str], changes.get("paths") or ()))
        self.sides = cast(Mapping[str, Json], state["sides"])

    def whole(self) -> Node:
        seats = [self.seat(seat, side) for seat, side in self.sides.items()]
        attributes: Attributes = {
            "class": f"altered seats-{len(seats)}", "role": "group", "aria-label": self.say["table"],
        }  # fmt: skip
        return node("div", attributes, self.day(), node("div", {"class": "seats"}, *seats), self.limbo())

    def day(self) -> Node:
        now = self.state.get("phase")
        items: list[Node | str] = []
        for phase in PHASES:
            here: Attributes = {"aria-current": "step"} if phase == now else {}
            items.append(node("li", here, self.parts[phase]))
        if self.state.get("kind") == "tiebreak":
            items.append(node("li", {"class": "tiebreak"}, self.say["tiebreak"]))
        return node("ol", {"class": "day", "aria-label": self.say["day"]}, *items)

    def seat(self, seat: str, side: Json) -> Node:
        kind = "seat" + (" turn" if self.state.get("player") == seat else "") + ("" if side["in"] else " out")
        expeditions = cast(Mapping[str, Json], side["expeditions"])
        drawn = [self.expedition(seat, name, each) for name, each in expeditions.items()]
        parts = [self.head(seat, side), *drawn, self.zones(seat, side)]
        return node("section", {"class": kind, "aria-label": seat}, *parts)

    def head(self, seat: str, side: Json) -> Node:
        say = self.say
        names = cast(Mapping[str, str], self.words["players"])
        parts: list[Node | str] = [node("b", {}, f"{seat} {names.get(seat, '')}".strip())]
        if self.state.get("player") == seat:
            parts.insert(0, mark_of("turn"))
        told = [
            say["first"] if self.state.get("first") == seat else "",
            say["passed"] if side["passed"] else "",
            "" if side["in"] else say["out"],
        ]
        parts.append(node("span", {"class": "quiet"}, " · ".join(word for word in told if word)))
        return node("h3", {}, *parts)

    def expedition(self, seat: str, name: str, each: Json) -> Node:
        path = f"sides.{seat}.expeditions.{name}"
        say = self.say
        parts: list[Node | str] = [node("span", {"class": "title"}, say.get(name, name)), self.region(each)]
        if each["at"] is not None:
            parts.append(node("span", {"class": "at"}, say["at"].replace("{n}", str(each["at"]))))
        parts.append(self.totals(each))
        if each["faces"]:
            parts.append(node("span", {"class": "quiet"}, say["against"].replace("{who}", self.place(each))))
        parts.append(self.characters(each))
        return node("div", {"class": "expedition" + (" changed" if self.is_changed(path) else "")}, *parts)

    def place(self, each: Json) -> str:
        seat, _space, name = str(each["faces"]).rpartition(" ")
        return str(self.words["place"]).format(player=seat, expedition=self.say.get(name, name))

    def is_changed(self, path: str) -> bool:
        return any(one == path or one.startswith(f"{path}.") for one in self.paths)

    def region(self, each: Json) -> Node:
        types = cast(Sequence[str], each["region"] or ())
        return node("span", {"class": "region"}, *[mark_of(one, self.say.get(one, one)) for one in types])

    def totals(self, each: Json) -> Node:
        own, against = cast("Mapping[str, int] | None", each["totals"]), self.faced(each)
        counts = frozenset(cast(Sequence[str], each["region"] or STATS))
        parts: list[Node | str] = []
        for stat in STATS if own else ():
            value = cast(Mapping[str, int], own)[stat]
            ahead = against is not None and value > against[stat] and value > 0 and stat in counts
            kind = "stat" + ("" if stat in counts else " idle") + (" lead" if ahead else "")
            parts.append(node("span", {"class": kind}, mark_of(stat, self.say[stat]), str(value)))
        return node("span", {"class": "totals"}, *parts)

    def faced(self, each: Json) -> Mapping[str, int] | None:
        seat, _space, name = str(each["faces"] or "").rpartition(" ")
        side = self.sides.get(seat)
        if side is None:
            return None
        facing = cast(Mapping[str, Json], side["expeditions"]).get(name)
        return cast("Mapping[str, int] | None", facing["totals"]) if facing else None

    def characters(self, each: Json) -> Node:
        cards = each["characters"]
        if cards is None:
            return node("span", {"class": "quiet"}, self.say["unknown"])
        return node("ul", {"class": "chips"}, *[self.character(one) for one in cast(Sequence[Json], cards)])

    def character(self, one: Json) -> Node:
        stats = cast("Mapping[str, int] | None", one["stats"])
        told = [*cast(Sequence[str], one["statuses"] or ()), *(["eternal"] if one["eternal"] else [])]
        parts: list[Node | str] = [node("b", {}, str(one["card"]))]
        if stats:
            parts.append(node("span", {"class": "quiet"}, "/".join(str(stats[stat]) for stat in STATS)))
        parts += [node("span", {"class": "status"}, self.say.get(word, word)) for word in told]
        return node("li", {"data-card": str(one["card"])}, *parts)

    def zones(self, seat: str, side: Json) -> Node:
        say = self.say
        mana = cast(Mapping[str, object], side["mana"])
        told = say["mana"].replace("{ready}", self.size(mana["ready"])).replace("{spent}", self.size(mana["exhausted"]))
        counts = f"{say['hand']} {self.size(side['hand'])} · {say['deck']} {self.size(side['deck'])} · {told}"
        rows: list[Node | str] = [node("p", {"class": "quiet"}, counts)]
        if isinstance(side["hand"], (list, tuple)):
            rows.append(self.zone(f"sides.{seat}.hand", say["hand"], side["hand"], side))
        for name in ("reserve", "landmarks", "discard"):
            rows.append(self.zone(f"sides.{seat}.{name}", say[name], side[name], side))
        return node("div", {"class": "belongings"}, *rows)

    def zone(self, path: str, title: str, cards: object, side: Json) -> Node:
        spent = frozenset(cast(Sequence[str], side["exhausted"] or ()))
        kind = "zone" + (" changed" if path in self.paths else "")
        head = node("span", {"class": "title"}, title, *self.most(path, cards, side))
        if cards is None:
            inner: list[Node | str] = [node("span", {"class": "quiet"}, self.say["unknown"])]
        else:
            inner = [self.chip(str(card), str(card) in spent) for card in cast(Sequence[object], cards)]
        return node("div", {"class": kind}, head, node("ul", {"class": "chips"}, *inner))

    def most(self, path: str, cards: object, side: Json) -> list[Node | str]:
        """How many of them may stay at night; more than that stand out."""
        limits = cast(Mapping[str, int], side.get("limits") or {})
        most = limits.get(path.rpartition(".")[2])
        if most is None:
            return []
        count = len(cast(Sequence[object], cards or ()))
        over: Attributes = {"class": "limit over" if count > most else "limit"}
        return [" ", node("span", over, f"{count} > {most}" if count > most else f"≤ {most}")]

    def chip(self, card: str, spent: bool) -> Node:
        return node("li", {"class": "spent" if spent else "ready", "data-card": card}, card)

    def size(self, zone: object) -> str:
        if zone is None:
            return "?"
        return str(zone if isinstance(zone, int) else len(cast(Sequence[object], zone)))

    def limbo(self) -> Node:
        emblems = cast(Sequence[Mapping[str, str]], self.state.get("limbo") or ())
        items: list[Node | str] = [
            node("li", {"data-card": one["emblem"]}, f"{one['emblem']} · {one['controller']}") for one in emblems
        ]
        if not items:
            items = [node("li", {"class": "quiet"}, self.say["nothing"])]
        kind = "limbo" + (" changed" if "limbo" in self.paths else "")
        return node(
            "div",
            {"class": kind},
            node("span", {"class": "title"}, self.say["limbo"]),
            node("ol", {"class": "chips"}, *items),
        )
