"""Frames begin: a card is revealed, for the staging step or because another card calls for it, or it is placed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Citations, Expectation, Obligation, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import GUARDED, GUARDED_X
from audit.games.lotr_reveal.event_rules.base import TaskEventRules, TaskExpectation, UnlistedExpectation, doubts
from audit.games.lotr_reveal.event_rules.reveal_causes import (
    CAUSES,
    Opening,
    called_for,
    for_staging,
    is_staged,
    may_have_surge,
    parent_of,
    rules_of_cause,
)
from audit.games.lotr_reveal.events import PlacementStarted, RevealCause, RevealStarted
from audit.games.lotr_reveal.frames import (
    CAUSE_OF_TASK,
    MAX_CANDIDATES,
    next_cards,
    opened,
    outer_causes,
    revealed,
    unused_id,
    without_call,
)
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    deck_is_empty,
    frame_of,
    is_over,
    known_frame,
    may_be_anywhere,
    may_gain_keywords,
    replacement_is_due,
    with_frame,
    zone_of,
)
from audit.games.lotr_reveal.procedure import procedure_of
from audit.games.lotr_reveal.rules import step_0, step_1, step_3, step_9
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State, Task
from audit.games.lotr_reveal.steps import S8, S9, S12
from audit.games.lotr_reveal.tasks import (
    AUTOMATIC,
    CALLS_FOR_CARD,
    find_task,
    first_task,
    fits,
    tasks_now,
    uncertain_calls,
)
from audit.games.lotr_reveal.zones import has_discards, in_turn, staging, take

_STEP_OF_CAUSE = {"surge": S12, GUARDED: S9, GUARDED_X: S9}
"""The step of the calling card at which a card comes for that cause."""

_GUARDED = (GUARDED, GUARDED_X)
_OF_KEYWORDS = ("surge", *_GUARDED)

OpeningT = TypeVar("OpeningT", bound=Opening)


class OpeningRules(TaskEventRules[OpeningT]):
    """A frame begins."""

    may_follow_text = True
    may_be_unchecked = True

    def unchecked(self, state: State, event: OpeningT) -> Violations:
        """What may have had to happen to earlier cards, and what asks for this one, where nobody can tell."""
        frame = frame_of(state, parent_of(state, event))
        reasons = doubts(state, frame, _STEP_OF_CAUSE.get(event.cause, frame.step if frame else 0))
        if _rests_on_untold(state, frame, event):
            data = {"card": frame.card if frame else event.card}
            reasons = (
                *reasons,
                Violation(step_0.OCCASIONS, "unchecked.follows" if frame else "unchecked.effect", data),
            )
        return reasons if reasons and self.accept(state, event) is not None else ()

    def is_by_chance(self, state: State, event: OpeningT) -> bool:
        return state.deck == ()

    def may_come(self, state: State) -> bool:
        is_open = _is_between_cards(state) or _has_entered_guarded(state) or _may_be_guarded(state)
        return is_open or super().may_come(state)

    def may_come_besides(self, state: State, event: OpeningT) -> bool:
        return event.cause in _OF_KEYWORDS and may_gain_keywords(state) and not replacement_is_due(state)

    def is_relevant(self, state: State, event: OpeningT) -> bool:
        frame = acting_frame(state)
        if frame is None:
            return False
        first = first_task(state, frame)
        if parent_of(state, event) == frame.id:
            return first is None or first.kind not in AUTOMATIC
        return event.parent is None and first is not None and first.kind not in AUTOMATIC


def _rests_on_untold(state: State, frame: Frame | None, event: Opening) -> bool:
    """Whether nobody has told that an effect asks for the card, or that the one on its way has the keyword for it."""
    if event.cause == "effect":
        return frame is None or type(event) is not RevealStarted or not find_task(frame, "reveal")
    if frame is None:
        return False
    if event.cause in _GUARDED:
        is_due = any(task.what == event.cause for task in (*frame.tasks, *frame.possible))
        return not is_due and (card_of(state, frame.card).type is None or frame.may_gain)
    return event.cause == "surge" and frame.surges_armed <= frame.surges_served and may_have_surge(state, frame)


def _has_entered_guarded(state: State) -> bool:
    """Whether Guarded is due now: the card it calls for says that it was carried out."""
    if not state.frames or replacement_is_due(state):
        return False
    return any(task.kind == "enter" and task.what in _GUARDED for task in tasks_now(state, state.frames[-1]))


def _may_be_guarded(state: State) -> bool:
    """Whether nobody has told what the card on its way is, so that it may call for another."""
    return bool(state.frames) and not replacement_is_due(state) and card_of(state, state.frames[-1].card).type is None


def _is_between_cards(state: State) -> bool:
    """Whether no card is on its way."""
    return not (state.frames or replacement_is_due(state))


_OF_ONE_TOLD_LATE: Citations = (step_1.TAKE_TOP, step_0.OCCASIONS)


class RevealStartedRules(OpeningRules[RevealStarted]):
    """A card is taken from the top of the encounter deck."""

    event = RevealStarted
    names_cards = True

    def is_own_act(self, state: State, event: RevealStarted) -> bool:
        return _is_between_cards(state)

    def expected(self, state: State) -> Iterator[Expectation[State]]:
        if waiting := state.replacement:
            yield ReplacementCard(Obligation.REQUIRED if waiting.is_due else Obligation.EXPIRES)
        if _is_between_cards(state) and not is_over(state):
            yield StagingCard()
        yield from super().expected(state)

    def fulfils(self, task: Task) -> bool:
        return task.kind in CALLS_FOR_CARD and task.what != GUARDED_X

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        return _top_cards(state, CAUSE_OF_TASK[task.kind], frame.player, frame.id)

    def may_come(self, state: State) -> bool:
        is_open = state.replacement is not None or super().may_come(state) or _may_be_reset_for(state)
        return is_open or bool(state.frames and find_task(state.frames[-1], "reveal"))

    def violations(self, state: State, event: RevealStarted) -> Violations:
        return () if _is_told_late(state, event) else super().violations(state, event)

    def accept(self, state: State, event: RevealStarted) -> Citations | None:
        if _is_told_late(state, event):
            return _OF_ONE_TOLD_LATE
        if self.violation(state, event) is not None:
            return None
        return self._cited(state, event) if self.may_come(state) or self.may_come_besides(state, event) else None

    def violation(self, state: State, event: RevealStarted) -> Violation | None:
        return _id_in_use(state, event) or CAUSES[event.cause](state, event) or _not_on_top(state, event.card)

    def missing(self, state: State, event: RevealStarted) -> Violation | None:
        left = _may_be_revealed(state)
        if left is None or event.card in left or any(card.startswith(UNKNOWN) for card in (event.card, *left)):
            return None
        return Violation(step_1.TAKE_TOP, "reveal.not_there", {"card": event.card})

    def citations(self, state: State, event: RevealStarted) -> Citations:
        return _OF_ONE_TOLD_LATE if _is_told_late(state, event) else self._cited(state, event)

    def _cited(self, state: State, event: RevealStarted) -> Citations:
        each = (step_0.EACH_PLAYER,) if event.cause == "staging" else ()
        return each_once((*rules_of_cause(state, event), step_1.TAKE_TOP, step_0.OCCASIONS, *each))

    def apply(self, state: State, event: RevealStarted) -> State:
        if _is_told_late(state, event):
            return with_frame(state, replace(state.frames[-1], seq=event.seq))
        if state.doubts and event.seq:
            state = replace(state, doubts=())
        if is_staged(state, event):
            state = staging(state, event.player)
        return revealed(state, event.frame, event.card, event.cause, event.player, parent_of(state, event), event.seq)


def _may_be_reset_for(state: State) -> bool:
    """Whether a card calls for another, for which the discard pile would have to be shuffled into the deck."""
    if not (state.frames and deck_is_empty(state) and has_discards(state)):
        return False
    return any(task.kind in CALLS_FOR_CARD for task in state.frames[-1].tasks)


class OpeningExpectation(Expectation[State]):
    """A card is to be taken: before that nothing happens to it."""

    def goes_first(self, state: State, event: Event) -> Rule | None:
        frame = getattr(event, "frame", None)
        return self.rules[0] if frame is not None and known_frame(state, frame) is None else None


class StagingCard(OpeningExpectation):
    """The next card of the staging step."""

    event = RevealStarted
    rules: Citations = (step_0.OCCASIONS, step_1.TAKE_TOP, step_0.EACH_PLAYER)
    obligation = Obligation.OPTIONAL

    def candidates(self, state: State) -> Iterator[Event]:
        left = [seat for seat in in_turn(state) if seat not in state.staged] if state.staged else []
        return _top_cards(state, "staging", next(iter(left), state.first), None)


class ReplacementCard(OpeningExpectation):
    """The card in place of one that was cancelled."""

    event = RevealStarted
    rules: Citations = (step_3.REPLACEMENT,)

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
    return Violation(step_0.OCCASIONS, "frame.twice", {"frame": event.frame})


def _not_on_top(state: State, card: str) -> Violation | None:
    """Only the top card may be taken."""
    left = _may_be_revealed(state)
    if left is None or card.startswith(UNKNOWN):
        return None
    top = left[:1] if state.ordered and state.deck else left
    if card in top or any(other.startswith(UNKNOWN) for other in top):
        return None
    return Violation(step_1.TAKE_TOP, "reveal.top" if left else "reveal.empty", {"card": card})


def _may_be_revealed(state: State) -> tuple[str, ...] | None:
    """The cards one of which is on top: those of the deck, or of the discard pile that is shuffled to be the deck."""
    if state.deck or state.deck is None:
        return state.deck
    return None if "encounter_discard" in state.hidden else state.discard


class PlacementStartedRules(OpeningRules[PlacementStarted]):
    """A card is put into play without being revealed."""

    event = PlacementStarted

    def may_come(self, state: State) -> bool:
        return super().may_come(state) or bool(state.frames and uncertain_calls(state, state.frames[-1]))

    def expected(self, state: State) -> Iterator[Expectation[State]]:
        if _is_between_cards(state):
            yield UnlistedExpectation(PlacementStarted, step_0.PLACED_STARTS_AT_8)
        for task in uncertain_calls(state, state.frames[-1]) if state.frames else ():
            yield TaskExpectation(self, task, Obligation.EXPIRES)
        yield from super().expected(state)

    def fulfils(self, task: Task) -> bool:
        return task.kind == "child" and task.what == GUARDED_X

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        cards = (UNKNOWN,) if state.deck is None else (*state.deck, *state.discard)
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
            return for_staging(state, event)
        return called_for(state, event, GUARDED_X, step_9.GUARDED_X_PLACES) or _other_type(state, event)

    def citations(self, state: State, event: PlacementStarted) -> Citations:
        called = (step_9.GUARDED_X_PLACES,) if event.cause == GUARDED_X else ()
        nested = (step_0.NESTED_FRAME,) if parent_of(state, event) else ()
        return (step_0.PLACED_STARTS_AT_8, *called, step_0.PLACED_IS_NOT_REVEALED, *nested)

    def apply(self, state: State, event: PlacementStarted) -> State:
        if event.seq:
            state = replace(state, doubts=())
        called_by = parent_of(state, event)
        lay = zone_of(state, event.card)
        from_anywhere = lay is None and may_be_anywhere(state)
        zone = lay or ("encounter_deck" if from_anywhere else "out_of_play")
        state = take(state, event.card)
        if parent := frame_of(state, called_by):
            tasks = without_call(parent.tasks, GUARDED_X)
            state = with_frame(state, replace(parent, tasks=tasks, last_cause=event.seq))
        procedure = procedure_of(state, event.card, placed=True)
        tasks = procedure.tasks
        if event.to and tasks:
            tasks = (replace(tasks[0], what=event.to), *tasks[1:])
            procedure = replace(procedure, tasks=tasks)
        frame = Frame(
            id=event.frame, card=event.card, cause=event.cause, player=event.player, step=S8, parent=called_by,
            zone=zone, placed=True, from_anywhere=from_anywhere, seq=event.seq, last_cause=event.seq,
            procedure=procedure, tasks=tasks,
            notes=procedure.notes, possible=procedure.possible, outer_causes=outer_causes(state, event.seq),
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
