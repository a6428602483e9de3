"""Words, icons, colours and patterns of a picture that stands alone.

Widths are computed for a wide font, so that a narrower font fits too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from web.drawing.tree import Node, clipped, node, rect

TILE = 12
"""A pattern repeats itself after so many units, times the size of its shade."""

PATTERNS = {
    "flames": "M1 12L6 3L11 12Z", "rays": "M0 12L4 0H7L1 12ZM6 12L11 0H12V3L8 12Z", "leaves": "M6 1Q10 6 6 11Q2 6 6 1Z",
    "dots": "M6 3a3 3 0 1 0 .01 0Z", "rings": "M6 0a6 6 0 1 0 .01 0ZM6 3a3 3 0 1 1 -.01 0Z",
    "grid": "M0 0H12V1.5H0ZM0 1.5H1.5V12H0Z", "mist": "M0 6Q6 3 12 6Q6 9 0 6Z",
    "waves": "M0 6Q3 2 6 6T12 6V8Q9 12 6 8T0 8Z", "strata": "M0 2L12 1V4L0 5ZM0 8L12 7V10L0 11Z",
    "spirals": "M6 1a5 5 0 1 0 .01 0ZM6 3a3 3 0 1 1 -.01 0ZM6 5a1 1 0 1 0 .01 0Z",
    "stars": "M6 0L7 5L12 6L7 7L6 12L5 7L0 6L5 5Z", "chevrons": "M0 0L6 6L0 12H4L10 6L4 0Z",
    "hearts": "M6 11Q0 6 1 4Q3 1 6 4Q9 1 11 4Q12 6 6 11Z", "thorns": "M0 2L9 6L0 10Z", "hatched": "M0 12L12 0H8L0 8Z",
}  # fmt: skip
"""The shape of each pattern in a tile twelve wide and high."""

SIZES = {"second": 1.5, "third": 0.7}
SIGN_LINE = 0.5
"""How light the lines of a sign are: dark enough on paper."""


class Tint(Struct, frozen=True):
    """A colour of `tints.toml`: its ground, the lighter one of its pattern, and a dark one for lines."""

    ground: str
    mark: str
    line: str
    pattern: str
    size: float

    @property
    def id(self) -> str:
        """What its pattern is called in a picture."""
        return f"{self.pattern}-{self.ground[1:]}"


class Tints:
    """The tints of one picture; it has to hold the patterns that were asked for."""

    def __init__(self) -> None:
        self.used: dict[str, Tint] = {}

    def ground(self, kind: str, x: int, y: int, width: int, height: int, radius: int = 4) -> list[Node]:
        """A ground of that colour, its pattern at the end; nothing for a kind without one."""
        tint = tint_of(kind)
        if tint is None:
            return []
        drawn = [with_style(rect(x, y, width, height, "ground", radius), f"fill:{tint.ground}")]
        if tint.pattern:
            self.used[tint.id] = tint
            start = width * 3 // 5
            drawn.append(
                with_style(rect(x + start, y, width - start, height, "motif", radius), f"fill:url(#{tint.id})")
            )
        return drawn

    def patterns(self) -> list[Node]:
        """The patterns, to stand before what has them."""
        return [node("defs", {}, *map(_pattern, self.used.values()))] if self.used else []


def _pattern(tint: Tint) -> Node:
    shape = node("path", {"d": PATTERNS[tint.pattern], "style": f"fill:{tint.mark};stroke:none"})
    size, scale = f"{TILE * tint.size:g}", f"scale({tint.size:g})"
    within = {"id": tint.id, "width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    return node("pattern", {**within}, node("g", {"transform": scale}, shape))


def with_style(tree: Node, style: str) -> Node:
    """A node with a style of its own, which goes before that of its classes."""
    return tree[0], {**tree[1], "style": style}, tree[2]


@cache
def tint_of(kind: str) -> Tint | None:
    """The tint with these classes, None without a hue among them."""
    names = kind.split()
    hue = next((_hues()[name] for name in names if name in _hues()), None)
    if hue is None:
        return None
    shade = next((name for name in names if name in SIZES), "first")
    light, (angle, chroma) = _lights()[shade], hue
    return Tint(
        hex_of(light, chroma, angle), hex_of(light + 0.1, chroma * 0.6, angle), hex_of(SIGN_LINE, chroma, angle),
        next((name for name in names if name in PATTERNS), ""), SIZES.get(shade, 1),
    )  # fmt: skip


def hex_of(light: float, chroma: float, hue: float) -> str:
    """A colour of OKLCH (https://bottosson.github.io/posts/oklab/) as sRGB in hexadecimal digits."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long, middle, short = (
        (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (light - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    linear = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _encoded(min(1.0, max(0.0, each)))):02x}" for each in linear)


def _encoded(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


@cache
def _style() -> str:
    return resources.files("web").joinpath("static", "tints.css").read_text("utf-8")


@cache
def _hues() -> dict[str, tuple[float, float]]:
    found = re.findall(r"\.(h\d+) \{ --hue: ([\d.]+); --chroma: ([\d.]+); \}", _style())
    return {name: (float(hue), float(chroma)) for name, hue, chroma in found}


@cache
def _lights() -> dict[str, float]:
    """How light each shade is on light paper: the first that the style says."""
    found = re.findall(r"--(first|second|third): ([\d.]+);", _style())
    return {name: float(light) for name, light in reversed(found)}


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
