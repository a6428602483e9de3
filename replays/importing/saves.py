"""Reads a save of Tabletop Simulator: its cards, decks, zones and markers, and where they lie.

A save is JSON. `ObjectStates` are the things on the table; each has a `Transform` (x to the right, z away from the
first seat, y upwards, turns in degrees), a `Nickname`, and, for a deck or bag, its `ContainedObjects`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from audit.core.errors import AuditError
from audit.core.typed_setup import format_value
from replays.files import read_whole
from replays.importing.questions import Unread

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


MAX_BYTES = 64_000_000
MAX_OBJECTS = 20_000
MAX_CARDS = 3000
"""At most so many cards, decks and hands are looked at; a table has some dozens."""
FAR = 10_000.0
"""Nothing that lies on a table is further away."""
UPRIGHT = 0.5
"""A card whose face points less up or down than this stands on its edge."""

Face = Literal["up", "down", ""]
Kind = Literal["card", "deck", "bag", "hand", "zone", "other"]


class SaveError(AuditError):
    """A file that is no save: where, what was expected and what was found."""

    def __init__(self, file: str, field: str, expected: str, found: str) -> None:
        where = ": ".join(part for part in (file, field) if part)
        super().__init__(f"{where}: expected {expected}, found {found}")
        self.file = file
        self.where = where
        self.field = field
        self.expected = expected
        self.found = found


class Transform(Struct, frozen=True):
    """Where a thing lies and how it is turned."""

    posX: float = 0.0
    posY: float = 0.0
    posZ: float = 0.0
    rotX: float = 0.0
    rotY: float = 0.0
    rotZ: float = 0.0
    scaleX: float = 1.0
    scaleZ: float = 1.0


class SavedObject(Struct, frozen=True):
    """What is read of one thing on the table."""

    kind: str = field(name="Name", default="")
    transform: Transform = field(name="Transform", default=Transform())
    nickname: str | None = field(name="Nickname", default="")
    description: str | None = field(name="Description", default="")
    notes: str | None = field(name="GMNotes", default="")
    tags: tuple[str, ...] | None = field(name="Tags", default=())
    contained: list[dict[str, object]] | None = field(name="ContainedObjects", default=None)
    deck: list[int] | None = field(name="DeckIDs", default=None)
    colour: str | None = field(name="FogColor", default="")
    counter: dict[str, object] | None = field(name="Counter", default=None)


class HandPlace(Struct, frozen=True):
    """A hand as older saves have it."""

    colour: str = field(name="Color", default="")
    transform: Transform = field(name="Transform", default=Transform())


class Hands(Struct, frozen=True):
    """The hands as older saves have them."""

    places: list[HandPlace] | None = field(name="HandTransforms", default=None)


class Turns(Struct, frozen=True):
    """Whose turn the table shows, by the colour of the seat."""

    is_on: bool = field(name="Enable", default=False)
    colour: str = field(name="TurnColor", default="")


class Save(Struct, frozen=True):
    """What is read of a save."""

    objects: list[dict[str, object]] = field(name="ObjectStates")
    hands: Hands | None = field(name="Hands", default=None)
    turns: Turns | None = field(name="Turns", default=None)
    title: str | None = field(name="SaveName", default="")
    mode: str | None = field(name="GameMode", default="")


class Piece(Struct, frozen=True):
    """A thing on the table: what it may be called, where it lies, and which way its face points.

    `within` are the pieces of a deck or bag in the order of the save; `size` is how many cards a deck has, `value` the
    number that a counter shows.
    """

    path: str
    kind: Kind
    names: tuple[str, ...]
    transform: Transform
    face: Face
    colour: str = ""
    within: tuple[Piece, ...] = ()
    size: int = 1
    value: int | None = None

    @property
    def name(self) -> str:
        """What the table shows as its name."""
        return self.names[0] if self.names else ""

    @property
    def where(self) -> str:
        """Its place in the save and on the table."""
        return f"ObjectStates[{self.path}] (x {self.transform.posX:.1f}, z {self.transform.posZ:.1f})"


class SavedTable(Struct, frozen=True):
    """The things of a save, and what could not be read of it. `turn` is the colour of who is in turn."""

    pieces: tuple[Piece, ...]
    turn: str
    unread: tuple[Unread, ...]
    titles: tuple[str, ...] = ()


def read_table(path: Path) -> SavedTable:
    """The table of a save; raises `SaveError` and `UnreadableFileError` for a file that is none."""
    try:
        data = read_whole(path, MAX_BYTES)
    except OSError as error:
        raise SaveError(str(path), "", "a file", error.strerror or "none") from None
    return table_of(data, str(path))


def table_of(data: bytes, name: str = "save") -> SavedTable:
    """The table of the bytes of a save; raises `SaveError`."""
    try:
        save = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=Save)
    except msgspec.ValidationError as error:
        found, _, where = str(error).partition(" - at ")
        raise SaveError(name, where.strip("`"), "a save of Tabletop Simulator", found) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SaveError(name, "", "a save of Tabletop Simulator (JSON)", str(error)) from None
    except RecursionError:
        raise SaveError(name, "", "a save of Tabletop Simulator", "deeper nesting than any save has") from None
    if len(save.objects) > MAX_OBJECTS:
        raise SaveError(name, "ObjectStates", f"at most {MAX_OBJECTS:,} objects", f"{len(save.objects):,}")
    unread: list[Unread] = []
    pieces = tuple(_pieces(save.objects, "", unread))
    hands = tuple(_hands(save))
    cards = sum(1 + len(piece.within) for piece in (*pieces, *hands) if piece.kind not in ("other", "zone"))
    if cards > MAX_CARDS:
        raise SaveError(name, "ObjectStates", f"at most {MAX_CARDS:,} cards, decks and hands", f"{cards:,}")
    turns = save.turns or Turns()
    titles = tuple(title for title in (save.mode, save.title) if title)
    return SavedTable((*pieces, *hands), turns.colour if turns.is_on else "", tuple(unread), titles)


def _pieces(objects: list[dict[str, object]], path: str, unread: list[Unread]) -> Iterator[Piece]:
    for index, told in enumerate(objects):
        at = f"{path}{index}"
        try:
            one = msgspec.convert(told, SavedObject)
            _check(one.transform)
        except (msgspec.ValidationError, RecursionError) as error:
            where = f"ObjectStates[{at}]"
            unread.append(Unread("save_broken", where, {"found": str(error), "name": _name_of(told)}))
        else:
            yield _piece(one, at, unread)


def _piece(one: SavedObject, at: str, unread: list[Unread]) -> Piece:
    kind = _kind(one)
    within = tuple(_pieces(one.contained or [], f"{at}.", unread)) if kind == "deck" else ()
    size = max(len(one.contained or ()), len(one.deck or ())) if kind in ("deck", "bag") else 1
    told = (one.nickname, f"{one.nickname or ''} {one.description or ''}", *(one.tags or ()), " ".join(one.tags or ()))
    names = tuple(dict.fromkeys(name.strip()[:200] for name in (*told, one.notes) if name and name.strip()))
    shown = (one.counter or {}).get("value")
    value = shown if isinstance(shown, int) and not isinstance(shown, bool) else None
    return Piece(at, kind, names, one.transform, _face(one.transform), one.colour or "", within, size, value)


def _kind(one: SavedObject) -> Kind:
    name = one.kind.casefold()
    if name == "handtrigger":
        return "hand"
    if "bag" in name:
        return "bag"
    if name.startswith("deck"):
        return "deck"
    if name.endswith(("trigger", "zone")):
        return "zone"
    return "card" if name.startswith("card") else "other"


def _face(transform: Transform) -> Face:
    up = math.cos(math.radians(transform.rotX)) * math.cos(math.radians(transform.rotZ))
    return "" if abs(up) < UPRIGHT else "up" if up > 0 else "down"


def _check(transform: Transform) -> None:
    for name in transform.__struct_fields__:
        value = getattr(transform, name)
        if not math.isfinite(value) or abs(value) > FAR:
            raise msgspec.ValidationError(f"{name} is {value}")


def _hands(save: Save) -> Iterator[Piece]:
    """The hands of older saves, which are no objects."""
    for index, place in enumerate((save.hands and save.hands.places) or ()):
        if all(math.isfinite(getattr(place.transform, name)) for name in place.transform.__struct_fields__):
            yield Piece(f"Hands {index}", "hand", (), place.transform, "up", place.colour)


def _name_of(told: dict[str, object]) -> str:
    return format_value(told.get("Nickname", ""))[:60]
