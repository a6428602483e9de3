"""A log as a scorekeeper would type it: choices, and what only chance can tell; nothing that follows by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.model import Event, Header
from audit.ruleset import Ruleset, numbered


def choices(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Event]:
    """The events of a log that were not the one thing that could happen, numbered anew.

    What is left out here leaves no choice, so the auditor can infer it.
    """
    state = game.start(header)
    seq = 0
    for event in events:
        forced = game.forced(state)
        if forced is None or numbered(forced[1], 0) != numbered(event, 0):
            seq += 1
            yield numbered(event, seq)
        state = game.evolve(state, event)
