"""What all facts do to a frame: things are done, and others follow from them."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lotr_reveal.state import (
    Frame,
    State,
    Task,
)
from audit.lotr_reveal.steps import INDEX
from audit.lotr_reveal.zones import with_entry
from audit.model import Event


def arrived(frame: Frame, event: Event) -> Frame:
    """The frame at the step of the event; what was due before is given up."""
    at = INDEX[event.step]  # type: ignore[attr-defined]
    if at <= frame.at:
        return frame
    tasks = frame.tasks
    if tasks and tasks[0].step < at:
        tasks = tuple(task for task in tasks if task.step >= at)
    notes = tuple(note for note in frame.notes if note.step >= at) if frame.notes else ()
    return replace(frame, at=at, tasks=tasks, notes=notes, acted=False)


MOST_DUE = 120
"""So much is due of one card at most: more than any card asks, whatever a log may say."""


def done(frame: Frame, task: Task | None, *more: Task, seq: int = 0) -> Frame:
    """The frame with one thing done and others that follow from it, in the order of the steps."""
    tasks = frame.tasks
    if task is not None:
        index = tasks.index(task)
        tasks = (*tasks[:index], *tasks[index + 1 :])
    if more:
        tasks = tuple(sorted((*tasks, *more), key=_step))[:MOST_DUE]
    return replace(frame, tasks=tasks, last=seq or frame.last)


def _step(task: Task) -> int:
    return task.step


def find(frame: Frame, kind: str, what: str | None = None, source: str | None = None) -> Task | None:
    """The first task of that kind that is still to come."""
    for task in frame.tasks:
        if task.kind == kind and what in (None, task.what) and source in (None, task.source):
            return task
    return None


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
    return tuple(Task("threat", step, source, what, amount, detail, seat) for seat in seats)


def shifted_threat(state: State, player: str, delta: int) -> State:
    return replace(state, threat=with_entry(state.threat, player, state.threat.get(player, 0) + delta))
