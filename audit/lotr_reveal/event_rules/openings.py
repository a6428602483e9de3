"""Frames begin: a card is revealed, for the staging step or because another card calls for it, or it is placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from audit.catalogue import Rule, each_once
from audit.event_rules import Citations, Expectation, Obligation, Violation, Violations
from audit.lotr_reveal.cards import GUARDED, GUARDED_X
from audit.lotr_reveal.event_rules.base import TaskEventRules, UnlistedExpectation
from audit.lotr_reveal.event_rules.conditions import overdue, replacement_due, task_due
from audit.lotr_reveal.events import PlacementStarted, RevealCause, RevealStarted
from audit.lotr_reveal.frames import (
    CAUSE_OF_TASK,
    MAX_CANDIDATES,
    next_cards,
    opened,
    revealed,
    unused_id,
    without_one,
)
from audit.lotr_reveal.procedure import procedure_of
from audit.lotr_reveal.rules import step_0, step_1, step_3, step_5_1, step_6, step_7, step_9, step_12
from audit.lotr_reveal.state import (
    UNKNOWN,
    Frame,
    State,
    Task,
    acting_frame,
    closed_frame,
    deck_is_empty,
    deck_left,
    frame_of,
    is_over,
    known_frame,
    replacement_is_due,
    with_frame,
    zone_of,
)
from audit.lotr_reveal.steps import S8, S9, S12
from audit.lotr_reveal.tasks import CALLS_FOR_CARD, find_task, first_task, fits, tasks_now
from audit.lotr_reveal.zones import take
from audit.model import Event

Opening = RevealStarted | PlacementStarted
OpeningT = TypeVar("OpeningT", bound=Opening)


class OpeningRules(TaskEventRules[OpeningT]):
    """A frame begins."""

    may_follow_text = True

    def may_come(self, state: State) -> bool:
        return super().may_come(state) or _is_between_cards(state)

    def is_relevant(self, state: State, event: OpeningT) -> bool:
        frame = acting_frame(state)
        return frame is not None and event.parent == frame.id


def _is_between_cards(state: State) -> bool:
    """Whether no card is on its way, and the game goes on."""
    return not (state.frames or replacement_is_due(state) or is_over(state))


class RevealStartedRules(OpeningRules[RevealStarted]):
    """A card is taken from the top of the encounter deck."""

    event = RevealStarted

    def expected(self, state: State) -> Iterator[Expectation[State]]:
        if waiting := state.replacement:
            yield ReplacementCard(Obligation.REQUIRED if waiting.is_due else Obligation.EXPIRES)
        if _is_between_cards(state):
            yield StagingCard()
        yield from super().expected(state)

    def fulfils(self, task: Task) -> bool:
        return task.kind in CALLS_FOR_CARD and task.what != GUARDED_X

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        return _top_cards(state, CAUSE_OF_TASK[task.kind], frame.player, frame.id)

    def may_come(self, state: State) -> bool:
        return state.replacement is not None or super().may_come(state)

    def violations(self, state: State, event: RevealStarted) -> Violations:
        return () if _is_told_late(state, event) else super().violations(state, event)

    def accept(self, state: State, event: RevealStarted) -> Citations | None:
        return self.citations(state, event) if _is_told_late(state, event) else super().accept(state, event)

    def violation(self, state: State, event: RevealStarted) -> Violation | None:
        return _id_in_use(state, event) or _CAUSES[event.cause](state, event) or _not_on_top(state, event.card)

    def missing(self, state: State, event: RevealStarted) -> Violation | None:
        left = deck_left(state)
        if left is None or event.card in left or any(card.startswith(UNKNOWN) for card in (event.card, *left)):
            return None
        return Violation(step_1.TAKE_TOP, "reveal.not_there", {"card": event.card})

    def citations(self, state: State, event: RevealStarted) -> Citations:
        if _is_told_late(state, event):
            return (step_1.TAKE_TOP, step_0.OCCASIONS)
        return each_once((*_rules_of_cause(state, event), step_1.TAKE_TOP, step_0.OCCASIONS))

    def apply(self, state: State, event: RevealStarted) -> State:
        if _is_told_late(state, event):
            return with_frame(state, replace(state.frames[-1], seq=event.seq))
        return revealed(state, event.frame, event.card, event.cause, event.player, event.parent, event.seq)


class StagingCard(Expectation[State]):
    """The next card of the staging step."""

    event = RevealStarted
    rules = (step_0.OCCASIONS, step_1.TAKE_TOP)
    obligation = Obligation.OPTIONAL

    def candidates(self, state: State) -> Iterator[Event]:
        seats = state.setup.seats
        return _top_cards(state, "staging", seats[state.roots % len(seats)], None)


class ReplacementCard(Expectation[State]):
    """The card in place of one that was cancelled."""

    event = RevealStarted
    rules = (step_3.REPLACEMENT,)

    def __init__(self, obligation: Obligation) -> None:
        self.obligation = obligation

    def candidates(self, state: State) -> Iterator[Event]:
        if waiting := state.replacement:
            yield from _top_cards(state, "replacement", waiting.player, waiting.frame)

    def single_candidate(self, state: State) -> Event | None:
        """Never inferred: if it is missing, it was forgotten."""
        return None


def _top_cards(state: State, cause: RevealCause, player: str, parent: str | None) -> Iterator[Event]:
    if deck_is_empty(state):
        return
    for card in next_cards(state):
        yield RevealStarted(seq=0, frame=unused_id(state), card=card, cause=cause, player=player, parent=parent)


def _is_told_late(state: State, event: RevealStarted) -> bool:
    """Whether an earlier event named this card already; then the late reveal was found there."""
    frame = acting_frame(state)
    return frame is not None and frame.seq == 0 and (frame.id, frame.card) == (event.frame, event.card)


def _id_in_use(state: State, event: Opening) -> Violation | None:
    """A frame has an id of its own; the id of a frame that was only inferred may be taken."""
    found = known_frame(state, event.frame)
    if found is None or not found.seq:
        return None
    return Violation(step_0.NESTED_FRAME, "frame.twice", {"frame": event.frame})


def _not_on_top(state: State, card: str) -> Violation | None:
    """Only the top card may be taken."""
    left = deck_left(state)
    if left is None or card.startswith(UNKNOWN):
        return None
    top = left[:1] if state.ordered else left
    if card in top or any(other.startswith(UNKNOWN) for other in top):
        return None
    return Violation(step_1.TAKE_TOP, "reveal.top" if left else "reveal.empty", {"card": card})


# Why a card is revealed


def _for_staging(state: State, event: Opening) -> Violation | None:
    frame = acting_frame(state)
    if state.replacement and state.replacement.is_due:
        return replacement_due()
    if frame is None:
        if event.player in state.setup.seats and event.parent is None:
            return None
        return Violation(step_0.OCCASIONS, "reveal.player", {"player": event.player})
    if event.cause == "effect" and event.parent == frame.id and frame.text_resolved:
        return None
    if task := first_task(state, frame):
        return task_due(state, frame, task)
    return Violation(step_0.NESTED_FRAME, "frame.not_called", {"card": frame.card, "frame": frame.id})


def _for_surge(state: State, event: Opening) -> Violation | None:
    parent = frame_of(state, event.parent)
    frame = acting_frame(state)
    if parent is None or frame is None:
        return Violation(step_12.ONLY_ARMED, "surge.none", _card_of(state, event.parent))
    if parent is not frame:
        return Violation(step_12.ONE_AT_A_TIME, "frame.surge_open", {"card": frame.card})
    if state.replacement and state.replacement.is_due:
        return replacement_due()
    if parent.surges_armed <= parent.surges_served:
        return Violation(step_12.ONLY_ARMED, "surge.none", {"card": parent.card})
    return _surge_too_early(state, parent)


def _surge_too_early(state: State, frame: Frame) -> Violation | None:
    """A surge waits for step 12. Where only steps 9 to 11 are missing, those were forgotten."""
    early = overdue(state, frame, S12)
    task = first_task(state, frame)
    if early is None or (task and task.step >= S9):
        return early
    rule = step_7.GAINED_SURGE_DELAYED if "gained" in frame.granted_keywords else step_5_1.SURGE_DELAYED
    return Violation(rule, "surge.early", {"card": frame.card})


def _for_guarded(state: State, event: Opening) -> Violation | None:
    return _called_for(state, event, GUARDED, step_9.GUARDED_REVEALS)


def _called_for(state: State, event: Opening, keyword: str, rule: Rule) -> Violation | None:
    """Guarded, or Guarded X, of the acting card calls for a card."""
    frame = acting_frame(state)
    data = _card_of(state, event.parent)
    if frame is None or frame.id != event.parent:
        return Violation(rule, "guarded.none", data)
    if any(task.kind == "child" and task.what == keyword for task in tasks_now(state, frame)):
        return None
    if find_task(frame, "child"):
        other = GUARDED_X if keyword == GUARDED else GUARDED
        return Violation(step_9.GUARDED_DISTINCT, f"guarded.{other}", data)
    return overdue(state, frame, S9) or Violation(rule, "guarded.none", data)


def _for_replacement(state: State, event: Opening) -> Violation | None:
    if state.replacement:
        if event.parent == state.replacement.frame:
            return None
        return Violation(step_3.REPLACEMENT, "replacement.parent", {"frame": state.replacement.frame})
    frame = acting_frame(state)
    if frame is None or frame.id != event.parent:
        return _not_replaced(state, event)
    if not find_task(frame, "replace"):
        return Violation(step_6.ELEANOR_DISCARD_AND_REVEAL, "replacement.none", {"card": frame.card})
    task = first_task(state, frame)
    if task and task.kind != "replace":
        return Violation(step_6.ELEANOR_FINISH_FIRST, "replacement.early", {"card": frame.card})
    return None


def _not_replaced(state: State, event: Opening) -> Violation:
    over = closed_frame(state, event.parent)
    if over and over.stop == "discarded":
        return Violation(step_3.LAMPWRIGHT_NO_REPLACEMENT, "replacement.lampwright", {"card": over.card})
    return Violation(step_3.REPLACEMENT, "replacement.none", _card_of(state, event.parent))


def _card_of(state: State, id: str | None) -> dict[str, object]:
    frame = known_frame(state, id)
    return {"card": frame.card if frame else "", "frame": id or ""}


_CAUSES: dict[str, Callable[[State, Opening], Violation | None]] = {
    "staging": _for_staging,
    "effect": _for_staging,
    "surge": _for_surge,
    GUARDED: _for_guarded,
    "replacement": _for_replacement,
}


def _rules_of_cause(state: State, event: RevealStarted) -> Citations:
    frame = frame_of(state, event.parent)
    if event.cause == "surge" and frame:
        return _rules_of_surge(frame)
    if event.cause == GUARDED:
        return (step_9.GUARDED_REVEALS, step_0.NESTED_FRAME)
    if event.cause == "replacement":
        if state.replacement:
            return (step_3.REPLACEMENT, step_0.NESTED_FRAME)
        return (step_6.ELEANOR_DISCARD_AND_REVEAL, step_6.ELEANOR_FINISH_FIRST, step_0.NESTED_FRAME)
    return (step_0.NESTED_FRAME,) if event.parent else ()


def _rules_of_surge(frame: Frame) -> Citations:
    survived = (step_5_1.SURGE_SURVIVES_CANCEL,) if frame.cancelled_by else ()
    several = (step_12.ONE_AT_A_TIME,) if frame.surges_armed > 1 else ()
    gained = (step_7.GAINED_SURGE_DELAYED,) if "gained" in frame.granted_keywords else ()
    return (step_12.SURGE, *survived, *several, *gained, step_5_1.SURGE_DELAYED, step_0.NESTED_FRAME)


class PlacementStartedRules(OpeningRules[PlacementStarted]):
    """A card is put into play without being revealed."""

    event = PlacementStarted

    def expected(self, state: State) -> Iterator[Expectation[State]]:
        if _is_between_cards(state):
            yield UnlistedExpectation(PlacementStarted, step_0.PLACED_STARTS_AT_8)
        yield from super().expected(state)

    def fulfils(self, task: Task) -> bool:
        return task.kind == "child" and task.what == GUARDED_X

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        left = deck_left(state)
        cards = (UNKNOWN,) if left is None else (*left, *state.discard)
        fitting = [card for card in cards if fits(state, card, _types_called_for(frame))]
        for card in fitting[:MAX_CANDIDATES]:
            yield PlacementStarted(
                seq=0, frame=unused_id(state), card=card, cause="guarded-x", player=frame.player, parent=frame.id,
                to="staging_area",
            )  # fmt: skip

    def violation(self, state: State, event: PlacementStarted) -> Violation | None:
        if failed := _id_in_use(state, event):
            return failed
        if event.cause == "effect":
            return _for_staging(state, event)
        return _called_for(state, event, GUARDED_X, step_9.GUARDED_X_PLACES) or _other_type(state, event)

    def citations(self, state: State, event: PlacementStarted) -> Citations:
        called = (step_9.GUARDED_X_PLACES,) if event.cause == GUARDED_X else ()
        nested = (step_0.NESTED_FRAME,) if event.parent else ()
        return (step_0.PLACED_STARTS_AT_8, *called, step_0.PLACED_IS_NOT_REVEALED, *nested)

    def apply(self, state: State, event: PlacementStarted) -> State:
        zone = zone_of(state, event.card) or "encounter_deck"
        state = take(state, event.card)
        if parent := frame_of(state, event.parent):
            tasks = without_one(parent.tasks, "child")
            state = with_frame(state, replace(parent, tasks=tasks, last_cause=event.seq))
        procedure = procedure_of(state, event.card, placed=True)
        tasks = procedure.tasks
        if event.to and tasks:
            tasks = (replace(tasks[0], what=event.to), *tasks[1:])
            procedure = replace(procedure, tasks=tasks)
        frame = Frame(
            id=event.frame, card=event.card, cause=event.cause, player=event.player, step=S8, parent=event.parent,
            zone=zone, placed=True, seq=event.seq, last_cause=event.seq, procedure=procedure, tasks=tasks,
            notes=procedure.notes,
        )  # fmt: skip
        return opened(state, frame)


def _other_type(state: State, event: PlacementStarted) -> Violation | None:
    """Guarded X names the type of the card that is put into play."""
    frame = acting_frame(state)
    types = _types_called_for(frame) if frame else ""
    if fits(state, event.card, types):
        return None
    return Violation(step_9.GUARDED_X_PLACES, "guarded.type", {"card": event.card, "expected": types})


def _types_called_for(frame: Frame) -> str:
    """What Guarded X names: a type, or several in one text."""
    task = find_task(frame, "child")
    return task.detail if task else ""
