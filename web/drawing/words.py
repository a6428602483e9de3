"""Words and icons of a picture in lines: how wide they are, what belongs together, where a line is broken.

Widths are computed for a wide font, so that a narrower font fits too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from web.drawing.tints import tint_of
from web.drawing.tree import Node, clipped

LINE = 20
ICON = 16
GAP, TIGHT = 8, 4
"""Between groups of words, and between a sign and what it is the sign of."""

NUMBER = 34
FRAMED = frozenset({"box", "facts", "place", "apart"})
LEFT_OUT = frozenset({"kind", "text", "at"})
"""What is only said where there is room for a whole card, and what the path of a player shows."""

QUIET = frozenset({"quiet", "n", "title", "none", "done", "skipped", "due", "status", "idle", "counts", "kind"})
STRUCK = frozenset({"skipped", "stopped", "lost"})
STRONG = frozenset({"now", "lead"})
NARROW_LETTERS, WIDE_LETTERS = frozenset("iljtfr.,:;'|!·()[] "), frozenset("mwMW@%+")


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
    """A word or an icon on its way into a line; `apart` where it belongs to something else than the one before.

    `colour` is that of an icon that has one of its own.
    """

    words: str
    look: TextStyle
    icon: str = ""
    apart: bool = False
    least: int = 0
    colour: str = ""

    @property
    def width(self) -> int:
        """How much room it takes."""
        return ICON if self.icon else max(self.least, text_width(self.words, self.look.strong))


def text_width(words: str, strong: bool = False) -> int:
    """The width of words at fourteen units, rather too much than too little."""
    units = sum(5 if each in NARROW_LETTERS else 14 if each in WIDE_LETTERS else 9 for each in words)
    return round(units * (1.12 if strong else 1))


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
    tag, attributes, children = child
    if tag == "svg":
        tint = tint_of(str(attributes.get("class") or ""))
        return [Piece("", look, icon=str(cast(Node, children[0])[1]["href"]), colour=tint.line if tint else "")]
    if "stat" in classes(child):
        sign, *told = pieces(children, styled(look, classes(child)))
        return [sign, replace(told[0], words="".join(each.words for each in told))] if told else [sign]
    if "orb" in classes(child):
        return [Piece("", look, icon="#orb-used" if "used" in classes(child) else "#orb")]
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
    between = sum(gap(one[-1], other[0]) for one, other in pairwise(groups)) + 5 * (len(row) - len(groups))
    return sum(piece.width for piece in row) + between


def gap(before: Piece, after: Piece) -> int:
    """The room between two groups."""
    return TIGHT if before.icon and not after.icon and not after.apart else GAP


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


def rows_of(found: Sequence[Piece], width: int, indent: int = 0) -> list[list[Piece]]:
    """Pieces in lines of at most that width, less by `indent` but for the first.

    A longer word is cut, a sign stays with what it is the sign of.
    """
    rows: list[list[Piece]] = [[]]
    for piece in found:
        row = rows[-1]
        if row and extent([*row, piece]) > width - indent * (len(rows) > 1):
            is_held = len(row) > 1 and row[-1].icon and gap(row[-1], piece) == TIGHT
            rows.append([row.pop()] if is_held else [])
        rows[-1].append(piece if piece.width <= width else fitted([piece], width)[0])
    return rows if rows[0] else []


def fitting(words: str, width: int) -> str:
    """A name, cut where it is wider."""
    count = len(words)
    while count > 1 and text_width(clipped(words, count)) > width:
        count -= 1
    return clipped(words, count)
