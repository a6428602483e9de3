"""Frames begin: a card is revealed, for the staging step or because another card calls for it, or it is placed."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule, each_once
from audit.lotr_reveal.acts.base import Act, due, overdue, replacement_due
from audit.lotr_reveal.cards import GUARDED, GUARDED_X
from audit.lotr_reveal.events import PlacementStarted, RevealStarted
from audit.lotr_reveal.rules import step_0, step_1, step_3, step_5_1, step_6, step_7, step_9, step_12
from audit.lotr_reveal.state import (
    Frame,
    State,
    Task,
    closed_frame,
    deck_left,
    first_task,
    fits,
    frame_of,
    is_spent,
    tasks_now,
    top,
)
from audit.lotr_reveal.steps import S9, S12
from audit.model import Event
from audit.ruleset import Obligation, Violation

MANY = 40
"""So many cards are offered at most where the order of the deck is not known."""

UNKNOWN = "?"
"""A card nobody knows."""


class Reveal(Act):
    """A card is taken from the top of the encounter deck."""

    event = RevealStarted

    def refused(self, state: State, event: RevealStarted) -> Violation | None:  # type: ignore[override]
        if known(state, event.frame):
            return Violation(step_0.NESTED_FRAME, "frame.twice", {"frame": event.frame})
        return _CAUSES[event.cause](state, event) or not_on_top(state, event.card)

    def candidates(self, state: State) -> Iterator[Event]:
        if is_spent(state):
            return
        frame = top(state)
        if frame is not None and self.task is None and not state.replacement:
            return
        cause, parent = _called_for(state, frame, self.task)
        player = frame.player if frame else state.table.seats[state.roots % len(state.table.seats)]
        if state.replacement and cause == "replacement":
            player = state.replacement.player
        for card in next_cards(state):
            yield RevealStarted(seq=0, frame=fresh(state), card=card, cause=cause, player=player, parent=parent)  # type: ignore[arg-type]

    def citations(self, state: State, event: RevealStarted) -> tuple[Rule, ...]:  # type: ignore[override]
        return each_once((*_cited(state, event), step_1.TAKE_TOP, step_0.OCCASIONS))


class Announce(Act):
    """The reveal of a card that is under way already is told late; that it came late has been said before."""

    event = RevealStarted

    def __init__(self) -> None:
        super().__init__(None, Obligation.REDUNDANT, step_1.TAKE_TOP, step_0.OCCASIONS)

    def refused(self, state: State, event: RevealStarted) -> Violation | None:  # type: ignore[override]
        if is_told_late(state, event):
            return None
        return Violation(step_0.NESTED_FRAME, "frame.twice", {"frame": event.frame})

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        return self.rules


def is_told_late(state: State, event: RevealStarted) -> bool:
    """Whether the card of that frame is known to be under way, though nobody had said so."""
    frame = top(state)
    return frame is not None and frame.seq == 0 and (frame.id, frame.card) == (event.frame, event.card)


def _called_for(state: State, frame: Frame | None, task: Task | None) -> tuple[str, str | None]:
    if state.replacement:
        return "replacement", state.replacement.frame
    if frame is None or task is None:
        return "staging", None
    return {"serve": "surge", "replace": "replacement"}.get(task.kind, GUARDED), frame.id


def _cited(state: State, event: RevealStarted) -> tuple[Rule, ...]:
    frame = frame_of(state, event.parent)
    if event.cause == "surge" and frame:
        return _cited_surge(frame)
    if event.cause == GUARDED:
        return (step_9.GUARDED_REVEALS, step_0.NESTED_FRAME)
    if event.cause == "replacement":
        if state.replacement:
            return (step_3.REPLACEMENT, step_0.NESTED_FRAME)
        return (step_6.ELEANOR_DISCARD_AND_REVEAL, step_6.ELEANOR_FINISH_FIRST, step_0.NESTED_FRAME)
    return (step_0.NESTED_FRAME,) if event.parent else ()


def _cited_surge(frame: Frame) -> tuple[Rule, ...]:
    survived = (step_5_1.SURGE_SURVIVES_CANCEL,) if frame.canceller else ()
    several = (step_12.ONE_AT_A_TIME,) if frame.armed > 1 else ()
    gained = (step_7.GAINED_SURGE_DELAYED,) if "gained" in frame.granted else ()
    return (step_12.SURGE, *survived, *several, *gained, step_5_1.SURGE_DELAYED, step_0.NESTED_FRAME)


def _for_staging(state: State, event: RevealStarted | PlacementStarted) -> Violation | None:
    frame = top(state)
    if state.replacement and state.replacement.due:
        return replacement_due(state)
    if frame is None:
        return _stranger(state, event)
    if event.cause == "effect" and event.parent == frame.id and frame.acted:
        return None
    task = first_task(state, frame)
    if task:
        return due(state, frame, task)
    return Violation(step_0.NESTED_FRAME, "frame.not_called", {"card": frame.card, "frame": frame.id})


def _stranger(state: State, event: RevealStarted | PlacementStarted) -> Violation | None:
    if event.player in state.table.seats and event.parent is None:
        return None
    return Violation(step_0.OCCASIONS, "reveal.player", {"player": event.player})


def _for_surge(state: State, event: RevealStarted) -> Violation | None:
    parent = frame_of(state, event.parent)
    frame = top(state)
    if parent is None or frame is None:
        return Violation(step_12.ONLY_ARMED, "surge.none", _card_of(state, event.parent))
    if parent is not frame:
        return Violation(step_12.ONE_AT_A_TIME, "frame.surge_open", {"card": frame.card})
    if state.replacement and state.replacement.due:
        return replacement_due(state)
    if parent.armed <= parent.served:
        return Violation(step_12.ONLY_ARMED, "surge.none", {"card": parent.card})
    early = overdue(state, parent, S12)
    if early and first_is_late(state, parent):
        return early
    if early:
        rule = step_7.GAINED_SURGE_DELAYED if "gained" in parent.granted else step_5_1.SURGE_DELAYED
        return Violation(rule, "surge.early", {"card": parent.card})
    return None


def first_is_late(state: State, frame: Frame) -> bool:
    """Whether all is done but what comes once the card is in play: that was forgotten, rather than the surge early."""
    task = first_task(state, frame)
    return task is not None and task.step >= S9


def _for_guarded(state: State, event: RevealStarted) -> Violation | None:
    return _called(state, event, GUARDED, step_9.GUARDED_REVEALS)


def _called(state: State, event: RevealStarted | PlacementStarted, what: str, rule: Rule) -> Violation | None:
    frame = top(state)
    data = _card_of(state, event.parent)
    if frame is None or frame.id != event.parent:
        return Violation(rule, "guarded.none", data)
    if any(task.kind == "child" and task.what == what for task in tasks_now(state, frame)):
        return None
    if any(task.kind == "child" for task in frame.tasks):
        return Violation(step_9.GUARDED_DISTINCT, f"guarded.{_OTHER[what]}", data)
    return overdue(state, frame, S9) or Violation(rule, "guarded.none", data)


def _for_replacement(state: State, event: RevealStarted) -> Violation | None:
    if state.replacement:
        wrong = event.parent != state.replacement.frame
        return (
            Violation(step_3.REPLACEMENT, "replacement.parent", {"frame": state.replacement.frame}) if wrong else None
        )
    frame = top(state)
    if frame is None or frame.id != event.parent:
        return _no_replacement(state, event)
    if not any(task.kind == "replace" for task in frame.tasks):
        return Violation(step_6.ELEANOR_DISCARD_AND_REVEAL, "replacement.none", {"card": frame.card})
    task = first_task(state, frame)
    if task and task.kind != "replace":
        return Violation(step_6.ELEANOR_FINISH_FIRST, "replacement.early", {"card": frame.card})
    return None


def _no_replacement(state: State, event: RevealStarted) -> Violation:
    over = closed_frame(state, event.parent)
    if over and over.stop == "discarded":
        return Violation(step_3.LAMPWRIGHT_NO_REPLACEMENT, "replacement.lampwright", {"card": over.card})
    return Violation(step_3.REPLACEMENT, "replacement.none", _card_of(state, event.parent))


_OTHER = {GUARDED: GUARDED_X, GUARDED_X: GUARDED}

_CAUSES = {
    "staging": _for_staging,
    "effect": _for_staging,
    "surge": _for_surge,
    GUARDED: _for_guarded,
    "replacement": _for_replacement,
}


class Place(Act):
    """A card is put into play without being revealed."""

    event = PlacementStarted

    def refused(self, state: State, event: PlacementStarted) -> Violation | None:  # type: ignore[override]
        if known(state, event.frame):
            return Violation(step_0.NESTED_FRAME, "frame.twice", {"frame": event.frame})
        if event.cause == "effect":
            return _for_staging(state, event)
        return _called(state, event, GUARDED_X, step_9.GUARDED_X_PLACES) or self._unlike(state, event)

    def _unlike(self, state: State, event: PlacementStarted) -> Violation | None:
        """Guarded X names the type of card that is put into play."""
        frame = top(state)
        kinds = _kinds(frame) if frame else ""
        found = state.table.card(event.card).type
        if found is None or not kinds or found in kinds:
            return None
        return Violation(step_9.GUARDED_X_PLACES, "guarded.type", {"card": event.card, "expected": kinds})

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        kinds = _kinds(frame)
        cards = (*state.deck[state.taken :], *state.discard) if state.deck is not None else (UNKNOWN,)
        fitting = [card for card in cards if fits(state, card, kinds)]
        for card in fitting[:MANY]:
            yield PlacementStarted(
                seq=0, frame=fresh(state), card=card, cause="guarded-x", player=frame.player, parent=frame.id,
                to="staging_area",
            )  # fmt: skip

    def citations(self, state: State, event: PlacementStarted) -> tuple[Rule, ...]:  # type: ignore[override]
        called = (step_9.GUARDED_X_PLACES,) if event.cause == GUARDED_X else ()
        nested = (step_0.NESTED_FRAME,) if event.parent else ()
        return (step_0.PLACED_STARTS_AT_8, *called, step_0.PLACED_IS_NOT_REVEALED, *nested)


def _kinds(frame: Frame) -> str:
    """What Guarded X names: a type, or several in one text."""
    return next((task.detail for task in frame.tasks if task.kind == "child"), "")


def known(state: State, id: str) -> bool:
    """Whether the log has opened a frame of that id of late; one that was only inferred gives its name away."""
    found = frame_of(state, id) or closed_frame(state, id)
    return found is not None and found.seq > 0


def fresh(state: State) -> str:
    """A frame id nobody has used."""
    number = state.opened + 1
    while frame_of(state, f"f{number}") or closed_frame(state, f"f{number}"):
        number += 1
    return f"f{number}"


def next_cards(state: State) -> tuple[str, ...]:
    """What may be on top of the encounter deck."""
    if state.deck is None:
        return (UNKNOWN,)
    return state.deck[state.taken : state.taken + (1 if state.ordered else MANY)]


def not_on_top(state: State, card: str) -> Violation | None:
    """Only the top card may be taken."""
    if state.deck is None or card.startswith(UNKNOWN):
        return None
    left = state.deck[state.taken : state.taken + 1] if state.ordered else state.deck[state.taken :]
    if card in left or any(other.startswith(UNKNOWN) for other in left):
        return None
    key = "reveal.empty" if deck_left(state) == 0 else "reveal.top"
    return Violation(step_1.TAKE_TOP, key, {"card": card})


def _card_of(state: State, id: str | None) -> dict[str, object]:
    frame = frame_of(state, id) or closed_frame(state, id)
    return {"card": frame.card if frame else "", "frame": id or ""}
