"""A table across as a picture that stands alone: two sides, columns of stacks, hands, heaps, what is on its way."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.scene import Area, Card, Counter, Face, Scene, Token, Zone, card_name, shown_down
from audit.core.scene_changes import Changes
from web.drawing.tree import Attributes, Node, badge, clipped, hatch, icon, node, outline, rect, text
from web.drawing.words import Tints, fitting, text_width
from web.scenes.board_layout import (
    AROUND,
    BACK,
    CHIP_HEIGHT,
    COLUMN,
    COLUMN_STEP,
    EXTRA,
    GAP,
    HEAD,
    LEFT,
    LINE,
    PLATE,
    ROW,
    STRIP_WITH_TEXT,
    THIN,
    WIDTH,
    Half,
    Label,
    Needs,
    hand_of,
    heights,
    labels_of,
    layout,
    lines_of,
    needs_of,
    packed,
    step_of,
    texts_height,
)
from web.scenes.cards import How, called, kinds, whole_text
from web.scenes.facing import stacks_of

Spot = tuple[int, int, bool]
"""A point, and whether it is the end of a stack."""


def board(scene: Scene, changes: Changes, how: How, signs: Mapping[str, str], needs: Needs | None = None) -> Node:
    """The picture, with room for what it needs, or for more."""
    found = Board(scene, changes, how, signs, needs or needs_of(scene, changes, how.get("bottom", "")))
    attributes: Attributes = {
        "viewBox": f"0 0 {WIDTH} {found.layout.height}", "class": "field", "role": "group", "aria-label": scene.title,
    }  # fmt: skip
    drawn = found.drawn()
    return node("svg", attributes, *found.tints.patterns(), *drawn)


class Board:
    """One picture in the making."""

    def __init__(self, scene: Scene, changes: Changes, how: How, signs: Mapping[str, str], needs: Needs) -> None:
        self.said, self.changes, self.how, self.signs = scene.captions, changes, how, signs
        self.tints, self.kinds = Tints(), scene.tints
        self.marks = {**changes.marks, **dict.fromkeys(changes.struck, changes.verdict)}
        one, other = [part for part in scene.area.parts if isinstance(part, Area)][:2]
        self.is_turned = how.get("bottom") == other.owner
        above, below = (one, other) if self.is_turned else (other, one)
        self.columns = len(stacks_of(one))
        self.layout = layout(needs)
        self.sides = ((above, self.layout.top), (below, self.layout.bottom))
        self.token = next((part for part in scene.area.parts if isinstance(part, Token)), None)
        self.spots: dict[str, Spot] = {}
        self.aims: dict[str, Spot] = {}

    def drawn(self) -> list[Node | str]:
        """Everything, what lies above the rest last."""
        parts: list[Node | str] = []
        for side, half in self.sides:
            parts += [self.light(half)] if side.is_turn else []
        for side, half in self.sides:
            parts += [*self.hand(side, half), *self.heaps(side, half)]
        for number, zone in enumerate(stacks_of(self.sides[0][0])):
            parts.append(self.lane(number))
            parts.append(text(self.column_at(number) + COLUMN // 2, self.layout.label, "t1 quiet middle", zone.title))
            for side, half in self.sides:
                parts += self.stack(side, stacks_of(side)[number], half, self.column_at(number))
        if self.token and not self.token.at:
            parts.append(self.held_token(self.token, WIDTH - LEFT - 20, self.layout.label - 13))
        return [*parts, *self.arrows()]

    def light(self, half: Half) -> Node:
        """The light on the side whose turn it is."""
        start, end = (0, half.plate + PLATE + 2) if half.is_top else (half.plate - 2, self.layout.height)
        return rect(0, start, WIDTH, end - start, "light", 10)

    def lane(self, number: int) -> Node:
        """The ground of a column, lit where something happens in it."""
        keys = {stacks_of(side)[number].key for side, _half in self.sides}
        kind = "lane lit" if self.changes.focus in keys else "lane"
        above, below = (half.edge for _side, half in self.sides)
        return rect(self.column_at(number) - 1, above - 3, COLUMN + 2, below - above + 6, kind, 8)

    def ground(self, sign: str, x: int, y: int, width: int, height: int, radius: int = 4) -> list[Node]:
        """The colour and pattern of a sign; nothing for one without."""
        return self.tints.ground(self.kinds.get(sign, ""), x, y, width, height, radius)

    def column_at(self, number: int) -> int:
        """Where a column begins; on a table turned round the last one comes first."""
        return LEFT + (self.columns - 1 - number if self.is_turned else number) * COLUMN_STEP

    # Hands and heaps

    def hand(self, side: Area, half: Half) -> list[Node | str]:
        """The name of a side, and its hand as labels or as backs."""
        seat, name = side.title, clipped(called(self.how, side.owner), 14)
        parts: list[Node | str] = [text(LEFT + 18, half.name, "t2 name", name)]
        x = LEFT + 18 + text_width(name, strong=True) + 6
        if seat != called(self.how, side.owner):
            parts.append(text(x, half.name, "t1 quiet", clipped(seat, 8)))
            x += text_width(clipped(seat, 8)) + 6
        if side.is_turn:
            parts.append(icon("turn", LEFT, half.name - 13, "icon turn"))
        if self.token and self.token.at == side.owner:
            parts.append(self.held_token(self.token, x + 4, half.name - 13))
        return parts + self.chips(side, half)

    def titled(self, sign: str, title: str, x: int, y: int, room: int) -> list[Node]:
        """A sign and a name at the baseline `y`; where there is no room for both, the name alone."""
        has_sign = bool(sign) and text_width(title, strong=True) <= room - 22
        name = text(x + (22 if has_sign else 0), y, "t2 name", fitting(title, room - (22 if has_sign else 0)))
        return [self.sign(sign, x, y - 13), name] if has_sign else [name]

    def became(self, key: str, mark: str) -> dict[str, bool]:
        """What has become of a thing: it has changed, it was wrong to touch it, it could have been touched."""
        wrong, could = key in self.changes.struck, key in self.changes.could
        return {"changed": bool(mark) and not wrong, "wrong": wrong, "possible": could and not wrong}

    def chips(self, side: Area, half: Half) -> list[Node | str]:
        """The cards of a hand, row by row."""
        hand, labels = hand_of(side), labels_of(side, self.changes, self.said)
        parts: list[Node | str] = []
        y = half.chips
        if hand.count:
            self.backs(hand, y, parts)
            y += ROW
        for label, (row, x) in zip(labels, packed(labels), strict=True):
            if label.kind == "chip ghost":
                self.spots[label.card.key] = (x + label.width // 2, half.inner, False)
            parts.append(self.chip(label, x, y + ROW * row))
        return parts

    def backs(self, hand: Zone, y: int, parts: list[Node | str]) -> None:
        """As many backs as there are cards, and their number."""
        count, x = hand.count or 0, LEFT
        step = step_of(count, BACK + 4, WIDTH // 2, BACK)
        for number in range(1, count + 1):
            mark = self.marks.get(hand.key, "") if number == count else ""
            inner = icon(mark or "event", x + BACK // 2 - 8, y + CHIP_HEIGHT // 2 - 8, "icon")
            box = rect(x, y, BACK, CHIP_HEIGHT, "box")
            parts.append(node("g", {"class": kinds("chip back", {"changed": bool(mark)})}, box, inner))
            x += step
        parts.append(text(x + 6, y + CHIP_HEIGHT // 2 + 5, "t1 quiet", f"{hand.title} {count}"))

    def chip(self, label: Label, x: int, y: int) -> Node:
        """A card as a small label."""
        card, face, wide = label.card, label.card.face or Face(""), label.width
        mark = label.mark or self.marks.get(card.key, "")
        parts = [node("title", {}, label.name), rect(x, y, wide, CHIP_HEIGHT, "box")]
        if face.sign and label.kind == "chip":
            parts += self.ground(face.sign, x + 1, y + 1, wide - 2, CHIP_HEIGHT - 2)
        parts += self.titled(face.sign, label.name, x + 6, y + 18, wide - 12 - (18 if mark else 0))
        if mark:
            parts += badge(mark, x + wide - 20, y + 5)
        attributes: Attributes = {"class": kinds(label.kind, self.became(card.key, mark)), "data-key": card.key}
        return node("g", attributes, *parts)

    def heaps(self, side: Area, half: Half) -> list[Node | str]:
        """The heaps of a side, each with its number, from the right end of the line with its name."""
        x, found = WIDTH - LEFT, list[Node | str]()
        for zone in reversed([part for part in side.parts if isinstance(part, Zone) and part.layout == "pile"]):
            x -= text_width(zone.size, strong=True) + text_width(zone.title) + 4
            found.append(self.heap(zone, x, half.name))
            x -= 32 if zone.key in self.marks else 14
        return found

    def heap(self, zone: Zone, x: int, y: int) -> Node:
        """The name of a heap and how many cards lie there."""
        mark, after = self.marks.get(zone.key, ""), x + text_width(zone.title) + 4
        parts = [text(x, y, "t1 quiet", zone.title), text(after, y, "t2 name", zone.size)]
        parts += badge(mark, x - 22, y - 13) if mark else []
        flags = {"none": zone.size == "0", **self.became(zone.key, mark)}
        return node("g", {"class": kinds(f"pile {zone.role}", flags), "data-key": zone.key}, *parts)

    def held_token(self, token: Token, x: int, y: int) -> Node:
        """What one side has or neither."""
        said = f"{token.title}: {called(self.how, token.at) or '—'}"
        kind = kinds("control", {"changed": token.key in self.marks})
        attributes: Attributes = {"class": kind, "data-key": token.key, "role": "img", "aria-label": said}
        return node("g", attributes, node("title", {}, said), icon("token", x, y, "icon token"))

    # Stacks

    def stack(self, side: Area, zone: Zone, half: Half, x: int) -> list[Node | str]:
        """A stack from its head outwards, then what was there and what is to come."""
        extras = [(ghost.card, "ghost", ghost.mark) for ghost in self.changes.ghosts if ghost.zone == zone.key]
        extras += [(card, "flight", "commit") for card in zone.coming]
        y = half.plate - GAP if half.is_top else half.plate + PLATE + GAP
        tall = heights(zone.cards, abs(half.edge - y) - len(extras) * EXTRA)
        parts: list[Node | str] = [self.plate(side, zone, half, x)]
        for number, card in enumerate(zone.cards):
            y -= tall[number] if half.is_top else 0
            parts.append(
                self.card(
                    card, (x, y, tall[number]), f"{called(self.how, side.owner)} {zone.title}", number == len(tall) - 1
                )
            )
            y += 0 if half.is_top else tall[number]
        for card, kind, mark in extras:
            y -= EXTRA if half.is_top else 0
            spot = (x + COLUMN // 2, y + (2 if half.is_top else EXTRA - 2), True)
            (self.spots if kind == "ghost" else self.aims)[card.key] = spot
            parts.append(self.extra(card, kind, mark, x, y + 2))
            y += 0 if half.is_top else EXTRA
        return parts

    def plate(self, side: Area, zone: Zone, half: Half, x: int) -> Node:
        """What stands at the head of a stack, and its total."""
        head, y = zone.head or Counter("", "", ""), half.plate
        mark = self.marks.get(head.key, "")
        done = f", {self.said['done']}" if head.done else ""
        said = f"{called(self.how, side.owner)}, {zone.title}: {head.title}{done}, {self.said['total']} {head.value}"
        has_room = text_width(head.title, strong=True) <= COLUMN - 66 - 24 * bool(mark)
        signs = [("legal", "icon done")] * (head.done and has_room) + [(mark, "icon mark")] * bool(mark)
        parts = [node("title", {}, said), *self.ground(head.sign, x, y, COLUMN, PLATE, 6)]
        parts += [rect(x, y, COLUMN, PLATE, "box", 6)]
        parts += self.titled(head.sign, head.title, x + 6, y + 20, COLUMN - 42 - 24 * len(signs))
        parts.append(node("circle", {"cx": x + COLUMN - 18, "cy": y + 15, "r": 13, "class": "sum"}))
        shown = kinds("t2 middle total", {"lead": head.leads})
        parts.append(text(x + COLUMN - 18, y + 20, shown, head.value))
        for number, (name, look) in enumerate(signs):
            parts += badge(name, x + COLUMN - 56 - 24 * number, y + 7, look)
        kind = kinds("plate", {"done": head.done, **self.became(head.key, mark)})
        return node("g", {"class": kind, "data-key": head.key, "role": "img", "aria-label": said}, *parts)

    def card(self, card: Card, box: tuple[int, int, int], where: str, is_last: bool) -> Node:
        """A card of a stack."""
        (x, y, height), mark = box, self.marks.get(card.key, "")
        state = f"{self.said['down' if card.down else 'up']}, {self.said['top' if is_last else 'under']}"
        said = f"{card_name(card, self.said)}, {state}, {where}"
        title = whole_text(card.face) if card.face and not card.down else said
        parts = [node("title", {}, title), rect(x, y, COLUMN, height - 1, "box")]
        if card.down:
            parts += self.back(card, x, y, height)
        else:
            parts += self.face(card.face or Face(""), (x, y, height), is_last, bool(mark))
        if mark:
            parts += badge(mark, x + COLUMN - 22, y + (min(height, HEAD) - 16) // 2)
        flags = {"down": card.down, "up": not card.down, "under": not is_last, **self.became(card.key, mark)}
        attributes: Attributes = {
            "class": kinds("card", flags),
            "data-key": card.key,
            "role": "img",
            "aria-label": said,
        }
        return node("g", attributes, *parts)

    def face(self, face: Face, box: tuple[int, int, int], is_last: bool, is_marked: bool) -> list[Node]:
        """A face: name and value, and the texts where there is room. The value is not said twice."""
        x, y, height = box
        base = y + min(height, HEAD)
        value = "" if is_marked or face.title.endswith(face.value) else face.value
        parts = self.ground(face.sign, x + 1, y + 1, COLUMN - 2, min(height, HEAD) - 3)
        room = COLUMN - 12 - (18 if is_marked else text_width(value) + 4 if value else 0)
        parts += self.titled(face.sign, face.title, x + 6, base - 8, room)
        parts += [text(x + COLUMN - 6, base - 8, "t2 end value", value)] if value else []
        if is_last:
            return parts + self.texts(face, x, y + HEAD, height - HEAD - 1)
        if height >= STRIP_WITH_TEXT:
            parts.append(text(x + 7, base + 11, "t1 words", face.texts[0][1] if face.texts else ""))
        return parts

    def texts(self, face: Face, x: int, y: int, height: int) -> list[Node]:
        """The texts of a card, each in its place."""
        filled = sum(bool(words) for _, words in face.texts)
        room = max(0, height - texts_height(face)) // max(1, filled)
        left = (height - THIN * (len(face.texts) - filled) - AROUND * filled) // LINE
        parts = []
        for _, words in face.texts:
            lines = lines_of(words)[: max(0, left)]
            left -= len(lines)
            tall = len(lines) * LINE + AROUND + room if words else THIN
            parts.append(node("path", {"class": "rule", "d": f"M{x + 1} {y}h{COLUMN - 2}"}))
            first = y + (tall - len(lines) * LINE) // 2 + 11
            parts += [text(x + 6, first + at * LINE, "t1 words", line) for at, line in enumerate(lines)]
            y += tall
        return parts

    def back(self, card: Card, x: int, y: int, height: int) -> list[Node]:
        """A back, hatched, with what it is for those who know."""
        base, name = y + min(height, HEAD), shown_down(card, self.said)
        if card.face and text_width(name) > COLUMN - 34:
            name = fitting(card.face.title, COLUMN - 34)
        if height > HEAD:
            strokes = hatch(x + 2, y + HEAD, COLUMN - 4, height - HEAD - 3)
        else:
            after = 20 + text_width(name)
            strokes = hatch(x + after, y + 2, max(0, COLUMN - after - 2), height - 5)
        parts = [node("path", {"class": "back", "d": strokes}), text(x + 7, base - 7, "t1 corner", name)]
        return [*parts, text(x + COLUMN - 8, base - 6, "t2 end value", card.value)] if card.value else parts

    def extra(self, card: Card, kind: str, mark: str, x: int, y: int) -> Node:
        """A card that was here, or that comes here."""
        said = f"{card_name(card, self.said)}, {self.said['gone' if kind == 'ghost' else 'coming']}"
        height = EXTRA - 4
        parts = [node("title", {}, said), rect(x, y, COLUMN, height, "box")]
        parts.append(icon(mark, x + 6, y + height // 2 - 8, "icon mark"))
        parts.append(text(x + 26, y + height // 2 + 5, "t1", fitting(said, COLUMN - 30)))
        return node("g", {"class": kind, "data-key": card.key, "role": "img", "aria-label": said}, *parts)

    # Arrows

    def arrows(self) -> list[Node]:
        """From where each card on its way set out to where it will lie."""
        parts = []
        for side, half in self.sides:
            for zone in stacks_of(side):
                for card in zone.coming:
                    origin = self.changes.origins.get(card.key)
                    if origin:
                        aim = self.aims[card.key]
                        parts += arrow(self.spots.get(card.key) or self.source(origin, aim), aim, half)
        return parts

    def source(self, origin: str, aim: Spot) -> Spot:
        """Where a card set out whose ghost is gone: the edge of its stack, or of the hand."""
        for side, half in self.sides:
            for number, zone in enumerate(stacks_of(side)):
                if zone.key == origin:
                    return self.column_at(number) + COLUMN // 2, half.edge, True
            if any(isinstance(part, Zone) and part.key == origin for part in side.parts):
                return aim[0], half.inner, False
        return aim

    def sign(self, name: str, x: int, y: int) -> Node:
        """One of the game's signs."""
        return outline(self.signs.get(name, self.signs[""]), x, y, "sign")


def arrow(source: Spot, aim: Spot, half: Half) -> list[Node]:
    """A dashed curve that bends outwards between two stacks."""
    outward = -1 if half.is_top else 1
    (x, y, is_stack), (to_x, to_y, _) = source, aim
    middle = (y + to_y) // 2
    bend = f"{x} {y + outward * 26} {to_x} {to_y + outward * 26}" if is_stack else f"{x} {middle} {to_x} {middle}"
    tip = to_y + outward * 3
    head = f"M{to_x - 5} {tip + outward * 6}L{to_x} {tip}L{to_x + 5} {tip + outward * 6}"
    return [
        node("path", {"class": "arrow", "d": f"M{x} {y}C{bend} {to_x} {tip}"}),
        node("path", {"class": "arrow head", "d": head}),
    ]
