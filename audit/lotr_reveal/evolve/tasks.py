"""What all facts do to a frame: things are done, and others follow from them."""

from __future__ import annotations

from operator import attrgetter

from msgspec.structs import replace

from audit.lotr_reveal.state import (
    Frame,
    State,
    Task,
)
from audit.lotr_reveal.zones import with_entry


def arrived(frame: Frame, at: int) -> Frame:
    """The frame at a later step; what was due before is given up."""
    tasks = frame.tasks
    if tasks and tasks[0].step < at:
        tasks = tuple([task for task in tasks if task.step >= at])
    notes = tuple([note for note in frame.notes if note.step >= at]) if frame.notes else ()
    return replace(frame, at=at, tasks=tasks, notes=notes, acted=False)


MOST_DUE = 120
"""So much is due of one card at most: more than any card asks, whatever a log may say."""


def done(frame: Frame, task: Task | None, *more: Task, seq: int = 0, **changes: object) -> Frame:
    """The frame with one thing done, others that follow from it in the order of the steps, and what else changes."""
    tasks = frame.tasks
    if task is not None:
        index = tasks.index(task)
        tasks = (*tasks[:index], *tasks[index + 1 :]) if index else tasks[1:]
    if more:
        tasks = tuple(sorted((*tasks, *more), key=attrgetter("step")))[:MOST_DUE]
    return replace(frame, tasks=tasks, last=seq or frame.last, **changes)


def without_one(tasks: tuple[Task, ...], kind: str | None) -> tuple[Task, ...]:
    """The tasks but for one of that kind."""
    for index, task in enumerate(tasks):
        if task.kind == kind:
            return (*tasks[:index], *tasks[index + 1 :])
    return tasks


def rises(
    state: State, player: str | None, step: int, amount: int, source: str, what: str, detail: str = ""
) -> tuple[Task, ...]:
    seats = (player,) if player else state.table.seats
    return tuple([Task("threat", step, source, what, amount, detail, seat) for seat in seats])


def shifted_threat(state: State, player: str, delta: int) -> State:
    return replace(state, threat=with_entry(state.threat, player, state.threat.get(player, 0) + delta))
