"""A log as a scorekeeper would type it: choices, and what only chance can tell; nothing that follows by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from audit.model import Event, Header
from audit.ruleset import Ruleset, numbered, own_fields


def choices(game: Ruleset[object], header: Header, events: Iterable[Event]) -> list[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    What is left out here leaves no choice, so the auditor can infer it.
    """
    return renumbered(list(_chosen(game, game.start(header), events)))


def _chosen(game: Ruleset[object], state: object, events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        forced = game.forced(state)
        if forced is None or numbered(forced[1], 0) != numbered(event, 0):
            yield event
        state = game.evolve(state, event)


def renumbered(events: Sequence[Event]) -> list[Event]:
    """The events with their places in the log put right, and what they say of places that are still there."""
    places = {event.seq: seq for seq, event in enumerate(events, 1) if event.seq}
    return [_pointing(numbered(event, seq), places) for seq, event in enumerate(events, 1)]


def _pointing(event: Event, places: Mapping[int, int]) -> Event:
    told = ((name, getattr(event, name)) for name in _pointers(type(event)))
    moved = {name: places[seq] for name, seq in told if seq in places}
    return replace(event, **moved) if moved else event


def without_place(event: Event) -> Event:
    """The event as it would be anywhere in the log, for comparing logs of which one says less than the other."""
    return replace(event, seq=0, because=None, **dict.fromkeys(_pointers(type(event))[1:], 0))


@cache
def _pointers(event: type[Event]) -> tuple[str, ...]:
    """The fields that hold the place of another event."""
    return ("because", *(name for name in own_fields(event) if name.endswith("_seq")))
