"""What may or must come next: for each event type an option with its criteria and its rules."""

from __future__ import annotations

from functools import lru_cache

from audit.lotr_reveal.acts.base import Act
from audit.lotr_reveal.acts.cancelling import Cancel
from audit.lotr_reveal.acts.closing import End, Marker, Passed
from audit.lotr_reveal.acts.effects import Enter, Force
from audit.lotr_reveal.acts.effects import Reveal as RevealEffect
from audit.lotr_reveal.acts.keywords import Arm, Resolve, Rise
from audit.lotr_reveal.acts.moves import Move
from audit.lotr_reveal.acts.opening import Announce, Place, Reveal
from audit.lotr_reveal.acts.passives import Apply, Defeat, Explore, React
from audit.lotr_reveal.acts.responses import Respond
from audit.lotr_reveal.cards import GUARDED_X
from audit.lotr_reveal.rules import step_0, step_1, step_3, step_7
from audit.lotr_reveal.state import State, Task, tasks_now
from audit.model import Event
from audit.ruleset import Obligation

Acts = tuple[Act, ...]

_BY_KIND: dict[str, type[Act]] = {
    "cancel": Cancel,
    "passive": Apply,
    "defeat": Defeat,
    "explore": Explore,
    "outcome": React,
    "threat": Rise,
    "keyword": Resolve,
    "surge": Arm,
    "revealed": RevealEffect,
    "move": Move,
    "enter": Enter,
    "forced": Force,
    "serve": Reveal,
    "replace": Reveal,
}

REVEAL = Reveal(None, Obligation.OPTIONAL, step_0.OCCASIONS, step_1.TAKE_TOP)
PLACE = Place(None, Obligation.EXPIRES, step_0.PLACED_STARTS_AT_8)
REPLACE = Reveal(None, Obligation.REQUIRED, step_3.REPLACEMENT)
REPLACE_MAYBE = Reveal(None, Obligation.EXPIRES, step_3.REPLACEMENT)
RESPOND = Respond()
ANNOUNCE = Announce()
END = End(None, Obligation.REQUIRED, step_0.STEPS_ORDER_SIMULTANEITY)
MARKERS: dict[type[Event], Act] = {marker.event: marker for marker in (Marker(), Passed())}
"""No other option is for these events, and wherever they are true they are up."""
BETWEEN = (REVEAL, PLACE)
FREE: Acts = tuple(
    act(None, Obligation.EXPIRES, step_7.RESOLVE) for act in (Rise, Move, Defeat, Explore, Reveal, Place)
)
"""What a text may do that can not be told from the setup."""

NEVER_OWED: dict[tuple[bool, bool], Acts] = {
    (acted, told): (RESPOND, *(FREE if acted else ()), *(() if told else (ANNOUNCE,)), *MARKERS.values())
    for acted in (False, True)
    for told in (False, True)
}
"""Responses, what a text that has just been carried out may do, and what repeats what is known."""

CANDIDATES: dict[type[Event], Act] = {
    act.event: act
    for act in (
        *(kind(None, Obligation.EXPIRES) for kind in dict.fromkeys(_BY_KIND.values())),
        PLACE, RESPOND, END, *MARKERS.values(),
    )
}  # fmt: skip
"""Every event type says of itself what it would need, even where it is not up."""


@lru_cache(maxsize=8192)
def act_of(task: Task, obligation: Obligation = Obligation.REQUIRED) -> Act:
    """The option that fulfils a task."""
    if task.kind == "child":
        return (Place if task.what == GUARDED_X else Reveal)(task, obligation)
    return _BY_KIND[task.kind](task, obligation)


def due_now(tasks: tuple[Task, ...]) -> Acts:
    """What is due at one step. What follows by itself stands first, one at a time: the rest can wait for it."""
    if len(tasks) == 1:
        return (act_of(tasks[0]),)
    acts = tuple(map(act_of, tasks))
    first = next((act for act in acts if act.silent), None)
    return acts if first is None else tuple([act if act is first else _waiting(act) for act in acts])


def _waiting(act: Act) -> Act:
    return act if act.task is None else act_of(act.task, Obligation.EXPIRES)


def options(state: State) -> Acts:
    """What may or must come next: what is due at one step, the responses before it, and what repeats what is known."""
    waiting, frames = state.replacement, state.frames
    if waiting is not None and waiting.due:
        return (REPLACE,)
    if frames:
        frame = frames[-1]
        found = up(tasks_now(state, frame), frame.acted, frame.seq > 0)
    else:
        found = () if is_over(state) else BETWEEN
    return found if waiting is None else (REPLACE_MAYBE, *found)


@lru_cache(maxsize=8192)
def up(tasks: tuple[Task, ...], acted: bool, told: bool) -> Acts:
    """What may or must come next where that is due: the same few things are due again and again."""
    due = due_now(tasks) if tasks else (END,)
    return (*due, *NEVER_OWED[acted, told])


def is_over(state: State) -> bool:
    """Whether the reveals of this game are done: nothing is under way and no further one was planned."""
    return state.table.reveals is not None and state.roots >= state.table.reveals and not state.frames
