"""A table across as a picture that stands alone: two sides, columns of stacks, hands, heaps, what is on its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.core.scene import Area, Card, Counter, Face, Scene, Token, Zone, card_name, shown_down
from audit.core.scene_changes import Changes
from web.drawing.tints import Tints
from web.drawing.tree import Attributes, Node, badge, clipped, hatch, icon, node, outline, rect, text
from web.drawing.words import fitting, text_width
from web.scenes.board_layout import (
    AROUND,
    BACK,
    CHIP,
    CHIP_HEIGHT,
    CHIPS_FROM,
    CHIPS_TO,
    COLUMN,
    COLUMN_STEP,
    EXTRA,
    GAP,
    HEAD,
    HEAP_HEIGHT,
    HEAP_WIDTH,
    HEAPS,
    LEFT,
    LINE,
    PLATE,
    ROOM,
    STRIP_WITH_TEXT,
    THIN,
    TOKEN_X,
    WIDTH,
    Half,
    heights,
    layout,
    lines_of,
    room_for,
    step_of,
    texts_height,
)
from web.scenes.cards import How, called, kinds, whole_text
from web.scenes.facing import stacks_of

Spot = tuple[int, int, bool]
"""A point, and whether it is the end of a stack."""


def board(scene: Scene, changes: Changes, how: How, signs: Mapping[str, str]) -> Node:
    """The picture."""
    found = Board(scene, changes, how, signs)
    attributes: Attributes = {
        "viewBox": f"0 0 {WIDTH} {found.layout.height}", "class": "field", "role": "group", "aria-label": scene.title,
    }  # fmt: skip
    drawn = found.drawn()
    return node("svg", attributes, *found.tints.patterns(), *drawn)


class Board:
    """One picture in the making."""

    def __init__(self, scene: Scene, changes: Changes, how: How, signs: Mapping[str, str]) -> None:
        self.said, self.changes, self.how, self.signs = scene.captions, changes, how, signs
        self.tints, self.kinds = Tints(), scene.tints
        self.marks = {**changes.marks, **dict.fromkeys(changes.struck, changes.verdict)}
        one, other = [part for part in scene.area.parts if isinstance(part, Area)][:2]
        self.is_turned = how.get("bottom") == other.owner
        above, below = (one, other) if self.is_turned else (other, one)
        self.columns = len(stacks_of(one))
        self.layout = layout(room_for(scene, changes) if how.get("low") else ROOM)
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
        parts += self.held_token()
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
        return rect(self.column_at(number) - 3, above - 3, COLUMN + 6, below - above + 6, kind, 8)

    def ground(self, sign: str, x: int, y: int, width: int, height: int, radius: int = 4) -> list[Node]:
        """The colour and pattern of a sign; nothing for one without."""
        return self.tints.ground(self.kinds.get(sign, ""), x, y, width, height, radius)

    def column_at(self, number: int) -> int:
        """Where a column begins; on a table turned round the last one comes first."""
        return LEFT + (self.columns - 1 - number if self.is_turned else number) * COLUMN_STEP

    # Hands and heaps

    def hand(self, side: Area, half: Half) -> list[Node | str]:
        """The name of a side, and its hand as labels or as backs."""
        seat, name = side.title, called(self.how, side.owner)
        parts: list[Node | str] = [text(LEFT + 16, half.name - 8, "t2 name", clipped(name, 14))]
        parts += [text(LEFT + 16, half.name + 10, "t1 quiet", clipped(seat, 16))] if seat != name else []
        if side.is_turn:
            parts.append(icon("turn", LEFT - 2, half.name - 21, "icon turn"))
        zones = [part for part in side.parts if isinstance(part, Zone) and part.layout != "stack"]
        hand = next(zone for zone in zones if zone.role == "hand")
        return parts + self.chips(hand, [card for zone in zones for card in zone.coming], half)

    def became(self, key: str, mark: str) -> dict[str, bool]:
        """What has become of a thing: it has changed, it was wrong to touch it, it could have been touched."""
        wrong, could = key in self.changes.struck, key in self.changes.could
        return {"changed": bool(mark) and not wrong, "wrong": wrong, "possible": could and not wrong}

    def chips(self, hand: Zone, coming: Sequence[Card], half: Half) -> list[Node | str]:
        """Cards in a hand, those that left it in this step, those on their way to it."""
        gone = [ghost for ghost in self.changes.ghosts if ghost.zone == hand.key]
        step = step_of(len(hand.cards) + len(gone) + len(coming), CHIP + 4, CHIPS_TO - CHIPS_FROM, CHIP)
        x, parts = CHIPS_FROM, list[Node | str]()
        for card in hand.cards:
            parts.append(self.chip(card, x, half, "chip", self.marks.get(card.key, "")))
            x += step
        if hand.count:
            x = self.backs(hand, x, half, parts)
        for ghost in gone:
            self.spots[ghost.card.key] = (x + CHIP // 2, half.chips + (CHIP_HEIGHT if half.is_top else 0), False)
            parts.append(self.chip(ghost.card, x, half, "chip ghost", ghost.mark))
            x += step
        for card in coming:
            parts.append(self.chip(card, x, half, "chip flight", "commit"))
            x += step
        return parts

    def backs(self, hand: Zone, x: int, half: Half, parts: list[Node | str]) -> int:
        """As many backs as there are cards, and their number; where they end."""
        count = hand.count or 0
        step = step_of(count, BACK + 4, (CHIPS_TO - CHIPS_FROM) // 2, BACK)
        for number in range(1, count + 1):
            mark = self.marks.get(hand.key, "") if number == count else ""
            inner = icon(mark or "event", x + BACK // 2 - 8, half.chips + CHIP_HEIGHT // 2 - 8, "icon")
            box = rect(x, half.chips, BACK, CHIP_HEIGHT, "box")
            parts.append(node("g", {"class": kinds("chip back", {"changed": bool(mark)})}, box, inner))
            x += step
        parts.append(text(x + 6, half.chips + CHIP_HEIGHT // 2 + 5, "t1 quiet", f"{hand.title} {count}"))
        return x + 60

    def chip(self, card: Card, x: int, half: Half, kind: str, mark: str) -> Node:
        """A card as a small label."""
        name, y, face = card_name(card, self.said), half.chips, card.face or Face("")
        parts = [node("title", {}, name), rect(x, y, CHIP, CHIP_HEIGHT, "box")]
        if face.sign and kind == "chip":
            parts += self.ground(face.sign, x + 1, y + 1, CHIP - 2, HEAD)
        if face.sign:
            parts.append(self.sign(face.sign, x + 6, y + 6))
        parts.append(text(x + (28 if face.sign else 8), y + 19, "t1 name", fitting(name, CHIP - 30)))
        parts.append(text(x + CHIP - 8, y + CHIP_HEIGHT - 5, "t2 end value", face.value))
        if mark:
            parts.append(icon(mark, x + 6, y + CHIP_HEIGHT - 19, "icon mark"))
        attributes: Attributes = {"class": kinds(kind, self.became(card.key, mark)), "data-key": card.key}
        return node("g", attributes, *parts)

    def heaps(self, side: Area, half: Half) -> list[Node | str]:
        """The heaps of a side, each with its number and, where all may see it, the card on top."""
        zones = [part for part in side.parts if isinstance(part, Zone) and part.layout == "pile"]
        return [self.heap(zone, x, half) for zone, x in zip(zones, HEAPS, strict=False)]

    def heap(self, zone: Zone, x: int, half: Half) -> Node:
        y, middle, mark = half.heap, x + HEAP_WIDTH // 2, self.marks.get(zone.key, "")
        parts = [rect(x, y, HEAP_WIDTH, HEAP_HEIGHT, "box")]
        if zone.role == "deck" and zone.size != "0":
            parts.append(icon("token", middle - 8, y + HEAP_HEIGHT // 2 - 8))
        if mark:
            parts.append(icon(mark, x + HEAP_WIDTH - 20, y + 4, "icon mark"))
        top = zone.cards[-1].face if zone.cards and zone.role == "discard" else None
        if top:
            parts += [node("title", {}, top.title), self.sign(top.sign, middle - 8, y + 12)]
            parts.append(text(middle, y + 48, "t2 middle", top.value))
        parts.append(text(middle, y + HEAP_HEIGHT + 14, "t1 quiet middle", zone.title))
        parts.append(text(middle, y + HEAP_HEIGHT + 29, "t2 middle", zone.size))
        flags = {"none": zone.size == "0", **self.became(zone.key, mark)}
        return node("g", {"class": kinds(f"pile {zone.role}", flags), "data-key": zone.key}, *parts)

    def held_token(self) -> list[Node]:
        """What one side has or neither, on that side."""
        if not self.token:
            return []
        y = next((half.token for side, half in self.sides if side.owner == self.token.at), self.layout.neutral)
        said = f"{self.token.title}: {called(self.how, self.token.at) or '—'}"
        parts = [node("title", {}, said), icon("token", TOKEN_X - 8, y - 8, "icon token")]
        parts.append(text(TOKEN_X, y + 24, "t1 quiet middle", self.token.title))
        kind = kinds("control", {"changed": self.token.key in self.marks})
        return [node("g", {"class": kind, "data-key": self.token.key, "role": "img", "aria-label": said}, *parts)]

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
        parts = [node("title", {}, said), *self.ground(head.sign, x, y, COLUMN, PLATE, 6)]
        parts += [rect(x, y, COLUMN, PLATE, "box", 6), self.sign(head.sign, x + 10, y + 10)]
        parts.append(text(x + 34, y + 23, "t2 name", head.title))
        parts.append(node("circle", {"cx": x + COLUMN - 20, "cy": y + 18, "r": 15, "class": "sum"}))
        shown = kinds("t2 middle total", {"lead": head.leads})
        parts.append(text(x + COLUMN - 20, y + 23, shown, head.value))
        parts += badge("legal", x + 166, y + 10, "icon done") if head.done else []
        parts += badge(mark, x + 190, y + 10) if mark else []
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
            parts += self.face(card.face or Face(""), x, y, height, is_last)
        if mark:
            parts += badge(mark, x + COLUMN - 62, y + (min(height, HEAD) - 16) // 2)
        flags = {"down": card.down, "up": not card.down, "under": not is_last, **self.became(card.key, mark)}
        attributes: Attributes = {
            "class": kinds("card", flags),
            "data-key": card.key,
            "role": "img",
            "aria-label": said,
        }
        return node("g", attributes, *parts)

    def face(self, face: Face, x: int, y: int, height: int, is_last: bool) -> list[Node]:
        """A face: name and value, and the texts where there is room."""
        base = y + min(height, HEAD)
        parts = self.ground(face.sign, x + 1, y + 1, COLUMN - 2, min(height, HEAD) - 3)
        parts += [self.sign(face.sign, x + 8, base - 21), text(x + 32, base - 8, "t2 name", face.title)]
        parts.append(text(x + COLUMN - 10, base - 8, "t2 end value", face.value))
        if is_last:
            return parts + self.texts(face, x, y + HEAD, height - HEAD - 1)
        if height >= STRIP_WITH_TEXT:
            parts.append(text(x + 10, base + 11, "t1 words", face.texts[0][1] if face.texts else ""))
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
            parts += [text(x + 10, first + at * LINE, "t1 words", line) for at, line in enumerate(lines)]
            y += tall
        return parts

    def back(self, card: Card, x: int, y: int, height: int) -> list[Node]:
        """A back, hatched, with what it is for those who know."""
        base, name = y + min(height, HEAD), shown_down(card, self.said)
        if card.face and text_width(name) > COLUMN - 50:
            name = card.face.title
        if height > HEAD:
            strokes = hatch(x + 2, y + HEAD, COLUMN - 4, height - HEAD - 3)
        else:
            after = 20 + text_width(name)
            strokes = hatch(x + after, y + 2, max(0, COLUMN - after - 2), height - 5)
        parts = [node("path", {"class": "back", "d": strokes}), text(x + 12, base - 7, "t1 corner", name)]
        return [*parts, text(x + COLUMN - 10, base - 6, "t2 end value", card.value)] if card.value else parts

    def extra(self, card: Card, kind: str, mark: str, x: int, y: int) -> Node:
        """A card that was here, or that comes here."""
        said = f"{card_name(card, self.said)}, {self.said['gone' if kind == 'ghost' else 'coming']}"
        height = EXTRA - 4
        parts = [node("title", {}, said), rect(x, y, COLUMN, height, "box")]
        parts.append(icon(mark, x + 6, y + height // 2 - 8, "icon mark"))
        parts.append(text(x + 30, y + height // 2 + 4, "t1", clipped(said, 34)))
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
                return aim[0], half.chips + (CHIP_HEIGHT if half.is_top else 0), False
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
