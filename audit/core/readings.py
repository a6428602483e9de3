"""Readings: a point on which editions of a rulebook disagree is a named switch.

A reading is a set of switches. `standard` has none of them; the reading of an edition has those that its text asks for.
Names join with `+`, so that one switch can be tried alone: `standard+some-switch`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from audit.core.catalogue import Rule
from audit.core.errors import UnknownReadingError

EMPTY: Mapping[str, str] = {}


class Switch(Struct, frozen=True):
    """One disagreement: the rules whose passages differ, and the editions that ask for it."""

    name: str
    rules: tuple[Rule, ...]
    editions: tuple[str, ...] = ()


def readings_of(switches: Iterable[Switch]) -> dict[str, frozenset[str]]:
    """The readings of a game: standard, and one for each edition that a switch names."""
    known = tuple(switches)
    editions = dict.fromkeys(edition for switch in known for edition in switch.editions)
    return {
        "standard": frozenset(),
        **{edition: frozenset(s.name for s in known if edition in s.editions) for edition in editions},
    }


def switches_in(
    name: str, readings: Mapping[str, frozenset[str]], switches: Iterable[Switch], former: Mapping[str, str] = EMPTY
) -> frozenset[str]:
    """The switches a reading turns on; raises `UnknownReadingError` naming what there is.

    `former` says what a name that is no longer in use stands for.
    """
    if name in readings:
        return readings[name]
    names = (
        *(switch.name for switch in switches),
        *(each for switched in readings.values() for each in sorted(switched)),
    )
    alone = {each: frozenset({each}) for each in names}
    known = {**alone, **readings}
    parts = [former.get(part, part) for part in name.split("+")]
    if unknown := [part for part in parts if part not in known]:
        raise UnknownReadingError(unknown[0], tuple(dict.fromkeys((*readings, *alone))))
    return frozenset().union(*(known[part] for part in parts))
