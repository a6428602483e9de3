"""What stands on a card of a laid-out picture."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from web.drawing.tree import Node, node
from web.drawing.words import LINE, Piece, TextStyle, classes, pieces, rows_of, styled

CARD, LEAST = 138, 96
"""How wide a card with a face is, and how high at least."""

ON_GROUND = "#15181d"


class CardFace(Struct, frozen=True):
    """What stands on a card: its kinds, the lines of its name, those below, and the signs of what happened to it."""

    kinds: str
    name: list[list[Piece]]
    below: list[tuple[list[Piece], bool]]
    """Each line, and whether it stands in the middle."""
    marks: list[Piece]

    @property
    def head(self) -> int:
        """How high its name is."""
        return 6 + LINE * len(self.name)

    @property
    def height(self) -> int:
        """How high all of it is."""
        return max(LEAST, self.head + LINE * (len(self.below) + bool(self.marks)) + 8)


def head_of(card: Node) -> Node:
    """The part of a card that has its name; nothing where it has none."""
    inner = [card, *nodes_in(card)]
    return next((each for one in inner for each in nodes_in(one) if "head" in classes(each)), node("span"))


def card_face(card: Node, look: TextStyle) -> CardFace:
    """What stands on a card with a face."""
    face = next((each for each in nodes_in(card) if "face" in classes(each)), card)
    head, width = head_of(card), CARD - 12
    below: list[tuple[list[Piece], bool]] = []
    for part in nodes_in(face):
        if part is not head and part[0] != "svg":
            rows = rows_of(list(pieces(part[2], styled(look, classes(part)))), width)
            below += [(row, bool(classes(part) & {"kind", "figures"})) for row in rows]
    marks = list(pieces([part for part in nodes_in(face) if part[0] == "svg"], look))
    kinds, name = str(card[1].get("class")), list(pieces(head[2], look))
    return CardFace(kinds, rows_of(on_ground(name, len(name) if "tint" in kinds else 0), width), below, marks)


def on_ground(found: list[Piece], count: int) -> list[Piece]:
    """Pieces of which so many stand on a ground of colour, where signs are as dark as words."""
    return [replace(piece, colour=ON_GROUND) if piece.icon else piece for piece in found[:count]] + found[count:]


def nodes_in(tree: Node) -> list[Node]:
    """The children that are no words."""
    return [child for child in tree[2] if not isinstance(child, str)]
