"""The field of Compile: three lines, two sides, what is in flight, and what has just changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask_babel import gettext as _

from audit.catalogue import words as file_words
from web.drawing import Node, clipped, geometry, icon, node, rect, sign, text, wrapped
from web.tables.compile_changes import MARKS, changes

__all__ = ["SCRIPT", "band", "changes", "draw", "mark", "public_setup", "words"]

SCRIPT = "tables/compile.js"
BOXES = ("top", "middle", "bottom")
LINES_OF_TEXT = (0, 4, 2, 1)
"""How many lines a box may have, by the number of boxes with a text."""

Json = Mapping[str, object]
Measures = Mapping[str, int]


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


class Field:
    """One picture in the making."""

    def __init__(self, state: Json, changes: Json, words: Json, how: Json) -> None:
        self.state, self.changes, self.words, self.how = state, changes, words, how
        self.say = cast(Mapping[str, str], words["say"])
        self.cards = cast(Mapping[str, Mapping[str, object]], words["cards"])
        self.marks = cast(Mapping[str, str], changes.get("marks") or {})
        self.ghosts = cast(Sequence[Mapping[str, object]], changes.get("ghosts") or ())
        self.origins = cast(Mapping[str, Sequence[object]], changes.get("origins") or {})
        self.g = cast(Measures, geometry()[how["layout"]])  # type: ignore[literal-required]
        self.c = geometry()["card"]
        self.bottom = str(how["bottom"])
        self.hide = bool(how["hide"])
        self.spots: dict[str, tuple[int, int, str]] = {}

    def whole(self) -> Node:
        seats = ("B", "A") if self.bottom == "A" else ("A", "B")
        parts: list[Node | str] = [self._light()]
        for seat in seats:
            parts += self._hand(seat)
            parts += self._piles(seat)
        for line in (1, 2, 3):
            parts += self._line(line, seats)
        parts += self._control()
        for seat in seats:
            parts += self._arrows(seat)
        g = self.g
        attributes: dict[str, str | int] = {
            "viewBox": f"0 0 {g['width']} {g['height']}", "class": f"field {self.how['layout']}",
            "role": "group", "aria-label": self.say["field"],
        }  # fmt: skip
        return node("svg", attributes, *parts)

    # Sides

    def _side(self, seat: str) -> Mapping[str, object]:
        return cast(Mapping[str, Mapping[str, object]], self.state["sides"])[seat]

    def _is_top(self, seat: str) -> bool:
        return seat != self.bottom

    def _light(self) -> Node:
        g = self.g
        top = self._is_top(str(self.state.get("player") or self.bottom))
        y, end = (0, g["topPlate"] + g["plate"] + 2) if top else (g["bottomPlate"] - 2, g["height"])
        kind = "light" if self.state.get("player") else "light none"
        return rect(0, y, g["width"], end - y, kind, 10)

    def _hand(self, seat: str) -> list[Node | str]:
        g = self.g
        y = g["topName" if self._is_top(seat) else "bottomName"]
        turn = self.state.get("player") == seat
        parts: list[Node | str] = [text(g["nameX"] + 16, y, "t2 name", self._caption(seat))]
        if turn:
            parts.append(icon("turn", g["nameX"] - 2, y - 13, "icon turn"))
        return parts + self._chips(seat)

    def _caption(self, seat: str) -> str:
        side, say = self._side(seat), self.say
        names = cast(Mapping[str, str], self.words["players"])
        name = clipped(f"{seat} {names.get(seat, '')}".strip(), self.g["nameColumns"])
        if self.how["layout"] == "wide":
            return name
        piles = f"{say['deck']} {size(side['deck'])} · {say['trash']} {size(side['trash'])}"
        return f"{name} · {say['hand']} {size(side['hand'])} · {piles}"

    def _chips(self, seat: str) -> list[Node | str]:
        g, hand = self.g, self._side(seat)["hand"]
        known = [] if self.hide or isinstance(hand, int) else cast(Sequence[str], hand)
        backs = 0 if known else size(hand)
        gone = [ghost for ghost in self.ghosts if ghost["seat"] == seat and ghost["line"] == 0]
        flights = [f for f in self._flights() if f["side"] == seat and not f["line"]]
        y = g["topChips" if self._is_top(seat) else "bottomChips"]
        step = _step(len(known) + len(gone) + len(flights), g["chip"] + 4, g["chipsEnd"] - g["chipsX"], g["chip"])
        parts: list[Node | str] = []
        x = g["chipsX"]
        for card in known:
            parts.append(self._chip(card, x, y, "chip", self.marks.get(card, "")))
            x += step
        small = _step(backs, g["back"] + 4, (g["chipsEnd"] - g["chipsX"]) // 2, g["back"])
        for number in range(backs):
            fresh = self.marks.get(f"hand:{seat}", "") if number == backs - 1 else ""
            parts.append(self._back_chip(x, y, fresh))
            x += small
        if backs:
            parts.append(text(x + 6, y + g["chipHeight"] // 2 + 5, "t1 quiet", f"{self.say['hand']} {backs}"))
            x += 60
        for ghost in gone:
            self.spots[str(ghost["card"])] = (
                x + g["chip"] // 2,
                y + (g["chipHeight"] if self._is_top(seat) else 0),
                "",
            )
            parts.append(self._chip(self._masked(str(ghost["card"])), x, y, "chip ghost", str(ghost["mark"])))
            x += step
        for flight in flights:
            parts.append(self._chip(self._masked(str(flight["card"])), x, y, "chip flight", "commit"))
            x += step
        return parts

    def _chip(self, card: str, x: int, y: int, kind: str, mark: str) -> Node:
        g = self.g
        name = self._name(card)
        parts: list[Node | str] = [node("title", {}, name), rect(x, y, g["chip"], g["chipHeight"], "box")]
        parts.append(text(x + 8, y + g["chipHeight"] // 2 + 5, "t1", clipped(name, 12 if not mark else 9)))
        if mark:
            parts.append(icon(mark, x + g["chip"] - 18, y + g["chipHeight"] // 2 - 8, "icon mark"))
        return self._linked(card, kind + (" changed" if mark else ""), name, parts)

    def _back_chip(self, x: int, y: int, mark: str) -> Node:
        g = self.g
        parts: list[Node | str] = [rect(x, y, g["back"], g["chipHeight"], "box")]
        parts.append(icon(mark or "event", x + g["back"] // 2 - 8, y + g["chipHeight"] // 2 - 8, "icon"))
        return node("g", {"class": "chip back" + (" changed" if mark else "")}, *parts)

    def _piles(self, seat: str) -> list[Node | str]:
        piles = cast("Measures | None", self.g["piles"])
        if not piles:
            return []
        side, say = self._side(seat), self.say
        y = piles["top" if self._is_top(seat) else "bottom"]
        width, height = piles["width"], piles["height"]
        parts: list[Node | str] = []
        for zone, x in (("deck", piles["deckX"]), ("trash", piles["trashX"])):
            count = size(side[zone])
            mark = self.marks.get(f"{zone}:{seat}", "")
            kind = f"pile {zone}" + ("" if count else " none") + (" changed" if mark else "")
            inner: list[Node | str] = [rect(x, y, width, height, "box")]
            if zone == "deck" and count:
                inner.append(icon("control", x + width // 2 - 8, y + height // 2 - 8))
            if mark:
                inner.append(icon(mark, x + width - 20, y + 4, "icon mark"))
            if zone == "trash" and count:
                inner += self._on_top(str(cast(Sequence[str], side["trash"])[-1]), x, y, width)
            inner.append(text(x + width // 2, y + height + 14, "t1 quiet middle", f"{say[zone]} {count}"))
            parts.append(node("g", {"class": kind}, *inner))
        return parts

    def _on_top(self, card: str, x: int, y: int, width: int) -> list[Node | str]:
        entry = self.cards.get(card)
        if not entry:
            return []
        return [
            node("title", {}, str(entry["name"])),
            sign(str(entry["sign"]), x + width // 2 - 8, y + 12),
            text(x + width // 2, y + 48, "t2 middle", str(entry["value"])),
        ]

    # Lines

    def _place(self, line: int) -> tuple[int, int, bool]:
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

    def _line(self, line: int, seats: Sequence[str]) -> list[Node | str]:
        x, width, full = self._place(line)
        parts: list[Node | str] = [
            text(
                x + width // 2, self.g["label"], "t1 quiet middle", f"{self.say['line']} {line}" if full else str(line)
            )
        ]
        for seat in seats:
            parts.append(self._plate(seat, line, x, width, full))
            parts += self._stack(seat, line, x, width, full)
        return parts

    def _plate(self, seat: str, line: int, x: int, width: int, full: bool) -> Node:
        g, side = self.g, self._side(seat)
        y = g["topPlate" if self._is_top(seat) else "bottomPlate"]
        protocol = cast(Sequence[Mapping[str, object]], side["protocols"])[line - 1]
        name, compiled = str(protocol["name"]), bool(protocol["compiled"])
        total = cast(Sequence[int], side["totals"])[line - 1]
        facing = cast(Sequence[int], self._side("B" if seat == "A" else "A")["totals"])[line - 1]
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

    def _extras(self, seat: str, line: int) -> list[tuple[str, str, str]]:
        """What lies beyond the stack: ghosts of what was there, then cards in flight towards it."""
        gone = [
            (str(g["card"]), "ghost", str(g["mark"])) for g in self.ghosts if g["seat"] == seat and g["line"] == line
        ]
        coming = [
            (str(f["card"]) if f["face"] == "up" else self._masked(str(f["card"])), "flight", "commit")
            for f in self._flights()
            if f["side"] == seat and f["line"] == line
        ]
        return gone + coming

    def _flights(self) -> list[dict[str, object]]:
        found = []
        for flight in cast(Sequence[Mapping[str, object]], self.state.get("committed") or ()):
            to = cast(Mapping[str, object], flight["to"])
            line = to.get("line") or 0
            found.append(
                {"card": flight["card"], "face": flight.get("face", "up"), "side": to.get("side"), "line": line}
            )
        return found

    def _stack(self, seat: str, line: int, x: int, width: int, full: bool) -> list[Node | str]:
        g, c = self.g, self.c
        top = self._is_top(seat)
        stack = cast(Sequence[Sequence[Mapping[str, object]]], self._side(seat)["lines"])[line - 1]
        extras = self._extras(seat, line)
        start = g["topPlate"] - c["gap"] if top else g["bottomPlate"] + g["plate"] + c["gap"]
        end = g["topEdge"] if top else g["bottomEdge"]
        room = abs(end - start) - len(extras) * c["extra"]
        heights = self._heights(stack, room) if full else _mini_heights(len(stack), room)
        parts: list[Node | str] = []
        y = start
        for index, lain in enumerate(stack):
            y = y - heights[index] if top else y
            last = index == len(stack) - 1
            parts.append(self._card(lain, seat, line, (x, y, width, heights[index]), last, full))
            y = y if top else y + heights[index]
        for card, kind, mark in extras:
            y = y - c["extra"] if top else y
            edge = y + (2 if top else c["extra"] - 2)
            self.spots[card if kind == "ghost" else f"to:{card}"] = (x + width // 2, edge, "line")
            parts.append(self._extra(card, kind, mark, (x, y + 2, width, c["extra"] - 4), full))
            y = y if top else y + c["extra"]
        return parts

    def _heights(self, stack: Sequence[Mapping[str, object]], room: int) -> list[int]:
        c = self.c
        wanted = [c["stripWithText"] if self._top_text(lain) else c["strip"] for lain in stack[:-1]]
        whole = c["height"] if stack and stack[-1]["face"] == "up" else c["down"]
        left = room - whole
        if sum(wanted) > left:
            wanted = [c["strip"]] * len(wanted)
        if sum(wanted) > left and wanted:
            wanted = [max(c["least"], left // len(wanted))] * len(wanted)
        return [*wanted, whole] if stack else []

    def _top_text(self, lain: Mapping[str, object]) -> str:
        entry = self.cards.get(str(lain["card"]))
        return str(entry.get("top", "")) if entry and lain["face"] == "up" else ""

    def _card(
        self, lain: Mapping[str, object], seat: str, line: int, box: tuple[int, int, int, int], last: bool, full: bool
    ) -> Node:
        card, up = str(lain["card"]), lain["face"] == "up"
        shown = card if up else self._masked(card)
        x, y, width, height = box
        mark = self.marks.get(card, "")
        say = self.say
        said = f"{self._name(shown)}, {say['up' if up else 'down']}, {say['uncovered' if last else 'covered']}"
        kind = f"card {'up' if up else 'down'}" + ("" if last else " under") + (" changed" if mark else "")
        parts: list[Node | str] = [
            node("title", {}, self._whole_text(shown) if up else said),
            rect(x, y, width, height - 1, "box"),
        ]
        if not full:
            parts += self._mini_face(lain, x, y, width, height)
        elif up:
            parts += self._face(card, x, y, width, height, last)
        else:
            parts += self._back(shown, lain, x, y, width, height)
        if mark:
            at = x + width - (62 if full else 20)
            parts.append(icon(mark, at, y + (min(height, 24) - 16) // 2, "icon mark"))
        return self._linked(shown, kind, f"{said}, {seat} {say['line']} {line}", parts, card)

    def _face(self, card: str, x: int, y: int, width: int, height: int, last: bool) -> list[Node | str]:
        c = self.c
        entry = self.cards.get(card) or {"name": card, "sign": "", "value": ""}
        base = y + min(height, c["head"])
        parts: list[Node | str] = [
            sign(str(entry["sign"]), x + 8, base - 20),
            text(x + 32, base - 7, "t2 name", str(entry["name"])),
            text(x + width - 10, base - 4, "t3 end value" if last else "t2 end value", str(entry["value"])),
        ]
        if last:
            return parts + self._boxes(entry, x, y + c["head"], width, height - c["head"] - 1)
        if height >= c["stripWithText"] and entry.get("top"):
            parts.append(text(x + 10, base + 9, "t1 words", clipped(str(entry["top"]), c["columns"])))
        return parts

    def _boxes(self, entry: Mapping[str, object], x: int, y: int, width: int, height: int) -> list[Node | str]:
        c = self.c
        filled = [box for box in BOXES if entry.get(box)]
        thin = 9
        each = (height - thin * (3 - len(filled))) // max(1, len(filled))
        parts: list[Node | str] = []
        for box in BOXES:
            tall = each if box in filled else thin
            parts.append(node("path", {"class": f"rule {box}", "d": f"M{x + 1} {y}h{width - 2}"}))
            if box in filled:
                lines = wrapped(str(entry[box]), c["columns"], LINES_OF_TEXT[len(filled)])
                first = y + (tall - len(lines) * c["line"]) // 2 + 10
                for number, words in enumerate(lines):
                    parts.append(text(x + 10, first + number * c["line"], "t1 words", words))
            y += tall
        return parts

    def _back(
        self, shown: str, lain: Mapping[str, object], x: int, y: int, width: int, height: int
    ) -> list[Node | str]:
        parts: list[Node | str] = [
            node("path", {"class": "back", "d": _hatch(x + 2, y + 2, width - 4, height - 5)}),
        ]
        base = y + min(height, self.c["head"])
        name = self.say["down"] if shown.startswith("?") else f"{self.say['down']} · {self._name(shown)}"
        parts.append(text(x + 12, base - 7, "t1 corner", name))
        if "value" in lain:
            parts.append(text(x + width - 10, base - 6, "t2 end value", str(lain["value"])))
        return parts

    def _mini_face(self, lain: Mapping[str, object], x: int, y: int, width: int, height: int) -> list[Node | str]:
        entry = self.cards.get(str(lain["card"])) if lain["face"] == "up" else None
        if not entry:
            return [node("path", {"class": "back", "d": _hatch(x + 2, y + 2, width - 4, height - 5)})]
        base = y + height // 2 + 4
        return [sign(str(entry["sign"]), x + 4, base - 12), text(x + 32, base, "t1 value", str(entry["value"]))]

    def _extra(self, card: str, kind: str, mark: str, box: tuple[int, int, int, int], full: bool) -> Node:
        x, y, width, height = box
        name = self._name(card)
        said = f"{name}, {self.say['gone' if kind == 'ghost' else 'flying']}"
        parts: list[Node | str] = [node("title", {}, said), rect(x, y, width, height, "box")]
        parts.append(icon(mark, x + 6, y + height // 2 - 8, "icon mark"))
        if full:
            parts.append(text(x + 30, y + height // 2 + 4, "t1", clipped(said, 34)))
        return self._linked(card, kind, said, parts)

    # What lies across

    def _control(self) -> list[Node | str]:
        at = cast(Measures, self.g["control"])
        holder = self.state.get("control")
        where = "neutral" if not holder else "top" if self._is_top(str(holder)) else "bottom"
        mark = " changed" if "control" in self.marks else ""
        said = f"{self.say['control']}: {holder or '—'}"
        parts: list[Node | str] = [node("title", {}, said), icon("control", at["x"] - 8, at[where] - 8, "icon token")]
        if self.how["layout"] == "wide":
            parts.append(text(at["x"], at[where] + 24, "t1 quiet middle", self.say["control"]))
        return [node("g", {"class": f"control{mark}", "role": "img", "aria-label": said}, *parts)]

    def _arrows(self, seat: str) -> list[Node | str]:
        parts: list[Node | str] = []
        for flight in self._flights():
            card = str(flight["card"])
            origin, aim = self.origins.get(card), self.spots.get(f"to:{card}")
            if flight["side"] == seat and origin and aim:
                parts += self._arrow(self.spots.get(card) or self._source(origin, aim), aim, seat)
        return parts

    def _source(self, origin: Sequence[object], aim: tuple[int, int, str]) -> tuple[int, int, str]:
        """Where a card set out from whose ghost is gone: the edge of its line, or of the hand."""
        g, top = self.g, self._is_top(str(origin[0]))
        if origin[1] == "line":
            x, width, _full = self._place(cast(int, origin[2]))
            return x + width // 2, g["topEdge"] if top else g["bottomEdge"], "line"
        return aim[0], g["topChips" if top else "bottomChips"] + (g["chipHeight"] if top else 0), ""

    def _arrow(self, source: tuple[int, int, str], aim: tuple[int, int, str], seat: str) -> list[Node | str]:
        outward = -1 if self._is_top(seat) else 1
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

    # Names

    def _masked(self, card: str) -> str:
        return "?" if self.hide else card

    def _name(self, card: str) -> str:
        if card.startswith("?"):
            return self.say["unknown"]
        entry = self.cards.get(card)
        return str(entry["name"]) if entry else card

    def _whole_text(self, card: str) -> str:
        entry = self.cards.get(card) or {}
        return " / ".join([self._name(card), *(str(entry[box]) for box in BOXES if entry.get(box))])

    def _linked(self, card: str, kind: str, said: str, parts: list[Node | str], handle: str = "") -> Node:
        attributes: dict[str, str | int] = {"class": kind, "data-card": handle or card}
        if card in self.cards:
            link = f"{self.words.get('link', '')}#{card}"
            return node("a", {**attributes, "href": link, "aria-label": said}, *parts)
        return node("g", {**attributes, "role": "img", "aria-label": said}, *parts)


def size(zone: object) -> int:
    """How many cards a zone has, whether they are listed or only counted."""
    return zone if isinstance(zone, int) else len(cast(Sequence[object], zone or ()))


def _step(count: int, wanted: int, room: int, width: int) -> int:
    return wanted if count < 2 else max(6, min(wanted, (room - width) // (count - 1)))


def _mini_heights(count: int, room: int) -> list[int]:
    return [max(12, min(22, room // max(1, count)))] * count


def _hatch(x: int, y: int, width: int, height: int) -> str:
    """Slanted strokes that fill a box, as one path."""
    strokes = []
    for start in range(8, width, 16):
        run = min(height, width - start)
        strokes.append(f"M{x + start} {y + height}l{run} {-run}")
    return "".join(strokes)
