"""What may be told and never has to be: the draft, and that cards which left the field have arrived. For a log that
says everything."""

from __future__ import annotations

from collections.abc import Iterator

from audit.compile.echoes import DRAFT_ORDER
from audit.compile.events import Drafted, Landed
from audit.compile.state import State
from audit.model import Event


def optional_events_before(state: State, event: Event) -> Iterator[Event]:
    """Everything that a log which says all has before that event."""
    if state.phase == "setup" and state.draft is None and not state.a.hand and not state.b.hand:
        yield from _draft(state)
    yield from (Landed(seq=0, card=card) for card in state.just_left)


def _draft(state: State) -> Iterator[Event]:
    """The picks in their order; the protocols lie as they were picked."""
    seats = (state.player, state.other)
    left = {seat: iter(state.side(seat).protocols) for seat in seats}
    yield from (Drafted(seq=0, player=seats[turn], protocol=next(left[seats[turn]])) for turn in DRAFT_ORDER)
