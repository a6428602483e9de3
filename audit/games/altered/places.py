"""Zones and expeditions: what lies where, and the sums of stats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation
from audit.games.altered.game_data import Cards, CardType, GameData
from audit.games.altered.seats import advance_of, characters_of, initiative, members, side_of
from audit.games.altered.state import (
    COMPANION,
    EXPEDITIONS,
    HERO,
    LANDMARKS,
    RESERVE,
    UNKNOWN,
    Character,
    Emblem,
    Expedition,
    Origin,
    Side,
    State,
)
from audit.games.altered.vocabulary import ExpeditionName, Stats, Zone


def place_of(seat: str, expedition: str) -> str:
    """An expedition as a log names it."""
    return f"{seat} {expedition}"


@lru_cache(maxsize=256)
def split_place(place: str) -> tuple[str, str]:
    """Player and expedition of a name as a log has it."""
    seat, _, expedition = place.rpartition(" ")
    return seat, expedition


def duel_facing(seats: Cards) -> dict[str, str]:
    """Two players' expeditions face each other, Hero to Hero and Companion to Companion; {} for more players."""
    pairs = [(place_of(seats[0], name), place_of(seats[1], name)) for name in EXPEDITIONS] if len(seats) == 2 else []
    return both_ways(pairs)


def both_ways(pairs: Iterable[Cards]) -> dict[str, str]:
    """For each expedition the one opposite."""
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


NOTHING = Stats()
LIMIT_WITHOUT_HERO = 2
"""How many objects of a zone a player keeps whose Hero says nothing of it."""


def total(characters: Expedition | None) -> Stats | None:
    """The sums of an expedition; None where a stat in it is unknown."""
    if not characters:
        return None if characters is None else NOTHING
    return characters[0].stats if len(characters) == 1 else _added_up(characters)


@lru_cache(maxsize=1024)
def _added_up(characters: Expedition) -> Stats | None:
    """The sums of several Characters. Cached: a dusk asks for each several times."""
    forest = mountain = water = 0
    for character in characters:
        stats = character.stats
        if stats is None:
            return None
        forest += stats.forest
        mountain += stats.mountain
        water += stats.water
    return Stats(forest, mountain, water)


def plus(one: Stats | None, other: Stats | None) -> Stats | None:
    """Two sums added; None where one of them is unknown."""
    if one is None or other is None:
        return None
    return Stats(one.forest + other.forest, one.mountain + other.mountain, one.water + other.water)


def arena_total(state: State, side: str) -> Stats | None:
    """The sums of everything a side has in its expeditions; None where that is not known."""
    found: Stats | None = Stats()
    for seat in members(state, side):
        for expedition in EXPEDITIONS:
            found = plus(found, total(characters_of(side_of(state, seat), expedition)))
    return found


@lru_cache(maxsize=256)
def region_types(told: tuple[str, ...]) -> frozenset[str]:
    """The region types that an event tells. Cached: each dusk tells the same few, and asks for each several times."""
    return frozenset(told)


def region(state: State, place: str) -> frozenset[str] | None:
    """The region types an expedition stands in, where they are known."""
    if (known := state.regions.get(place)) is not None:
        return known
    seat, expedition = split_place(place)
    path, at = state.game.paths.get(place), advance_of(side_of(state, seat), expedition)
    return path[at] if path is not None and at is not None and at < len(path) else None


def compared_in(state: State, place: str) -> frozenset[str] | None:
    """The region types in which an expedition is compared at this dusk: of the region it has left, once it advanced."""
    progress = state.progress
    return progress.left.get(place) if place in progress.advanced else region(state, place)


def limit(state: State, seat: str, zone: str) -> int:
    """How many objects a player may keep in a zone: the Hero's limit, else two."""
    limits = state.game.limits.get(seat)
    return limits.get(zone, LIMIT_WITHOUT_HERO) if limits else LIMIT_WITHOUT_HERO


def in_expedition(state: State, card: str) -> tuple[str, str, Character] | None:
    """Player, expedition and Character of a card that is in one."""
    for at, side in enumerate(state.sides):
        for expedition, group in ((HERO, side.hero), (COMPANION, side.companion)):
            for character in group or ():
                if character.id == card:
                    return state.seats[at], expedition, character
    return None


def in_expeditions(sides: tuple[Side, ...]) -> set[str]:
    """All that is in an expedition of these sides."""
    found: set[str] = set()
    for side in sides:
        if side.hero:
            found.update([one.id for one in side.hero])
        if side.companion:
            found.update([one.id for one in side.companion])
    return found


def on_the_field(sides: tuple[Side, ...]) -> frozenset[str]:
    """All that is in an expedition or in the Landmark zone of these sides: where abilities work."""
    for known, there in _ON_THE_FIELD:
        if known is sides:
            return there
    found = in_expeditions(sides)
    for side in sides:
        if side.landmarks:
            found.update(side.landmarks)
    cards = frozenset(found)
    _ON_THE_FIELD.append((sides, cards))
    del _ON_THE_FIELD[0]
    return cards


_ON_THE_FIELD: Final[list[tuple[tuple[Side, ...], frozenset[str]]]] = [((), frozenset())] * 2
"""The two last asked about: each of several reactions asks about the position before the event and after it."""


def is_on_the_field(sides: tuple[Side, ...], card: str) -> bool:
    """Whether this card is on the field of one of these sides."""
    for side in sides:
        if _is_among(side.hero, card) or _is_among(side.companion, card):
            return True
        if side.landmarks and card in side.landmarks:
            return True
    return False


def _is_among(characters: Expedition | None, card: str) -> bool:
    return any(one.id == card for one in characters or ())


def is_in_reserve(sides: tuple[Side, ...], card: str) -> bool:
    """Whether this card is in the Reserve of one of these sides."""
    return any(side.reserve and card in side.reserve for side in sides)


def in_reserves(sides: tuple[Side, ...]) -> set[str]:
    """All that is in the Reserve of these sides."""
    return set[str]().union(*[side.reserve for side in sides if side.reserve])


_PLACES: Mapping[CardType, tuple[Zone, ...]] = {
    "character": ("hero_expedition", "companion_expedition"),
    "expedition_permanent": ("hero_expedition", "companion_expedition"),
    "landmark": (LANDMARKS,),
    "spell": ("limbo",),
    "token": (),
    "hero": (),
}
"""Where cards of a type are played; tokens and Heroes are not."""
_ANYWHERE: tuple[Zone, ...] = tuple(dict.fromkeys(zone for zones in _PLACES.values() for zone in zones))


def places_to_play(game: GameData, card: str) -> tuple[Zone, ...]:
    """The zones in which a card may be played, by its type; expeditions where nobody has told it."""
    return _PLACES[game.types.get(card, "landmark" if card in game.permanents else "character")]


def where_played(game: GameData, card: str) -> tuple[Zone, ...]:
    """The zones in which it may have been played: those of its type, or of any type where nobody has told that."""
    is_told = card in game.types or card in game.permanents or card in game.stats
    return places_to_play(game, card) if is_told else _ANYWHERE


def zone_of(state: State, card: str) -> tuple[str, str] | None:
    """Player and zone of an object that lies open on the table; None where it is not known to be."""
    return next((found for found in zones_of(state, card) if found[1] not in HIDDEN_ZONES), None)


def zones_of(state: State, card: str) -> Iterator[tuple[str, str]]:
    """Player and zone of every copy of a card whose place is known, expeditions first."""
    for at, side in enumerate(state.sides):
        for one in side.hero or ():
            if one.id == card:
                yield state.seats[at], "hero_expedition"
        for one in side.companion or ():
            if one.id == card:
                yield state.seats[at], "companion_expedition"
    for at, side in enumerate(state.sides):
        zones = (side.reserve, side.landmarks, side.discard, side.spells, side.hand, side.deck, side.known_orbs)
        for zone, cards in enumerate(zones):
            if cards and card in cards:
                yield state.seats[at], _CARD_ZONES[zone]


_CARD_ZONES = (RESERVE, LANDMARKS, "discard", "limbo", "hand", "deck", "mana_zone")
"""The zones that hold cards and no Characters."""


def owner_of(state: State, seat: str, card: str) -> str:
    """Who brought a card that lies on the side of a player: as the log or the deck lists tell, else that player.

    Where copies of a card lie on both sides, it is not known which is whose.
    """
    told = state.owners.get(card)
    if told is not None and len([zone for _, zone in zones_of(state, card) if zone in FIELD]) < 2:
        return told
    lists = state.game.listed
    if seat in lists and card not in lists[seat]:
        holders = [other for other, cards in lists.items() if card in cards]
        return holders[0] if len(holders) == 1 else seat
    return seat


FIELD = ("hero_expedition", "companion_expedition", LANDMARKS)
"""Zones in which a player may have what another one brought."""
HIDDEN_ZONES = ("hand", "deck", "mana_zone", "limbo")
"""Zones in which nobody sees an object, or in which it only waits."""


def are_open_zones_known(state: State) -> bool:
    """Whether every zone in which objects lie open is known."""
    return all(
        zone is not None for side in state.sides for zone in (side.reserve, side.landmarks, side.hero, side.companion)
    )


def expeditions(state: State) -> Iterator[tuple[str, ExpeditionName]]:
    """Every expedition of those still in, with its player, in initiative order."""
    return ((seat, name) for seat in initiative(state) for name in EXPEDITIONS)


def waiting_emblem(state: State, emblem: str, player: str) -> Emblem | None:
    """The emblem of that name in Limbo; else one of the player's whose name was inferred.

    Of several of these the one is meant whose source is part of the name.
    """
    for one in state.limbo:
        if one.id == emblem:
            return one
    unnamed = [one for one in state.limbo if not one.is_named and one.controller == player]
    return max(unnamed, key=lambda one: one.source in emblem, default=None)


def has_known_traits(game: GameData, card: str) -> bool:
    """Whether it is known which statuses and abilities a card comes with."""
    return card in game.statuses or card in game.abilities


def character(game: GameData, card: str, origin: Origin = "") -> Character:
    """A card as it comes into an expedition."""
    stats = game.stats.get(card)
    if not has_known_traits(game, card):
        return Character(card, stats, origin=origin)
    return Character(card, stats, game.statuses.get(card, ()), game.abilities.get(card, ()), origin)


def not_in_hand(state: State, seat: str, card: str, rule: Rule) -> Violation | None:
    """That the hand, as far as it is known, has no such card."""
    hand = side_of(state, seat).hand
    if hand is not None and (card in hand or (card.startswith(UNKNOWN) and hand)):
        return None
    if hand is None or UNKNOWN in hand:
        return not_in_list(state, seat, card, rule)
    return Violation(rule, "hand.missing", {"card": card, "player": seat})


def not_in_list(state: State, seat: str, card: str, rule: Rule) -> Violation | None:
    """That a card is not in the player's deck list, where the setup gives it."""
    listed = state.game.listed.get(seat)
    if listed is None or card in listed or card.startswith(UNKNOWN):
        return None
    return Violation(rule, "deck.other", {"card": card, "player": seat})


def idle_place(state: State, card: str) -> str:
    """The zone in which a card is known to be, if no rule says that abilities work there; "" otherwise."""
    if is_on_the_field(state.sides, card):
        return ""
    return next((zone for _, zone in zones_of(state, card)), "")


def is_discarded(state: State, card: str) -> bool:
    """Whether every copy of a card whose place is known lies in a discard pile, and no text may have changed that."""
    zones = {zone for _, zone in zones_of(state, card)}
    return zones == {"discard"} and not state.untold


def outside_reserve(state: State, card: str) -> str:
    """Where on the field a card lies of which no copy is known in a Reserve; "" where none is, or a text may have."""
    zones = [zone for _, zone in zones_of(state, card)]
    return "" if state.untold or RESERVE in zones or not is_on_the_field(state.sides, card) else zones[0]
