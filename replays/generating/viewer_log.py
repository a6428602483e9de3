"""Turns a log into one that a single viewer could have recorded: cards that viewer never saw become handles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.event_rules import numbered
from audit.model import Event, Header
from audit.ruleset import Ruleset


def viewer_log(
    game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str
) -> tuple[Header, list[Event]]:
    """The same game as that viewer saw it: a seat, or `public`. Numbered anew, for a name is an event too."""
    return game.disclosure.recorded_header(header, viewer), [
        numbered(event, seq) for seq, event in enumerate(_seen(game, header, events, viewer), 1)
    ]


def _seen(game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str) -> Iterator[Event]:
    state = game.rules.start(header)
    recorder = game.disclosure.recorder(viewer)
    for event in events:
        after = game.rules.evolve(state, event)
        yield from recorder(state, event, after)
        state = after
