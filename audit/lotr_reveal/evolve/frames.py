"""Frames begin and end."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lotr_reveal.acts.opening import UNKNOWN, is_told_late, next_cards
from audit.lotr_reveal.cards import (
    GUARDED,
)
from audit.lotr_reveal.events import (
    PlacementStarted,
    RevealEnded,
    RevealStarted,
)
from audit.lotr_reveal.evolve.tasks import without_one
from audit.lotr_reveal.plan import plan_of
from audit.lotr_reveal.rules import step_3
from audit.lotr_reveal.state import (
    MOST_CAUSES,
    REVEALS,
    Frame,
    Note,
    Plan,
    Replacement,
    State,
    Task,
    closed_frame,
    first_task,
    frame_of,
    led_to,
    source_of,
    top,
    with_frame,
    zone_of,
)
from audit.lotr_reveal.steps import S3, S8, S12
from audit.lotr_reveal.zones import take
from audit.model import Event

REMEMBERED = 100
"""So many cards that are through are remembered until the next one that nothing called for."""


def reveal_started(state: State, event: RevealStarted) -> State:
    """A card is taken from the deck."""
    frame = top(state)
    if frame is not None and is_told_late(state, event):
        return with_frame(state, replace(frame, seq=event.seq))
    state = _called(take(state, event.card), event)
    plan = plan_of(state, event.card, placed=False)
    named, surged = _from_surge(state, event)
    frame = Frame(
        id=event.frame, card=event.card, cause=event.cause, player=event.player, at=0, parent=event.parent,
        seq=event.seq, last=event.seq, plan=plan, tasks=plan.tasks, notes=plan.notes, surged=surged, named=None,
    )  # fmt: skip
    if named is not None:
        frame = _met_by_name(state, frame, named)
    return _pushed(replace(state, replacement=None) if state.replacement else state, frame)


def _called(state: State, event: RevealStarted) -> State:
    """The frame that called for the card has what it asked for; one that was closed too soon goes on."""
    if event.parent is None:
        return state
    parent = frame_of(state, event.parent)
    if parent is None:
        over = closed_frame(state, event.parent)
        if over is None or state.replacement or event.cause == "replacement":
            return state
        state = replace(
            state,
            frames=(*state.frames, over),
            closed=tuple(frame for frame in state.closed if frame is not over),
        )
        parent = over
    kind = {"surge": "serve", GUARDED: "child", "replacement": "replace"}.get(event.cause)
    parent = replace(parent, tasks=without_one(parent.tasks, kind), last=event.seq)
    if event.cause == "surge":
        is_early = bool(parent.tasks) and parent.tasks[0].step < S12
        parent = replace(parent, served=parent.served + 1, at=parent.at if is_early else max(parent.at, S12))
    return with_frame(state, parent)


def _from_surge(state: State, event: RevealStarted) -> tuple[str | None, bool]:
    """The type named for the surge a card comes from, and whether it comes from one."""
    if event.cause == "surge":
        parent = frame_of(state, event.parent)
        return (parent.named if parent else None), True
    waiting = state.replacement
    if event.cause == "replacement" and waiting and "replacement-is-surge" in state.table.switches:
        return waiting.named, waiting.surged
    return None, False


def _met_by_name(state: State, frame: Frame, named: str) -> Frame:
    """A card of the type named is to be discarded at step 3; any other goes on."""
    if state.table.card(frame.card).type == named:
        stop = Task("move", S3, frame.card, "encounter_discard", detail=named)
        return replace(frame, tasks=(stop, *frame.tasks), named=named)
    spared = Note(S3, step_3.LAMPWRIGHT_ONLY_ON_MATCH.id)
    return replace(frame, notes=(spared, *frame.notes), named=None)


def placement_started(state: State, event: PlacementStarted) -> State:
    """A card joins at step 8, from wherever it lay."""
    zone = zone_of(state, event.card) or "encounter_deck"
    state = take(state, event.card)
    parent = frame_of(state, event.parent)
    if parent:
        state = with_frame(state, replace(parent, tasks=without_one(parent.tasks, "child"), last=event.seq))
    plan = plan_of(state, event.card, placed=True)
    if event.to and plan.tasks:
        plan = Plan((replace(plan.tasks[0], what=event.to), *plan.tasks[1:]), plan.notes)
    frame = Frame(
        id=event.frame, card=event.card, cause=event.cause, player=event.player, at=S8, parent=event.parent,
        zone=zone, placed=True, seq=event.seq, last=event.seq, plan=plan, tasks=plan.tasks, notes=plan.notes,
    )  # fmt: skip
    return _pushed(state, frame)


def unannounced(state: State, event: Event) -> State:
    """A card of which an event tells although nobody said that it was revealed: it must have been."""
    card = getattr(event, "card", None) or next(iter(next_cards(state)), UNKNOWN)
    frame = top(state)
    task = first_task(state, frame) if frame else None
    asked = frame is not None and task is not None and task.kind in REVEALS
    cause = {"serve": "surge", "child": GUARDED}.get(task.kind, "replacement") if asked and task else "staging"
    parent = frame.id if asked and frame else None
    if state.replacement:
        cause, parent = "replacement", state.replacement.frame
    player = frame.player if frame else state.table.first
    return reveal_started(
        state,
        RevealStarted(seq=0, frame=event.frame, card=card, cause=cause, player=player, parent=parent),  # type: ignore[arg-type, attr-defined]
    )


def _pushed(state: State, frame: Frame) -> State:
    is_root = not state.frames and frame.parent is None
    if state.frames:
        frame = replace(frame, under=tuple([seq for seq in led_to(state) if seq != frame.seq])[:MOST_CAUSES])
    return replace(
        state,
        frames=(*state.frames, frame),
        opened=state.opened + 1,
        roots=state.roots + is_root,
        closed=() if is_root else state.closed,
    )


def reveal_ended(state: State, frame: Frame, event: RevealEnded) -> State:
    """The frame is closed; a cancelled card is to be replaced, a spent surge is remembered."""
    over = replace(frame, tasks=(), last=event.seq)
    is_newest = state.frames[-1].id == frame.id
    state = replace(
        state,
        frames=state.frames[:-1] if is_newest else tuple([one for one in state.frames if one.id != frame.id]),
        closed=(*state.closed[-REMEMBERED:], over),
        replacement=_replacement(state, frame, event) if frame.stop == "cancelled" else state.replacement,
    )
    parent = top(state)
    if frame.stop == "discarded" and parent is not None:
        spent = Note(S12, step_3.LAMPWRIGHT_NO_REPLACEMENT.id)
        state = with_frame(state, replace(parent, notes=(*parent.notes, spent)))
    return state


def _replacement(state: State, frame: Frame, event: RevealEnded) -> Replacement | None:
    """What follows a cancelled card; where the cancelling card leaves it open, it may."""
    source = source_of(state, frame.canceller)
    told = source.replacement if source else None
    if told is False:
        return None
    shuffled = frame.zone == "encounter_deck"
    due = told if told is not None else shuffled
    empty = state.deck is not None and len(state.deck) <= state.taken
    return None if empty else Replacement(frame.id, frame.player, frame.surged, frame.named, event.seq, bool(due))
