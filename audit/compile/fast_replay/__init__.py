"""Turns gone by, from what is told of them alone: the same position as event by event, in a fraction of the time.

What is under way ends with its turn. So of a turn that is over nothing counts but where the cards went, and a log
that says everything says that. A move told without a break – announced, committed, landed – ends as it does whatever
else was going on; its outcome is noted, and no text is gone through. A turn in which something is told otherwise, or
in which a text can say where a card goes, is gone through event by event. So are the turn that is not over, and the
rest of a log from where it is not certain what every card is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from audit.compile.events import TurnBegan
from audit.compile.fast_replay.moves import note_turns
from audit.compile.fast_replay.places import Places, all_is_known
from audit.compile.state import State
from audit.model import Event


def replay_to(evolve: Callable[[State, Event], State], state: State, events: Sequence[Event]) -> State:
    """The position after these events, the same as by `evolve` one by one."""
    begin = _turn_after(events, 0)
    state = reduce(evolve, events[:begin], state)
    while begin < len(events) and all_is_known(state):
        places = Places(state)
        begin += note_turns(places, events[begin:])
        end = _turn_after(events, begin + 1)
        state = reduce(evolve, events[begin:end], places.position())
        begin = end
    return reduce(evolve, events[begin:], state)


def _turn_after(events: Sequence[Event], start: int) -> int:
    """Where the next turn begins, or where the events end."""
    return next((index for index in range(start, len(events)) if type(events[index]) is TurnBegan), len(events))
