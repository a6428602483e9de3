"""The tables of a setup: what each card costs and is, where the expeditions lead, who reacts to what.

They are the most of a setup by far. Read at once where all of them are as declared here; where something is not,
value by value, to name it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from audit.altered.events import EVENTS, Stat, Stats
from audit.altered.places import where
from audit.altered.setup_values import (
    at_once,
    each,
    flag,
    listed,
    mapping,
    maybe,
    names,
    number,
    one_of,
    seated,
    stats,
    text,
)
from audit.altered.state import STATS, Ability, Cards, Cost, Listener
from audit.model import Event, type_name

Path = tuple[frozenset[Stat], ...]

_KINDS = {type_name(event): event for event in EVENTS}


class Tables(Struct, frozen=True):
    """What a setup tells of cards and of the way of each expedition."""

    costs: dict[str, Cost] = {}
    stats: dict[str, Stats] = {}
    statuses: dict[str, Cards] = {}
    abilities: dict[str, Cards] = {}
    permanents: frozenset[str] = frozenset()
    paths: dict[str, dict[str, Path]] = {}
    reactions: dict[str, Ability] = {}
    quick_actions: dict[str, Ability] = {}

    def ways(self, seats: Cards) -> dict[str, Path]:
        """The way of each expedition, by the name a log has for it."""
        found = {seated(seat, seats, "paths"): ways for seat, ways in self.paths.items()}
        return {where(seat, name): path for seat, ways in found.items() for name, path in ways.items()}

    @property
    def listeners(self) -> dict[type[Event], tuple[Listener, ...]]:
        """The reactions by the type of event that sets them off."""
        found: dict[type[Event], list[Listener]] = {}
        for key, reaction in self.reactions.items():
            kind, _, value = reaction.on.partition(":")
            source = key.partition(":")[0]
            if kind in _KINDS:
                listener = Listener(key, reaction.controller, value, source if source in self.costs else None)
                found.setdefault(_KINDS[kind], []).append(listener)
        return {kind: tuple(listening) for kind, listening in found.items()}


def tables(setup: Mapping[str, object]) -> Tables:
    """The tables of this setup; raises `SetupError` naming the field and what was expected."""
    return at_once(setup, Tables, lambda: carefully(setup))


def carefully(setup: Mapping[str, object]) -> Tables:
    """The same, value by value."""
    return Tables(
        each(setup, "costs", _cost),
        each(setup, "stats", stats),
        each(setup, "statuses", names),
        each(setup, "abilities", names),
        frozenset(names(setup.get("permanents", []), "permanents")),
        {seat: _paths(ways, f"paths.{seat}") for seat, ways in each(setup, "paths", mapping).items()},
        each(setup, "reactions", _ability),
        each(setup, "quick_actions", _ability),
    )


def _cost(value: object, field: str) -> Cost:
    data = mapping(value, field)
    return Cost(maybe(data, "hand", field, number), maybe(data, "reserve", field, number))


def _paths(ways: Mapping[str, object], field: str) -> dict[str, Path]:
    return {name: tuple(types(entry, field) for entry in listed(path, "paths")) for name, path in ways.items()}


def types(value: object, field: str) -> frozenset[Stat]:
    """Region types."""
    return frozenset(one_of(name, STATS, field) for name in listed(value, field))


def _ability(value: object, field: str) -> Ability:
    data = mapping(value, field)
    return Ability(
        text(data.get("controller"), f"{field}.controller"),
        text(data.get("effect", ""), f"{field}.effect"),
        text(data.get("trigger", ""), f"{field}.trigger"),
        number(data.get("mana", 0), f"{field}.mana"),
        flag(data.get("exhausts", False), f"{field}.exhausts"),
        text(data.get("on", ""), f"{field}.on"),
    )
