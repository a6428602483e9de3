"""The encounter card changes zone."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import (
    Act,
    after_a_text,
    elsewhere,
    gone_by,
    overdue,
    replacement_due,
    runs_on,
    skipped,
    stopped,
)
from audit.lotr_reveal.events import CardMoved
from audit.lotr_reveal.rules import step_0, step_3, step_4, step_6, step_8
from audit.lotr_reveal.state import Frame, State, Task, find, first_task, top, zone_of
from audit.lotr_reveal.steps import INDEX, S3, S4, S8, S9, S12, name_of
from audit.lotr_reveal.why import OUTCOMES, about, move_rules
from audit.model import Event
from audit.ruleset import Violation


class Move(Act):
    """Into play, to the discard pile, or back into the deck."""

    event = CardMoved
    silent = True

    def refused(self, state: State, event: CardMoved) -> Violation | None:  # type: ignore[override]
        frame, at = top(state), INDEX[event.step]
        if frame is None or frame.id != event.frame:
            return elsewhere(state, event.frame)
        if state.replacement and state.replacement.due:
            return replacement_due(state)
        task = _due_at(frame, at)
        if task is None or event.card != frame.card:
            return self._unasked(state, frame, event)
        return self._too_soon(state, frame, task, at) or _wrong_way(state, frame, task, event)

    def _too_soon(self, state: State, frame: Frame, task: Task, at: int) -> Violation | None:
        if task.step > S12 and (first := first_task(state, frame)) is not None and first.step < task.step:
            return Violation(step_6.ELEANOR_FINISH_FIRST, "replacement.early", {"card": frame.card})
        if runs_on(frame, at):
            return None
        return skipped(frame, at) or gone_by(frame, at) or overdue(state, frame, at)

    def _unasked(self, state: State, frame: Frame, event: CardMoved) -> Violation | None:
        at = INDEX[event.step]
        if broken := skipped(frame, at) or stopped(frame, at) or gone_by(frame, at):
            return broken
        if after_a_text(frame, at) and (event.card != frame.card or at >= S9):
            zone = zone_of(state, event.card)
            if zone in (None, event.from_):
                return None
            return Violation(step_8.ENTER_PLAY, "move.from", {"card": event.card, "expected": zone})
        return overdue(state, frame, at) or _not_now(frame, event, at)

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        if not task.what:
            return
        yield CardMoved(
            seq=0,
            frame=frame.id,
            step=name_of(task.step),
            card=frame.card,
            from_=frame.zone,  # type: ignore[arg-type]
            to=task.what,  # type: ignore[arg-type]
        )

    def cited(self, state: State, frame: Frame, event: CardMoved) -> tuple[Rule, ...]:  # type: ignore[override]
        at = INDEX[event.step]
        task = _due_at(frame, at)
        if task is None:
            return (step_8.ENTER_PLAY,)
        return (step_8.ENTER_PLAY,) if not task.what else move_rules(task)


def _due_at(frame: Frame, at: int) -> Task | None:
    """The move that is to come at that step; what comes after the last one is told as of it."""
    for task in frame.tasks:
        if task.kind == "move" and min(task.step, S12) == at:
            return task
    return None


def _not_now(frame: Frame, event: CardMoved, at: int) -> Violation:
    data = {"card": event.card, "step": event.step, "to": event.to}
    if event.card != frame.card:
        return Violation(step_8.ENTER_PLAY, "card.other", {"card": event.card, "expected": frame.card})
    if at == S3:
        return Violation(step_3.LAMPWRIGHT_ONLY_ON_MATCH, "move.not_named", data)
    if at == S4:
        return Violation(step_4.DISCARD_NOW, "move.not_gone", data)
    if frame.canceller and at > S8 and event.to == "encounter_discard":
        return Violation(step_6.SKIPS_ONLY_7, "move.only_effect", data)
    if later := find(frame, "move"):
        return Violation(move_rules(later)[0], "move.step", {**data, "expected": name_of(later.step)})
    return Violation(step_0.STEPS_ORDER_SIMULTANEITY, "move.again", data)


def _wrong_way(state: State, frame: Frame, task: Task, event: CardMoved) -> Violation | None:
    if event.from_ != frame.zone and not (frame.placed and event.from_ == "revealing"):
        return Violation(move_rules(task)[0], "move.from", {"card": event.card, "expected": frame.zone})
    if not task.what or event.to == task.what:
        return None
    data = {"card": event.card, "to": event.to, "expected": task.what}
    named = about(OUTCOMES, task.source, task.detail) if task.what == "encounter_deck" else ()
    return Violation((*named, *move_rules(task))[0], "move.to", data)
