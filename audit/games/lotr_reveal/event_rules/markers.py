"""Markers: a step begins, or nobody responds any more. A log may leave them out."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from audit.core.event_rules import Citations, Expectation, Violation, Violations
from audit.games.lotr_reveal.event_rules.base import FrameEventRules, W
from audit.games.lotr_reveal.event_rules.conditions import FORCED_FIRST, out_of_place
from audit.games.lotr_reveal.event_rules.responses import WINDOW_RULES
from audit.games.lotr_reveal.events import StepEntered, WindowPassed
from audit.games.lotr_reveal.lookup import with_frame
from audit.games.lotr_reveal.rules import step_0, step_2, step_5
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.steps import INDEX, WINDOWS
from audit.games.lotr_reveal.tasks import first_task

_IN_ORDER: Citations = (step_0.STEPS_ORDER_SIMULTANEITY,)
_BEGINS: dict[str, Citations] = {
    "2": (step_2.TEXT_ACTIVE, step_2.TRIGGERED_WAIT, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.0": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.1": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
}


class MarkerRules(FrameEventRules[W]):
    """An event that only says how far a card has come. It may come wherever that is true, and is never expected.

    `is_marker` stays off: a wrong marker of one card says nothing about what was left out of another.
    """

    may_be_unchecked = False

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return ()

    def violations(self, state: State, event: W) -> Violations:
        failed = self.violation(state, event)
        return () if failed is None else (replace(failed, not_intended=True),)

    def accept(self, state: State, event: W) -> Citations | None:
        if self.violation(state, event) is not None:
            return None
        frames = state.frames
        return self.citations(state, event) if not frames or frames[-1].notes else self.cited(state, frames[-1], event)

    def violation(self, state: State, event: W) -> Violation | None:
        return out_of_place(state, event)


class StepEnteredRules(MarkerRules[StepEntered]):
    """A step begins: everything before it is done."""

    event = StepEntered

    def accept(self, state: State, event: StepEntered) -> Citations | None:
        if out_of_place(state, event) is not None:
            return None
        frame = state.frames[-1]
        return self.citations(state, event) if frame.notes else _BEGINS.get(event.step, _IN_ORDER)

    def cited(self, state: State, frame: Frame, event: StepEntered) -> Citations:
        return _BEGINS.get(event.step, _IN_ORDER)

    def apply_in(self, state: State, frame: Frame, event: StepEntered) -> State:
        return with_frame(state, frame)


class WindowPassedRules(MarkerRules[WindowPassed]):
    """Nobody uses a further response in this window."""

    event = WindowPassed

    def violation(self, state: State, event: WindowPassed) -> Violation | None:
        step = INDEX[event.step]
        if step not in WINDOWS:
            return Violation(step_0.RESPONSE_WINDOWS_ONLY, "window.none", {"step": event.step})
        if failed := super().violation(state, event):
            return failed
        frame = state.frames[-1]
        first = first_task(state, frame)
        if first is None or first.step != step or first.kind != "forced":
            return None
        data = {"card": frame.card, "source": first.source, "step": event.step}
        return Violation(FORCED_FIRST[step], "due.forced", data)

    def cited(self, state: State, frame: Frame, event: WindowPassed) -> Citations:
        return (step_0.RESPONSE_OPTIONAL, WINDOW_RULES[INDEX[event.step]])

    def apply_in(self, state: State, frame: Frame, event: WindowPassed) -> State:
        step, tasks = INDEX[event.step], frame.tasks
        if tasks and tasks[0].step <= step:
            tasks = tuple([task for task in tasks if task.step > step or task.kind != "forced"])
        return with_frame(state, replace(frame, step=max(frame.step, step + 1), tasks=tasks))
