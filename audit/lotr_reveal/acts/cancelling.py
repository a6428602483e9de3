"""A card is cancelled as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import Act, not_this_card, out_of_place
from audit.lotr_reveal.cards import SHUFFLE
from audit.lotr_reveal.events import CardCancelled
from audit.lotr_reveal.rules import step_3
from audit.lotr_reveal.state import Frame, State, Task, find, source_of, top
from audit.lotr_reveal.steps import INDEX, S3, name_of
from audit.model import Event
from audit.ruleset import Violation


class Cancel(Act):
    """What a response at step 3 comes to."""

    event = CardCancelled
    silent = True

    def refused(self, state: State, event: CardCancelled) -> Violation | None:  # type: ignore[override]
        frame = top(state)
        at = max(S3, frame.at) if frame else S3
        if INDEX[event.step] != at:
            return Violation(step_3.WINDOW, "cancel.step", {"card": event.card, "step": event.step})
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "cancel")
        if task is None:
            return Violation(step_3.CANCEL_STOPS, "cancel.nobody", {"card": event.card})
        if task.source != event.by:
            return Violation(step_3.CANCEL_STOPS, "cancel.by", {"source": event.by, "expected": task.source})
        return not_this_card(frame, event.card, step_3.CANCEL_STOPS) or self._goes_wrong(state, event)

    def _goes_wrong(self, state: State, event: CardCancelled) -> Violation | None:
        settled = _disposition(state, event.by)
        if settled in (None, event.disposition):
            return None
        return Violation(
            step_3.CANCELLED_CARD_RESHUFFLED, "cancel.disposition", {"card": event.card, "source": event.by}
        )

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        settled = _disposition(state, task.source)
        for way in (settled,) if settled else (SHUFFLE, "discard"):
            yield CardCancelled(
                seq=0,
                frame=frame.id,
                step=name_of(task.step),
                card=frame.card,
                by=task.source,
                disposition=way,  # type: ignore[arg-type]
            )

    def cited(self, state: State, frame: Frame, event: Event) -> tuple[Rule, ...]:
        return (step_3.CANCEL_STOPS, step_3.EFFECT_DECIDES_WINDOW)


def _disposition(state: State, source: str) -> str | None:
    found = source_of(state, source)
    return found.disposition if found else None
