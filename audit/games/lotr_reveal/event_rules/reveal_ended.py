"""A card is through; and markers, which a log may leave out: a step begins, or nobody responds any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.core.catalogue import each_once
from audit.core.event_rules import Citations, Expectation, Violation, Violations
from audit.games.lotr_reveal.event_rules.base import FrameEventRules, W, keywords_unknown
from audit.games.lotr_reveal.event_rules.conditions import FORCED_FIRST, not_acting, out_of_place, task_due
from audit.games.lotr_reveal.event_rules.responses import WINDOW_RULES
from audit.games.lotr_reveal.events import Ending, RevealEnded, StepEntered, WindowPassed
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    deck_is_empty,
    replacement_is_due,
    source_used,
    with_frame,
)
from audit.games.lotr_reveal.rules import step_0, step_2, step_3, step_4, step_4_5, step_5, step_12
from audit.games.lotr_reveal.state import Frame, Replacement, State, StepNote, Task
from audit.games.lotr_reveal.steps import INDEX, LAST, S12, WINDOWS, StepName, name_of
from audit.games.lotr_reveal.tasks import first_task, passed_notes
from audit.games.lotr_reveal.zones import has_discards

_IN_ORDER: Citations = (step_0.STEPS_ORDER_SIMULTANEITY,)
_BEGINS: dict[str, Citations] = {
    "2": (step_2.TEXT_ACTIVE, step_2.TRIGGERED_WAIT, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.0": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
    "5.1": (step_5.COUNTS_AS_REVEALED, step_0.STEPS_ORDER_SIMULTANEITY),
}
_PASSES: dict[str, Citations] = {name_of(step): (step_0.RESPONSE_OPTIONAL, WINDOW_RULES[step]) for step in WINDOWS}


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
        if not frame.tasks or frame.tasks[0].step > step:
            return None
        first = first_task(state, frame)
        if first is None or first.step != step or first.kind != "forced":
            return None
        data = {"card": frame.card, "source": first.source, "step": event.step}
        return Violation(FORCED_FIRST[step], "due.forced", data)

    def cited(self, state: State, frame: Frame, event: WindowPassed) -> Citations:
        return _PASSES[event.step]

    def apply_in(self, state: State, frame: Frame, event: WindowPassed) -> State:
        step, tasks = INDEX[event.step], frame.tasks
        if tasks and tasks[0].step <= step:
            tasks = tuple([task for task in tasks if task.step > step or task.kind != "forced"])
        return with_frame(state, replace(frame, step=max(frame.step, step + 1), tasks=tasks))


_ENDINGS: dict[str, Ending] = {
    "": "completed",
    "cancelled": "cancelled",
    "discarded": "discarded_at_3",
    "left": "left_at_4",
}
_LAST_STEPS: dict[str, StepName] = {"": "12", "cancelled": "3", "discarded": "3", "left": "4"}
_RULES: dict[str, Citations] = {
    "": (step_0.STEPS_ORDER_SIMULTANEITY,),
    "cancelled": (step_3.CANCEL_STOPS,),
    "discarded": (step_3.LAMPWRIGHT_DISCARD,),
    "left": (step_4.STOP_IF_GONE, step_4_5.NOT_IF_DEFEATED),
}

MAX_REMEMBERED = 100
"""At most this many cards that are through are remembered until the next one of the staging step."""


class RevealEndedRules(FrameEventRules[RevealEnded]):
    """A frame is closed when nothing of it is left to do."""

    event = RevealEnded

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return (END,) if self.may_come(state) else ()

    def may_come(self, state: State) -> bool:
        frame = acting_frame(state)
        return frame is not None and not replacement_is_due(state) and first_task(state, frame) is None

    def violation(self, state: State, event: RevealEnded) -> Violation | None:
        if failed := not_acting(state, event.frame):
            return failed
        frame = state.frames[-1]
        if task := first_task(state, frame):
            return task_due(state, frame, task)
        if event.outcome != _ENDINGS[frame.stop]:
            return _other_ending(frame, event)
        step, last = INDEX[event.step], _last_step(frame)
        is_last = step in (INDEX[_LAST_STEPS[frame.stop]], last) if frame.stop else frame.step <= step <= last
        if not is_last:
            return Violation(_RULES[frame.stop][0], "end.step", {"card": frame.card, "expected": name_of(last)})
        return None

    def not_known(self, state: State, frame: Frame, event: RevealEnded) -> Violations:
        return keywords_unknown(card_of(state, frame.card), frame.card) if frame.stop and _left_open(frame) else ()

    def cited(self, state: State, frame: Frame, event: RevealEnded) -> Citations:
        lost = (step_4.BOLG_SURGE_LOST,) if frame.stop == "left" and "surge" in frame.granted_keywords else ()
        none = (step_12.ONLY_ARMED,) if not frame.stop and not frame.surges_armed and not frame.placed else ()
        return (*lost, *_RULES[frame.stop], *none)

    def citations(self, state: State, event: RevealEnded) -> Citations:
        if not state.frames:
            return ()
        frame = state.frames[-1]
        notes = () if frame.stop else passed_notes(frame, LAST + 1)
        return each_once((*self.cited(state, frame, event), *notes))

    def apply_in(self, state: State, frame: Frame, event: RevealEnded) -> State:
        """A cancelled card is to be replaced; a card discarded by its name has spent the surge of its caller."""
        over = replace(frame, tasks=(), possible=(), last_cause=event.seq)
        doubts = () if event.seq else _left_open(frame)
        is_newest = state.frames[-1].id == frame.id
        state = replace(
            state,
            frames=state.frames[:-1] if is_newest else tuple([one for one in state.frames if one.id != frame.id]),
            doubts=(*state.doubts, *doubts),
            closed=(*state.closed[-MAX_REMEMBERED:], over),
            replacement=_replacement(state, frame, event) if frame.stop == "cancelled" else state.replacement,
        )  # fmt: skip
        parent = acting_frame(state)
        if frame.stop != "discarded" or parent is None:
            return state
        spent = StepNote(S12, step_3.LAMPWRIGHT_NO_REPLACEMENT.id)
        return with_frame(state, replace(parent, notes=(*parent.notes, spent)))

    def apply_early(self, state: State, event: RevealEnded) -> Iterator[State]:
        """A frame that is closed has nothing left to come."""
        return iter(())


def _left_open(frame: Frame) -> tuple[Task, ...]:
    """What nobody has told of a card that is through; of one that left, what a keyword may have sent elsewhere."""
    if frame.stop == "left":
        return tuple([task for task in frame.possible if task.kind == "unknown"])
    return () if frame.stop else frame.possible


class End(Expectation[State]):
    """The end of the acting frame."""

    event = RevealEnded
    rules: Citations = (step_0.STEPS_ORDER_SIMULTANEITY,)

    def candidates(self, state: State) -> Iterator[RevealEnded]:
        frame = state.frames[-1]
        step, ending = name_of(_last_step(frame)), _ENDINGS[frame.stop]
        yield RevealEnded(seq=0, frame=frame.id, step=step, card=frame.card, outcome=ending)


END = End()


def _last_step(frame: Frame) -> int:
    """The last step a card takes; one that was stopped too late has gone further, and that is told there."""
    return max(INDEX[_LAST_STEPS[frame.stop]], frame.step)


def _other_ending(frame: Frame, event: RevealEnded) -> Violation:
    wanted = _ENDINGS[frame.stop]
    data = {"card": frame.card, "expected": wanted}
    if frame.stop:
        return Violation(_RULES[frame.stop][0], f"end.{wanted}", data)
    if event.outcome == "discarded_at_3":
        return Violation(step_3.LAMPWRIGHT_ONLY_ON_MATCH, "end.completed", data)
    claimed = "left" if event.outcome == "left_at_4" else "cancelled"
    return Violation(_RULES[claimed][0], "end.completed", data)


def _replacement(state: State, frame: Frame, event: RevealEnded) -> Replacement | None:
    """What follows a cancelled card: the cancelling card says so, or else it is due where the card was shuffled in."""
    source = source_used(state, frame.cancelled_by)
    stated = source.replacement if source else None
    if stated is False or (deck_is_empty(state) and not has_discards(state)):
        return None
    is_due = (stated or frame.zone == "encounter_deck") and frame.zone != "staging_area" and not deck_is_empty(state)
    return Replacement(frame.id, frame.player, frame.from_surge, frame.named_type, event.seq, is_due)
