"""The colours and patterns of `static/tints.css` in pictures that stand alone, for programs that do not know them."""

from __future__ import annotations

import math
import re
from functools import cache
from importlib import resources

from msgspec import Struct

from web.drawing.tree import Node, node, rect

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
LINE = 0.5
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
        drawn = [styled(rect(x, y, width, height, "ground", radius), f"fill:{tint.ground}")]
        if tint.pattern:
            self.used[tint.id] = tint
            start = width * 3 // 5
            drawn.append(styled(rect(x + start, y, width - start, height, "motif", radius), f"fill:url(#{tint.id})"))
        return drawn

    def patterns(self) -> list[Node]:
        """The patterns, to stand before what has them."""
        return [node("defs", {}, *map(_pattern, self.used.values()))] if self.used else []


def _pattern(tint: Tint) -> Node:
    shape = node("path", {"d": PATTERNS[tint.pattern], "style": f"fill:{tint.mark};stroke:none"})
    size, scale = f"{TILE * tint.size:g}", f"scale({tint.size:g})"
    within = {"id": tint.id, "width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    return node("pattern", {**within}, node("g", {"transform": scale}, shape))


def styled(tree: Node, style: str) -> Node:
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
        hex_of(light, chroma, angle), hex_of(light + 0.1, chroma * 0.6, angle), hex_of(LINE, chroma, angle),
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
