"""Where everything is on a table across, and how high its cards are."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from audit.core.scene import Area, Card, Face, Scene
from audit.core.scene_changes import Changes
from web.drawing.words import text_width
from web.scenes.facing import stacks_of

WIDTH = 900
COLUMN, COLUMN_STEP, LEFT = 248, 256, 8
PLATE = 36
CHIP, CHIP_HEIGHT, BACK = 130, 46, 32
CHIPS_FROM, CHIPS_TO = 128, 776
HEAPS, HEAP_WIDTH, HEAP_HEIGHT = (784, 842), 50, 64
TOKEN_X = 838
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
    heap: int
    token: int


ROOM, ROOM_FOR_HEAPS = 296, 140
"""How far a stack may reach from its head: where all pictures are alike, and at least, so that heaps have room."""


class Layout(Struct, frozen=True):
    """Where everything is, from top to bottom."""

    top: Half
    bottom: Half
    neutral: int
    """Where a token lies that neither side has."""
    label: int
    height: int


def layout(room: int = ROOM) -> Layout:
    """Where everything is if stacks reach so far."""
    less = ROOM - room
    top = Half(True, 360 - less, 60, 34, 6, 64, max(172, 278 - less))
    bottom = Half(False, 412 - less, 748 - 2 * less, 784 - 2 * less, 756 - 2 * less, 648 - 2 * less, 524 - less)
    bottom = replace(bottom, token=min(bottom.token, bottom.heap - 50))
    return Layout(top, bottom, 404 - less, 408 - less, 808 - 2 * less)


def room_for(scene: Scene, changes: Changes) -> int:
    """How far the longest stack reaches with all its cards."""
    sides = [part for part in scene.area.parts if isinstance(part, Area)][:2]
    zones = [zone for side in sides for zone in stacks_of(side)]
    extras = {zone.key: len(zone.coming) for zone in zones}
    for ghost in changes.ghosts:
        extras[ghost.zone] = extras.get(ghost.zone, 0) + 1
    longest = max((sum(heights(zone.cards, ROOM)) + EXTRA * extras[zone.key] for zone in zones), default=0)
    return min(ROOM, max(ROOM_FOR_HEAPS, longest + 2 * GAP))


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
        if lines and text_width(longer) <= COLUMN - 20:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def step_of(count: int, wanted: int, room: int, width: int) -> int:
    """How far apart cards in a row are, so that all of them fit."""
    return wanted if count < 2 else max(6, min(wanted, (room - width) // (count - 1)))
