"""A scene as a tree of elements, the same for every game. `static/scene.js` makes the same tree in the browser.

Whatever somebody can touch carries its key (`data-key`). Classes say what a thing is and what has become of it; how
that looks is for `static/table.css`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.core.scene import Area, Counter, Part, Scene, Token, Track, TrackStep, Zone
from audit.core.scene_changes import LEFT, Changes
from web.drawing.tree import Attributes, Node, mark_of, node
from web.scenes.cards import How, is_place, kinds, sign
from web.scenes.facing import FacingTable

ORBS = 20
"""The most dots drawn."""


def scene_tree(scene: Scene, changes: Changes, how: How) -> Node:
    """The whole table; one that may be longer than its place can be reached and scrolled with the keyboard."""
    attributes: Attributes = {"class": "scene", "role": "group", "aria-label": scene.title}
    if scene.area.layout != "facing":
        attributes["tabindex"] = 0
    return node("div", attributes, Tree(scene, changes, how).area(scene.area))


DOORS = {"open": "door-open", "ahead": "door-ahead", "shut": "door-shut"}
"""The icons of windows in which players may respond."""


class Tree(FacingTable):
    """One table in the making: its areas, their parts, and tracks."""

    def area(self, area: Area) -> Node:
        """An area by its layout."""
        if area.layout == "facing":
            return self.facing(area)
        if area.layout == "box":
            return self.box(area)
        if area.layout == "facts":
            return node("dl", {"class": "facts"}, *map(self.fact, area.parts))
        if area.layout == "mats":
            return self.mats(area)
        named = [node("p", {"class": "quiet"}, area.title)] if area.title not in ("", self.title_of_all) else []
        return node("div", {"class": area.layout}, *named, *self.parts(area.parts, self.said["nothing"]))

    def mats(self, area: Area) -> Node:
        """Heaps beside each other, then the places for cards and what belongs to the players."""
        heaps = [part for part in area.parts if isinstance(part, Zone) and part.role in ("deck", "discard")]
        others = [part for part in area.parts if part not in heaps]
        parts = [node("ul", {"class": "piles"}, *map(self.pile, heaps))] if heaps else []
        return node("div", {"class": "mats"}, *parts, *self.parts(others, ""))

    def box(self, area: Area) -> Node:
        """A frame with a title: a player's, or that of a card under way."""
        flags = {"turn": area.is_turn, "out": area.is_out, "open": area.is_open, "stopped": area.is_stopped}
        key = area.card.key if area.card else area.key
        attributes: Attributes = {"class": kinds("box", flags), "data-key": key, "aria-label": area.title}
        outside, self.owner = self.owner, self.named(area)
        told = [part for part in area.parts if area.layout != "box" or not self.is_bare(part)]
        parts = self.spread(area) if any(map(is_place, area.parts)) else list(self.parts(told, ""))
        self.owner = outside
        return node("section", attributes, self.title(area), *parts, *self.doors(area))

    def doors(self, area: Area) -> list[Node]:
        """What the doors beside the steps of this frame say, each kind once."""
        steps = [step for part in area.parts if isinstance(part, Track) for step in part.steps]
        told = [door for door in DOORS if any(step.door == door for step in steps)]
        return [node("p", {"class": "doors quiet"}, *map(self.door_said, told))] if told else []

    def door_said(self, door: str) -> Node:
        return node("span", {"class": f"told {door}"}, mark_of(DOORS[door]), " ", self.said[door])

    def spread(self, area: Area) -> list[Node]:
        """Tracks and places first; the rest on a shelf, without what is empty."""
        first = [part for part in area.parts if isinstance(part, Track) or is_place(part)]
        others = [part for part in area.parts if part not in first and not self.is_bare(part)]
        return [*self.parts(first, ""), node("div", {"class": "shelf"}, *self.parts(others, ""))]

    def is_bare(self, part: Part) -> bool:
        """Whether a zone has nothing to show: no card lies there, has just left or is on its way."""
        if self.how.get("places"):
            return False
        ghosts = {ghost.zone for ghost in self.changes.ghosts}
        is_told = isinstance(part, Zone) and (part.cards or part.coming or part.unknown or part.count)
        is_told = is_told or (isinstance(part, Zone) and part.role == "deck")
        return isinstance(part, Zone) and not is_told and part.key not in ghosts

    def title(self, area: Area) -> Node:
        """The title of a frame, what is said beside it and what hangs on it."""
        parts: list[Node | str] = [mark_of("turn")] if area.is_turn else []
        parts.append(node("b", {}, self.named(area)))
        players = self.how.get("players", {})
        notes = (*self.seat(area), *(players.get(note) or note for note in area.notes))
        parts.append(node("span", {"class": "quiet"}, " · ".join(notes)))
        return node("h3", {}, *parts, *map(self.tab, area.tabs))

    def tab(self, tab: Counter) -> Node:
        return node("span", {"class": self.kind("tab", tab.key), "data-key": tab.key}, sign(tab.sign), " ", tab.title)

    def parts(self, parts: Sequence[Part], nothing: str) -> Iterator[Node]:
        """Parts one after the other; what is only counted stands in one line."""
        counts: list[Node] = []
        for part in parts:
            if isinstance(part, Counter) or (isinstance(part, Zone) and part.is_counted):
                counts.append(self.count(part))
                continue
            yield from counted(counts)
            counts = []
            yield self.part(part, nothing)
        yield from counted(counts)

    def part(self, part: Area | Zone | Track | Counter | Token, nothing: str) -> Node:
        """One part that stands by itself."""
        if isinstance(part, Area):
            return self.area(part)
        if isinstance(part, Track):
            return self.track(part)
        return self.zone(part, nothing) if isinstance(part, Zone) else self.count(part)

    def count(self, part: Zone | Counter | Token) -> Node:
        """A name and a number."""
        value = part.size if isinstance(part, Zone) else part.value if isinstance(part, Counter) else part.at
        attributes: Attributes = {"class": self.kind("count", part.key), "data-key": part.key}
        shown: list[Node | str] = [f"{part.title} ", node("b", {}, value)] if part.title else [value]
        if isinstance(part, Counter) and part.sign:
            shown.insert(0, self.sign(part.sign))
        if isinstance(part, Counter) and part.ready is not None and part.used is not None:
            shown.insert(0, orbs(part.ready, part.used))
        return node("span", attributes, *shown)

    def fact(self, part: Part) -> Node:
        """A name, and what stands for it."""
        attributes: Attributes = {"class": self.kind("fact", part.key), "data-key": part.key}
        return node("div", attributes, node("dt", {}, part.title), node("dd", {}, self.value(part)))

    def value(self, part: Part) -> Node | str:
        if isinstance(part, Area | Track):
            return self.part(part, "")
        if isinstance(part, Zone):
            return part.size if part.is_counted and not part.unknown else self.held(part, self.said["nothing"])
        return part.value if isinstance(part, Counter) else part.at or "–"

    # Tracks

    def track(self, track: Track) -> Node:
        """Steps in their order."""
        kind = {"parts": "segments", "list": "steps-of", "path": "path"}[track.layout]
        attributes: Attributes = {"class": kind}
        if track.title:
            attributes["aria-label"] = track.title
        draw = {"parts": self.segment, "list": self.step, "path": self.space}[track.layout]
        return node("ol", attributes, *map(draw, track.steps))

    def segment(self, step: TrackStep) -> Node:
        """A part of a day."""
        here: Attributes = {"aria-current": "step"} if step.state == "now" else {}
        return node("li", {**here, "data-key": step.key}, step.title)

    def space(self, step: TrackStep) -> Node:
        """A space of a path, and who stands there."""
        mark = self.marks.get(step.key, "")
        types = () if step.signs or mark == LEFT else step.types
        flags = {"changed": mark not in ("", LEFT), "left": mark == LEFT, "typed": bool(types)}
        here: Attributes = {"class": kinds("here" if step.signs else "space", flags), "data-key": step.key}
        stands = [self.sign(name, said) for name, said in step.signs]
        gone = [node("span", {"class": "gone"})] if mark == LEFT else []
        ground = [node("span", {"class": "types"}, *(self.sign(name, said) for name, said in types))] if types else []
        return node("li", {**here, "title": step.title} if stands else here, *gone, *stands, *ground)

    def step(self, step: TrackStep) -> Node:
        """A step of a procedure: how far it is, who may respond, what is due, and what runs inside it."""
        flags = {"lost": step.lost}
        attributes: Attributes = {"class": kinds(self.kind(step.state, step.key), flags), "data-key": step.key}
        if step.state == "now":
            attributes["aria-current"] = "step"
        parts: list[Node] = [node("span", {"class": "n"}, step.number), node("span", {"class": "what"}, step.title)]
        if step.door:
            said = self.said[step.door]
            parts.append(node("span", {"class": f"door {step.door}", "title": said}, mark_of(DOORS[step.door], said)))
        parts += [node("span", {"class": "due"}, due) for due in step.due]
        return node("li", attributes, *parts, *map(self.area, step.inside))


def orbs(ready: int, used: int) -> Node:
    """What is ready and what is used up, each as a dot, up to a number that can be seen at once."""
    dots = [node("span", {"class": kind}) for kind in [*["orb"] * ready, *["orb used"] * used][:ORBS]]
    return node("span", {"class": "orbs", "aria-hidden": "true"}, *dots)


def counted(counts: Sequence[Node]) -> Iterator[Node]:
    """Names with their numbers in one line, where there are any."""
    if counts:
        first, *others = counts
        yield node("p", {"class": "counts"}, first, *(part for one in others for part in (" · ", one)))
