"""A card is through, and the markers that may be left out."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule, each_once
from audit.lotr_reveal.acts.base import Act, due, elsewhere, out_of_place, replacement_due
from audit.lotr_reveal.acts.responses import WINDOW_RULES
from audit.lotr_reveal.events import RevealEnded, StepEntered, WindowPassed
from audit.lotr_reveal.rules import (
    step_0,
    step_2,
    step_3,
    step_4,
    step_4_5,
    step_5,
    step_10,
    step_11,
    step_12,
)
from audit.lotr_reveal.state import Frame, State, first_task, top
from audit.lotr_reveal.steps import INDEX, S10, S12, WINDOWS, StepName, name_of
from audit.lotr_reveal.why import passed_notes
from audit.model import Event
from audit.ruleset import Obligation, Violation

OUTCOMES = {"": "completed", "cancelled": "cancelled", "discarded": "discarded_at_3", "left": "left_at_4"}
_STEPS: dict[str, StepName] = {"": "12", "cancelled": "3", "discarded": "3", "left": "4"}
_ENDS: dict[str, tuple[Rule, ...]] = {
    "": (step_0.STEPS_ORDER_SIMULTANEITY,),
    "cancelled": (step_3.CANCEL_STOPS,),
    "discarded": (step_3.LAMPWRIGHT_DISCARD,),
    "left": (step_4.STOP_IF_GONE, step_4_5.NOT_IF_DEFEATED),
}


class End(Act):
    """A frame is closed when nothing of it is left."""

    event = RevealEnded
    silent = True

    def refused(self, state: State, event: RevealEnded) -> Violation | None:  # type: ignore[override]
        frame = top(state)
        if frame is None or frame.id != event.frame:
            return elsewhere(state, event.frame)
        if state.replacement and state.replacement.due:
            return replacement_due(state)
        if task := first_task(state, frame):
            return due(state, frame, task)
        if event.outcome != OUTCOMES[frame.stop]:
            return _wrong_outcome(frame, event)
        at, last = INDEX[event.step], _last(frame)
        if not frame.at <= at <= last or (frame.stop and at != last):
            return Violation(_ENDS[frame.stop][0], "end.step", {"card": frame.card, "expected": name_of(last)})
        return None

    def candidates(self, state: State) -> Iterator[Event]:
        frame = top(state)
        if frame and first_task(state, frame) is None:
            yield RevealEnded(
                seq=0,
                frame=frame.id,
                step=name_of(_last(frame)),
                card=frame.card,
                outcome=OUTCOMES[frame.stop],  # type: ignore[arg-type]
            )

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        frame = top(state)
        if frame is None:
            return self.rules
        lost = (step_4.BOLG_SURGE_LOST,) if frame.stop == "left" and "surge" in frame.granted else ()
        none = (step_12.ONLY_ARMED,) if not frame.stop and not frame.armed and not frame.placed else ()
        notes = () if frame.stop else passed_notes(frame, S12 + 3)
        return each_once((*lost, *_ENDS[frame.stop], *none, *notes))


def _last(frame: Frame) -> int:
    """The last step a card takes; one that was stopped too late has gone further than it should."""
    return max(INDEX[_STEPS[frame.stop]], frame.at)


def _wrong_outcome(frame: Frame, event: RevealEnded) -> Violation:
    wanted = OUTCOMES[frame.stop]
    data = {"card": frame.card, "expected": wanted}
    if frame.stop:
        return Violation(_ENDS[frame.stop][0], f"end.{wanted}", data)
    if event.outcome == "discarded_at_3":
        return Violation(step_3.LAMPWRIGHT_ONLY_ON_MATCH, "end.completed", data)
    claimed = "left" if event.outcome == "left_at_4" else "cancelled"
    return Violation(_ENDS[claimed][0], "end.completed", data)


class Marker(Act):
    """A step begins: everything before it is done."""

    event: type[Event] = StepEntered

    def __init__(self) -> None:
        super().__init__(None, Obligation.REDUNDANT, step_0.STEPS_ORDER_SIMULTANEITY)

    def refused(self, state: State, event: StepEntered | WindowPassed) -> Violation | None:  # type: ignore[override]
        return out_of_place(state, event)

    def candidates(self, state: State) -> Iterator[Event]:
        return iter(())

    def cited(self, state: State, frame: Frame, event: StepEntered) -> tuple[Rule, ...]:  # type: ignore[override]
        return _BEGINS.get(event.step, self.rules)


_BEGINS: dict[str, tuple[Rule, ...]] = {
    "2": (step_2.TEXT_ACTIVE, step_2.TRIGGERED_WAIT, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.0": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.1": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
}


class Passed(Marker):
    """Nobody uses a further response in this window."""

    event = WindowPassed

    def refused(self, state: State, event: StepEntered | WindowPassed) -> Violation | None:  # type: ignore[override]
        at = INDEX[event.step]
        if at not in WINDOWS:
            return Violation(step_0.RESPONSE_WINDOWS_ONLY, "window.none", {"step": event.step})
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        first = first_task(state, frame)
        if first and first.step == at and first.kind == "forced":
            rule = step_10.FORCED_FIRST if at == S10 else step_11.FORCED_FIRST
            return Violation(rule, "due.forced", {"card": frame.card, "source": first.source, "step": event.step})
        return None

    def cited(self, state: State, frame: Frame, event: WindowPassed) -> tuple[Rule, ...]:  # type: ignore[override]
        return (step_0.RESPONSE_OPTIONAL, WINDOW_RULES[INDEX[event.step]])
