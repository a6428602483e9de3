"""Forced effects at steps 10 and 11."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import Text
from audit.games.lotr_reveal.event_rules.base import FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import FORCED_FIRST, no_such_moment, out_of_place
from audit.games.lotr_reveal.events import ForcedResolved
from audit.games.lotr_reveal.frames import text_done
from audit.games.lotr_reveal.lookup import acting_frame, card_of, source_of, with_frame
from audit.games.lotr_reveal.rules import step_4, step_10, step_11
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S4, S4_5, S10, S11, name_of
from audit.games.lotr_reveal.task_rules import text_rules
from audit.games.lotr_reveal.tasks import find_task
from audit.games.lotr_reveal.texts import read_text


class ForcedResolvedRules(FrameEventRules[ForcedResolved]):
    """A forced effect is carried out."""

    event = ForcedResolved
    task_kind = "forced"

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield ForcedResolved(
            seq=0, frame=frame.id, step=name_of(task.step), source=task.source, effect=task.what, target=frame.card
        )  # fmt: skip

    def violation(self, state: State, event: ForcedResolved) -> Violation | None:
        if failed := _other_moment(state, event) or out_of_place(state, event):
            return failed
        frame, step = state.frames[-1], INDEX[event.step]
        task = find_task(frame, "forced", source=event.source)
        if task is not None and task.step == step:
            return None
        if task is None and frame.responded_at == step:
            return Violation(FORCED_FIRST[step], "response.forced", {"source": event.source})
        rule = {S10: step_10.AFTER_ENTERS_PLAY, S11: step_11.AFTER_REVEALED}.get(step, step_11.DISTINCT_FROM_10)
        return Violation(rule, "forced.none", {"card": frame.card, "source": event.source, "step": event.step})

    def cited(self, state: State, frame: Frame, event: ForcedResolved) -> Citations:
        step = INDEX[event.step]
        several = sum(task.step == step and task.kind == "forced" for task in frame.procedure.tasks) > 1
        if step == S10:
            free = (step_10.FREE_ORDER_WITHIN,) if several else ()
            return (step_10.AFTER_ENTERS_PLAY, step_10.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10)
        free = (step_11.FREE_ORDER_WITHIN,) if several else ()
        return (
            step_11.AFTER_REVEALED, step_11.FORCED_FIRST, *free, step_11.DISTINCT_FROM_10, step_4.NOT_AFTER_REVEALED
        )  # fmt: skip

    def not_known(self, state: State, frame: Frame, event: ForcedResolved) -> Violations:
        if _text(state, event.source).is_understood:
            return ()
        return (Violation(text_rules(INDEX[event.step])[0], "unchecked.text", {"card": event.source}),)

    def apply_in(self, state: State, frame: Frame, event: ForcedResolved) -> State:
        task = find_task(frame, "forced", source=event.source)
        return with_frame(state, text_done(state, frame, task, _text(state, event.source), event.seq))


def _text(state: State, source: str) -> Text:
    """What the forced effect of a card comes to; damage to all of a kind is not told by any event."""
    found = source_of(state, source) or card_of(state, source).source
    text = read_text(found.forced.effect) if found and found.forced else Text()
    return text if not (text.does.damage or text.gains) else Text()


def _other_moment(state: State, event: ForcedResolved) -> Violation | None:
    """A forced effect belongs to the condition it names."""
    frame, step = acting_frame(state), INDEX[event.step]
    if frame is None or frame.id != event.frame:
        return None
    data: dict[str, object] = {"card": frame.card, "source": event.source, "step": event.step}
    if failed := no_such_moment(state, frame, step, data):
        return failed
    source = source_of(state, event.source) or card_of(state, event.source).source
    own = INDEX[source.forced.step] if source and source.forced else step
    if own == step:
        return None
    rule = step_4.NOT_AFTER_REVEALED if own == S11 and step in (S4, S4_5) else step_11.DISTINCT_FROM_10
    return Violation(rule, "forced.moment", {**data, "expected": name_of(own)})
