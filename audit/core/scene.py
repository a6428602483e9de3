"""What lies on a table, said once for every renderer.

A game describes its table as a `Scene`: areas that hold zones, counters, tracks and tokens; zones that hold cards. A
scene is made from what one viewer may see, in one language, so it can hold nothing else. It says what there is and
how things belong together; it knows no colours and no measures. `replays/terminal/scene_lines.py` turns it into lines
of text, `web` into a page and a picture.

Every thing that a player can touch has a key. The keys of a scene are the same from step to step: a card keeps its key
wherever it goes, a zone is called by its owner and name (`A.hand`). So two scenes can be compared
(`scene_changes.py`), and a tap on the page leads to the events that speak of that thing (`SceneMaker.touched`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from audit.core.catalogue import words
from audit.core.files import package_folder
from audit.core.names import Players

Json = Mapping[str, object]

Role = Literal["", "hand", "deck", "discard", "play", "transit"]
"""What a zone is to its owner. The role of two zones tells what a move between them is called."""

State = Literal["ahead", "now", "done", "skipped"]
"""Where a step of a track stands: to come, reached, gone through, or not for this card."""


Figure: TypeAlias = tuple[str, str, str]
"""A number: its sign, its name, and the number."""


class Face(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is printed on a card, in the reader's language."""

    title: str
    id: str = ""
    """The card's id on the page of all cards; empty where there is no such page."""
    sign: str = ""
    """One of the game's own signs (`SceneMaker.signs`)."""
    value: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """The texts from top to bottom, each with the name of its place on the card; a place may be empty."""
    kind: str = ""
    """What kind of card it is, where the game has kinds."""
    figures: tuple[Figure, ...] = ()
    """Its printed numbers."""


class Card(Struct, frozen=True, omit_defaults=True, gc=False):
    """A card as it lies: its key, its face where this viewer knows it, and what holds of it now."""

    key: str
    face: Face | None = None
    down: bool = False
    """Its back is up. With a face as well, this viewer knows what lies there."""
    value: str = ""
    """What it counts for while its back is up."""
    figures: tuple[Figure, ...] = ()
    """Its numbers now, in the place of the printed ones."""
    facts: tuple[str, ...] = ()
    """Attached cards and the like, each as a short text."""
    tags: tuple[tuple[str, str], ...] = ()
    """States, each as a sign and its name."""
    spent: bool = False
    """Turned sideways: it has been used."""
    origin: str = ""
    """Of a card on its way: the zone it left."""
    above: int | None = None
    """Of a card on its way: how many cards it will lie on, where it will not be the last."""


class Counter(Struct, frozen=True, omit_defaults=True, tag="counter", gc=False):
    """A number with a name, and with a sign where the game has one for it."""

    key: str
    title: str
    value: str
    sign: str = ""
    against: str = ""
    """The number it is compared with."""
    ready: int | None = None
    """Of what is used up and comes back: how many are ready."""
    used: int | None = None
    """How many of it are used up."""
    idle: bool = False
    """It does not count now."""
    leads: bool = False
    """It is ahead of the number it is compared with."""
    full: bool = False
    """It has come to the number that matters."""
    done: bool = False
    """What it counts for has been reached."""


class Zone(Struct, frozen=True, omit_defaults=True, tag="zone", gc=False):
    """A place for cards, the first card lowest or nearest to its owner."""

    key: str
    title: str
    role: Role = ""
    layout: Literal["row", "stack", "pile"] = "row"
    """Side by side; on each other so that the last one lies on top; or a heap of which only the number is shown."""
    cards: tuple[Card, ...] = ()
    count: int | None = None
    """How many cards, where this viewer sees no more than that."""
    unknown: bool = False
    """Nobody has told what lies here."""
    secret: bool = False
    """Only some of the viewers see these cards."""
    coming: tuple[Card, ...] = ()
    """Cards on their way here."""
    head: Counter | None = None
    """What stands at the head of a stack, with the stack's total."""
    limit: int | None = None
    """How many cards may stay."""
    signs: tuple[tuple[str, str], ...] = ()
    """Signs of the place, each with its name."""
    facts: tuple[str, ...] = ()
    counters: tuple[Counter, ...] = ()
    notes: tuple[str, ...] = ()
    """What else is said of the place, less important than its facts."""

    @property
    def is_counted(self) -> bool:
        """Whether no more is shown of it than a number."""
        return self.layout == "pile" or self.count is not None or (self.unknown and self.secret)

    @property
    def size(self) -> str:
        """The number of cards as it is shown."""
        return "?" if self.unknown else str(len(self.cards) if self.count is None else self.count)


class TrackStep(Struct, frozen=True, omit_defaults=True, gc=False):
    """One step of a track."""

    key: str
    title: str = ""
    state: State = "ahead"
    number: str = ""
    door: Literal["", "open", "shut", "ahead"] = ""
    """Whether somebody may step in here now (open), no more (shut), or later (ahead)."""
    lost: bool = False
    """It was stopped: what it says does not happen."""
    due: tuple[str, ...] = ()
    """What still has to be done in it."""
    inside: tuple[Area, ...] = ()
    """What runs inside this step."""
    signs: tuple[tuple[str, str], ...] = ()
    """Who or what stands there, each as a sign and its name."""
    types: tuple[tuple[str, str], ...] = ()
    """Of what kind the place is, each as a sign and its name."""


class Track(Struct, frozen=True, omit_defaults=True, tag="track", gc=False):
    """Steps in their order: the parts of a day, the steps of a procedure, the spaces of a path."""

    key: str
    title: str
    steps: tuple[TrackStep, ...]
    layout: Literal["parts", "list", "path"] = "parts"


class Token(Struct, frozen=True, omit_defaults=True, tag="token", gc=False):
    """A thing that one player has or nobody; `at` is the owner of the area where it lies."""

    key: str
    title: str
    at: str = ""


class Area(Struct, frozen=True, omit_defaults=True, tag="area", gc=False):
    """What belongs together: a player's side, a card under way, a list of zones.

    Layouts: `rows` one below the other; `seats` boxes round the table; `beside` a main part and what stands beside it;
    `box` a frame with a title; `facts` a list of names and values; `mats` places for cards; `facing` two areas across
    the same columns, each with its `stack` zones one a column, a hand and piles, and a token between them.
    """

    key: str
    title: str
    parts: tuple[Part, ...]
    layout: Literal["rows", "seats", "beside", "box", "facts", "mats", "facing"] = "rows"
    owner: str = ""
    """The seat whose area it is."""
    notes: tuple[str, ...] = ()
    is_turn: bool = False
    is_out: bool = False
    """Its owner takes no part any more."""
    is_open: bool = False
    """Something in it is going on."""
    is_stopped: bool = False
    tabs: tuple[Counter, ...] = ()
    """What hangs on the title."""
    card: Card | None = None
    """The card that the area is about: its name is the title."""


Part: TypeAlias = Area | Zone | Counter | Track | Token
Thing: TypeAlias = Zone | Counter | TrackStep | Token


class Pending(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that is under way."""

    title: str
    key: str = ""
    """The card it comes from."""
    rest: int = 0
    """How much of it is left."""
    waits: bool = False


class Chapter(Struct, frozen=True, omit_defaults=True, gc=False):
    """The stretch of the game this is: its name, its part where it has parts, and whose it is."""

    title: str = ""
    part: str = ""
    player: str = ""

    def __str__(self) -> str:
        return " · ".join(filter(None, (self.title, self.part, self.player)))


class Scene(Struct, frozen=True, omit_defaults=True, dict=True):
    """A whole table."""

    title: str
    area: Area
    captions: Mapping[str, str]
    """The words that renderers add, see `captions`; a game may have its own terms."""
    chapter: Chapter = Chapter()
    pending: tuple[Pending, ...] = ()
    """What is under way, newest first."""
    tints: Mapping[str, str] = {}
    """By sign, what colour and pattern things of that sign have, see `tints`."""
    chapter_parts: tuple[str, ...] = ()
    """The parts that every chapter has, in their order."""

    @property
    def areas(self) -> Iterator[Area]:
        """Every area, the ones inside others as well."""
        return areas_in(self.area)

    @property
    def zones(self) -> Iterator[Zone]:
        """Every zone."""
        return (part for area in self.areas for part in area.parts if isinstance(part, Zone))

    @cached_property
    def parts(self) -> tuple[tuple[str, Thing], ...]:
        """Everything on the table, by its key, that is no card."""
        return tuple(found for area in self.areas for found in _parts_in(area))

    @property
    def cards(self) -> Iterator[Card]:
        """Every card: in a zone, on its way to one, or under way in an area of its own."""
        yield from (card for zone in self.zones for card in (*zone.cards, *zone.coming))
        yield from (area.card for area in self.areas if area.card)


def areas_in(area: Area) -> Iterator[Area]:
    """An area and every area inside it."""
    yield area
    for part in area.parts:
        if isinstance(part, Area):
            yield from areas_in(part)
        elif isinstance(part, Track):
            yield from (found for step in part.steps for inner in step.inside for found in areas_in(inner))


def _parts_in(area: Area) -> Iterator[tuple[str, Thing]]:
    yield from ((tab.key, tab) for tab in area.tabs)
    for part in area.parts:
        if isinstance(part, Zone):
            yield part.key, part
            yield from ((part.head.key, part.head),) if part.head else ()
            yield from ((counter.key, counter) for counter in part.counters)
        elif isinstance(part, Track):
            yield from ((step.key, step) for step in part.steps)
        elif not isinstance(part, Area):
            yield part.key, part


@cache
def captions(language: str) -> dict[str, str]:
    """The words that renderers add to a scene. A game that has a term of its own puts it in their place."""
    return words("audit.core", language, "scene")


@cache
def signs(package: str) -> dict[str, str]:
    """The signs of a game by name: outlines sixteen wide and high, from its `signs.toml` where it has one."""
    file = package_folder(package).joinpath("signs.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


@cache
def tints(package: str) -> dict[str, str]:
    """By sign a hue, a pattern and, of a second or third sign in that hue, its shade; from the game's `tints.toml`."""
    file = package_folder(package).joinpath("tints.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


class SceneBuilder:
    """What the scene of one view is made with: the game's words in one language, and the players' names."""

    def __init__(self, package: str, view: Json, language: str, players: Players) -> None:
        self.package, self.view, self.language, self.players = package, view, language, players
        self.words, self.names = words(package, language, "scene"), words(package, language, "names")
        self.captions: Mapping[str, str] = captions(language)

    def called(self, seat: object) -> str:
        """A player by name; nobody as nothing."""
        return self.players.get(str(seat), str(seat)) if seat else ""

    def scene(self, pending: Sequence[Json]) -> Scene:
        """The whole table."""
        raise NotImplementedError

    def chapter(self) -> Chapter:
        """The stretch of the game this is, made of no more than the game's `Disclosure.chapter_view` tells."""
        return self.scene(()).chapter


def card_name(card: Card, said: Mapping[str, str]) -> str:
    """A card's name, or that it is unknown."""
    return card.face.title if card.face else said["unknown"]


def shown_down(card: Card, said: Mapping[str, str]) -> str:
    """What is written on the back of a card: only who may know its face reads it there."""
    return f"{said['down']} · {card.face.title}" if card.face else said["down"]


def pending_words(item: Pending, said: Mapping[str, str]) -> str:
    """Something under way in words: what it is, how much is left, whether it waits."""
    left = f"({said['left'].replace('{n}', str(item.rest))})" if item.rest else ""
    return " ".join(filter(None, (item.title, left, f"({said['waits']})" if item.waits else "")))


def listed(view: Json, language: str, pending: Sequence[Json] = ()) -> Scene:
    """The scene of a game that describes none: every field of the view, as a list of names and values."""
    title = next((str(view[key]) for key in ("turn", "day", "frame") if view.get(key)), "")
    said = captions(language)
    return Scene(
        said["table"], _fields("", "", view), said, Chapter(title, player=str(view.get("player") or "")),
        tuple(Pending(_values(item), str(item.get("card") or "")) for item in pending),
    )  # fmt: skip


def _fields(key: str, title: str, value: Json) -> Area:
    prefix = f"{key}." if key else ""
    parts = (_field(f"{prefix}{name}", name.replace("_", " "), inner) for name, inner in value.items())
    return Area(key, title, tuple(parts), "facts")


def _field(key: str, title: str, value: object) -> Part:
    if isinstance(value, Mapping):
        return _fields(key, title, value)
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        return _fields(key, title, {str(number): item for number, item in enumerate(value, 1)})
    return Counter(key, title, _value(value))


def _value(value: object) -> str:
    if value is None or value == [] or value == ():
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "–"
    return ", ".join(map(_value, value)) if isinstance(value, list | tuple) else str(value)


def _values(item: Json) -> str:
    return " ".join(str(value) for value in item.values() if isinstance(value, str | int))
