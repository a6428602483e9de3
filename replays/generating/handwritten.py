"""Reduces a log to what a scorekeeper would type: choices and the results of chance, without what follows by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random

from msgspec.structs import replace

from audit.core.event_rules import numbered, own_fields
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset

HALF = 0.5


def choices(game: Ruleset[object], header: Header, events: Iterable[Event]) -> list[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    What is left out here leaves no choice, so the auditor can infer it.
    """
    return renumbered([event for event, follows in with_forced(game, header, events) if not follows])


def partly_written(game: Ruleset[object], header: Header, events: Iterable[Event], random: Random) -> list[Event]:
    """The same with some of what leaves no choice: each event of it is written down or not, by lot."""
    events_forced = with_forced(game, header, events)
    return renumbered([event for event, follows in events_forced if not follows or random.random() < HALF])


def with_forced(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[tuple[Event, bool]]:
    """Each event, and whether it was the one thing that could happen."""
    state = game.rules.start(header)
    for event in events:
        forced = game.rules.forced(state)
        yield event, forced is not None and numbered(forced[1], 0) == numbered(event, 0)
        state = game.rules.evolve(state, event)


def renumbered(events: Sequence[Event]) -> list[Event]:
    """The events with their places in the log put right, and what they say of places that are still there."""
    places = {event.seq: seq for seq, event in enumerate(events, 1) if event.seq}
    return [replace(event, seq=seq, **_moved(event, places)) for seq, event in enumerate(events, 1)]


def _moved(event: Event, places: Mapping[int, int]) -> dict[str, int]:
    """Where the events now are that this one points to."""
    events_forced = ((name, getattr(event, name)) for name in _pointers(type(event)))
    return {name: places[seq] for name, seq in events_forced if seq in places}


def without_place(event: Event) -> Event:
    """The event as it would be anywhere in the log, for comparing logs of which one says less than the other."""
    return replace(event, seq=0, because=None, **dict.fromkeys(_pointers(type(event))[1:], 0))


@cache
def _pointers(event: type[Event]) -> tuple[str, ...]:
    """The fields that hold the place of another event."""
    return ("because", *(name for name in own_fields(event) if name.endswith("_seq")))
