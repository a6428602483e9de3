"""Plots as SVG, drawn by pygal where it is installed: no script, and nothing that the tables do not say."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from xml.etree import ElementTree

WIDTH, NARROW, HEIGHT = 720, 360, 260
"""Pixels; narrow for a phone, on which the letters of the wide one would be too small to read."""
ROW = 28
LABEL, NARROW_LABEL = 48, 18
"""Letters of a label beside a plot; the table has the whole."""
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
COLOUR, LINES, LETTERS = "#3b7dbd", "#8a93a055", "#5a6472"
DARK = b"<style>@media (prefers-color-scheme: dark) { text { fill: #a9b4c2 !important } }</style>"
"""On a dark page the letters are light. Nothing is written on the bars, so that it is read on any page."""


def can_be_drawn() -> bool:
    """Whether the package that draws plots is installed."""
    return find_spec("pygal") is not None


def columns(values: Sequence[tuple[str, int]], *, narrow: bool = False) -> bytes:
    """Upright bars, one beside another: games by length."""
    return _drawn("Bar", values, None, HEIGHT, narrow)


def rows(values: Sequence[tuple[str, int]], title: str | None = None, *, narrow: bool = False) -> bytes:
    """Bars below each other, the first one on top, each named with its number: rules and their findings."""
    most = NARROW_LABEL if narrow else LABEL
    labels = [(f"{shortened(name, most)} · {count}", count) for name, count in values]
    return _drawn("HorizontalBar", labels[::-1], title, height_of(len(values)), narrow)


def shortened(name: str, most: int) -> str:
    """A name of at most so many letters, the last of them a sign that more follow."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def height_of(rows: int) -> int:
    """How high a plot of so many rows is."""
    return 60 + ROW * max(1, rows)


def ticks(most: int) -> list[int]:
    """The whole numbers at an axis, at most six of them, up to the first that is not below `most`."""
    step = next(step * 10**power for power in range(18) for step in (1, 2, 5) if most <= 5 * step * 10**power)
    return list(range(0, -(-max(1, most) // step) * step + 1, step))


def _drawn(kind: str, values: Sequence[tuple[str, int]], title: str | None, height: int, narrow: bool) -> bytes:
    import pygal
    from pygal.style import Style

    style = Style(
        background="transparent", plot_background="transparent", foreground=LETTERS, foreground_strong=LETTERS,
        foreground_subtle=LETTERS, colors=(COLOUR,), opacity="1", font_family="sans-serif", label_font_size=12,
        major_label_font_size=12, title_font_size=14, guide_stroke_color=LINES, major_guide_stroke_color=LINES,
        guide_stroke_dasharray="1,0", major_guide_stroke_dasharray="1,0",
    )  # fmt: skip
    chart = getattr(pygal, kind)(
        style=style, width=NARROW if narrow else WIDTH, height=height, show_legend=False, js=[], no_prefix=True,
        explicit_size=True, title=title, pretty_print=False,
        x_label_rotation=(60 if narrow else 30) if kind == "Bar" else 0,
        truncate_label=-1,
    )  # fmt: skip
    chart.x_labels = [name for name, _ in values]
    chart.y_labels = ticks(max((number for _, number in values), default=0))
    chart.add(title or "", [number for _, number in values])
    return without_scripts(chart.render(is_unicode=False, disable_xml_declaration=True))


def without_scripts(picture: bytes) -> bytes:
    """The same SVG with nothing in it to be carried out."""
    tree = ElementTree.fromstring(picture)
    for parent in list(tree.iter()):
        for child in [child for child in parent if child.tag.endswith("script")]:
            parent.remove(child)
    return ElementTree.tostring(tree).replace(b"</svg>", DARK + b"</svg>")
