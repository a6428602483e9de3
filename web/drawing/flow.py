"""Lays out a table made of words (HTML elements) as an SVG picture: paragraphs, boxes and columns.

A browser lays out the page itself. A picture has to stand alone, so this module lays out the same tree by a few rules:
what stands side by side, what has a frame, what is in small type. Widths are computed for a wide font, so that a
narrower font fits too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from web.drawing.tree import Attributes, Node, clipped, icons, node, outline, rect

WIDE = 1200
MARGIN = 16
PADDING = 10
LINE = 20
ICON = 16
GAP = 8
LISTS = frozenset({"ul", "ol", "dl", "div"})
INLINE = frozenset({"span", "b", "svg", "dt", "dd"})
COLUMNS = {"beside": (5, 3), "seats": (1, 1)}
"""What stands side by side, and in which proportion; more than that goes into a further row."""

FRAMED = frozenset({"box", "facts", "place", "apart"})
CHIPS = frozenset({"held", "segments", "path"})
LABELLED = frozenset({"zone"})
"""What begins with a name, its content beside it; a place has too much to say for that."""

LABEL = 110
"""Room for a name at least; a longer one has up to half of the width."""

NUMBER = 34
LEFT_OUT = frozenset({"kind", "text"})
"""What is only said where there is room for a whole card."""

QUIET = frozenset({"quiet", "n", "title", "none", "done", "skipped", "due", "status", "idle", "counts"})
STRUCK = frozenset({"skipped", "stopped", "lost"})
STRONG = frozenset({"now", "lead"})
DASHED = frozenset({"spent", "ghost", "flight"})
NARROW_LETTERS, WIDE_LETTERS = frozenset("iljtfr.,:;'|!·()[] "), frozenset("mwMW@%")


class TextStyle(Struct, frozen=True):
    """The style of a run of words."""

    strong: bool = False
    quiet: bool = False
    struck: bool = False

    @property
    def kind(self) -> str:
        """The classes of the text."""
        named = {"name": self.strong, "quiet": self.quiet, "struck": self.struck}
        return " ".join(["t2", *(name for name, is_so in named.items() if is_so)])


class Piece(Struct, frozen=True):
    """A word or an icon on its way into a line; `apart` where it belongs to something else than the one before."""

    words: str
    look: TextStyle
    icon: str = ""
    apart: bool = False
    least: int = 0

    @property
    def width(self) -> int:
        """How much room it takes."""
        return ICON if self.icon else max(self.least, text_width(self.words, self.look.strong))


def laid_out(tree: Node, signs: Mapping[str, str], width: int = WIDE) -> Node:
    """The picture of such a tree."""
    flow = Flow(signs)
    bottom = flow.block(tree, MARGIN, MARGIN, width - 2 * MARGIN, TextStyle())
    attributes: Attributes = {"viewBox": f"0 0 {width} {bottom + MARGIN}", "class": "field flowed", "role": "group"}
    if label := tree[1].get("aria-label"):
        attributes["aria-label"] = label
    return node("svg", attributes, *flow.drawn)


def text_width(words: str, strong: bool = False) -> int:
    """The width of words at fourteen units, rather too much than too little."""
    units = sum(5 if each in NARROW_LETTERS else 14 if each in WIDE_LETTERS else 9 for each in words)
    return round(units * (1.12 if strong else 1))


class Flow:
    """One picture in the making; every method tells where it ended."""

    def __init__(self, signs: Mapping[str, str]) -> None:
        self.drawn: list[Node | str] = []
        self.shapes = {f"#i-{name}": shape for name, shape in icons().items()}
        self.shapes |= {f"#s-{name}": shape for name, shape in signs.items()}
        self.label = LABEL
        """The room for each of the names that stand below each other here."""

    def block(self, tree: Node, x: int, y: int, width: int, look: TextStyle) -> int:
        """A paragraph, a frame, columns, or what stands one below the other."""
        kinds = classes(tree)
        look = styled(look, kinds)
        if shares := next((COLUMNS[kind] for kind in COLUMNS if kind in kinds), None):
            return self.columns(tree[2], shares, x, y, width, look)
        if kinds & CHIPS:
            return self.chips(tree[2], x, y, width, look) + GAP * ("segments" in kinds)
        if kinds & FRAMED or "changed" in kinds or tree[1].get("aria-current"):
            return self.framed(tree, kinds, x, y, width, look)
        if is_labelled(kinds):
            return self.labelled(tree[2], x, y, width, look)
        return self.inside(tree[2], x, y, width, look)

    def inside(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """Children one below the other; those that stand in a line together."""
        outside, self.label = self.label, label_room(children, width, look)
        line: list[Node | str] = []
        for child in children:
            if isinstance(child, str) or (child[0] in INLINE and not has_list(child)):
                line.append(child)
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
        is_box = bool(kinds & FRAMED)
        inset = PADDING if is_box else 0
        inside = self.labelled if is_labelled(kinds) else self.inside
        bottom = inside(tree[2], x + inset, y + inset, width - 2 * inset, look) + inset
        kind = ("box" if is_box else "light") + (" turn" if "turn" in kinds else "")
        behind: list[Node | str] = [rect(x - 4 * (not is_box), y, width + 4 * (not is_box), bottom - y, kind)]
        if "changed" in kinds:
            behind.append(rect(x - 4, y, 4, bottom - y, "bar", 2))
        self.drawn[place:place] = behind
        return bottom + GAP * is_box

    def columns(
        self, children: Sequence[Node | str], shares: Sequence[int], x: int, y: int, width: int, look: TextStyle
    ) -> int:
        """Children side by side, so many in a row."""
        blocks = [child for child in children if not isinstance(child, str)]
        room = width - MARGIN * (len(shares) - 1)
        for start in range(0, len(blocks), len(shares)):
            left, bottom = x, y
            for child, share in zip(blocks[start : start + len(shares)], shares, strict=False):
                wide = room * share // sum(shares)
                bottom = max(bottom, self.block(child, left, y, wide, look))
                left += wide + MARGIN
            y = bottom + GAP
        return y

    def chips(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """Small boxes one after the other, line by line."""
        left = x
        for child in children:
            if isinstance(child, str):
                continue
            kinds = classes(child)
            here = "current" if child[1].get("aria-current") else "chip"
            row = fitted(list(pieces(child[2], styled(look, kinds))), width - GAP)
            wide = max(LINE, extent(row) + GAP)
            if left > x and left + wide > x + width:
                left, y = x, y + LINE + 6
            self.drawn.append(rect(left, y, wide, LINE + 2, f"{here} spent" if kinds & DASHED else here))
            self.row(row, left + GAP // 2, y + 1)
            left += wide + 6
        return y + LINE + 8 if children else y

    def paragraph(self, children: Sequence[Node | str], x: int, y: int, width: int, look: TextStyle) -> int:
        """Words and icons, in as many lines as they need."""
        row: list[Piece] = []
        for piece in pieces(children, look):
            if row and extent([*row, piece]) > width:
                self.row(row, x, y)
                row, y = [], y + LINE
            row.append(piece if piece.width <= width else fitted([piece], width)[0])
        if not row:
            return y
        self.row(row, x, y)
        return y + LINE + 2

    def row(self, row: Sequence[Piece], x: int, y: int) -> None:
        """One line; words that belong together and look alike are one text."""
        for group in grouped(row):
            x += GAP if group[0] is not row[0] else 0
            if group[0].icon:
                shape = self.shapes.get(group[0].icon, self.shapes["#i-event"])
                self.drawn.append(outline(shape, x, y + 1, f"icon {group[0].icon[3:]}"))
            else:
                words = " ".join(piece.words for piece in group)
                self.drawn.append(node("text", {"x": x, "y": y + 15, "class": group[0].look.kind}, words))
            x += extent(group)


def is_labelled(kinds: frozenset[str]) -> bool:
    """Whether a name stands beside what has it."""
    return bool(kinds & LABELLED) and "place" not in kinds


def label_room(children: Sequence[Node | str], width: int, look: TextStyle) -> int:
    """The room that the longest of the names needs that stand below each other."""
    named = (child for child in children if not isinstance(child, str) and is_labelled(classes(child)))
    longest = max((extent(list(pieces(child[2][:1], look))) for child in named), default=0)
    return max(LABEL, min(longest + GAP, width // 2))


def has_list(tree: Node) -> bool:
    """Whether something in it stands in a list of its own."""
    inner = (child for child in tree[2] if not isinstance(child, str))
    return any(child[0] in LISTS or has_list(child) for child in inner)


def classes(tree: Node) -> frozenset[str]:
    """The classes of a node."""
    return frozenset(str(tree[1].get("class") or "").split())


def styled(look: TextStyle, kinds: frozenset[str]) -> TextStyle:
    """How what is inside is written."""
    if kinds & FRAMED:
        look = TextStyle()
    if kinds & QUIET:
        look = replace(look, quiet=True)
    if kinds & STRUCK and not kinds & FRAMED:
        look = replace(look, struck=True)
    return replace(look, strong=True, quiet=False) if kinds & STRONG else look


def pieces(children: Sequence[Node | str], look: TextStyle) -> Iterator[Piece]:
    """The words and icons of inline nodes, in their order."""
    is_apart = False
    for child in children:
        if isinstance(child, str):
            yield from (Piece(word, look) for word in child.split())
            continue
        inner = [] if classes(child) & LEFT_OUT else _inner(child, look)
        for number, piece in enumerate(inner):
            yield replace(piece, apart=piece.apart or (number == 0 and is_apart))
        is_apart = is_apart or bool(inner)


def _inner(child: Node, look: TextStyle) -> list[Piece]:
    tag, _attributes, children = child
    if tag == "svg":
        return [Piece("", look, icon=str(cast(Node, children[0])[1]["href"]))]
    look = styled(look, classes(child))
    look = replace(look, strong=True) if tag == "b" else replace(look, quiet=True) if tag == "dt" else look
    found = list(pieces(children, look))
    return [replace(piece, least=NUMBER) for piece in found] if "n" in classes(child) else found


def grouped(row: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that are written as one."""
    found: list[list[Piece]] = []
    for piece in row:
        last = found[-1][-1] if found else None
        if last and not last.icon and not piece.icon and not piece.apart and piece.look == last.look:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def extent(row: Sequence[Piece]) -> int:
    """How much room pieces take in a line."""
    groups = grouped(row)
    between = GAP * max(0, len(groups) - 1) + 5 * (len(row) - len(groups))
    return sum(piece.width for piece in row) + between


def fitted(row: list[Piece], width: int) -> list[Piece]:
    """Pieces cut to the room there is."""
    found: list[Piece] = []
    for piece in row:
        left = width - extent(found) - GAP
        if piece.width <= left or piece.icon:
            found.append(piece)
            continue
        return [*found, replace(piece, words=clipped(piece.words, max(2, left // 9)))]
    return found


__all__ = ["laid_out", "text_width"]
