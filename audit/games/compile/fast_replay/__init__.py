"""Replays whole turns from the recorded moves: the same position as event by event, in a fraction of the time.

Whatever is under way ends with its turn. Of a turn that is over, only the places of the cards matter, and a complete
log records them. A move recorded without interruption (announced, committed, landed) always ends in the same place, so
its result is noted and no text is carried out. A turn that is recorded otherwise, or in which a text can decide where
a card goes, is replayed event by event. So are the last turn, and the rest of a log once some card is unknown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import length_hint

from audit.core.model import Event
from audit.games.compile.events import TurnBegan
from audit.games.compile.fast_replay.moves import note_turns
from audit.games.compile.fast_replay.places import Places, all_is_known
from audit.games.compile.state import State


def replay_moves(evolve: Callable[[State, Event], State], state: State, events: Sequence[Event]) -> State:
    """The position after these events, the same as by `evolve` one by one."""
    begin = _turn_after(events, 0)
    state = reduce(evolve, events[:begin], state)
    rest = iter(events[begin:])
    while begin < len(events) and all_is_known(state):
        places = Places(state)
        begin = len(events) - note_turns(places, rest)
        end = _turn_after(events, begin + 1)
        state = reduce(evolve, events[begin:end], places.position())
        begin, rest = end, _from(events, end, rest)
    return reduce(evolve, events[begin:], state)


def _from(events: Sequence[Event], start: int, rest: Iterator[Event]) -> Iterator[Event]:
    """The events from there on; `rest` has come near that, or a little beyond."""
    ahead = start - (len(events) - length_hint(rest))
    if ahead < 0:
        return iter(events[start:])
    deque(islice(rest, ahead), maxlen=0)
    return rest


def _turn_after(events: Sequence[Event], start: int) -> int:
    """Where the next turn begins, or where the events end."""
    return next((index for index in range(start, len(events)) if type(events[index]) is TurnBegan), len(events))
