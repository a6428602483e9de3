"""Reads a save of Tabletop Simulator: the cards, decks, zones and markers on its table, and where they lie.

A save is JSON. `ObjectStates` are the things on the table; each has a `Transform` (x to the right, z away from the
first seat, y upwards, turns in degrees), a `Nickname`, and, for a deck or bag, its `ContainedObjects`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from audit.core.errors import AuditError
from audit.core.schema_text import format_value
from replays.files import read_whole
from replays.importing.questions import Unread

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
