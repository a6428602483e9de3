"""What a setup of Altered may hold, declared: its keys and their values. What is not given is unknown, not empty.

`audit.games.altered.opening` reads it value by value, so that an error names the place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct, ValidationError, convert

from audit.core.errors import SetupError
from audit.games.altered.game_data import MAX_COUNT, Ability, Cards, CardType, Cost, Count, GameData
from audit.games.altered.places import has_known_traits
from audit.games.altered.state import (
    COMPANION,
    EXPEDITIONS,
    HERO,
    LANDMARKS,
    ORIGINS,
    RESERVE,
    STATS,
    UNKNOWN,
    Character,
    Expedition,
    Origin,
    Side,
)
from audit.games.altered.vocabulary import DayKind, EffectName, ExpeditionName, Mode, PhaseName, Stat, Stats

T = TypeVar("T")
Name = TypeVar("Name", bound=str)


def convert_or(value: object, shape: type[T], otherwise: Callable[[], T]) -> T:
    """The value in that shape, converted in one step; where that fails, what `otherwise` returns or raises."""
    try:
        return convert(value, shape)
    except ValidationError:
        return otherwise()


def mapping(value: object, field: str = "") -> Mapping[str, object]:
    """An object."""
    if not isinstance(value, dict):
        raise SetupError(field, "an object")
    return value


def listed(value: object, field: str) -> Sequence[object]:
    """A list."""
    if not isinstance(value, list | tuple):
        raise SetupError(field, "a list")
    return value


def text(value: object, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise SetupError(field, "a text")
    return value


def optional_text(value: object, field: str) -> str | None:
    """A text, or nothing."""
    return None if value is None else text(value, field)


def names(value: object, field: str) -> tuple[str, ...]:
    """A list of names."""
    return convert_or(value, Cards, lambda: tuple([text(entry, field) for entry in listed(value, field)]))


def number(value: object, field: str) -> int:
    """A whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_COUNT:
        raise SetupError(field, "a whole number from 0")
    return value


def event_number(value: object, field: str) -> int:
    """The number of an event; below 0 for one that happened before the log, 0 for none."""
    return number(value, field) if not isinstance(value, int) or value >= 0 else -number(-value, field)


def flag(value: object, field: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise SetupError(field, "true or false")
    return value


def one_of(value: object, known: Sequence[Name], field: str) -> Name:
    """One of some names."""
    for name in known:
        if name == value:
            return name
    raise SetupError(field, f"one of {', '.join(known)}")


def stats(value: object, field: str) -> Stats:
    """Stats by region type; one that is not given is 0."""
    data = mapping(value, field)
    known = Stats.__struct_fields__
    keys(data, field, known)
    return Stats(**{name: number(data[name], f"{field}.{name}") for name in known if name in data})


def maybe(data: Mapping[str, object], key: str, field: str, read: Callable[[object, str], T]) -> T | None:
    """A value that may be missing."""
    return None if data.get(key) is None else read(data[key], f"{field}.{key}")


def each(data: Mapping[str, object], key: str, read: Callable[[object, str], T]) -> dict[str, T]:
    """An object with values that are all read alike."""
    return {name: read(value, f"{key}.{name}") for name, value in mapping(data.get(key, {}), key).items()}


def keys(data: Mapping[str, object], field: str, known: Collection[str]) -> None:
    """Refuse every key that is not known, but for those anybody may use (`x-`)."""
    for key in sorted(data):
        if key not in known and not key.startswith("x-"):
            raise SetupError(f"{field}.{key}" if field else key, f"one of {', '.join(sorted(known))}")


def by_seat(setup: Mapping[str, object], key: str, seats: Cards, read: Callable[[object, str], T]) -> dict[str, T]:
    """The same with a value for each player, or for some."""
    found = each(setup, key, read)
    for seat in found:
        seated(seat, seats, f"{key}.{seat}")
    return found


def seated(seat: str, seats: Cards, field: str) -> str:
    """Somebody who is at the table."""
    if seat not in seats:
        raise SetupError(field, f"one of the players ({', '.join(seats)}), not {seat}", seat)
    return seat


Setup = Mapping[str, object]


def side_of(setup: Setup, seat: str, game: GameData, is_new: bool) -> Side:
    """What belongs to one player; with `is_new` the table is empty where nothing is told of it."""
    empty: Cards | None = () if is_new else None
    orbs = by_name(setup, "orbs", seat, OrbsEntry.__struct_fields__)
    advances = by_name(setup, "advances", seat, EXPEDITIONS)
    start = 0 if is_new else None
    return Side(
        _hand(setup, seat),
        _zone(setup, "decks", seat, None),
        maybe(orbs, "ready", f"orbs.{seat}", number),
        maybe(orbs, "exhausted", f"orbs.{seat}", number),
        _zone(setup, RESERVE, seat, empty),
        _zone(setup, LANDMARKS, seat, empty),
        _characters(setup, seat, HERO, game, is_new),
        _characters(setup, seat, COMPANION, game, is_new),
        number(advances[HERO], f"advances.{seat}.hero") if HERO in advances else start,
        number(advances[COMPANION], f"advances.{seat}.companion") if COMPANION in advances else start,
        _zone(setup, "discard", seat, ()) or (),
        names(orbs.get("known", []), f"orbs.{seat}.known"),
        _zone(setup, "in_limbo", seat, ()) or (),
        maybe(orbs, "all", f"orbs.{seat}", number),
    )


def _hand(setup: Setup, seat: str) -> Cards | None:
    if (hand := _zone(setup, "hands", seat, None)) is not None:
        return hand
    size = _of(setup, "hand_size", seat)
    return None if size is None else (UNKNOWN,) * number(size, f"hand_size.{seat}")


def _zone(setup: Setup, key: str, seat: str, otherwise: Cards | None) -> Cards | None:
    """The cards of a zone; for a hand or deck also how many."""
    value = _of(setup, key, seat)
    if key in ("hands", "decks") and isinstance(value, int):
        return (UNKNOWN,) * number(value, f"{key}.{seat}")
    return otherwise if value is None else names(value, f"{key}.{seat}")


def _characters(setup: Setup, seat: str, expedition: str, game: GameData, is_new: bool) -> Expedition | None:
    zones = by_name(setup, "characters", seat, EXPEDITIONS)
    if expedition in zones:
        if zones[expedition] is None:
            return None
        given = listed(zones[expedition], f"characters.{seat}.{expedition}")
        return tuple(_character(value, seat, expedition, n, game) for n, value in enumerate(given, 1))
    sums = _of(setup, "arena_characters", seat)
    if sums is not None:
        alone = Character(f"{seat}.all", stats(sums, f"arena_characters.{seat}"))
        return (alone,) if expedition == HERO else ()
    return () if is_new or zones else None


def _character(value: object, seat: str, expedition: str, n: int, game: GameData) -> Character:
    field = f"characters.{seat}.{expedition}"
    data = mapping(value, field)
    keys(data, field, CharacterEntry.__struct_fields__)
    card = text(data.get("id", f"{seat}.{expedition}.{n}"), f"{field}.id")
    given = {stat: data[stat] for stat in STATS if stat in data}
    known = stats(given, field) if given else None if "stats" in data else game.stats.get(card)
    is_known = "statuses" in data or "abilities" in data or not given or has_known_traits(game, card)
    return Character(
        card,
        known,
        _traits(data, "statuses", game.statuses.get(card, ()), field) if is_known else None,
        _traits(data, "abilities", game.abilities.get(card, ()), field) if is_known else None,
        one_of(data.get("origin", ""), ORIGINS, f"{field}.origin"),
        event_number(data.get("touched_by", 0), f"{field}.touched_by"),
    )


def _traits(data: Setup, key: str, otherwise: Cards, field: str) -> Cards | None:
    """The statuses or abilities of a Character; null for unknown ones."""
    value = data.get(key, otherwise)
    return None if value is None else names(value, f"{field}.{key}")


def _of(setup: Setup, key: str, seat: str) -> object:
    return mapping(setup.get(key, {}), key).get(seat)


def by_name(setup: Setup, key: str, seat: str, known: Cards) -> Setup:
    """What a table says of a player, by names of which no other is allowed."""
    data = mapping(_of(setup, key, seat) or {}, f"{key}.{seat}")
    keys(data, f"{key}.{seat}", known)
    return data


ByExpedition = dict[ExpeditionName, Count]
Place = Annotated[str, Meta(description="A player and an expedition: `p1 hero`.")]
SomeCards = Annotated[Cards | Count, Meta(description="The cards, the top of a deck first, or how many there are.")]


class OrbsEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """How many Mana Orbs are ready and exhausted, and the cards of which it is known that they are orbs.

    `all`: how many there are, where nobody has told how many of them are ready.
    """

    ready: Count = 0
    exhausted: Count = 0
    all: Count | None = None
    known: Cards = ()


class CharacterEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A Character in an expedition; null stands for statuses, abilities or stats that nobody knows."""

    id: str = ""
    forest: Count = 0
    mountain: Count = 0
    water: Count = 0
    stats: None = None
    statuses: Cards | None = ()
    abilities: Cards | None = ()
    origin: Origin = ""
    touched_by: Annotated[
        int, Meta(description="The event with an unknown text that may have changed it; before the log, below 0.")
    ] = 0


class EmblemEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A reaction that waits in Limbo."""

    emblem: str
    controller: str
    source: str = ""


class EffectEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An effect that has begun and is not complete."""

    player: str
    source: str


class TumultEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The Tumult cards at one place; `at` is the space after which an expedition gets to the centre."""

    card: str = ""
    cards: Cards = ()
    face: Annotated[str, Meta(pattern="^(up|down)$")] = "down"
    effect: str | None = None
    at: Count | None = None


class AlteredPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position; tables are by player, and by expedition within a player."""

    mode: Mode = "duel"
    seats: Cards = ()
    teams: dict[str, Cards] = {}
    meet_distance: Count | None = None
    facing: tuple[Annotated[tuple[Place, ...], Meta(min_length=2, max_length=2)], ...] = ()
    first_player: str | None = None
    day: Count = 1
    day_kind: DayKind = "normal"
    phase: PhaseName | None = None
    daily_effect: EffectName | None = None
    turn_of: str | None = None
    passed: Cards = ()
    still_in: Cards = ()
    limbo: tuple[EmblemEntry, ...] = ()
    effects: tuple[EffectEntry, ...] = ()
    hands: dict[str, SomeCards] = {}
    hand_size: dict[str, Count] = {}
    decks: dict[str, SomeCards] = {}
    orbs: dict[str, OrbsEntry] = {}
    reserve: dict[str, Cards] = {}
    landmark_zone: dict[str, Cards] = {}
    in_limbo: dict[str, Cards] = {}
    characters: dict[str, dict[ExpeditionName, tuple[CharacterEntry, ...] | None]] = {}
    in_expedition: Cards = ()
    arena_characters: dict[str, Stats] = {}
    discard: dict[str, Cards] = {}
    exhausted: Cards = ()
    owners: dict[str, str] = {}
    advances: dict[str, ByExpedition] = {}
    regions: dict[str, dict[ExpeditionName, tuple[Stat, ...]]] = {}
    region_cards: dict[ExpeditionName, Cards] = {}
    tumult: dict[str, TumultEntry] = {}
    advanced: tuple[Place, ...] = ()
    quick_uses: dict[str, Count] = {}
    activations: dict[str, Count] = {}
    deck_sizes: dict[str, Count] = {}
    under_way: Annotated[dict[str, object], Meta(description="The rest, field by field, as `State` has it.")] = {}
    note: str = ""


class AlteredSetup(AlteredPosition, frozen=True, forbid_unknown_fields=True):
    """What a setup says of the game; the position stands in `position`, or beside the rest."""

    position: AlteredPosition | None = None
    players: Cards = ()
    costs: dict[str, Cost] = {}
    stats: dict[str, Stats] = {}
    statuses: dict[str, Cards] = {}
    abilities: Annotated[
        dict[str, Cards], Meta(description="A card that is named here has no other ability and no other text.")
    ] = {}
    types: dict[str, CardType] = {}
    permanents: Cards = ()
    limits: dict[str, dict[str, Count]] = {}
    heroes: dict[str, str | None] = {}
    paths: dict[str, dict[ExpeditionName, tuple[tuple[Stat, ...], ...]]] = {}
    reactions: dict[str, Ability] = {}
    quick_actions: dict[str, Ability] = {}
    deck_lists: Annotated[
        dict[str, Cards], Meta(description="The cards of a player's deck, each as often as it is in it, in any order.")
    ] = {}


OF_A_POSITION = frozenset(AlteredPosition.__struct_fields__)
"""What a position may give."""
KEYS = frozenset(AlteredSetup.__struct_fields__)
"""What a setup may give."""
OF_THE_GAME = KEYS - OF_A_POSITION - {"position"} | {"mode", "seats", "teams", "meet_distance", "facing", "note"}
"""What a setup may say of the game beside a position."""
