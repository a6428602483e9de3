"""A log as a scorekeeper types it, without what leaves no choice, or as one viewer could have recorded it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from audit.core.disclosure import Shown
from audit.core.event_rules import numbered, own_fields
from audit.core.model import Event, Header
from audit.core.record_events import Gap, PositionSet, standing
from audit.core.ruleset import Ruleset
from replays.judging.seen import seen_header
from replays.log.schemas import cards_of

HALF = 0.5


# Choices and chance, without what follows by itself


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
    events_forced = ((name, getattr(event, name)) for name in ("because", *pointers(event)))
    return {name: places[seq] for name, seq in events_forced if seq in places}


def pointers(event: Event) -> list[str]:
    """The fields that hold the place of another event."""
    return [name for name in own_fields(type(event)) if name.endswith("_seq")]


# What one viewer could have recorded


def viewer_log(
    game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str
) -> tuple[Header, list[Event]]:
    """The same game as that viewer saw it: a seat, or `public`. Numbered anew, for a name is an event too.

    What is amended or taken back is left out. A position that was set is a gap to who may not know all of it.
    """
    state = game.rules.start(header)
    recorder = game.disclosure.recorder(viewer)
    told: list[Event] = []
    for event in standing(list(events)):
        after = game.rules.evolve(state, event)
        told += (Gap(seq=0),) if type(event) is PositionSet else recorder(state, event, after)
        state = after
    return viewer_header(game, header, told, state, viewer), [numbered(event, seq) for seq, event in enumerate(told, 1)]


def viewer_header(game: Ruleset[object], header: Header, told: Iterable[Event], last: object, viewer: str) -> Header:
    """The header as a viewer knows it who wrote down these events, the last of which led to that position."""
    views = [game.disclosure.view(state, viewer) for state in (game.rules.start(header), last)]
    shown = Shown(frozenset([card for event in told for card in cards_of(event)]), tuple(views))
    return seen_header(game, header, (), viewer, shown)
