"""The two sides of the field: names, hands, decks, trash, control, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from web.drawing.tree import Node, clipped, icon, node, rect, sign, text
from web.tables.compile_cards import Cards, Measures


class Sides(Cards):
    """What lies beside the lines."""

    def light(self) -> Node:
        g = self.g
        top = self.is_top(str(self.state.get("player") or self.bottom))
        y, end = (0, g["topPlate"] + g["plate"] + 2) if top else (g["bottomPlate"] - 2, g["height"])
        kind = "light" if self.state.get("player") else "light none"
        return rect(0, y, g["width"], end - y, kind, 10)

    def hand(self, seat: str) -> list[Node | str]:
        g = self.g
        y = g["topName" if self.is_top(seat) else "bottomName"]
        turn = self.state.get("player") == seat
        parts: list[Node | str] = [text(g["nameX"] + 16, y, "t2 name", self.caption(seat))]
        if turn:
            parts.append(icon("turn", g["nameX"] - 2, y - 13, "icon turn"))
        return parts + self.chips(seat)

    def caption(self, seat: str) -> str:
        side, say = self.side(seat), self.say
        names = cast(Mapping[str, str], self.words["players"])
        name = clipped(f"{seat} {names.get(seat, '')}".strip(), self.g["nameColumns"])
        if self.how["layout"] == "wide":
            return name
        piles = f"{say['deck']} {size(side['deck'])} · {say['trash']} {size(side['trash'])}"
        return f"{name} · {say['hand']} {size(side['hand'])} · {piles}"

    def chips(self, seat: str) -> list[Node | str]:
        g, hand = self.g, self.side(seat)["hand"]
        known = [] if self.hide or isinstance(hand, int) else cast(Sequence[str], hand)
        backs = 0 if known else size(hand)
        gone = [ghost for ghost in self.ghosts if ghost["seat"] == seat and ghost["line"] == 0]
        flights = [f for f in self.flights() if f["side"] == seat and not f["line"]]
        y = g["topChips" if self.is_top(seat) else "bottomChips"]
        step = step_of(len(known) + len(gone) + len(flights), g["chip"] + 4, g["chipsEnd"] - g["chipsX"], g["chip"])
        parts: list[Node | str] = []
        x = g["chipsX"]
        for card in known:
            parts.append(self.chip(card, x, y, "chip", self.marks.get(card, "")))
            x += step
        small = step_of(backs, g["back"] + 4, (g["chipsEnd"] - g["chipsX"]) // 2, g["back"])
        for number in range(backs):
            fresh = self.marks.get(f"hand:{seat}", "") if number == backs - 1 else ""
            parts.append(self.back_chip(x, y, fresh))
            x += small
        if backs:
            parts.append(text(x + 6, y + g["chipHeight"] // 2 + 5, "t1 quiet", f"{self.say['hand']} {backs}"))
            x += 60
        for ghost in gone:
            self.spots[str(ghost["card"])] = (
                x + g["chip"] // 2,
                y + (g["chipHeight"] if self.is_top(seat) else 0),
                "",
            )
            parts.append(self.chip(self.masked(str(ghost["card"])), x, y, "chip ghost", str(ghost["mark"])))
            x += step
        for flight in flights:
            parts.append(self.chip(self.masked(str(flight["card"])), x, y, "chip flight", "commit"))
            x += step
        return parts

    def chip(self, card: str, x: int, y: int, kind: str, mark: str) -> Node:
        g = self.g
        name = self.name(card)
        parts: list[Node | str] = [node("title", {}, name), rect(x, y, g["chip"], g["chipHeight"], "box")]
        parts.append(text(x + 6, y + g["chipHeight"] // 2 + 5, "t1", clipped(name, 12 if not mark else 9)))
        if mark:
            parts.append(icon(mark, x + g["chip"] - 18, y + g["chipHeight"] // 2 - 8, "icon mark"))
        return self.linked(card, kind + (" changed" if mark else ""), name, parts)

    def back_chip(self, x: int, y: int, mark: str) -> Node:
        g = self.g
        parts: list[Node | str] = [rect(x, y, g["back"], g["chipHeight"], "box")]
        parts.append(icon(mark or "event", x + g["back"] // 2 - 8, y + g["chipHeight"] // 2 - 8, "icon"))
        return node("g", {"class": "chip back" + (" changed" if mark else "")}, *parts)

    def piles(self, seat: str) -> list[Node | str]:
        piles = cast("Measures | None", self.g["piles"])
        if not piles:
            return []
        side, say = self.side(seat), self.say
        y = piles["top" if self.is_top(seat) else "bottom"]
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
                inner += self.on_top(str(cast(Sequence[str], side["trash"])[-1]), x, y, width)
            inner.append(text(x + width // 2, y + height + 14, "t1 quiet middle", say[zone]))
            inner.append(text(x + width // 2, y + height + 29, "t2 middle", str(count)))
            parts.append(node("g", {"class": kind}, *inner))
        return parts

    def on_top(self, card: str, x: int, y: int, width: int) -> list[Node | str]:
        entry = self.cards.get(card)
        if not entry:
            return []
        return [
            node("title", {}, str(entry["name"])),
            sign(str(entry["sign"]), x + width // 2 - 8, y + 12),
            text(x + width // 2, y + 48, "t2 middle", str(entry["value"])),
        ]

    def flights(self) -> list[dict[str, object]]:
        found = []
        for flight in cast(Sequence[Mapping[str, object]], self.state.get("committed") or ()):
            to = cast(Mapping[str, object], flight["to"])
            line = to.get("line") or 0
            found.append(
                {"card": flight["card"], "face": flight.get("face", "up"), "side": to.get("side"), "line": line}
            )
        return found

    def control(self) -> list[Node | str]:
        at = cast(Measures, self.g["control"])
        holder = self.state.get("control")
        where = "neutral" if not holder else "top" if self.is_top(str(holder)) else "bottom"
        mark = " changed" if "control" in self.marks else ""
        said = f"{self.say['control']}: {holder or '—'}"
        parts: list[Node | str] = [node("title", {}, said), icon("control", at["x"] - 8, at[where] - 8, "icon token")]
        if self.how["layout"] == "wide":
            parts.append(text(at["x"], at[where] + 24, "t1 quiet middle", self.say["control"]))
        return [node("g", {"class": f"control{mark}", "role": "img", "aria-label": said}, *parts)]


def size(zone: object) -> int:
    """How many cards a zone has, whether they are listed or only counted."""
    return zone if isinstance(zone, int) else len(cast(Sequence[object], zone or ()))


def step_of(count: int, wanted: int, room: int, width: int) -> int:
    return wanted if count < 2 else max(6, min(wanted, (room - width) // (count - 1)))
