"""A scene as a tree of elements, the same for every game. `static/scene.js` makes the same tree in the browser.

Whatever somebody can touch carries its key (`data-key`). Classes say what a thing is and what has become of it; how
that looks is for `static/table.css`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from audit.core.scene import Area, Card, Counter, Face, Figure, Part, Scene, Token, Track, TrackStep, Zone, card_name
from audit.core.scene_changes import LEFT, Changes, Ghost
from web.drawing.tree import Attributes, Node, mark_of, node

MANY = 4
"""From more cards than these on, the last one of a stack is not shown whole where there is little room."""


MOST = 14
"""More cards than these are given no more room."""

ORBS = 20
"""The most dots drawn."""


class How(TypedDict, total=False):
    """How a reader wants to see a table: what is not said is as on the first visit."""

    bottom: str
    """The owner whose side is at the bottom of a table across."""
    column: int
    """The column that a narrow screen shows whole, from 1."""
    hide: bool
    """Cards that only some may see are concealed."""
    link: str
    """The address that opens a column, `COLUMN` in the place of its number."""
    cards: str
    """The address of the page of all cards."""
    players: Mapping[str, str]
    """The names of the owners of areas."""
    low: bool
    """A picture of a table across is no higher than what lies there needs."""
    places: bool
    """Places where nothing lies are shown too, so that cards can be put there."""


def scene_tree(scene: Scene, changes: Changes, how: How) -> Node:
    """The whole table; one that may be longer than its place can be reached and scrolled with the keyboard."""
    attributes: Attributes = {"class": "scene", "role": "group", "aria-label": scene.title}
    if scene.area.layout != "facing":
        attributes["tabindex"] = 0
    return node("div", attributes, Tree(scene, changes, how).area(scene.area))


class Tree:
    """One table in the making."""

    def __init__(self, scene: Scene, changes: Changes, how: How) -> None:
        self.said, self.changes, self.how = scene.captions, changes, how
        self.title_of_all = scene.title
        self.tints = scene.tints
        self.marks = {**changes.marks, **dict.fromkeys(changes.struck, changes.verdict)}
        self.acting = scene.pending[0].key if scene.pending else ""
        self.hide = how.get("hide", False)
        self.is_turned = False
        self.owner = ""

    # Areas

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
        return node("section", attributes, self.title(area), *parts)

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

    def named(self, area: Area) -> str:
        """The title of an area with the name of its owner; the side of a player goes by the name alone."""
        name = self.how.get("players", {}).get(area.owner, "")
        return name if name and area.title == area.owner else f"{area.title} {name}".strip()

    def called(self, owner: str) -> str:
        """The name of the owner of an area; a dash for nobody."""
        return self.how.get("players", {}).get(owner) or owner or "—"

    def seat(self, area: Area) -> tuple[str, ...]:
        """The seat that logs call a player by, beside the name; nothing where the one is the other."""
        is_side = area.title == area.owner and area.title.casefold() != self.named(area).casefold()
        return (area.title,) if is_side else ()

    def parts(self, parts: Sequence[Part], nothing: str) -> Iterator[Node]:
        """Parts one after the other; what is only counted stands in one line."""
        counts: list[Node] = []
        for part in parts:
            if isinstance(part, Counter) or (isinstance(part, Zone) and self.is_counted(part)):
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
            return part.size if self.is_counted(part) and not part.unknown else self.held(part, self.said["nothing"])
        return part.value if isinstance(part, Counter) else part.at or "–"

    def is_counted(self, zone: Zone) -> bool:
        """Whether no more than the number of cards is shown."""
        return zone.is_counted or (self.hide and zone.secret)

    # Zones

    def zone(self, zone: Zone, nothing: str) -> Node:
        """A place for cards with all that is said of it."""
        place = is_place(zone)
        parts: list[Node | str] = [node("span", {"class": "title"}, zone.title, *self.limit(zone))]
        if place:
            parts.append(node("span", {"class": "signs"}, *(self.sign(name, said) for name, said in zone.signs)))
        parts += [node("span", {"class": "at"}, fact) for fact in zone.facts]
        if place:
            parts.append(node("span", {"class": "totals"}, *map(self.total, zone.counters)))
        parts += [node("span", {"class": "quiet"}, note) for note in zone.notes]
        kind = kinds(self.kind("zone", zone.key), {"place": place, "apart": bool(nothing)})
        return node("div", {"class": kind, "data-key": zone.key}, *parts, self.held(zone, nothing))

    def limit(self, zone: Zone) -> list[Node | str]:
        """How many cards may stay; more than that stand out."""
        if zone.limit is None:
            return []
        count = len(zone.cards)
        over = count > zone.limit
        shown = f"{count} > {zone.limit}" if over else f"≤ {zone.limit}"
        return [" ", node("span", {"class": kinds("limit", {"over": over})}, shown)]

    def total(self, total: Counter) -> Node:
        """A sum of a place, with its sign."""
        kind = kinds(self.kind("stat", total.key), {"idle": total.idle, "lead": total.leads})
        said = f"{total.title} {total.value}{f' : {total.against}' if total.against else ''}"
        attributes: Attributes = {"class": kind, "data-key": total.key, "title": said}
        return node("span", attributes, self.sign(total.sign, total.title), total.value, *against(total))

    def held(self, zone: Zone, nothing: str) -> Node:
        """The cards of a place as a list."""
        if zone.unknown:
            return node("span", {"class": "quiet"}, self.said["untold"])
        chips = [*self.lying(zone), *self.gone(zone), *self.coming(zone)]
        if not chips and nothing:
            chips.append(node("li", {"class": "quiet none"}, nothing))
        return node("ul", {"class": "held"}, *chips)

    def lying(self, zone: Zone) -> list[Node]:
        """The cards that lie in a place, or as many backs."""
        if not self.is_counted(zone):
            return [self.chip(card, "", self.marks.get(card.key, ""), zone.title) for card in zone.cards]
        count = len(zone.cards) if zone.count is None else zone.count
        last = self.marks.get(zone.key, "")
        return [self.back(last if number == count else "") for number in range(1, count + 1)]

    def gone(self, zone: Zone) -> list[Node]:
        """Ghosts of the cards that lay here until this step."""
        return [self.ghost(ghost) for ghost in self.changes.ghosts if ghost.zone == zone.key]

    def ghost(self, ghost: Ghost) -> Node:
        """What is left of a card that lay here; of one that nobody knows a back."""
        return self.chip(ghost.card, "ghost", ghost.mark)

    def coming(self, zone: Zone) -> list[Node]:
        """The cards on their way here."""
        return [self.chip(card, "flight", "commit") for card in zone.coming]

    def chip(self, card: Card, kind: str, mark: str, place: str = "") -> Node:
        """A card as a small label, in a place of that name."""
        card = self.masked(card) if kind else card
        name = card_name(card, self.said)
        parts = [self.named_card(card), *self.printed(card)]
        parts += [node("span", {"class": "quiet"}, fact) for fact in card.facts]
        parts += [node("span", {"class": "status"}, sign(name), node("span", {"class": "word"}, word))
                  for name, word in card.tags]  # fmt: skip
        flags = {kind: bool(kind), "down": card.down, "spent": card.spent, **self.flags(card.key, "" if kind else mark)}
        attributes: Attributes = {"class": self.tinted("card chip", card.face, flags), "data-key": card.key}
        said = self.spoken(name, kind) if kind else self.told(card, place)
        return node("li", attributes, self.linked(card, [*parts, *marked(mark)], said, self.all_of(card)))

    def printed(self, card: Card) -> Iterator[Node]:
        """The value of a card; of one that has a kind, a large sign, the kind, the numbers and the text."""
        face, figures = card.face or Face(""), figures_of(card)
        if face.value:
            yield node("b", {"class": "value"}, face.value)
        if face.kind:
            yield node("span", {"class": "kind"}, sign(face.sign), face.kind)
        if figures:
            yield node("span", {"class": "figures"}, *map(self.figure, figures))
        if face.kind:
            yield from (node("span", {"class": "text"}, words) for _, words in face.texts)

    def figure(self, one: Figure) -> Node:
        """A number with its sign; its name is there for whoever points at it."""
        name, title, number = one
        return node("span", {"class": "figure", "title": f"{title} {number}"}, self.sign(name), number)

    def sign(self, name: str, words: str = "") -> Node:
        """A sign in its own colour."""
        return sign(name, words, self.tint(name))

    def told(self, card: Card, place: str) -> str:
        """What a screen reader says of a card that lies in a place: the card, whose it is and where."""
        value = card.face.value if card.face else ""
        name = card_name(card, self.said)
        shown = [name] if not value or name.endswith(value) else [name, value]
        figures = (f"{title} {number}" for _, title, number in figures_of(card))
        tags = (word for _, word in card.tags)
        return ", ".join(filter(None, (*shown, *figures, *card.facts, *tags, self.owner, place)))

    def named_card(self, card: Card) -> Node:
        """The name of a card, with its sign where it has one."""
        signs = [sign(card.face.sign)] if card.face and card.face.sign else []
        return node("span", {"class": "head"}, *signs, node("b", {"class": "name"}, card_name(card, self.said)))

    def all_of(self, card: Card) -> str:
        """The texts of a card, where it has any: its label may be too small for its name."""
        return whole_text(card.face) if card.face and card.face.texts else ""

    def tinted(self, kind: str, face: Face | None, flags: Mapping[str, bool]) -> str:
        """Classes with those of the colour and pattern of a face; a back has neither."""
        tint = self.tint(face.sign) if face and not flags.get("down") else ""
        return " ".join(filter(None, (kinds(kind, flags), tint)))

    def tint(self, name: str) -> str:
        """The classes of the colour and pattern of a sign."""
        return f"tint {self.tints[name]}" if name in self.tints else ""

    def flags(self, key: str, mark: str) -> dict[str, bool]:
        """What has become of a thing: it has changed, it was wrong to touch it, it could have been touched."""
        wrong, could = key in self.changes.struck, key in self.changes.could
        return {"changed": bool(mark) and not wrong, "wrong": wrong, "possible": could and not wrong}

    def spoken(self, name: str, kind: str) -> str:
        """What a screen reader says of a ghost or of a card on its way; the words of others say it all."""
        return f"{name}, {self.said['gone' if kind == 'ghost' else 'coming']}" if kind else ""

    def back(self, mark: str) -> Node:
        return node("li", {"class": kinds("card chip back", {"changed": bool(mark)})}, *marked(mark))

    def linked(self, card: Card, parts: Sequence[Node | str], said: str = "", title: str = "") -> Node:
        """What a card shows, as a link to all about it where there is such a page."""
        attributes: Attributes = {"class": "face"}
        if title:
            attributes["title"] = title
        if said:
            attributes["aria-label"] = said
        if card.face and card.face.id:
            return node("a", {**attributes, "href": f"{self.how.get('cards', '')}#{card.face.id}"}, *parts)
        return node("span", {**attributes, **({"role": "img"} if said else {})}, *parts)

    def masked(self, card: Card) -> Card:
        """The card, or its back where hidden cards are concealed."""
        return Card(card.key, None, card.down, card.value) if self.hide else card

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
        kind = kinds("here" if step.signs else "space", {"changed": mark not in ("", LEFT), "left": mark == LEFT})
        here: Attributes = {"class": kind, "data-key": step.key}
        stands = [self.sign(name, said) for name, said in step.signs]
        gone = [node("span", {"class": "gone"})] if mark == LEFT else []
        return node("li", {**here, "title": step.title} if stands else here, *gone, *stands)

    def step(self, step: TrackStep) -> Node:
        """A step of a procedure: how far it is, who may respond, what is due, and what runs inside it."""
        flags = {"lost": step.lost}
        attributes: Attributes = {"class": kinds(self.kind(step.state, step.key), flags), "data-key": step.key}
        if step.state == "now":
            attributes["aria-current"] = "step"
        parts: list[Node] = [node("span", {"class": "n"}, step.number), node("span", {"class": "what"}, step.title)]
        if step.door:
            shape = "door-open" if step.door == "open" else "door-shut"
            parts.append(node("span", {"class": f"door {step.door}"}, mark_of(shape, self.said[step.door])))
        parts += [node("span", {"class": "due"}, due) for due in step.due]
        return node("li", attributes, *parts, *map(self.area, step.inside))

    # A table across

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
            shown = {"size": True, "always": self.is_counted(zone)}
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

    def pile(self, zone: Zone) -> Node:
        """A heap: the card on top where its face is seen by all, and how many."""
        mark, top = self.marks.get(zone.key, ""), zone.cards[-1].face if zone.cards and zone.role == "discard" else None
        heap: list[Node | str] = [sign(top.sign), node("b", {}, top.value)] if top and top.value else []
        if top and not top.value:
            heap.append(node("span", {"class": "top"}, top.title))
        if zone.role == "deck" and zone.size != "0":
            heap.append(mark_of("token"))
        flags = {"none": zone.size == "0", zone.role: bool(zone.role), **self.flags(zone.key, mark)}
        attributes: Attributes = {"class": kinds("pile", flags), "data-key": zone.key}
        if top:
            attributes["title"] = top.title
        size = node("b", {"class": "size"}, zone.size)
        heap_of = node("span", {"class": "heap"}, *heap, *marked(mark))
        return node("li", attributes, heap_of, node("span", {"class": "quiet"}, zone.title), size)

    def token(self, token: Token, above: Area) -> Node:
        """What one side has or neither, on that side."""
        place = "neutral" if not token.at else "top" if token.at == above.owner else "bottom"
        attributes: Attributes = {
            "class": self.kind(f"token {place}", token.key), "data-key": token.key, "role": "img",
            "aria-label": f"{token.title}: {self.called(token.at)}",
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

    def lain(self, card: Card, where: str, *, is_last: bool) -> Node:
        """A card of a stack."""
        mark = self.marks.get(card.key, "")
        shown = self.masked(card) if card.down else card
        state = f"{self.said['down' if card.down else 'up']}, {self.said['top' if is_last else 'under']}"
        said = f"{card_name(shown, self.said)}, {state}"
        acts = is_last and not card.down and card.key == self.acting
        flags = {"down": card.down, "up": not card.down, "under": not is_last, "acts": acts}
        flags |= self.flags(card.key, mark)
        title = said if card.down or not shown.face else whole_text(shown.face)
        inner = self.down(shown, mark) if card.down else self.up(shown, mark, is_last)
        attributes: Attributes = {"class": self.tinted("card", shown.face, flags), "data-key": card.key}
        return node("li", attributes, self.linked(shown, inner, f"{said}, {where}", title))

    def up(self, card: Card, mark: str, is_last: bool) -> list[Node | str]:
        """The face of a card: all of it, or what can be seen under another."""
        face = card.face or Face("")
        head = [sign(face.sign), node("b", {"class": "name"}, face.title), *marked(mark)]
        parts: list[Node | str] = [node("span", {"class": "head"}, *head, node("b", {"class": "value"}, face.value))]
        if is_last:
            return [*parts, *self.texts(face)]
        first = face.texts[0][1] if face.texts else ""
        return [*parts, node("span", {"class": "text"}, first)] if first else parts

    def texts(self, face: Face) -> list[Node]:
        """The texts of a card, each in its place."""
        filled = sum(bool(words) for _, words in face.texts)
        return [
            node("span", {"class": f"text of-{filled}" if words else "text none"}, words) for _, words in face.texts
        ]

    def down(self, card: Card, mark: str) -> list[Node | str]:
        """The back of a card, and in its corner what it is, for those who know."""
        corner = node("span", {"class": "corner"}, card.face.title if card.face else self.said["down"])
        return [node("span", {"class": "head"}, corner, *marked(mark), node("b", {"class": "value"}, card.value))]

    def kind(self, kind: str, key: str) -> str:
        """A class, and whether the thing of that key has changed."""
        return f"{kind} changed" if key in self.marks else kind


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


def kinds(kind: str, flags: Mapping[str, bool]) -> str:
    """Classes: the first, and those that hold."""
    return " ".join([kind, *(name for name, holds in flags.items() if holds)])


def is_place(part: Part) -> bool:
    """Whether a zone is a place with sums and facts of its own."""
    return isinstance(part, Zone) and bool(part.counters or part.facts)


def figures_of(card: Card) -> Sequence[Figure]:
    """The numbers of a card as it lies, else the printed ones."""
    return card.figures or (card.face.figures if card.face else ())


def orbs(ready: int, used: int) -> Node:
    """What is ready and what is used up, each as a dot, up to a number that can be seen at once."""
    dots = [node("span", {"class": kind}) for kind in [*["orb"] * ready, *["orb used"] * used][:ORBS]]
    return node("span", {"class": "orbs", "aria-hidden": "true"}, *dots)


def against(total: Counter) -> list[Node]:
    """The number that a sum is compared with."""
    return [node("span", {"class": "against"}, f":{total.against}")] if total.against else []


def counted(counts: Sequence[Node]) -> Iterator[Node]:
    """Names with their numbers in one line, where there are any."""
    if counts:
        first, *others = counts
        yield node("p", {"class": "counts"}, first, *(part for one in others for part in (" · ", one)))


def marked(mark: str) -> list[Node]:
    """The icon of what happened, where there is one."""
    return [mark_of(mark)] if mark not in ("", "changed") else []


def sign(name: str, words: str = "", tint: str = "") -> Node:
    """One of the game's own signs, with a spoken name or none."""
    said: Attributes = {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    return node("svg", {"class": f"i sign {tint}".rstrip(), **said}, node("use", {"href": f"#s-{name}"}))


def stacks_of(area: Area) -> list[Zone]:
    """The stacks of a side, one a column."""
    return [part for part in area.parts if isinstance(part, Zone) and part.layout == "stack"]


def whole_text(face: Face) -> str:
    """A card's name and all its texts."""
    return " / ".join([face.title, *(words for _, words in face.texts if words)])
