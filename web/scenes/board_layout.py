"""Where everything is on a table across, and how high its cards are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from audit.core.scene import Area, Card, Face, Scene, Zone, card_name
from audit.core.scene_changes import Changes
from web.drawing.words import text_width
from web.scenes.facing import stacks_of

WIDTH = 420
"""A picture is made for a phone: there a unit is about a pixel, and its words are fourteen units high."""

COLUMN, COLUMN_STEP, LEFT = 134, 137, 6
PLATE = 30
CHIP_HEIGHT, ROW, BACK, APART = 26, 30, 20, 4
NAME, BETWEEN = 26, 18
"""The height of the line with the name of a side, and of the names of the columns."""

CARD, DOWN, HEAD, STRIP, STRIP_WITH_TEXT, LEAST, EXTRA, GAP = 86, 56, 26, 24, 42, 7, 24, 4
LINE, AROUND, THIN = 16, 8, 9
"""A line of text, the room above and below the lines of a text, and the place of a text that a card does not have."""


class Half(Struct, frozen=True):
    """Where the things of one side are: the upper half and the lower half mirror each other."""

    is_top: bool
    plate: int
    edge: int
    name: int
    chips: int
    inner: int
    """Where the hand ends towards the middle."""


LEAST_ROOM, ROOM = 100, 560
"""How far a stack may reach from its head: at least, and at most."""


class Needs(Struct, frozen=True):
    """What has to have room: the longest stack of either side, and so many rows of either hand."""

    over: int = ROOM
    under: int = ROOM
    rows_over: int = 1
    rows_under: int = 1


class Layout(Struct, frozen=True):
    """Where everything is, from top to bottom."""

    top: Half
    bottom: Half
    label: int
    height: int


def layout(needs: Needs) -> Layout:
    """Where everything is if that has to have room."""
    hand = NAME + ROW * needs.rows_over
    edge = hand + GAP
    plate = edge + needs.over
    other = plate + PLATE + BETWEEN
    end = other + PLATE + needs.under
    chips = end + GAP
    name = chips + ROW * needs.rows_under
    top = Half(True, plate, edge, 18, NAME, hand - GAP)
    bottom = Half(False, other, end, name + 16, chips, chips)
    return Layout(top, bottom, plate + PLATE + 14, name + NAME)


def needs_of(scene: Scene, changes: Changes, bottom: str = "") -> Needs:
    """What a scene needs, with that owner's side below."""
    one, other = [part for part in scene.area.parts if isinstance(part, Area)][:2]
    above, below = (one, other) if bottom == other.owner else (other, one)
    rows = (_rows(side, changes, scene.captions) for side in (above, below))
    return Needs(_room(above, changes), _room(below, changes), *rows)


def all_of(needs: Iterable[Needs]) -> Needs:
    """What has room for each of them."""
    found = list(needs)
    return Needs(*(max(getattr(one, name) for one in found) for name in Needs.__struct_fields__))


def _room(side: Area, changes: Changes) -> int:
    """How far the longest stack of a side reaches with all its cards."""
    zones = stacks_of(side)
    extras = {zone.key: len(zone.coming) for zone in zones}
    for ghost in changes.ghosts:
        extras[ghost.zone] = extras.get(ghost.zone, 0) + 1
    longest = max((sum(heights(zone.cards, ROOM)) + EXTRA * extras[zone.key] for zone in zones), default=0)
    return min(ROOM, max(LEAST_ROOM, longest + 2 * GAP))


class Label(Struct, frozen=True):
    """A card of a hand: what it is called, what has become of it, and its mark."""

    card: Card
    kind: str
    mark: str
    name: str

    @property
    def width(self) -> int:
        """How much room its sign and its name take."""
        return min(WIDTH - 2 * LEFT, text_width(self.name, strong=True) + 34)


def hand_of(side: Area) -> Zone:
    """The hand of a side."""
    return next(part for part in side.parts if isinstance(part, Zone) and part.role == "hand")


def labels_of(side: Area, changes: Changes, captions: Mapping[str, str]) -> list[Label]:
    """The cards in a hand, those that left it in this step, those on their way to it or to a heap."""
    hand, zones = hand_of(side), [part for part in side.parts if isinstance(part, Zone) and part.layout != "stack"]
    found = [(card, "chip", "") for card in hand.cards]
    found += [(ghost.card, "chip ghost", ghost.mark) for ghost in changes.ghosts if ghost.zone == hand.key]
    found += [(card, "chip flight", "commit") for zone in zones for card in zone.coming]
    return [Label(card, kind, mark, card_name(card, captions)) for card, kind, mark in found]


def packed(labels: Iterable[Label]) -> list[tuple[int, int]]:
    """The row of each label, from 0, and where it begins."""
    found, row, x = list[tuple[int, int]](), 0, LEFT
    for label in labels:
        if x > LEFT and x + label.width > WIDTH - LEFT:
            row, x = row + 1, LEFT
        found.append((row, x))
        x += label.width + APART
    return found


def _rows(side: Area, changes: Changes, captions: Mapping[str, str]) -> int:
    """How many rows the cards of a hand need; backs lie over each other."""
    places = packed(labels_of(side, changes, captions))
    return max(1, (places[-1][0] + 1 if places else 0) + bool(hand_of(side).count))


def heights(stack: Sequence[Card], room: int) -> list[int]:
    """How tall each card of a stack is drawn: the last one whole, the others as strips that share the room left."""
    if not stack:
        return []
    whole = min(room - LEAST * (len(stack) - 1), DOWN if stack[-1].down else card_height(stack[-1].face or Face("")))
    wanted = [STRIP_WITH_TEXT if first_text(card) else STRIP for card in stack[:-1]]
    left = room - whole
    if sum(wanted) > left:
        wanted = [STRIP] * len(wanted)
    if sum(wanted) > left and wanted:
        wanted = [max(LEAST, left // len(wanted))] * len(wanted)
    return [*wanted, whole]


def first_text(card: Card) -> bool:
    """Whether a card under another has a text that can still be read, and that one line holds."""
    return bool(card.face and card.face.texts and not card.down and len(lines_of(card.face.texts[0][1])) == 1)


def card_height(face: Face) -> int:
    """How high a card is on which every text stands whole."""
    return max(CARD, HEAD + texts_height(face) + 2)


def texts_height(face: Face) -> int:
    """How high the texts of a card are."""
    return sum(len(lines_of(words)) * LINE + AROUND if words else THIN for _, words in face.texts)


def lines_of(words: str) -> list[str]:
    """A text in lines as wide as a card."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= COLUMN - 10:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def step_of(count: int, wanted: int, room: int, width: int) -> int:
    """How far apart cards in a row are, so that all of them fit."""
    return wanted if count < 2 else max(6, min(wanted, (room - width) // (count - 1)))
