"""The field of Compile: three lines, two sides, what is in flight, and what has just changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask_babel import gettext as _

from audit.catalogue import words as file_words
from web.drawing.tree import Node, icon, node, rect, sign, text
from web.tables.compile_cards import BOXES
from web.tables.compile_changes import MARKS, changes
from web.tables.compile_sides import Sides

__all__ = ["SCRIPT", "band", "changes", "draw", "mark", "public_setup", "words"]

SCRIPT = "tables/compile.js"
Json = Mapping[str, object]


def words(states: Sequence[Json], players: Mapping[str, str], language: str) -> dict[str, object]:
    """The cards of the protocols on the table, whoever may see which, and the captions."""
    names = file_words("audit.compile", language, "names")
    texts = file_words("audit.compile", language, "cards")
    protocols = list(dict.fromkeys(name for state in (states[0], states[-1]) for name in _protocols(state)))
    cards = {id: _entry(id, box, names) for id, box in texts.items() if id.rsplit("-", 1)[0] in protocols}  # type: ignore[arg-type]
    return {
        "cards": cards,
        "names": {name: names.get(f"protocol.{name}", name) for name in protocols},
        "players": dict(players),
        "say": _say(names),
        "band": _("turn {turn}"),
        "frames": {"refresh": _("refresh"), "compile": _("compile line"), "clear": _("clear the cache")},
    }


def public_setup(setup: Json) -> dict[str, object]:
    """What everybody knows of how the game began."""
    return {"protocols": setup["protocols"]} if "protocols" in setup else {}


def _protocols(state: Json) -> list[str]:
    sides = cast(Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]], state["sides"])
    return [protocol["name"] for side in sides.values() for protocol in side["protocols"]]


def _entry(id: str, boxes: Mapping[str, str], names: Mapping[str, str]) -> dict[str, object]:
    protocol, value = id.rsplit("-", 1)
    name = names["card"].format(protocol=names.get(f"protocol.{protocol}", protocol), value=value)
    return {"name": name, "sign": protocol, "value": int(value), **{b: boxes[b] for b in BOXES if boxes.get(b)}}


def _say(names: Mapping[str, str]) -> dict[str, str]:
    return {
        "field": _("The field"), "hand": names["zone.hand"], "deck": names["zone.deck"],
        "trash": names["zone.trash"], "control": _("control"), "line": _("line"), "up": names["face.up"],
        "down": names["face.down"], "uncovered": _("uncovered"), "covered": _("covered"),
        "flying": _("in flight"), "gone": _("was here"), "compiled": _("compiled"), "unknown": _("unknown card"),
        "total": _("total"),
    }  # fmt: skip


def band(state: Json) -> tuple[str, str, str]:
    """The turn, and the player whose it is."""
    return str(state.get("turn", "")), "", str(state.get("player") or "")


def mark(event: Json | None) -> str:
    """The icon of an event."""
    return MARKS.get(str(event["type"]), "event") if event else "event"


def draw(state: Json, changes: Json, words: Json, how: Json) -> Node:
    """The field as a tree. `static/tables/compile.js` says the same, line by line."""
    return Field(state, changes, words, how).whole()


class Field(Sides):
    """One picture in the making."""

    def whole(self) -> Node:
        seats = ("B", "A") if self.bottom == "A" else ("A", "B")
        parts: list[Node | str] = [self.light()]
        for seat in seats:
            parts += self.hand(seat)
            parts += self.piles(seat)
        for line in (1, 2, 3):
            parts += self.line(line, seats)
        parts += self.control()
        for seat in seats:
            parts += self.arrows(seat)
        g = self.g
        attributes: dict[str, str | int] = {
            "viewBox": f"0 0 {g['width']} {g['height']}", "class": f"field {self.how['layout']}",
            "role": "group", "aria-label": self.say["field"],
        }  # fmt: skip
        return node("svg", attributes, *parts)

    def place(self, line: int) -> tuple[int, int, bool]:
        """Where a line's column begins, how wide it is, and whether its cards are drawn in full."""
        g = self.g
        if self.how["layout"] == "wide":
            return cast(Sequence[int], g["columns"])[line - 1], g["column"], True
        x = 0
        for number in (1, 2, 3):
            width = g["column"] if number == self.how["line"] else g["mini"]
            if number == line:
                return x, width, number == self.how["line"]
            x += width + 6
        raise ValueError(line)

    def line(self, line: int, seats: Sequence[str]) -> list[Node | str]:
        x, width, full = self.place(line)
        parts: list[Node | str] = [
            text(
                x + width // 2, self.g["label"], "t1 quiet middle", f"{self.say['line']} {line}" if full else str(line)
            )
        ]
        for seat in seats:
            parts.append(self.plate(seat, line, x, width, full))
            parts += self.stack(seat, line, x, width, full)
        return parts

    def plate(self, seat: str, line: int, x: int, width: int, full: bool) -> Node:
        g, side = self.g, self.side(seat)
        y = g["topPlate" if self.is_top(seat) else "bottomPlate"]
        protocol = cast(Sequence[Mapping[str, object]], side["protocols"])[line - 1]
        name, compiled = str(protocol["name"]), bool(protocol["compiled"])
        total = cast(Sequence[int], side["totals"])[line - 1]
        facing = cast(Sequence[int], self.side("B" if seat == "A" else "A")["totals"])[line - 1]
        shown = cast(Mapping[str, str], self.words["names"]).get(name, name)
        mark = self.marks.get(f"protocol:{seat}:{line}", "")
        lead = " lead" if total >= 10 and total > facing else ""
        said = f"{seat}, {self.say['line']} {line}: {shown}" + (f", {self.say['compiled']}" if compiled else "")
        parts: list[Node | str] = [
            node("title", {}, f"{said}, {self.say['total']} {total}"), rect(x, y, width, g["plate"], "box", 6),
        ]  # fmt: skip
        if full:
            parts.append(sign(name, x + 10, y + 10))
            parts.append(text(x + 34, y + 23, "t2", shown))
            parts.append(text(x + width - 12, y + 27, f"t3 end total{lead}", str(total)))
        else:
            parts.append(sign(name, x + 6, y + 10))
            parts.append(text(x + width - 8, y + 24, f"t2 end total{lead}", str(total)))
        if compiled:
            parts.append(icon("legal", x + (150 if full else 22), y + 10, "icon done"))
        if mark:
            parts.append(icon(mark, x + (172 if full else 22), y + 10, "icon mark"))
        kind = "plate" + (" compiled" if compiled else "") + (" changed" if mark else "")
        whole = f"{said}, {self.say['total']} {total}"
        if full:
            return node("g", {"class": kind, "role": "img", "aria-label": whole}, *parts)
        link = str(self.how["link"]).replace("LINE", str(line))
        return node("a", {"class": kind, "href": link, "data-line": line, "aria-label": whole}, *parts)

    def extras(self, seat: str, line: int) -> list[tuple[str, str, str]]:
        """What lies beyond the stack: ghosts of what was there, then cards in flight towards it."""
        gone = [
            (str(g["card"]), "ghost", str(g["mark"])) for g in self.ghosts if g["seat"] == seat and g["line"] == line
        ]
        coming = [
            (str(f["card"]) if f["face"] == "up" else self.masked(str(f["card"])), "flight", "commit")
            for f in self.flights()
            if f["side"] == seat and f["line"] == line
        ]
        return gone + coming

    def stack(self, seat: str, line: int, x: int, width: int, full: bool) -> list[Node | str]:
        g, c = self.g, self.c
        top = self.is_top(seat)
        stack = cast(Sequence[Sequence[Mapping[str, object]]], self.side(seat)["lines"])[line - 1]
        extras = self.extras(seat, line)
        start = g["topPlate"] - c["gap"] if top else g["bottomPlate"] + g["plate"] + c["gap"]
        end = g["topEdge"] if top else g["bottomEdge"]
        room = abs(end - start) - len(extras) * c["extra"]
        heights = self.heights(stack, room) if full else mini_heights(len(stack), room)
        parts: list[Node | str] = []
        y = start
        for index, lain in enumerate(stack):
            y = y - heights[index] if top else y
            last = index == len(stack) - 1
            parts.append(self.card(lain, seat, line, (x, y, width, heights[index]), last, full))
            y = y if top else y + heights[index]
        for card, kind, mark in extras:
            y = y - c["extra"] if top else y
            edge = y + (2 if top else c["extra"] - 2)
            self.spots[card if kind == "ghost" else f"to:{card}"] = (x + width // 2, edge, "line")
            parts.append(self.extra(card, kind, mark, (x, y + 2, width, c["extra"] - 4), full))
            y = y if top else y + c["extra"]
        return parts

    def arrows(self, seat: str) -> list[Node | str]:
        parts: list[Node | str] = []
        for flight in self.flights():
            card = str(flight["card"])
            origin, aim = self.origins.get(card), self.spots.get(f"to:{card}")
            if flight["side"] == seat and origin and aim:
                parts += self.arrow(self.spots.get(card) or self.source(origin, aim), aim, seat)
        return parts

    def source(self, origin: Sequence[object], aim: tuple[int, int, str]) -> tuple[int, int, str]:
        """Where a card set out from whose ghost is gone: the edge of its line, or of the hand."""
        g, top = self.g, self.is_top(str(origin[0]))
        if origin[1] == "line":
            x, width, _full = self.place(cast(int, origin[2]))
            return x + width // 2, g["topEdge"] if top else g["bottomEdge"], "line"
        return aim[0], g["topChips" if top else "bottomChips"] + (g["chipHeight"] if top else 0), ""

    def arrow(self, source: tuple[int, int, str], aim: tuple[int, int, str], seat: str) -> list[Node | str]:
        outward = -1 if self.is_top(seat) else 1
        (x, y, kind), (to_x, to_y, _kind) = source, aim
        if kind == "line":
            bend = f"{x} {y + outward * 26} {to_x} {to_y + outward * 26}"
        else:
            bend = f"{x} {(y + to_y) // 2} {to_x} {(y + to_y) // 2}"
        tip = to_y + outward * 3
        head = f"M{to_x - 5} {tip + outward * 6}L{to_x} {tip}L{to_x + 5} {tip + outward * 6}"
        return [
            node("path", {"class": "arrow", "d": f"M{x} {y}C{bend} {to_x} {tip}"}),
            node("path", {"class": "arrow head", "d": head}),
        ]


def mini_heights(count: int, room: int) -> list[int]:
    return [max(12, min(22, room // max(1, count)))] * count
