"""What a setup says of cards, paths and reactions: by far the largest part of it.

It is converted in one step where all of it is as declared here; where something is not, it is read value by value,
so that the error names the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from msgspec import Struct

from audit.core.model import Event, type_name
from audit.games.altered import setup_entries as read
from audit.games.altered.events import EVENTS
from audit.games.altered.game_data import Ability, Cards, CardType, Cost, Listener, Trigger
from audit.games.altered.places import place_of
from audit.games.altered.state import EXPEDITIONS, RESERVE, STATS
from audit.games.altered.triggers import trigger_of
from audit.games.altered.vocabulary import ExpeditionName, Stat, Stats

Path = tuple[frozenset[Stat], ...]
CARD_TYPES: tuple[CardType, ...] = get_args(CardType)
PERMANENTS = ("landmark", "expedition_permanent")
"""The types of cards that are no Characters and stay on the table."""

_KINDS = {type_name(event): event for event in EVENTS}


class CardData(Struct, frozen=True):
    """What a setup says of cards and of the path of each expedition; the fields are those of `GameData`."""

    costs: dict[str, Cost] = {}
    stats: dict[str, Stats] = {}
    statuses: dict[str, Cards] = {}
    abilities: dict[str, Cards] = {}
    types: dict[str, CardType] = {}
    permanents: frozenset[str] = frozenset()
    paths: dict[str, dict[ExpeditionName, Path]] = {}
    reactions: dict[str, Ability] = {}
    quick_actions: dict[str, Ability] = {}

    def paths_by_place(self, seats: Cards) -> dict[str, Path]:
        """The path of each expedition, by the name a log has for it."""
        found = {read.seated(seat, seats, f"paths.{seat}"): paths for seat, paths in self.paths.items()}
        return {place_of(seat, name): path for seat, paths in found.items() for name, path in paths.items()}

    @property
    def all_permanents(self) -> frozenset[str]:
        """The cards that are permanents by their type, or because the setup lists them."""
        return self.permanents.union([card for card, kind in self.types.items() if kind in PERMANENTS])

    @property
    def known_sources(self) -> frozenset[str]:
        """The cards whose reactions are all described by what sets them off, and have no text."""
        unknown = {name.partition(":")[0] for name, one in self.reactions.items() if not one.on or one.effect}
        return frozenset([name.partition(":")[0] for name in self.reactions]) - unknown

    @property
    def triggers(self) -> dict[str, Trigger]:
        """What the text of each reaction asks of the event that sets it off, where its type is told."""
        return {name: trigger_of(one.trigger, one.on) for name, one in self.reactions.items() if one.on}

    @property
    def listeners(self) -> dict[type[Event], tuple[Listener, ...]]:
        """The reactions by the type of event that sets them off."""
        found: dict[type[Event], list[Listener]] = {}
        cards, triggers = self.all_permanents.union(self.costs, self.stats), self.triggers
        for key, reaction in self.reactions.items():
            kind, _, value = reaction.on.partition(":")
            source = key.partition(":")[0]
            if not kind:
                continue
            event = _KINDS[read.one_of(kind, tuple(_KINDS), f"reactions.{key}.on")]
            trigger = triggers[key]
            in_reserve = reaction.from_ == RESERVE or trigger.from_reserve
            listener = Listener(
                key, reaction.controller, value, source if source in cards else None, trigger, in_reserve
            )
            found.setdefault(event, []).append(listener)
        return {kind: tuple(listening) for kind, listening in found.items()}


def card_data(setup: Mapping[str, object]) -> CardData:
    """The card data of this setup; raises `SetupError` naming the field and what was expected."""
    return read.convert_or(setup, CardData, lambda: read_value_by_value(setup))


def read_value_by_value(setup: Mapping[str, object]) -> CardData:
    """The same, value by value; raises `SetupError`."""
    return CardData(
        read.each(setup, "costs", _cost),
        read.each(setup, "stats", read.stats),
        read.each(setup, "statuses", read.names),
        read.each(setup, "abilities", read.names),
        read.each(setup, "types", lambda value, field: read.one_of(value, CARD_TYPES, field)),
        frozenset(read.names(setup.get("permanents", []), "permanents")),
        {seat: _paths(paths, f"paths.{seat}") for seat, paths in read.each(setup, "paths", read.mapping).items()},
        read.each(setup, "reactions", _ability),
        read.each(setup, "quick_actions", _ability),
    )


def _cost(value: object, field: str) -> Cost:
    data = read.mapping(value, field)
    read.keys(data, field, Cost.__struct_fields__)
    return Cost(read.maybe(data, "hand", field, read.number), read.maybe(data, "reserve", field, read.number))


def _paths(paths: Mapping[str, object], field: str) -> dict[ExpeditionName, Path]:
    read.keys(paths, field, EXPEDITIONS)
    return {
        name: tuple(region_types(entry, f"{field}.{name}") for entry in read.listed(paths[name], f"{field}.{name}"))
        for name in EXPEDITIONS
        if name in paths
    }


def region_types(value: object, field: str) -> frozenset[Stat]:
    """Region types."""
    return frozenset(read.one_of(name, STATS, field) for name in read.listed(value, field))


def _ability(value: object, field: str) -> Ability:
    data = read.mapping(value, field)
    read.keys(data, field, Ability.__struct_encode_fields__)
    return Ability(
        read.text(data.get("controller"), f"{field}.controller"),
        read.text(data.get("effect", ""), f"{field}.effect"),
        read.text(data.get("trigger", ""), f"{field}.trigger"),
        read.number(data.get("mana", 0), f"{field}.mana"),
        _exhausts(data.get("exhausts", False), field),
        read.text(data.get("on", ""), f"{field}.on"),
        read.one_of(data.get("from", ""), ("", RESERVE), f"{field}.from"),
    )


def _exhausts(value: object, field: str) -> bool:
    """Whether an ability `object:name` exhausts its object; the object itself says so as well."""
    return value == field.rpartition(".")[2].partition(":")[0] or read.flag(value, f"{field}.exhausts")
