"""The strip under the table: turns as bands, the depth of every step, findings marked."""

from __future__ import annotations

from markupsafe import Markup

from web.drawing.tree import Attributes, Node, markup, node
from web.games.address import GameAddress
from web.games.payload import Prepared
from web.games.steps import MAX_SHOWN_DEPTH, step_sentence

BARS = 1200
"""The most bars drawn. In a longer game one bar stands for several steps and shows the deepest of them."""

MARKED = 400
"""The most findings marked."""

HIGH = 40
"""How tall a bar can be, in the strip's own units."""


def strip(game: Prepared, view: GameAddress) -> Markup:
    """The strip of a game; each finding is a link, and the script makes all of it one."""
    total = game.last + 1
    stretched: Attributes = {"viewBox": f"0 0 {total} {HIGH}", "preserveAspectRatio": "none", "class": "bars"}
    stretched.update({"width": "100%", "height": HIGH, "y": 14})
    recorded, inferred, aside = bars(game)
    inner = node(
        "svg",
        stretched,
        node("path", {"class": "bar", "d": recorded}),
        node("path", {"class": "bar inferred", "d": inferred}),
        node("path", {"class": "bar aside", "d": aside}),
    )
    parts: list[Node | str] = [*_bands(game), *_fork(game), inner, *_marks(game, view), _cursor(view.step, total)]
    return markup(node("svg", {"class": "strip-picture", "width": "100%", "height": 56}, *parts))


def ribbon(game: Prepared, view: GameAddress) -> Markup:
    """Which chapter this is and which part of it, between the chapter before and the one after."""
    names = game.scenes[view.step].chapter_parts
    starts = [(band.start, str(band.chapter)) for band in game.bands]
    here = max(at for at, (start, _) in enumerate(starts) if start <= view.step)
    end = starts[here + 1][0] if here + 1 < len(starts) else game.last + 1
    parts = [(start, names[at]) for start, at in game.parts if starts[here][0] <= start < end]
    now = max((start for start, _ in parts if start <= view.step), default=-1)
    tree = [_chapter(starts[here - 1], "before", view)] if here and starts[here - 1][1] else []
    tree.append(node("b", {"class": "chapter"}, starts[here][1]))
    if parts:
        tree.append(node("ol", {}, *(_part(start, name, view, is_now=start == now) for start, name in parts)))
    if here + 1 < len(starts):
        tree.append(_chapter(starts[here + 1], "after", view))
    return Markup("").join(map(markup, tree))


def _chapter(chapter: tuple[int, str], kind: str, view: GameAddress) -> Node:
    start, name = chapter
    return node("a", {"class": f"chapter {kind}", "href": view.address(step=start), "data-step": start}, name)


def _part(start: int, name: str, view: GameAddress, *, is_now: bool) -> Node:
    link = node("a", {"href": view.address(step=start), "data-step": start}, name)
    return node("li", {"aria-current": "step"} if is_now else {}, link)


def bars(game: Prepared) -> tuple[str, str, str]:
    """The bars as three paths: of what was recorded, of what was inferred, and of what stands no longer."""
    each = max(1, -(-(game.last + 1) // BARS))
    paths: tuple[list[str], list[str], list[str]] = ([], [], [])
    aside = {step for each in game.asides for step in range(each.first, each.last + 1)}
    for start in range(0, game.last + 1, each):
        steps = range(start, min(start + each, game.last + 1))
        tall = 6 + max(game.depths[n] for n in steps) * (HIGH - 6) // MAX_SHOWN_DEPTH
        kind = 2 if aside.issuperset(steps) else int(all(game.verdicts[n] == "inferred" for n in steps))
        paths[kind].append(f"M{start} {HIGH}v-{tall}h{each}v{tall}")
    recorded, inferred, superseded = map("".join, paths)
    return recorded, inferred, superseded


def _bands(game: Prepared) -> list[Node | str]:
    total = game.last + 1
    found: list[Node | str] = []
    for number, band in enumerate(game.bands[:MARKED]):
        side = "second" if number % 2 else "first"
        box: Attributes = {"x": _percent(band.start, total), "width": _percent(band.end - band.start, total)}
        found.append(node("rect", {"class": f"band {side}", **box, "y": 0, "height": 56}))
    return found


def _fork(game: Prepared) -> list[Node | str]:
    """The stretch that is a variation and not in the record."""
    if game.left_after is None or game.fork == game.last:
        return []
    total = game.last + 1
    box: Attributes = {"x": _percent(game.fork + 1, total), "width": _percent(game.last - game.fork, total)}
    return [node("rect", {"class": "fork", **box, "y": 0, "height": 56})]


def _marks(game: Prepared, view: GameAddress) -> list[Node | str]:
    total = game.last + 1
    found: list[Node | str] = []
    for step in game.findings[:MARKED]:
        at = _percent(2 * step + 1, 2 * total)
        line = node("line", {"x1": at, "x2": at, "y1": 15, "y2": 54, "class": "finding"})
        sort = game.verdicts[step]
        sign = node("use", {"href": f"#i-{sort}", "x": at, "y": 1, "width": 13, "height": 13, "class": f"mark {sort}"})
        link: Attributes = {"href": view.address(step=step), "aria-label": step_sentence(game, step)}
        found.append(node("a", link, node("title", {}, str(step)), line, node("g", {"class": "centred"}, sign)))
    return found


def _cursor(step: int, total: int) -> Node:
    at = _percent(2 * step + 1, 2 * total)
    return node("line", {"class": "cursor", "x1": at, "x2": at, "y1": 0, "y2": 56})


def _percent(part: int, whole: int) -> str:
    return f"{part * 100 / whole:.3f}%"
