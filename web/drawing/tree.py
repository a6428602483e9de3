"""Elements as plain trees, drawn alike by the server and the browser, and their markup.

A node is `(tag, attributes, children)`; a child is a node or a text. `static/tree.js` is the browser's half, and a
test checks that both give the same result.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from importlib.util import find_spec
from typing import cast

from markupsafe import Markup, escape

from audit.core.typography import sanitize_text

Attributes = dict[str, str | int]
PNG_SCALE = 2
CAIRO = ("libcairo.so.2", "libcairo.2.dylib", "libcairo-2.dll")
"""What the library that makes pictures is called, on one system or another."""
Node = tuple[str, Attributes, list["Node | str"]]


@cache
def icons() -> dict[str, str]:
    """The shapes of the page's icons, `static/icons.json`: outlines sixteen wide and high."""
    text = resources.files("web").joinpath("static", "icons.json").read_text("utf-8")
    return cast("dict[str, str]", json.loads(text))


def node(tag: str, attributes: Attributes | None = None, *children: Node | str) -> Node:
    """A node of a picture."""
    return tag, attributes or {}, list(children)


def text(x: int, y: int, kind: str, words: str, **more: str | int) -> Node:
    """A line of text at its baseline; `kind` are its classes."""
    return node("text", {"x": x, "y": y, "class": kind, **more}, words)


def rect(x: int, y: int, width: int, height: int, kind: str, radius: int = 4) -> Node:
    """A box with round corners."""
    return node("rect", {"x": x, "y": y, "width": width, "height": height, "rx": radius, "class": kind})


def icon(name: str, x: int, y: int, kind: str = "icon") -> Node:
    """One of the icons, sixteen wide and high, its corner at x and y."""
    return outline(icons().get(name, icons()["event"]), x, y, kind)


def outline(shape: str, x: int, y: int, kind: str) -> Node:
    """A shape sixteen wide and high, its corner at x and y."""
    return node("path", {"class": kind, "d": shape, "transform": f"translate({x} {y})"})


def mark_of(name: str, words: str = "") -> Node:
    """One of the page's icons, with a spoken name or none."""
    said: Attributes = {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    return node("svg", {"class": f"i {name}", **said}, node("use", {"href": f"#i-{name}"}))


def wrapped(words: str, columns: int, lines: int) -> list[str]:
    """A text in at most so many lines of at most so many letters; an ellipsis says that there is more."""
    found: list[str] = []
    line = ""
    for word in words.split():
        if line and len(line) + 1 + len(word) > columns:
            found.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        found.append(line)
    if len(found) > lines:
        found = [*found[: lines - 1], clipped(" ".join(found[lines - 1 :]), columns)]
    return [clipped(line, columns) for line in found]


def clipped(words: str, columns: int) -> str:
    """A text of at most so many letters."""
    return words if len(words) <= columns else words[: columns - 1].rstrip() + "…"


def markup(tree: Node | str) -> Markup:
    """A tree as markup, everything in it escaped."""
    return Markup("".join(_pieces(tree)))


def _pieces(tree: Node | str) -> list[str]:
    if isinstance(tree, str):
        return [str(escape(sanitize_text(tree)))]
    tag, attributes, children = tree
    head = "".join(f' {name}="{escape(sanitize_text(str(value)))}"' for name, value in attributes.items())
    if not children and tag in _EMPTY:
        return [f"<{tag}{head}/>"]
    return [f"<{tag}{head}>", *(piece for child in children for piece in _pieces(child)), f"</{tag}>"]


_EMPTY = frozenset({"rect", "path", "circle", "line", "use"})


HEAD_LINE, HEAD_COLUMNS, HEAD_LINES = 22, 37, 6
"""The height of a line above a picture, and how many letters and lines a sentence has there."""


def headed(tree: Node, name: str, sentence: str) -> Node:
    """A picture with two things written above it, large enough for a phone: where it is from, and what happened."""
    tag, attributes, children = tree
    width, height = map(int, str(attributes["viewBox"]).split()[2:])
    said = wrapped(sentence, HEAD_COLUMNS, HEAD_LINES)
    told = [("quiet", words) for words in wrapped(name, HEAD_COLUMNS, 2)] + [("name", words) for words in said]
    lines = [text(8, 20 + HEAD_LINE * at, f"t4 {kind}", words) for at, (kind, words) in enumerate(told)]
    high = HEAD_LINE * (len(lines)) + 12
    below = node("g", {"transform": f"translate(0 {high})"}, *children)
    return tag, {**attributes, "viewBox": f"0 0 {width} {height + high}"}, [*lines, below]


def standalone(tree: Node, title: str) -> str:
    """A picture as a file of its own: light colours, its style inside, nothing to fetch."""
    tag, attributes, children = tree
    width, height = str(attributes["viewBox"]).split()[2:]
    head: Attributes = {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height}
    paper = node("rect", {"width": width, "height": height, "class": "paper"})
    whole = (tag, {**head, **attributes}, [node("title", {}, title), ("style", {}, []), paper, *_unlinked(children)])
    return str(markup(whole)).replace("<style></style>", f"<style>{_style()}</style>", 1)


def _unlinked(children: list[Node | str]) -> list[Node | str]:
    found: list[Node | str] = []
    for child in children:
        if isinstance(child, str):
            found.append(child)
            continue
        tag, attributes, inner = child
        kept = {name: value for name, value in attributes.items() if name != "href"}
        found.append(("g" if tag == "a" else tag, kept, _unlinked(inner)))
    return found


@cache
def colours() -> dict[str, str]:
    """The light colours of the pages, by name."""
    style = resources.files("web").joinpath("static", "base.css").read_text("utf-8")
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", _first_block(style)))


@cache
def _style() -> str:
    files = resources.files("web").joinpath("static")
    style = files.joinpath("picture.css").read_text("utf-8")
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours().get(found[1], "inherit"), style).strip()


def _first_block(style: str) -> str:
    return style[style.index(":root") : style.index("}", style.index(":root"))]


def badge(name: str, x: int, y: int, kind: str = "icon mark") -> list[Node]:
    """An icon that can be told from any ground."""
    return [node("circle", {"cx": x + 8, "cy": y + 8, "r": 11, "class": "sum"}), icon(name, x, y, kind)]


def hatch(x: int, y: int, width: int, height: int) -> str:
    """Slanted strokes that fill a box, as one path."""
    strokes = []
    for start in range(8, width, 16):
        run = min(height, width - start)
        strokes.append(f"M{x + start} {y + height}l{run} {-run}")
    return "".join(strokes)


# Pictures as PNG, for places that show no SVG. Needs the package cairosvg (`audit[pictures]`).


@cache
def can_be_made() -> bool:
    """Whether the package and the library below it are there. The package is slow to load, and only looked for."""
    if find_spec("cairosvg") is None:
        return False
    return any(map(_can_be_opened, CAIRO)) or _can_be_imported()


def _can_be_opened(library: str) -> bool:
    from ctypes import CDLL

    try:
        CDLL(library)
    except OSError:
        return False
    return True


def _can_be_imported() -> bool:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError):
        return False
    return True


def png(drawn: str, scale: float = PNG_SCALE) -> bytes:
    """The picture as PNG; only where `can_be_made` says so."""
    import cairosvg

    return cast(bytes, cairosvg.svg2png(bytestring=drawn.encode(), scale=scale))
