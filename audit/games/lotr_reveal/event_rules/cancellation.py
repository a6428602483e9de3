"""A card is cancelled as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation
from audit.games.lotr_reveal.cards import SHUFFLE
from audit.games.lotr_reveal.event_rules.base import FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import other_card, out_of_place
from audit.games.lotr_reveal.events import CardCancelled, Disposition
from audit.games.lotr_reveal.lookup import acting_frame, source_used, with_frame
from audit.games.lotr_reveal.rules import step_3
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S3, name_of
from audit.games.lotr_reveal.task_rules import CANCELLED
from audit.games.lotr_reveal.tasks import find_task


class CardCancelledRules(FrameEventRules[CardCancelled]):
    """What a response at step 3 leads to."""

    event = CardCancelled
    task_kind = "cancel"

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[CardCancelled]:
        settled = _disposition(state, task.source)
        either: tuple[Disposition, ...] = ("shuffle_into_deck", "discard")
        for disposition in (settled,) if settled else either:
            yield CardCancelled(
                seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, by=task.source,
                disposition=disposition,
            )  # fmt: skip

    def violation(self, state: State, event: CardCancelled) -> Violation | None:
        acting = acting_frame(state)
        if INDEX[event.step] != (max(S3, acting.step) if acting else S3):
            return Violation(step_3.WINDOW, "cancel.step", {"card": event.card, "step": event.step})
        if failed := out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "cancel")
        if task is None:
            return Violation(step_3.CANCEL_STOPS, "cancel.nobody", {"card": event.card})
        if task.source != event.by:
            return Violation(step_3.CANCEL_STOPS, "cancel.by", {"source": event.by, "expected": task.source})
        return other_card(frame, event.card, step_3.CANCEL_STOPS) or _other_disposition(state, event)

    def cited(self, state: State, frame: Frame, event: CardCancelled) -> Citations:
        return (step_3.CANCEL_STOPS, step_3.EFFECT_DECIDES_WINDOW)

    def apply_in(self, state: State, frame: Frame, event: CardCancelled) -> State:
        """The card leaves the procedure; it has yet to be moved."""
        to = "encounter_deck" if event.disposition == SHUFFLE else "encounter_discard"
        move = Task("move", max(S3, frame.step), frame.card, to, detail=CANCELLED)
        frame = replace(
            frame, stop="cancelled", cancelled_by=event.by, tasks=(move,), notes=(), last_cause=event.seq
        )  # fmt: skip
        return with_frame(state, frame)


def with_card_cancelled(state: State) -> State:
    """The position once the acting card is cancelled, if a response did so and says where the card goes."""
    frame = acting_frame(state)
    task = find_task(frame, "cancel") if frame else None
    if frame is None or task is None or _disposition(state, task.source) is None:
        return state
    rules = CardCancelledRules()
    (event,) = rules.fulfilling(state, frame, task)
    return rules.apply_in(state, frame, event)


def _other_disposition(state: State, event: CardCancelled) -> Violation | None:
    """The cancelling card may say where the cancelled card goes."""
    if _disposition(state, event.by) in (None, event.disposition):
        return None
    return Violation(step_3.CANCELLED_CARD_RESHUFFLED, "cancel.disposition", {"card": event.card, "source": event.by})


def _disposition(state: State, card: str) -> Disposition | None:
    source = source_used(state, card)
    return source.disposition if source else None
