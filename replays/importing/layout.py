"""Where things lie on a table of Compile: sides, lines and distances, however the table is turned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from replays.importing.saves import Piece, Transform

Side = Literal["A", "B"]
SIDES: tuple[Side, Side] = ("A", "B")
CARD_LENGTH = 3.1
"""Of a card of the usual size, in the units of the table."""
IN_LINE = 0.35
"""Of the distance between two lines: so far from its middle a card still lies in a line."""
STRAIGHT = 0.2
"""Of that distance: so far a protocol may lie out of its row or column."""
BESIDE = 0.65
"""Of that distance: further from the outer lines a card lies beside them."""


class Spot(Struct, frozen=True):
    """A place on the table seen from A: `across` from left to right, `out` from the middle towards B."""

    across: float
    out: float


class Frame(Struct, frozen=True):
    """How the table is turned and where its lines are. `away` is the angle from the x axis of the way from A to B."""

    middle_x: float
    middle_z: float
    away: float
    lines: tuple[float, float, float]
    protocols_at: float

    @property
    def apart(self) -> float:
        """The distance between two lines."""
        return (self.lines[2] - self.lines[0]) / 2

    def spot(self, transform: Transform) -> Spot:
        """The place seen from A."""
        x, z = transform.posX - self.middle_x, transform.posZ - self.middle_z
        sin, cos = math.sin(self.away), math.cos(self.away)
        return Spot(x * sin - z * cos, x * cos + z * sin)

    def side(self, spot: Spot) -> Side | None:
        """Whose half that is; None near the middle."""
        if abs(spot.out) < self.protocols_at / 2:
            return None
        return "A" if spot.out < 0 else "B"

    def line(self, spot: Spot) -> int | None:
        """The line in which a place is, from 1; 0 beside the lines, None between two of them."""
        far, nearest = min((abs(spot.across - line), number) for number, line in enumerate(self.lines, 1))
        if far <= IN_LINE * self.apart:
            return nearest
        outside = max(self.lines[0] - spot.across, spot.across - self.lines[2])
        return 0 if outside >= BESIDE * self.apart else None

    def turned(self) -> Frame:
        """The same table seen from the other side."""
        left, centre, right = self.lines
        return Frame(
            self.middle_x, self.middle_z, self.away + math.pi, (-right, -centre, -left), self.protocols_at
        )  # fmt: skip


def frame_of(pieces: Sequence[Piece]) -> Frame | None:
    """The frame in which six pieces are two rows of three; None where they are not. A is the side with the lower z."""
    points = [(piece.transform.posX, piece.transform.posZ) for piece in pieces]
    if len(points) != 6:
        return None
    middle_x, middle_z = (sum(values) / 6 for values in zip(*points, strict=True))
    xx = sum((x - middle_x) ** 2 for x, _ in points)
    zz = sum((z - middle_z) ** 2 for _, z in points)
    xz = sum((x - middle_x) * (z - middle_z) for x, z in points)
    main = math.atan2(2 * xz, xx - zz) / 2
    for away in (main + math.pi / 2, main):
        if found := _rows(pieces, Frame(middle_x, middle_z, _from_below(away), (0, 0, 0), 0)):
            return found
    return None


def _from_below(angle: float) -> float:
    """The same axis, with A at its end of lower z, or of lower x where it runs along x."""
    angle %= math.pi
    return angle - math.pi if angle > math.pi - 0.1 else angle


def _rows(pieces: Sequence[Piece], frame: Frame) -> Frame | None:
    spots = sorted((frame.spot(piece.transform) for piece in pieces), key=lambda spot: spot.out)
    near, far = (sorted(row, key=lambda spot: spot.across) for row in (spots[:3], spots[3:]))
    lines = [(one.across + other.across) / 2 for one, other in zip(near, far, strict=True)]
    gaps = [right - left for left, right in pairwise(lines)]
    apart = sum(gaps) / 2
    deep = max(row[-1].out - row[0].out for row in (sorted(r, key=lambda s: s.out) for r in (near, far)))
    between = spots[3].out - spots[2].out
    is_even = min(gaps) > 0.5 * max(gaps) > 0
    is_square = all(abs(one.across - other.across) < STRAIGHT * apart for one, other in zip(near, far, strict=True))
    if not is_even or not is_square or between < 0.2 or deep > STRAIGHT * apart:
        return None
    at = (sum(spot.out for spot in far) - sum(spot.out for spot in near)) / 6
    return Frame(frame.middle_x, frame.middle_z, frame.away, (lines[0], lines[1], lines[2]), at)


def frame_told(lines: Sequence[float], rows: Sequence[float], is_along_x: bool) -> Frame:
    """The frame in which the lines are at these places of one axis, and A's and B's protocols at these of the other."""
    middle, at = (rows[0] + rows[1]) / 2, abs(rows[1] - rows[0]) / 2
    centre = lines[1]
    forward = 0.0 if rows[1] > rows[0] else math.pi
    if is_along_x:
        bare = Frame(centre, middle, forward + math.pi / 2, (0, 0, 0), at)
        spots = [bare.spot(Transform(posX=line, posZ=middle)) for line in lines]
    else:
        bare = Frame(middle, centre, forward, (0, 0, 0), at)
        spots = [bare.spot(Transform(posX=middle, posZ=line)) for line in lines]
    left, centre, right = sorted(spot.across for spot in spots)
    return Frame(bare.middle_x, bare.middle_z, bare.away, (left, centre, right), at)


def is_within(place: Transform, zone: Piece) -> bool:
    """Whether something lies in a zone: in its box, which may be turned about the upright."""
    box = zone.transform
    x, z, turn = place.posX - box.posX, place.posZ - box.posZ, math.radians(box.rotY)
    along, deep = x * math.cos(turn) - z * math.sin(turn), x * math.sin(turn) + z * math.cos(turn)
    return abs(along) <= abs(box.scaleX) / 2 + 0.5 and abs(deep) <= abs(box.scaleZ) / 2 + 0.5
