"""A table across as elements: two sides with the same columns."""

from __future__ import annotations

from collections.abc import Sequence

from audit.core.scene import Area, Counter, Scene, Token, Zone
from web.drawing.tree import Attributes, Node, mark_of, node
from web.scenes.cards import ZoneNodes, called, kinds, marked, sign

MANY = 4
"""From more cards than these on, the last one of a stack is not shown whole where there is little room."""
MOST = 14
"""More cards than these are given no more room."""


class FacingTable(ZoneNodes):
    """Draws two sides across the same columns."""

    def facing(self, area: Area) -> Node:
        """Two sides across the same columns."""
        above, below = self.sides(area)
        token = next((part for part in area.parts if isinstance(part, Token)), None)
        turn = {"turn-top": above.is_turn, "turn-bottom": below.is_turn}
        sides = ((above, "top"), (below, "bottom"))
        hands = {place: [self.hand(side, place), self.piles(side, place)] for side, place in sides}
        middle = [self.lanes(above, below), *([self.token(token, above)] if token else [])]
        return node("div", {"class": kinds("facing", turn)}, *hands["top"], *middle, *reversed(hands["bottom"]))

    def sides(self, area: Area) -> tuple[Area, Area]:
        """The side above and the side below; with the second side below, left and right change places as well."""
        one, other = [part for part in area.parts if isinstance(part, Area)][:2]
        self.is_turned = self.how.get("bottom") == other.owner
        return (one, other) if self.how.get("bottom") == other.owner else (other, one)

    def hand(self, side: Area, place: str) -> Node:
        """The name of a side and its hand, with what comes to its piles."""
        zones = [part for part in side.parts if isinstance(part, Zone) and part.layout != "stack"]
        hands = [zone for zone in zones if zone.role == "hand"]
        name: list[Node | str] = [mark_of("turn")] if side.is_turn else []
        name.append(node("b", {}, self.named(side)))
        name += [node("span", {"class": "quiet"}, seat) for seat in self.seat(side)]
        for zone in hands:
            shown = {"size": True, "always": zone.is_counted}
            name.append(node("span", {"class": kinds("quiet", shown)}, f"{zone.title} {zone.size}"))
        self.owner = self.named(side)
        cards = [chip for zone in hands for chip in (*self.lying(zone), *self.gone(zone))]
        self.owner = ""
        cards += [chip for zone in zones for chip in self.coming(zone)]
        attributes: Attributes = {"class": kinds(f"hand {place}", {"turn": side.is_turn})}
        for zone in hands:
            attributes["data-key"] = zone.key
        return node("div", attributes, node("p", {"class": "name"}, *name), node("ul", {"class": "held"}, *cards))

    def piles(self, side: Area, place: str) -> Node:
        """The heaps of a side."""
        heaps = [part for part in side.parts if isinstance(part, Zone) and part.layout == "pile"]
        return node("ul", {"class": f"piles {place}"}, *map(self.pile, heaps))

    def token(self, token: Token, above: Area) -> Node:
        """What one side has or neither, on that side."""
        place = "neutral" if not token.at else "top" if token.at == above.owner else "bottom"
        attributes: Attributes = {
            "class": self.kind(f"token {place}", token.key), "data-key": token.key, "role": "img",
            "aria-label": f"{token.title}: {called(self.how, token.at) or '—'}",
        }  # fmt: skip
        return node("div", attributes, mark_of("token"), node("span", {"class": "quiet"}, token.title))

    def lanes(self, above: Area, below: Area) -> Node:
        """The columns."""
        both = list(zip(stacks_of(above), stacks_of(below), strict=False))
        lanes = [self.lane(number, (above, one), (below, other)) for number, (one, other) in enumerate(both, 1)]
        here = self.how.get("column", 1)
        at = len(lanes) + 1 - here if self.is_turned else here
        return node("div", {"class": f"lanes at-{at}"}, *(reversed(lanes) if self.is_turned else lanes))

    def lane(self, number: int, above: tuple[Area, Zone], below: tuple[Area, Zone]) -> Node:
        """One column: a stack of either side, what stands at their heads, and between them its name."""
        title = above[1].title
        parts = [self.stack(*above, "top"), self.plate(*above), node("p", {"class": "quiet label"}, title)]
        parts += [self.plate(*below), self.stack(*below, "bottom")]
        here = number == self.how.get("column", 1)
        lit = self.changes.focus in (above[1].key, below[1].key)
        if not here:
            link = self.how.get("link", "").replace("COLUMN", str(number))
            parts.append(node("a", {"class": "opens", "href": link, "data-column": number, "aria-label": title}))
        return node("div", {"class": kinds("lane", {"here": here, "lit": lit})}, *parts)

    def plate(self, side: Area, zone: Zone) -> Node:
        """What stands at the head of a stack, and the stack's total."""
        head = zone.head or Counter("", "", "")
        mark = self.marks.get(head.key, "")
        done = f", {self.said['done']}" if head.done else ""
        said = f"{self.named(side)}, {zone.title}: {head.title}{done}, {self.said['total']} {head.value}"
        attributes: Attributes = {
            "class": kinds(f"plate {self.tint(head.sign)}".strip(), {"done": head.done, **self.flags(head.key, mark)}),
            "data-key": head.key, "role": "img",
            "aria-label": said, "title": said,
        }  # fmt: skip
        parts: list[Node] = [sign(head.sign), node("span", {"class": "name"}, head.title)]
        parts += [mark_of("legal")] if head.done else []
        total = node("b", {"class": kinds("value", {"full": head.full, "lead": head.leads})}, head.value)
        return node("div", attributes, *parts, *marked(mark), total)

    def stack(self, side: Area, zone: Zone, place: str) -> Node:
        """Cards on each other, the last one whole."""
        where = f"{self.named(side)}, {zone.title}"
        last = len(zone.cards) - 1
        cards = [self.lain(card, where, is_last=number == last) for number, card in enumerate(zone.cards)]
        extras = [(ghost.at, self.ghost(ghost)) for ghost in self.changes.ghosts if ghost.zone == zone.key]
        extras += [(card.above, self.chip(card, "flight", "commit")) for card in zone.coming]
        flags = {"empty": not zone.cards, "many": len(zone.cards) + len(extras) > MANY, **self.flags(zone.key, "")}
        count = min(len(cards) + len(extras), MOST)
        kind = kinds(f"stack {place}", {f"n{count}": count > 1, **flags})
        attributes: Attributes = {"class": kind, "data-key": zone.key}
        return node("ol", attributes, *placed(cards, extras))


def placed(cards: list[Node], extras: Sequence[tuple[int | None, Node]]) -> list[Node]:
    """Cards with those that are gone or still come, each where it lay or will lie; where nobody knows, at the end."""
    found = list(cards)
    for at, extra in sorted(extras, key=lambda one: len(cards) if one[0] is None else one[0], reverse=True):
        found.insert(len(cards) if at is None else min(at, len(cards)), extra)
    return found


def columns(scene: Scene) -> list[str]:
    """The names of the columns of a table across; none where a table has no such thing."""
    sides = [part for part in scene.area.parts if isinstance(part, Area)] if scene.area.layout == "facing" else []
    return [zone.title for zone in stacks_of(sides[0])] if sides else []


def focused(scene: Scene, zone: str) -> int:
    """The column of a zone, from 1; the first where it is in none."""
    sides = (part for part in scene.area.parts if isinstance(part, Area)) if columns(scene) else ()
    found = (at for side in sides for at, stack in enumerate(stacks_of(side), 1) if stack.key == zone)
    return next(found, 1)


def stacks_of(area: Area) -> list[Zone]:
    """The stacks of a side, one a column."""
    return [part for part in area.parts if isinstance(part, Zone) and part.layout == "stack"]
