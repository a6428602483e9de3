"""Criteria that several event types share: the acting card, the order of the steps, immunity.

Each answers with the criterion that fails and its rule, or with None.
"""

from __future__ import annotations

from typing import get_args

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation, own_fields
from audit.core.model import Event
from audit.games.lotr_reveal.cards import Source
from audit.games.lotr_reveal.events import AnyEvent, AtTheTable, Within
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    closed_frame,
    frame_of,
    source_of,
    text_leads_to,
    zone_of,
)
from audit.games.lotr_reveal.procedure import is_immune_to
from audit.games.lotr_reveal.rules import (
    step_0,
    step_1,
    step_2,
    step_3,
    step_4,
    step_5_1,
    step_9,
    step_10,
    step_11,
    step_12,
)
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S5_1, S7, S8, S10, S11, name_of
from audit.games.lotr_reveal.tasks import AUTOMATIC, CALLS_FOR_CARD, first_task, forced_task, is_named_discard, rules_of
from audit.games.lotr_reveal.zones import still_to_reveal

STOPPED = {
    "left": (step_4.STOP_IF_GONE, "stop.left"),
    "cancelled": (step_3.CANCEL_STOPS, "stop.cancelled"),
    "discarded": (step_3.LAMPWRIGHT_DISCARD, "stop.discarded"),
}

_NOT_IN_PLAY = (None, "encounter_deck", "encounter_discard", "out_of_play", "victory_display")
FORCED_FIRST = {S10: step_10.FORCED_FIRST, S11: step_11.FORCED_FIRST}


# The acting card


def not_acting(state: State, id: str) -> Violation | None:
    """The event belongs to the card that is acting, and no cancelled card has to be replaced first."""
    if not state.frames or state.frames[-1].id != id:
        return _wrong_frame(state, id)
    if state.replacement and state.replacement.is_due:
        return replacement_due()
    return None


def _wrong_frame(state: State, id: str) -> Violation:
    """Why a frame is not the one that acts now."""
    acting = acting_frame(state)
    if acting and frame_of(state, id):
        data = {"card": acting.card, "frame": acting.id}
        if acting.cause == "surge":
            return Violation(step_12.ONE_AT_A_TIME, "frame.surge_open", data)
        return Violation(step_0.NESTED_FRAME, "frame.nested", data)
    over = closed_frame(state, id)
    if over is None:
        return Violation(_rule_of_opening(state), "frame.unknown", {"frame": id})
    rule, key = STOPPED.get(over.stop, (step_0.STEPS_ORDER_SIMULTANEITY, "frame.closed"))
    return Violation(rule, key, {"card": over.card, "frame": id})


def _rule_of_opening(state: State) -> Rule:
    """The rule by which a card has to be revealed before anything can happen to it."""
    if state.replacement and state.replacement.is_due:
        return step_3.REPLACEMENT
    frame = acting_frame(state)
    if frame is None:
        return step_1.TAKE_TOP
    task = first_task(state, frame)
    return rules_of(task)[0] if task and task.kind in CALLS_FOR_CARD else step_0.NESTED_FRAME


def missing_reveals(state: State, **data: object) -> Violation | None:
    """Every player has a card to reveal in a staging step; `data` tells of the player who reveals a second one."""
    left = still_to_reveal(state)
    if not left:
        return None
    return Violation(step_0.EACH_PLAYER, "reveal.again" if data else "reveal.missing", {**data, "players": left})


def replacement_due() -> Violation:
    """The cancelled card has not been replaced yet."""
    return Violation(step_3.REPLACEMENT, "due.replacement")


def other_card(frame: Frame, card: str | None, rule: Rule) -> Violation | None:
    """The event is about the card of its frame."""
    if card is None or card == frame.card:
        return None
    return Violation(rule, "card.other", {"card": card, "expected": frame.card})


# The order of the steps


def out_of_place(state: State, event: Within) -> Violation | None:
    """The event belongs to the acting card, which goes to that step with nothing left undone before it."""
    frames, step = state.frames, INDEX[event.step]
    if (not frames or frames[-1].id != event.frame or state.replacement) and (failed := not_acting(state, event.frame)):
        return failed
    frame = frames[-1]
    if not (frame.stop or frame.step > step or frame.placed or (frame.tasks and frame.tasks[0].step < step)):
        return None
    return placed_skips(frame, step) or stopped(frame, step) or out_of_order(state, frame, step)


def goes_on_to(frame: Frame, step: int) -> bool:
    """Whether a card goes to that step, or stays there, with nothing left undone before it."""
    return frame.step <= step and not frame.placed and not (frame.tasks and frame.tasks[0].step < step)


def out_of_order(state: State, frame: Frame, step: int) -> Violation | None:
    """The step is not over yet, and what comes before it has been done."""
    return step_over(frame, step) or overdue(state, frame, step)


def placed_skips(frame: Frame, step: int) -> Violation | None:
    """A card that was placed has no part in steps 1 to 7."""
    if frame.placed and step < S8:
        return Violation(step_0.PLACED_SKIPS_1_TO_7, "stop.placed", {"card": frame.card, "step": name_of(step)})
    return None


def stopped(frame: Frame, step: int) -> Violation | None:
    """A card that was cancelled, defeated, explored or discarded goes no further."""
    if not frame.stop or (frame.tasks and frame.tasks[0].step == step):
        return None
    rule, key = STOPPED[frame.stop]
    data = {"card": frame.card, "step": name_of(step)}
    if frame.stop == "cancelled" and frame.cancelled_by:
        return Violation(rule, "stop.cancelled_by", {**data, "source": frame.cancelled_by})
    return Violation(rule, key, data)


def step_over(frame: Frame, step: int) -> Violation | None:
    """A step before the one reached does not come back."""
    if step >= frame.step:
        return None
    data = {"card": frame.card, "step": name_of(step), "reached": name_of(frame.step)}
    return Violation(step_0.STEPS_ORDER_SIMULTANEITY, "order.back", data)


def overdue(state: State, frame: Frame, step: int) -> Violation | None:
    """What is due before that step has happened."""
    if not frame.tasks or frame.tasks[0].step >= step:
        return None
    task = first_task(state, frame)
    return task_due(state, frame, task) if task and task.step < step else None


def task_due(state: State, frame: Frame, task: Task) -> Violation:
    """Something is still to be done. What follows automatically may have been left out: then a later event is meant."""
    rule = rules_of(task)[0]
    if task.kind == "serve" and frame.cancelled_by:
        rule = step_5_1.SURGE_SURVIVES_CANCEL
    if task.kind == "enter" and frame.peril and (source := source_of(state, task.source)):
        rule = rule if source.owner in (None, frame.player) else step_5_1.PERIL_PASSIVES_CONTINUE
    data = {"card": frame.card, "source": task.source, "what": task.what, "step": name_of(task.step), "n": task.amount}
    kind = "named" if is_named_discard(task) else task.kind
    if task.kind == "threat":
        data = {**data, "player": task.player}
    return Violation(rule, f"due.{kind}", data, not_intended=task.kind in AUTOMATIC)


def other_step(frame: Frame, step: int, task: Task, rule: Rule) -> Violation | None:
    """What has a step of its own does not happen at another."""
    if step == task.step:
        return None
    data = {"card": frame.card, "what": task.what or task.kind, "step": name_of(step), "expected": name_of(task.step)}
    return Violation(rule, "order.step", data)


def before_keywords(state: State, event: Within, what: str) -> Violation | None:
    """Triggered effects of the card wait for their own step, 5.1 or later."""
    step = INDEX[event.step]
    if step >= S5_1:
        return None
    frame = acting_frame(state)
    if frame is None or frame.id != event.frame or frame.placed or frame.stop:
        return None
    return Violation(step_2.TRIGGERED_WAIT, "order.wait", {"card": frame.card, "what": what, "step": event.step})


def follows_text(frame: Frame, step: int, event: Event) -> bool:
    """Whether a text has just been carried out at this step that may have led to the event."""
    return step == frame.step and text_leads_to(frame, type(event))


def may_be_gained(frame: Frame, step: int, event: Event) -> bool:
    """Whether a text that is not understood may have given the keyword: its own, or another's at step 4."""
    return frame.may_gain and (step == S5_1 or step == S7 < frame.step or follows_text(frame, step, event))


def gained_out_of_place(state: State, event: Within) -> Violation | None:
    """The same as `out_of_place`, but what a text that is not understood gave the card may be told later."""
    step, frame = INDEX[event.step], acting_frame(state)
    is_late = frame is not None and frame.id == event.frame and step == S7 < frame.step and frame.may_gain
    return not_acting(state, event.frame) if is_late else out_of_place(state, event)


def is_past(frame: Frame, step: int, event: AnyEvent) -> bool:
    """Whether the event would go past that step of the frame; what happens at the table waits for all of it."""
    if isinstance(event, AtTheTable):
        return True
    return event.frame == frame.id and INDEX[event.step] > step


# What does not come for this card


def no_such_moment(state: State, frame: Frame, step: int, data: dict[str, object]) -> Violation | None:
    """A placed card has not been revealed, and a treachery has not entered play: nothing reacts to that."""
    if step == S11 and frame.placed:
        return Violation(step_11.NOT_FOR_PLACED, "placed.not_revealed", data)
    return not_in_play(state, frame, data) if step == S10 else None


def not_in_play(state: State, frame: Frame, data: dict[str, object]) -> Violation | None:
    """A treachery never enters play."""
    if card_of(state, frame.card).enters_play:
        return None
    return Violation(step_9.TREACHERY_HAS_NONE, "treachery.not_in_play", data)


def gone(state: State, name: str, rule: Rule) -> Violation | None:
    """A card that the setup describes has left play: it acts on nothing."""
    zone = zone_of(state, name)
    is_of_players = state.setup.sources.get(name) is not None
    is_there = name in state.sources or zone not in _NOT_IN_PLAY or (zone is None and not is_of_players)
    return None if is_there else Violation(rule, "source.gone", {"source": name})


def immune(state: State, frame: Frame, name: str, source: Source | None, rule: Rule) -> Violation | None:
    """A card is not affected by cards it is immune to; `rule` says so where the immunity has no condition."""
    card = card_of(state, frame.card)
    if not card.immune or (source is not None and not is_immune_to(card, source)):
        return None
    rule = step_2.IMMUNE_CONDITIONAL if card.conditional else rule
    return Violation(rule, "immune", {"card": frame.card, "source": name})


def forced_first(frame: Frame, step: int) -> Violation | None:
    """Forced effects come before responses."""
    waiting = forced_task(frame, step)
    if waiting is None:
        return None
    return Violation(FORCED_FIRST[step], "response.forced", {"source": waiting.source})


_TELL_SOURCE = frozenset(event for event in get_args(Within) if "source" in own_fields(event))


def source_named(event: Within) -> str | None:
    """The card that acts on the one on its way, where events of that type tell it."""
    return getattr(event, "source", None) if type(event) in _TELL_SOURCE else None
