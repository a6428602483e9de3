"""Turns a log into one that a single viewer could have recorded: cards that viewer never saw become handles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.record_events import Gap, PositionSet, standing
from audit.core.ruleset import Ruleset


def viewer_log(
    game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str
) -> tuple[Header, list[Event]]:
    """The same game as that viewer saw it: a seat, or `public`. Numbered anew, for a name is an event too.

    What is amended or taken back is left out. A position that was set is a gap to who may not know all of it.
    """
    return game.disclosure.recorded_header(header, viewer), [
        numbered(event, seq) for seq, event in enumerate(_seen(game, header, events, viewer), 1)
    ]


def _seen(game: Ruleset[object], header: Header, events: Iterable[Event], viewer: str) -> Iterator[Event]:
    state = game.rules.start(header)
    recorder = game.disclosure.recorder(viewer)
    for event in standing(list(events)):
        after = game.rules.evolve(state, event)
        yield from (Gap(seq=0),) if type(event) is PositionSet else recorder(state, event, after)
        state = after
