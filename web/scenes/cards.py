"""Cards, signs and places of a scene as elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from audit.core.scene import Area, Card, Counter, Face, Figure, Part, Scene, Zone, card_name
from audit.core.scene_changes import Changes, Ghost
from web.drawing.tree import Attributes, Node, mark_of, node


class How(TypedDict, total=False):
    """How a reader wants to see a table: what is not said is as on the first visit."""

    bottom: str
    """The owner whose side is at the bottom of a table across."""
    column: int
    """The column that a narrow screen shows whole, from 1."""
    link: str
    """The address that opens a column, `COLUMN` in the place of its number."""
    cards: str
    """The address of the page of all cards."""
    players: Mapping[str, str]
    """The names of the owners of areas."""
    places: bool
    """Places where nothing lies are shown too, so that cards can be put there."""


def called(how: How, owner: str) -> str:
    """The name of the owner of an area, else the seat; "" for nobody."""
    return how.get("players", {}).get(owner) or owner


class CardNodes:
    """Draws the cards and signs of one scene, as its reader may see them."""

    def __init__(self, scene: Scene, changes: Changes, how: How) -> None:
        self.said, self.changes, self.how = scene.captions, changes, how
        self.title_of_all = scene.title
        self.tints = scene.tints
        self.marks = {**changes.marks, **dict.fromkeys(changes.struck, changes.verdict)}
        self.acting = scene.pending[0].key if scene.pending else ""
        self.is_turned = False
        self.owner = ""

    def chip(self, card: Card, kind: str, mark: str, place: str = "") -> Node:
        """A card as a small label, in a place of that name."""
        name = card_name(card, self.said)
        parts = [self.named_card(card), *self.printed(card)]
        parts += [node("span", {"class": "quiet"}, fact) for fact in card.facts]
        parts += [node("span", {"class": "status"}, sign(name), node("span", {"class": "word"}, word))
                  for name, word in card.tags]  # fmt: skip
        seen = {"down": card.down, "unknown": not card.face, "spent": card.spent}
        flags = {kind: bool(kind), **seen, **self.flags(card.key, "" if kind else mark)}
        attributes: Attributes = {"class": self.tinted("card chip", card.face, flags), "data-key": card.key}
        said = self.spoken(name, kind) if kind else self.told(card, place)
        return node("li", attributes, self.linked(card, [*parts, *marked(mark)], said, self.all_of(card)))

    def ghost(self, ghost: Ghost) -> Node:
        """What is left of a card that lay here; of one that nobody knows a back."""
        return self.chip(ghost.card, "ghost", ghost.mark)

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
            yield from (node("span", {"class": "text"}, words) for place, words in face.texts if not place)

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

    def lain(self, card: Card, where: str, *, is_last: bool) -> Node:
        """A card of a stack."""
        mark = self.marks.get(card.key, "")
        state = f"{self.said['down' if card.down else 'up']}, {self.said['top' if is_last else 'under']}"
        said = f"{card_name(card, self.said)}, {state}"
        acts = is_last and not card.down and card.key == self.acting
        flags = {"down": card.down, "up": not card.down, "under": not is_last, "acts": acts}
        flags |= self.flags(card.key, mark)
        title = said if card.down or not card.face else whole_text(card.face)
        inner = self.down(card, mark) if card.down else self.up(card, mark, is_last)
        attributes: Attributes = {"class": self.tinted("card", card.face, flags), "data-key": card.key}
        return node("li", attributes, self.linked(card, inner, f"{said}, {where}", title))

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


class ZoneNodes(CardNodes):
    """Draws its places, with what lies there, has just left and is on its way."""

    def named(self, area: Area) -> str:
        """The title of an area with the name of its owner; the side of a player goes by the name alone."""
        name = self.how.get("players", {}).get(area.owner, "")
        return name if name and area.title == area.owner else f"{area.title} {name}".strip()

    def seat(self, area: Area) -> tuple[str, ...]:
        """The seat that logs call a player by, beside the name; nothing where the one is the other."""
        is_side = area.title == area.owner and area.title.casefold() != self.named(area).casefold()
        return (area.title,) if is_side else ()

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
        if not zone.is_counted:
            return [self.chip(card, "", self.marks.get(card.key, ""), zone.title) for card in zone.cards]
        count = len(zone.cards) if zone.count is None else zone.count
        last = self.marks.get(zone.key, "")
        return [self.back(last if number == count else "") for number in range(1, count + 1)]

    def gone(self, zone: Zone) -> list[Node]:
        """Ghosts of the cards that lay here until this step."""
        return [self.ghost(ghost) for ghost in self.changes.ghosts if ghost.zone == zone.key]

    def coming(self, zone: Zone) -> list[Node]:
        """The cards on their way here."""
        return [self.chip(card, "flight", "commit") for card in zone.coming]

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


def kinds(kind: str, flags: Mapping[str, bool]) -> str:
    """Classes: the first, and those that hold."""
    return " ".join([kind, *(name for name, holds in flags.items() if holds)])


def is_place(part: Part) -> bool:
    """Whether a zone is a place with sums and facts of its own."""
    return isinstance(part, Zone) and bool(part.counters or part.facts)


def figures_of(card: Card) -> Sequence[Figure]:
    """The numbers of a card as it lies, else the printed ones."""
    return card.figures or (card.face.figures if card.face else ())


def against(total: Counter) -> list[Node]:
    """The number that a sum is compared with."""
    return [node("span", {"class": "against"}, f":{total.against}")] if total.against else []


def marked(mark: str) -> list[Node]:
    """The icon of what happened, where there is one."""
    return [mark_of(mark)] if mark not in ("", "changed") else []


def sign(name: str, words: str = "", tint: str = "") -> Node:
    """One of the game's own signs, with a spoken name or none."""
    said: Attributes = {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    return node("svg", {"class": f"i sign {tint}".rstrip(), **said}, node("use", {"href": f"#s-{name}"}))


def whole_text(face: Face) -> str:
    """A card's name and all its texts."""
    return " / ".join([face.title, *(words for _, words in face.texts if words)])
