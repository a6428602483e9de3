"""The cards of Compile as they lie: faces, backs, strips, ghosts and cards in flight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from web.drawing.tree import Node, clipped, geometry, icon, node, rect, sign, text, wrapped

BOXES = ("top", "middle", "bottom")
LINES_OF_TEXT = (0, 4, 2, 1)
"""How many lines a box may have, by the number of boxes with a text."""

Json = Mapping[str, object]
Measures = Mapping[str, int]


class Cards:
    """What a picture needs to know, and how it draws a card."""

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

    def side(self, seat: str) -> Mapping[str, object]:
        return cast(Mapping[str, Mapping[str, object]], self.state["sides"])[seat]

    def is_top(self, seat: str) -> bool:
        return seat != self.bottom

    def card(
        self, lain: Mapping[str, object], seat: str, line: int, box: tuple[int, int, int, int], last: bool, full: bool
    ) -> Node:
        card, up = str(lain["card"]), lain["face"] == "up"
        shown = card if up else self.masked(card)
        x, y, width, height = box
        mark = self.marks.get(card, "")
        say = self.say
        said = f"{self.name(shown)}, {say['up' if up else 'down']}, {say['uncovered' if last else 'covered']}"
        kind = f"card {'up' if up else 'down'}" + ("" if last else " under") + (" changed" if mark else "")
        parts: list[Node | str] = [
            node("title", {}, self.whole_text(shown) if up else said),
            rect(x, y, width, height - 1, "box"),
        ]
        if not full:
            parts += self.mini_face(lain, x, y, width, height)
        elif up:
            parts += self.face(card, x, y, width, height, last)
        else:
            parts += self.back(shown, lain, x, y, width, height)
        if mark:
            at = x + width - (62 if full else 20)
            parts.append(icon(mark, at, y + (min(height, 24) - 16) // 2, "icon mark"))
        return self.linked(shown, kind, f"{said}, {seat} {say['line']} {line}", parts, card)

    def face(self, card: str, x: int, y: int, width: int, height: int, last: bool) -> list[Node | str]:
        c = self.c
        entry = self.cards.get(card) or {"name": card, "sign": "", "value": ""}
        base = y + min(height, c["head"])
        parts: list[Node | str] = [
            sign(str(entry["sign"]), x + 8, base - 20),
            text(x + 32, base - 7, "t2 name", str(entry["name"])),
            text(x + width - 10, base - 4, "t3 end value" if last else "t2 end value", str(entry["value"])),
        ]
        if last:
            return parts + self.boxes(entry, x, y + c["head"], width, height - c["head"] - 1)
        if height >= c["stripWithText"] and entry.get("top"):
            parts.append(text(x + 10, base + 9, "t1 words", clipped(str(entry["top"]), c["columns"])))
        return parts

    def boxes(self, entry: Mapping[str, object], x: int, y: int, width: int, height: int) -> list[Node | str]:
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

    def back(self, shown: str, lain: Mapping[str, object], x: int, y: int, width: int, height: int) -> list[Node | str]:
        head = self.c["head"]
        base = y + min(height, head)
        name = self.say["down"] if shown.startswith("?") else f"{self.say['down']} · {self.name(shown)}"
        if height > head:
            strokes = hatch(x + 2, y + head, width - 4, height - head - 3)
        else:
            after = 20 + len(name) * 6
            strokes = hatch(x + after, y + 2, max(0, width - after - 2), height - 5)
        parts: list[Node | str] = [
            node("path", {"class": "back", "d": strokes}),
            text(x + 12, base - 7, "t1 corner", name),
        ]
        if "value" in lain:
            parts.append(text(x + width - 10, base - 6, "t2 end value", str(lain["value"])))
        return parts

    def mini_face(self, lain: Mapping[str, object], x: int, y: int, width: int, height: int) -> list[Node | str]:
        entry = self.cards.get(str(lain["card"])) if lain["face"] == "up" else None
        if not entry:
            return [node("path", {"class": "back", "d": hatch(x + 2, y + 2, width - 4, height - 5)})]
        base = y + height // 2 + 4
        return [sign(str(entry["sign"]), x + 4, base - 12), text(x + 32, base, "t1 value", str(entry["value"]))]

    def top_text(self, lain: Mapping[str, object]) -> str:
        entry = self.cards.get(str(lain["card"]))
        return str(entry.get("top", "")) if entry and lain["face"] == "up" else ""

    def heights(self, stack: Sequence[Mapping[str, object]], room: int) -> list[int]:
        c = self.c
        wanted = [c["stripWithText"] if self.top_text(lain) else c["strip"] for lain in stack[:-1]]
        whole = c["height"] if stack and stack[-1]["face"] == "up" else c["down"]
        left = room - whole
        if sum(wanted) > left:
            wanted = [c["strip"]] * len(wanted)
        if sum(wanted) > left and wanted:
            wanted = [max(c["least"], left // len(wanted))] * len(wanted)
        return [*wanted, whole] if stack else []

    def extra(self, card: str, kind: str, mark: str, box: tuple[int, int, int, int], full: bool) -> Node:
        x, y, width, height = box
        name = self.name(card)
        said = f"{name}, {self.say['gone' if kind == 'ghost' else 'flying']}"
        parts: list[Node | str] = [node("title", {}, said), rect(x, y, width, height, "box")]
        parts.append(icon(mark, x + 6, y + height // 2 - 8, "icon mark"))
        if full:
            parts.append(text(x + 30, y + height // 2 + 4, "t1", clipped(said, 34)))
        return self.linked(card, kind, said, parts)

    def linked(self, card: str, kind: str, said: str, parts: list[Node | str], handle: str = "") -> Node:
        attributes: dict[str, str | int] = {"class": kind, "data-card": handle or card}
        if card in self.cards:
            link = f"{self.words.get('link', '')}#{card}"
            return node("a", {**attributes, "href": link, "aria-label": said}, *parts)
        return node("g", {**attributes, "role": "img", "aria-label": said}, *parts)

    def masked(self, card: str) -> str:
        return "?" if self.hide else card

    def name(self, card: str) -> str:
        if card.startswith("?"):
            return self.say["unknown"]
        entry = self.cards.get(card)
        return str(entry["name"]) if entry else card

    def whole_text(self, card: str) -> str:
        entry = self.cards.get(card) or {}
        return " / ".join([self.name(card), *(str(entry[box]) for box in BOXES if entry.get(box))])


def hatch(x: int, y: int, width: int, height: int) -> str:
    """Slanted strokes that fill a box, as one path."""
    strokes = []
    for start in range(8, width, 16):
        run = min(height, width - start)
        strokes.append(f"M{x + start} {y + height}l{run} {-run}")
    return "".join(strokes)
