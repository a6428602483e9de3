"""What all acts share: an option that asks named criteria one after the other, and the place of an event."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from audit.catalogue import Rule, each_once
from audit.lotr_reveal.events import Within
from audit.lotr_reveal.rules import step_0, step_1, step_3, step_4, step_5_1, step_12
from audit.lotr_reveal.state import (
    REVEALS,
    Frame,
    State,
    Task,
    closed_frame,
    first_task,
    frame_of,
    source_of,
    top,
)
from audit.lotr_reveal.steps import INDEX, S8, name_of
from audit.lotr_reveal.why import passed_notes, rules_of
from audit.model import Event
from audit.ruleset import Obligation, Option, Violation

STOPPED = {
    "left": (step_4.STOP_IF_GONE, "stop.left"),
    "cancelled": (step_3.CANCEL_STOPS, "stop.cancelled"),
    "discarded": (step_3.LAMPWRIGHT_DISCARD, "stop.discarded"),
}


FOLLOWS = frozenset({"cancel", "defeat", "explore", "threat", "surge", "move"})
"""What follows by itself: a log may leave it out, so that an event past it is not judged before it."""


class Act(Option[State]):
    """An event type with its criteria. With a task it is up because of that task, and lists what fulfils it.

    Consequences without a choice are `silent`: a log may leave them out. What the table has to do by itself is not:
    where the log goes on without it, it was forgotten.
    """

    silent = False
    __slots__ = ("need", "rules", "task")

    def __init__(self, task: Task | None = None, obligation: Obligation = Obligation.REQUIRED, *why: Rule) -> None:
        self.task = task
        self.obligation = obligation
        self.rules = why or (rules_of(task) if task else ())

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        broken = self.refused(state, event)
        return (broken,) if broken else ()

    def refused(self, state: State, event: Event) -> Violation | None:
        """The first criterion the event fails."""
        raise NotImplementedError

    def candidates(self, state: State) -> Iterator[Event]:
        frame = top(state)
        if frame is not None and self.task is not None:
            yield from self.fulfil(state, frame, self.task)

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        """Every event that fulfils the task."""
        return iter(())

    def single_candidate(self, state: State) -> Event | None:
        if not self.silent:
            return None
        found = list(islice(self.candidates(state), 2))
        return found[0] if len(found) == 1 else None

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        if not state.frames:
            return self.rules
        frame = state.frames[-1]
        cited = self.cited(state, frame, event)
        if not frame.notes:
            return cited
        return each_once((*cited, *passed_notes(frame, INDEX[event.step])))  # type: ignore[attr-defined]

    def cited(self, state: State, frame: Frame, event: Event) -> tuple[Rule, ...]:
        """The rules that make this event legal, the most telling first."""
        return self.rules


def out_of_place(state: State, event: Within) -> Violation | None:
    """Why nothing of this frame can happen at this step now: wrong frame, stopped card, step gone by, something due."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.id != event.frame:
        return elsewhere(state, event.frame)
    if state.replacement and state.replacement.due:
        return replacement_due(state)
    at = INDEX[event.step]
    if not frame.stop and runs_on(frame, at):
        return None
    return skipped(frame, at) or stopped(frame, at) or gone_by(frame, at) or overdue(state, frame, at)


def runs_on(frame: Frame, at: int) -> bool:
    """Whether a card goes to that step, or stays there, with nothing left undone before it."""
    return frame.at <= at and not frame.placed and not (frame.tasks and frame.tasks[0].step < at)


def elsewhere(state: State, id: str) -> Violation:
    """Why a frame is not the one that acts now."""
    newest = top(state)
    if frame_of(state, id) and newest:
        data = {"card": newest.card, "frame": newest.id}
        if newest.cause == "surge":
            return Violation(step_12.ONE_AT_A_TIME, "frame.surge_open", data)
        return Violation(step_0.NESTED_FRAME, "frame.nested", data)
    over = closed_frame(state, id)
    if over is None:
        return _unannounced(state, id)
    rule, key = STOPPED.get(over.stop, (step_0.STEPS_ORDER_SIMULTANEITY, "frame.closed"))
    return Violation(rule, key, {"card": over.card, "frame": id})


def _unannounced(state: State, id: str) -> Violation:
    """Nobody said that a card was revealed: the rule by which one was due, if one was."""
    frame = top(state)
    if state.replacement and state.replacement.due:
        return Violation(step_3.REPLACEMENT, "frame.unknown", {"frame": id})
    task = first_task(state, frame) if frame else None
    if frame and task and task.kind in REVEALS:
        return Violation(rules_of(task)[0], "frame.unknown", {"frame": id})
    return Violation(step_0.NESTED_FRAME if frame else step_1.TAKE_TOP, "frame.unknown", {"frame": id})


def replacement_due(state: State) -> Violation:
    """The cancelled card has not been replaced yet."""
    return Violation(step_3.REPLACEMENT, "due.replacement", {})


def skipped(frame: Frame, at: int) -> Violation | None:
    """A card that was placed has no part in steps 1 to 7."""
    if frame.placed and at < S8:
        return Violation(step_0.PLACED_SKIPS_1_TO_7, "stop.placed", {"card": frame.card, "step": name_of(at)})
    return None


def stopped(frame: Frame, at: int) -> Violation | None:
    """A card that was cancelled, defeated, explored or discarded goes no further."""
    if not frame.stop or (frame.tasks and frame.tasks[0].step == at):
        return None
    rule, key = STOPPED[frame.stop]
    return Violation(rule, key, {"card": frame.card, "step": name_of(at)})


def gone_by(frame: Frame, at: int) -> Violation | None:
    """A step before the one reached does not come back."""
    if at < frame.at:
        data = {"card": frame.card, "step": name_of(at), "reached": name_of(frame.at)}
        return Violation(step_0.STEPS_ORDER_SIMULTANEITY, "order.back", data)
    return None


def overdue(state: State, frame: Frame, at: int) -> Violation | None:
    """What was due before that step and has not happened."""
    if not frame.tasks or frame.tasks[0].step >= at:
        return None
    task = first_task(state, frame)
    if task is None or task.step >= at:
        return None
    return due(state, frame, task)


def due(state: State, frame: Frame, task: Task) -> Violation:
    """Something that is still to be done."""
    rule = rules_of(task)[0]
    if task.kind == "serve" and frame.canceller:
        rule = step_5_1.SURGE_SURVIVES_CANCEL
    if task.kind == "enter" and frame.peril and (source := source_of(state, task.source)):
        rule = rule if source.owner in (None, frame.player) else step_5_1.PERIL_PASSIVES_CONTINUE
    data = {
        "card": frame.card, "source": task.source, "what": task.what, "step": name_of(task.step), "n": task.amount,
    }  # fmt: skip
    return Violation(rule, f"due.{task.kind}", data, not_intended=task.kind in FOLLOWS)


def not_this_card(frame: Frame, card: str | None, rule: Rule) -> Violation | None:
    """The event is about the card of its frame."""
    if card is None or card == frame.card:
        return None
    return Violation(rule, "card.other", {"card": card, "expected": frame.card})


def too_early(frame: Frame, at: int, task: Task, rule: Rule) -> Violation | None:
    """What has a step of its own does not happen at another."""
    if at == task.step:
        return None
    data = {"card": frame.card, "what": task.what or task.kind, "step": name_of(at), "expected": name_of(task.step)}
    return Violation(rule, "order.step", data)


def after_a_text(frame: Frame, at: int) -> bool:
    """Whether a text has just been carried out at this step that may do more than can be told."""
    return frame.acted and at == frame.at
