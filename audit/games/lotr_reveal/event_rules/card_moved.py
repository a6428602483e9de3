"""The encounter card changes zone, or is cancelled as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import AMBUSH, SHUFFLE
from audit.games.lotr_reveal.event_rules.base import FrameEventRules, keywords_unknown, place_unknown
from audit.games.lotr_reveal.event_rules.conditions import (
    follows_text,
    goes_on_to,
    not_acting,
    other_card,
    out_of_order,
    out_of_place,
    overdue,
    placed_skips,
    step_over,
    stopped,
)
from audit.games.lotr_reveal.event_rules.passives import with_card_gone
from audit.games.lotr_reveal.events import CardCancelled, CardMoved, Disposition, Zone
from audit.games.lotr_reveal.frames import done, let_go
from audit.games.lotr_reveal.lookup import acting_frame, card_of, known_frame, source_used, with_frame, zone_of
from audit.games.lotr_reveal.rules import step_0, step_3, step_4, step_6, step_8, step_9
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S3, S4, S7, S8, S9, S12, name_of
from audit.games.lotr_reveal.tasks import CANCELLED, OUTCOMES, entering_rules, find_task, first_task, move_rules, naming
from audit.games.lotr_reveal.zones import put, take


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


_ENGAGING = frozenset({AMBUSH, "engage"})
_UNUSUAL = frozenset({"attached", "engaged", "player_area", "victory_display", "out_of_play", "encounter_deck"})
"""Where a card goes only if its text says so."""


class CardMovedRules(FrameEventRules[CardMoved]):
    """Into play, to the discard pile, or back into the deck."""

    event = CardMoved
    task_kind = "move"
    may_follow_text = True
    depends_on_text = True

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        if task.what:
            yield CardMoved(
                seq=0, frame=frame.id, step=name_of(task.step), card=frame.card, from_=frame.zone,
                to=cast(Zone, task.what),
            )  # fmt: skip

    def is_by_chance(self, state: State, event: CardMoved) -> bool:
        return event.to == "encounter_deck"

    def violations(self, state: State, event: CardMoved) -> Violations:
        """As of the moment when the card has left or was cancelled, if nobody wrote down that it was."""
        gone = with_card_cancelled(with_card_gone(state))
        return super().violations(gone if self.violation(gone, event) else state, event)

    def may_come_besides(self, state: State, event: CardMoved) -> bool:
        return bool(state.frames) and _tells_engagement(state.frames[-1], event)

    def violation(self, state: State, event: CardMoved) -> Violation | None:
        if failed := not_acting(state, event.frame):
            return failed
        frame, step = state.frames[-1], INDEX[event.step]
        if _tells_engagement(frame, event):
            return overdue(state, frame, step) or _kept_from_engaging(state, frame)
        task = _due_at(frame, step)
        if _text_may_move_it(state, frame, event) and goes_on_to(frame, step):
            return None
        if task is not None and _keyword_may_move_it(state, frame, task, event):
            return _too_early(state, frame, task, step)
        if task is None or event.card != frame.card:
            return _not_called_for(state, frame, event)
        return _too_early(state, frame, task, step) or _other_way(state, frame, task, event)

    def cited(self, state: State, frame: Frame, event: CardMoved) -> Citations:
        if _tells_engagement(frame, event):
            return entering_rules(_effects_engaging(frame)[0])
        task = _due_at(frame, INDEX[event.step])
        is_ruled = card_of(state, frame.card).is_ruled or (task is not None and task.step != S8)
        return move_rules(task) if task and task.what and is_ruled else (step_8.ENTER_PLAY,)

    def not_known(self, state: State, frame: Frame, event: CardMoved) -> Violations:
        if _tells_engagement(frame, event):
            return ()
        task, card = _due_at(frame, INDEX[event.step]), card_of(state, frame.card)
        if task is not None and _keyword_may_move_it(state, frame, task, event):
            return keywords_unknown(card, frame.card)
        is_asked = event.card == frame.card and task is not None
        if is_asked and not card.is_ruled and event.to != card.destination and task and task.step == S8:
            return (place_unknown(state, frame.card),)
        if task in frame.possible and not card.is_ruled:
            return (place_unknown(state, frame.card),)
        if is_asked and task and task.what in ("", event.to):
            return ()
        return (Violation(step_8.ENTER_PLAY, "unchecked.follows", {"card": frame.card}),)

    def unchecked(self, state: State, event: CardMoved) -> Violations:
        """The same; a card of which nobody has told where it goes may be told to go there at any time after it."""
        if state.frames and state.frames[-1].id == event.frame:
            return super().unchecked(state, event)
        frame = known_frame(state, event.frame)
        if frame is None:
            return super().unchecked(state, event)
        is_left_open = frame.held and not frame.stop and card_of(state, frame.card).destination is None
        is_its_own = event.card == frame.card and event.step == "8"
        return (place_unknown(state, frame.card),) if is_left_open and is_its_own else ()

    def apply_in(self, state: State, frame: Frame, event: CardMoved) -> State:
        """The card of the frame has then done what its step asks."""
        if event.card != frame.card:
            return with_frame(put(take(state, event.card), event.card, event.to, frame.player), frame)
        if _tells_engagement(frame, event) and frame.zone == "engaged":
            return with_frame(state, frame)
        state = put(let_go(state, frame), frame.card, event.to, frame.player)
        task = find_task(frame, "move")
        is_by_text = _text_may_move_it(state, frame, event)
        if task is not None and min(task.step, S12) > frame.step and not is_by_text:
            task = None
        frame = done(frame, task, zone=event.to, held=False)
        if task is not None and task.step > S12:
            frame = replace(frame, tasks=_exchanged_first(frame.tasks))
        if event.seq and frame.stop == "left":
            frame = replace(frame, possible=())
        if INDEX[event.step] == S3 and event.to == "encounter_discard" and not frame.stop:
            frame = replace(frame, stop="discarded", tasks=(), notes=())
        return with_frame(state, frame)

    def apply_to_closed(self, state: State, event: CardMoved) -> State:
        return put(take(state, event.card), event.card, event.to, state.first)


def _effects_engaging(frame: Frame) -> tuple[str, ...]:
    """The effects of entering play by which the card of the frame may engage a player."""
    return tuple([task.what for task in frame.procedure.tasks if task.kind == "enter" and task.what in _ENGAGING])


def _engages(frame: Frame) -> bool:
    """Whether the card has engaged a player as it entered play, or is to do so."""
    is_due = any(task.kind == "enter" and task.what in _ENGAGING for task in frame.tasks)
    return is_due or (frame.zone == "engaged" and bool(_effects_engaging(frame)))


def _tells_engagement(frame: Frame, event: CardMoved) -> bool:
    """Whether the event tells as a move that the card engages a player by an effect of step 9."""
    is_move = event.card == frame.card and event.to == "engaged" and event.from_ in ("staging_area", frame.zone)
    return is_move and INDEX[event.step] == S9 and frame.step <= S9 and _engages(frame)


def _kept_from_engaging(state: State, frame: Frame) -> Violation | None:
    """A trap that is attached keeps Ambush from engaging."""
    is_free = frame.zone == "engaged" or find_task(frame, "enter", "engage") or not state.attachments.get(frame.card)
    return None if is_free else Violation(step_9.TRAP_OR_AMBUSH_FIRST, "enter.trapped", {"card": frame.card})


def _exchanged_first(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """The tasks with the new card first: it comes for a card that was discarded to be exchanged, though too early."""
    exchange = [replace(task, step=S12) for task in tasks if task.kind == "replace"]
    return (*exchange, *[task for task in tasks if task.kind != "replace"]) if exchange else tasks


def _text_may_move_it(state: State, frame: Frame, event: CardMoved) -> bool:
    """Whether a When Revealed effect that is not understood may have sent its card somewhere unusual."""
    if event.card != frame.card or event.to not in _UNUSUAL or INDEX[event.step] not in (S7, S8):
        return False
    card = card_of(state, frame.card)
    is_free = bool(card.has_when_revealed) and not card.text.is_understood
    return is_free and not (frame.placed or frame.cancelled_by or find_task(frame, "revealed"))


def _keyword_may_move_it(state: State, frame: Frame, task: Task, event: CardMoved) -> bool:
    """Whether a keyword the document does not mention may send a card elsewhere that leaves, or enters play."""
    step = INDEX[event.step]
    if event.card != frame.card or event.from_ != frame.zone or frame.cancelled_by:
        return False
    may_differ = step == S4 or (step == S8 and event.to != task.what)
    return may_differ and bool(card_of(state, frame.card).unknown_keywords)


def _due_at(frame: Frame, step: int) -> Task | None:
    """The move that is to come at that step; what comes after the last one is told as of it."""
    for task in (*frame.tasks, *frame.possible) if frame.possible else frame.tasks:
        if task.kind == "move" and min(task.step, S12) == step:
            return task
    return None


def _too_early(state: State, frame: Frame, task: Task, step: int) -> Violation | None:
    """What is due before the move has happened; a card to be replaced goes last of all."""
    if task.step > S12 and (first := first_task(state, frame)) is not None and first.step < task.step:
        return Violation(step_6.ELEANOR_FINISH_FIRST, "replacement.early", {"card": frame.card})
    if goes_on_to(frame, step):
        return None
    return placed_skips(frame, step) or out_of_order(state, frame, step)


def _other_way(state: State, frame: Frame, task: Task, event: CardMoved) -> Violation | None:
    """The card goes from where it lies to where its step puts it, as far as anybody can tell."""
    if event.from_ != frame.zone and not (frame.placed and (event.from_ == "revealing" or frame.from_anywhere)):
        return Violation(move_rules(task)[0], "move.from", {"card": event.card, "expected": frame.zone})
    is_open = task.step == S8 and not card_of(state, frame.card).is_ruled
    if is_open or not task.what or event.to == task.what:
        return None
    data = {"card": event.card, "to": event.to, "expected": task.what}
    if task.detail == CANCELLED:
        return Violation(move_rules(task)[0], "move.cancelled", {**data, "source": frame.cancelled_by})
    named = naming(OUTCOMES, task.source, task.detail) if task.what == "encounter_deck" else ()
    return Violation((*named, *move_rules(task))[0], "move.to", data)


def _not_called_for(state: State, frame: Frame, event: CardMoved) -> Violation | None:
    """Without a task only a text that has just been carried out moves a card, and from where it lies."""
    step = INDEX[event.step]
    if failed := placed_skips(frame, step) or stopped(frame, step) or step_over(frame, step):
        return failed
    if not follows_text(frame, step, event) or (event.card == frame.card and step < S9):
        return overdue(state, frame, step) or _not_now(state, frame, event, step)
    zone = zone_of(state, event.card)
    if zone in (None, event.from_):
        return None
    return Violation(step_8.ENTER_PLAY, "move.from", {"card": event.card, "expected": zone})


def _why_not_named(state: State, frame: Frame) -> str:
    """Why no type that was named stops the card."""
    if not frame.from_surge:
        return "move.no_surge"
    caller = known_frame(state, frame.parent)
    return "move.not_named" if caller is None or caller.named_type else "move.unnamed"


def _not_now(state: State, frame: Frame, event: CardMoved, step: int) -> Violation:
    data: dict[str, object] = {"card": event.card, "step": event.step, "to": event.to}
    if event.card != frame.card:
        return Violation(step_8.ENTER_PLAY, "card.other", {"card": event.card, "expected": frame.card})
    if step == S3:
        return Violation(step_3.LAMPWRIGHT_ONLY_ON_MATCH, _why_not_named(state, frame), data)
    if step == S4:
        return Violation(step_4.DISCARD_NOW, "move.not_gone", data)
    if frame.cancelled_by and step > S8 and event.to == "encounter_discard":
        return Violation(step_6.SKIPS_ONLY_7, "move.only_effect", data)
    if later := find_task(frame, "move"):
        return Violation(move_rules(later)[0], "move.step", {**data, "expected": name_of(later.step)})
    return Violation(step_0.STEPS_ORDER_SIMULTANEITY, "move.again", data)
