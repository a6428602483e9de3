"""Lays out a table made of words (HTML elements) as an SVG picture: paragraphs, boxes, columns and cards.

A browser lays out the page itself. A picture has to stand alone, so this module lays out the same tree by a few rules:
what stands side by side, what has a frame, what is a card with a face, what is in small type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from web.drawing.card_faces import CARD, CardFace, card_face, head_of, nodes_in, on_ground
from web.drawing.tree import Attributes, Node, icons, node, outline, rect
from web.drawing.words import (
    FRAMED,
    GAP,
    LINE,
    Piece,
    TextStyle,
    Tints,
    classes,
    extent,
    gap,
    grouped,
    pieces,
    rows_of,
    styled,
    tint_of,
)
from web.drawing.words import with_style as coloured

WIDE = 420
PAPER = 660
"""A picture is made for a phone: there a unit is about a pixel, and its words are fourteen units high. One for paper
has more in a line."""

NARROW = 600
"""Where there is less room, what stands side by side elsewhere stands one below the other."""

BROAD = 900
"""Where there is so much room, a long name breaks into lines, and more cards stand beside it."""

ABREAST = 300
"""How wide at least each thing is of those that lie apart and stand side by side on paper."""

MARGIN = 10
PADDING = 10
LISTS = frozenset({"ul", "ol", "dl", "div"})
INLINE = frozenset({"span", "b", "svg", "dt", "dd"})
BESIDE, SEATS, PAIR = (5, 3), (1, 1), (1, 1)
"""What stands side by side, and in which proportion; more than that goes into a further row."""

CHIPS = frozenset({"held", "segments"})
LABELLED = frozenset({"zone"})
"""What begins with a name, its content beside it; a place has too much to say for that."""

LABEL = 110
"""Room for a name at least; a longer one has up to half of the width."""

DASHED = frozenset({"spent", "ghost", "flight"})
MARKED = ("wrong", "possible", "changed", "ghost", "flight")
"""What has become of a card; the first of these is shown by its frame."""

SPACE, HERE = 5, 13
"""A space of a path, and one where somebody stands."""

ALONE = frozenset({"totals"})
"""What begins a line of its own."""

PILE = (72, 52)
ORB = "M8 3.5a4.5 4.5 0 1 0 .01 0Z"


def laid_out(tree: Node, signs: Mapping[str, str], width: int = WIDE) -> Node:
    """The picture of such a tree."""
    flow = Flow(signs)
    bottom = flow.block(tree, MARGIN, MARGIN, width - 2 * MARGIN, TextStyle())
    attributes: Attributes = {"viewBox": f"0 0 {width} {bottom + MARGIN}", "class": "field flowed", "role": "group"}
    if label := tree[1].get("aria-label"):
        attributes["aria-label"] = label
    return node("svg", attributes, *flow.tints.patterns(), *flow.drawn)


class Flow:
    """One picture in the making; every method tells where it ended."""

    def __init__(self, signs: Mapping[str, str]) -> None:
        self.drawn: list[Node | str] = []
        self.tints = Tints()
        self.shapes = {f"#i-{name}": shape for name, shape in icons().items()}
        self.shapes |= {f"#s-{name}": shape for name, shape in signs.items()}
        self.shapes |= dict.fromkeys(("#orb", "#orb-used"), ORB)
        self.label = LABEL
        """The room for each of the names that stand below each other here."""
        self.is_roomy, self.has_faces = True, False
        """Whether places have room for cards with a face, and whether cards have one here."""

    def block(self, tree: Node, x: int, y: int, width: int, look: TextStyle) -> int:
        """A paragraph, a frame, columns, or what stands one below the other."""
        kinds = classes(tree)
        outside = self.has_faces
        self.has_faces = outside or "mats" in kinds or ("place" in kinds and self.is_roomy)
        bottom = self.drawn_block(tree, kinds, x, y, width, styled(look, kinds))
        self.has_faces = outside
        return bottom

    def drawn_block(self, tree: Node, kinds: frozenset[str], x: int, y: int, width: int, look: TextStyle) -> int:
        """The same, where it is settled whether cards have faces."""
        if "seats" in kinds:
            return self.seats(nodes_in(tree), x, y, width, look)
        if "beside" in kinds and width < NARROW:
            return self.inside(tree[2], x, y, width, look)
        if kinds & {"beside", "pair"}:
            shares = BESIDE if "beside" in kinds else PAIR
            return self.columns(nodes_in(tree)[:: -1 if "beside" in kinds else 1], shares, x, y, width, look)
        if "abreast" in kinds:
            return self.columns(nodes_in(tree), (1,) * max(2, width // ABREAST), x, y, width, look)
        if "path" in kinds:
            return self.path(nodes_in(tree), x, y, width)
        if "piles" in kinds:
            return self.piles(nodes_in(tree), x, y, width, look)
        if kinds & CHIPS:
            draw = self.cards if self.has_faces else self.chips
            return draw(nodes_in(tree), x, y, width, look) + GAP * ("segments" in kinds)
        is_mat = self.has_faces and is_labelled(kinds) and any("held" in classes(each) for each in nodes_in(tree))
        if kinds & FRAMED or is_mat or "changed" in kinds or tree[1].get("aria-current"):
            return self.framed(tree, kinds | {"mat"} if is_mat else kinds, x, y, width, look)
        if is_labelled(kinds):
            return self.labelled(tree[2], x, y, width, look)
        return self.inside(tree[2], x, y, width, look)

    def inside(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """Children one below the other; those that stand in a line together, and places side by side."""
        outside, self.label = self.label, label_room(children, width, look)
        line: list[Node | str] = []
        for child in paired(children, is_wide=width >= NARROW):
            if isinstance(child, str) or (child[0] in INLINE and not has_list(child)):
                y = self.paragraph(line, x, y, width, look) if kinds_of(child) & ALONE else y
                line = [child] if kinds_of(child) & ALONE else [*line, child]
                continue
            y = self.paragraph(line, x, y, width, look)
            line = []
            y = self.block(child, x, y, width, look)
        self.label = outside
        return self.paragraph(line, x, y, width, look)

    def labelled(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """A name, and beside it what has that name."""
        room = self.label
        below = self.paragraph(children[:1], x, y, room - GAP, look)
        return max(below, self.inside(children[1:], x + room, y, width - room, look)) + 2

    def framed(self, tree: Node, kinds: frozenset[str], x: int, y: int, width: int, look: TextStyle) -> int:
        """A box round its content; what changed has a bar at its side, what is in turn a strong line."""
        place = len(self.drawn)
        is_box = bool(kinds & FRAMED or "mat" in kinds)
        inset = 0 if not is_box else PADDING if self.is_roomy or "place" not in kinds else PADDING // 2
        inside = self.labelled if is_labelled(kinds) and not is_box else self.inside
        bottom = inside(tree[2], x + inset, y + inset, width - 2 * inset, look) + inset
        ground = "box sunk" if kinds & {"mat", "place"} else "box" if is_box else "light"
        kind = ground + (" turn" if "turn" in kinds else "")
        behind: list[Node | str] = [rect(x - 4 * (not is_box), y, width + 4 * (not is_box), bottom - y, kind)]
        if "changed" in kinds:
            behind.append(rect(x - 4, y, 4, bottom - y, "bar", 2))
        self.drawn[place:place] = behind
        return bottom + GAP * is_box

    def columns(
        self, blocks: Sequence[Node], shares: Sequence[int], x: int, y: int, width: int, look: TextStyle
    ) -> int:
        """Blocks side by side, so many in a row."""
        room = width - MARGIN * (len(shares) - 1)
        for start in range(0, len(blocks), len(shares)):
            left, bottom = x, y
            for child, share in zip(blocks[start : start + len(shares)], shares, strict=False):
                wide = room * share // sum(shares)
                bottom = max(bottom, self.block(child, left, y, wide, look))
                left += wide + MARGIN
            y = bottom + GAP
        return y

    def seats(self, blocks: Sequence[Node], x: int, y: int, width: int, look: TextStyle) -> int:
        """Two players face each other, the paths between them; more than two stand side by side."""
        if len(blocks) != 2:
            self.is_roomy = len(blocks) < 2
            return self.columns(blocks, SEATS if width >= NARROW else (1,), x, y, width, look)
        (tag, attributes, children), below = blocks
        paths = [child for child in children if "path" in kinds_of(child)]
        shelves = [child for child in children if "shelf" in kinds_of(child)]
        others = [child for child in children[1:] if child not in (*paths, *shelves)]
        above = (tag, attributes, [*children[:1], *shelves, *others, *paths])
        return self.block(below, x, self.block(above, x, y, width, look), width, look)

    def path(self, spaces: Sequence[Node], x: int, y: int, width: int) -> int:
        """Spaces along a line, and who stands on them."""
        apart, middle = (width - 2 * HERE) / max(1, len(spaces) - 1), y + HERE
        self.drawn.append(node("path", {"class": "track", "d": f"M{x + HERE} {middle}H{x + width - HERE}"}))
        for number, space in enumerate(spaces):
            at, kinds = x + HERE + round(apart * number), classes(space)
            here: Attributes = {
                "cx": at,
                "cy": middle,
                "r": SPACE,
                "class": " ".join(("space", *sorted(kinds & {"left"}))),
            }
            self.drawn.append(node("circle", here))
            stands = [child for child in nodes_in(space) if child[0] == "svg"]
            for place, sign in enumerate(stands):
                self.standing(sign, at + 2 * HERE * place - HERE * (len(stands) - 1), middle, "changed" in kinds)
        return y + 2 * HERE + GAP

    def standing(self, sign: Node, x: int, y: int, is_new: bool) -> None:
        """Somebody on a path."""
        tint, (piece,) = tint_of(str(sign[1].get("class") or "")), list(pieces([sign], TextStyle()))
        around: Attributes = {"cx": x, "cy": y, "r": HERE, "class": "here changed" if is_new else "here"}
        circle = node("circle", around)
        self.drawn.append(coloured(circle, f"fill:{tint.ground}") if tint else circle)
        self.drawn.append(outline(self.shapes.get(piece.icon, self.shapes["#i-event"]), x - 8, y - 8, "sign"))

    def piles(self, piles: Sequence[Node], x: int, y: int, width: int, look: TextStyle) -> int:
        """Heaps beside each other: the top of each, its name and its number."""
        left, tall = x, PILE[1]
        for pile in piles:
            heap, *told = nodes_in(pile)
            top = rows_of(list(pieces(heap[2], look)), PILE[0] - GAP)
            name = [row for one in told for row in rows_of(list(pieces([one], look)), width - PILE[0] - GAP)]
            wide = PILE[0] + GAP + max(map(extent, name), default=0) + MARGIN
            if left > x and left + wide > x + width:
                left, y, tall = x, y + tall + GAP, PILE[1]
            tall = max(tall, LINE * len(top) + GAP, LINE * len(name))
            self.drawn.append(rect(left, y, PILE[0], tall, f"chip {state_of(classes(pile))}".rstrip()))
            self.stacked(top, left, y + (tall - LINE * len(top)) // 2, PILE[0])
            for number, row in enumerate(name):
                self.row(row, left + PILE[0] + GAP, y + LINE * number)
            left += wide
        return y + tall + GAP

    def cards(self, cards: Sequence[Node], x: int, y: int, width: int, look: TextStyle) -> int:
        """Cards with their faces, those of a row equally high."""
        faces = [card_face(card, look) for card in cards]
        count = max(1, (width + GAP) // (CARD + GAP))
        for start in range(0, len(faces), count):
            row = faces[start : start + count]
            tall = max(face.height for face in row)
            for number, face in enumerate(row):
                self.card(face, x + number * (CARD + GAP), y, tall)
            y += tall + GAP
        return y

    def card(self, face: CardFace, x: int, y: int, tall: int) -> None:
        """One card."""
        kinds = frozenset(face.kinds.split())
        self.drawn.append(rect(x, y, CARD, tall, f"chip {state_of(kinds)}".rstrip()))
        if not kinds & {"ghost", "flight"}:
            self.drawn += self.tints.ground(face.kinds, x + 1, y + 1, CARD - 2, face.head)
        for number, row in enumerate(face.name):
            self.row(row, x + 6, y + 4 + LINE * number)
        top = y + face.head + 4
        if face.marks:
            self.row(face.marks, x + CARD - 6 - extent(face.marks), top)
            top += LINE
        for number, (row, is_middle) in enumerate(face.below):
            left = x + (CARD - extent(row)) // 2 if is_middle else x + 6
            self.row(row, left, top + LINE * number)

    def chips(self, chips: Sequence[Node], x: int, y: int, width: int, look: TextStyle) -> int:
        """Small boxes one after the other, line by line."""
        left, tall = x, 0
        for child in chips:
            kinds = classes(child)
            found, head = pieces(child[2], styled(look, kinds)), list(pieces([head_of(child)], look))
            rows = rows_of(on_ground(list(found), len(head) if "tint" in kinds else 0), width - GAP - 4)
            wide = max([LINE, *(extent(row) + GAP + 4 for row in rows)])
            if left > x and left + wide > x + width:
                left, y, tall = x, y + tall + 6, 0
            tall = max(tall, LINE * max(1, len(rows)) + 2)
            kind = "current" if child[1].get("aria-current") else f"chip {state_of(kinds)}".rstrip()
            if "chip" in kinds or kind == "current":  # a part of a day that is not the present one has no frame
                self.drawn.append(rect(left, y, wide, LINE * max(1, len(rows)) + 2, kind))
            if not kinds & {"ghost", "flight"}:
                ground = str(child[1].get("class")), left + 1, y + 1, min(wide - 2, extent(head) + GAP), LINE
                self.drawn += self.tints.ground(*ground)
            for number, row in enumerate(rows):
                self.row(row, left + GAP // 2, y + 1 + LINE * number)
            left += wide + 6
        return y + tall + 6 if chips else y

    def paragraph(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """Words and icons, in as many lines as they need."""
        found = list(pieces(children, look))
        indent = found[0].least + GAP if found and found[0].least else 0
        rows = rows_of(found, width, indent)
        for number, row in enumerate(rows):
            self.row(row, x + indent * bool(number), y + LINE * number)
        return y + LINE * len(rows) + 2 if rows else y

    def stacked(self, rows: Sequence[Sequence[Piece]], x: int, y: int, width: int) -> None:
        """Lines one below the other, each in the middle."""
        for number, row in enumerate(rows):
            self.row(row, x + (width - extent(row)) // 2, y + LINE * number)

    def row(self, row: Sequence[Piece], x: int, y: int) -> None:
        """One line; words that belong together and look alike are one text."""
        before: Piece | None = None
        for group in grouped(row):
            x += gap(before, group[0]) if before else 0
            before = group[-1]
            if group[0].icon:
                shape = self.shapes.get(group[0].icon, self.shapes["#i-event"])
                drawn = outline(shape, x, y + 1, f"icon {group[0].icon.removeprefix('#').removeprefix('i-')}")
                self.drawn.append(coloured(drawn, f"stroke:{group[0].colour}") if group[0].colour else drawn)
            else:
                words = " ".join(piece.words for piece in group)
                self.drawn.append(node("text", {"x": x, "y": y + 15, "class": group[0].look.kind}, words))
            x += extent(group)


def kinds_of(child: Node | str) -> frozenset[str]:
    """The classes of a child; none of words."""
    return frozenset() if isinstance(child, str) else classes(child)


def paired(children: Sequence[Node | str], *, is_wide: bool) -> list[Node | str]:
    """Children, with places that follow each other side by side; on paper also what lies apart."""

    def row_of(child: Node | str) -> str:
        kinds = kinds_of(child)
        return "pair" if "place" in kinds else "abreast" if is_wide and "apart" in kinds else ""

    found: list[Node | str] = []
    for kind, group in groupby(children, key=row_of):
        run = list(group)
        found += [node("div", {"class": kind}, *run)] if kind and len(run) > 1 else run
    return found


def state_of(kinds: frozenset[str]) -> str:
    """The classes of the frame of a card: what has become of it, and whether it is spent."""
    state = next((name for name in MARKED if name in kinds), "")
    return " ".join(filter(None, (state, "spent" if kinds & DASHED else "", "down" if "down" in kinds else "")))


def is_labelled(kinds: frozenset[str]) -> bool:
    """Whether a name stands beside what has it."""
    return bool(kinds & LABELLED) and "place" not in kinds


def label_room(children: Sequence[Node | str], width: int, look: TextStyle) -> int:
    """The room that the longest of the names needs that stand below each other."""
    named = (child for child in children if not isinstance(child, str) and is_labelled(classes(child)))
    longest = max((extent(list(pieces(child[2][:1], look))) for child in named), default=0)
    return max(LABEL, min(longest + GAP, width // (2 if width < BROAD else 8)))


def has_list(tree: Node) -> bool:
    """Whether something in it stands in a list of its own."""
    return any(child[0] in LISTS or has_list(child) for child in nodes_in(tree))
