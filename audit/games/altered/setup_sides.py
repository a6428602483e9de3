"""What a setup tells of each player: the zones, the Mana Orbs, the expeditions with their Characters."""

from __future__ import annotations

from collections.abc import Mapping

from audit.games.altered import setup_values as read
from audit.games.altered.game_data import Cards, GameData
from audit.games.altered.places import has_known_traits
from audit.games.altered.setup_entries import (
    CharacterEntry,
    OrbsEntry,
)
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
    Side,
)

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
        read.maybe(orbs, "ready", f"orbs.{seat}", read.number),
        read.maybe(orbs, "exhausted", f"orbs.{seat}", read.number),
        _zone(setup, RESERVE, seat, empty),
        _zone(setup, LANDMARKS, seat, empty),
        _characters(setup, seat, HERO, game, is_new),
        _characters(setup, seat, COMPANION, game, is_new),
        read.number(advances[HERO], f"advances.{seat}.hero") if HERO in advances else start,
        read.number(advances[COMPANION], f"advances.{seat}.companion") if COMPANION in advances else start,
        _zone(setup, "discard", seat, ()) or (),
        read.names(orbs.get("known", []), f"orbs.{seat}.known"),
        _zone(setup, "in_limbo", seat, ()) or (),
    )


def _hand(setup: Setup, seat: str) -> Cards | None:
    if (hand := _zone(setup, "hands", seat, None)) is not None:
        return hand
    size = _of(setup, "hand_size", seat)
    return None if size is None else (UNKNOWN,) * read.number(size, f"hand_size.{seat}")


def _zone(setup: Setup, key: str, seat: str, otherwise: Cards | None) -> Cards | None:
    """The cards of a zone; for a hand or deck also how many."""
    value = _of(setup, key, seat)
    if key in ("hands", "decks") and isinstance(value, int):
        return (UNKNOWN,) * read.number(value, f"{key}.{seat}")
    return otherwise if value is None else read.names(value, f"{key}.{seat}")


def _characters(setup: Setup, seat: str, expedition: str, game: GameData, is_new: bool) -> Expedition | None:
    zones = by_name(setup, "characters", seat, EXPEDITIONS)
    if expedition in zones:
        if zones[expedition] is None:
            return None
        given = read.listed(zones[expedition], f"characters.{seat}.{expedition}")
        return tuple(_character(value, seat, expedition, n, game) for n, value in enumerate(given, 1))
    sums = _of(setup, "arena_characters", seat)
    if sums is not None:
        alone = Character(f"{seat}.all", read.stats(sums, f"arena_characters.{seat}"))
        return (alone,) if expedition == HERO else ()
    return () if is_new or zones else None


def _character(value: object, seat: str, expedition: str, n: int, game: GameData) -> Character:
    field = f"characters.{seat}.{expedition}"
    data = read.mapping(value, field)
    read.keys(data, field, CharacterEntry.__struct_fields__)
    card = read.text(data.get("id", f"{seat}.{expedition}.{n}"), f"{field}.id")
    given = {stat: data[stat] for stat in STATS if stat in data}
    known = read.stats(given, field) if given else None if "stats" in data else game.stats.get(card)
    is_known = "statuses" in data or "abilities" in data or not given or has_known_traits(game, card)
    return Character(
        card,
        known,
        _traits(data, "statuses", game.statuses.get(card, ()), field) if is_known else None,
        _traits(data, "abilities", game.abilities.get(card, ()), field) if is_known else None,
        read.one_of(data.get("origin", ""), ORIGINS, f"{field}.origin"),
        read.event_number(data.get("touched_by", 0), f"{field}.touched_by"),
    )


def _traits(data: Setup, key: str, otherwise: Cards, field: str) -> Cards | None:
    """The statuses or abilities of a Character; null for unknown ones."""
    value = data.get(key, otherwise)
    return None if value is None else read.names(value, f"{field}.{key}")


def _of(setup: Setup, key: str, seat: str) -> object:
    return read.mapping(setup.get(key, {}), key).get(seat)


def by_name(setup: Setup, key: str, seat: str, known: Cards) -> Setup:
    """What a table says of a player, by names of which no other is allowed."""
    data = read.mapping(_of(setup, key, seat) or {}, f"{key}.{seat}")
    read.keys(data, f"{key}.{seat}", known)
    return data
