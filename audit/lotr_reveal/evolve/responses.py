"""What responses do."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from audit.lotr_reveal.cards import (
    CANCEL_AND_REPLACE,
    CANCEL_CARD,
    CANCEL_EFFECT,
    NAME_TYPE,
    READY,
    SHUFFLE,
)
from audit.lotr_reveal.events import (
    CardCancelled,
    ResponsePlayed,
)
from audit.lotr_reveal.evolve.tasks import done
from audit.lotr_reveal.rules import step_6
from audit.lotr_reveal.state import (
    Character,
    Frame,
    Note,
    State,
    Task,
    find,
    with_frame,
)
from audit.lotr_reveal.steps import AFTER, LAST, S3, S7
from audit.lotr_reveal.why import CANCELLED
from audit.lotr_reveal.zones import with_entry


def response_played(state: State, frame: Frame, event: ResponsePlayed) -> State:
    """What a response does as soon as it is played."""
    frame = replace(frame, used=(*frame.used, event.source))
    act = _RESPONDS.get(event.effect)
    return act(state, frame, event) if act else with_frame(state, replace(frame, acted=True, last=event.seq))


def _cancel_card(state: State, frame: Frame, event: ResponsePlayed) -> State:
    if find(frame, "cancel"):
        return with_frame(state, frame)
    cancel = Task("cancel", max(S3, frame.at), event.source)
    return with_frame(state, replace(frame, tasks=(cancel, *frame.tasks), last=event.seq))


def _cancel_effect(state: State, frame: Frame, event: ResponsePlayed) -> State:
    """Step 7 falls away and nothing else; an exchange waits until step 12 is over."""
    tasks = tuple(task for task in frame.tasks if task.kind != "revealed")
    only_7 = Note(S7, step_6.SKIPS_ONLY_7.id)
    frame = replace(frame, tasks=tasks, canceller=event.source, notes=(only_7, *frame.notes), last=event.seq)
    if event.effect == CANCEL_AND_REPLACE:
        frame = replace(done(frame, None, Task("replace", LAST, event.source)), exchanged=True)
        if state.table.card(frame.card).enters_play:
            frame = done(frame, None, Task("move", AFTER, frame.card, "encounter_discard"))
    return with_frame(state, frame)


def _ready(state: State, frame: Frame, event: ResponsePlayed) -> State:
    character = state.characters.get(event.target or "", Character())
    characters = with_entry(state.characters, event.target or "", replace(character, ready=True))
    frame = replace(frame, readied=True)
    return with_frame(replace(state, characters=characters) if event.target else state, frame)


def _name_type(state: State, frame: Frame, event: ResponsePlayed) -> State:
    return with_frame(state, replace(frame, named=str(event.value), last=event.seq))


_RESPONDS: dict[str, Callable[[State, Frame, ResponsePlayed], State]] = {
    CANCEL_CARD: _cancel_card,
    CANCEL_EFFECT: _cancel_effect,
    CANCEL_AND_REPLACE: _cancel_effect,
    READY: _ready,
    NAME_TYPE: _name_type,
}


def card_cancelled(state: State, frame: Frame, event: CardCancelled) -> State:
    """The card leaves the procedure; it has yet to be moved."""
    to = "encounter_deck" if event.disposition == SHUFFLE else "encounter_discard"
    move = Task("move", max(S3, frame.at), frame.card, to, detail=CANCELLED)
    return with_frame(
        state,
        replace(frame, stop="cancelled", canceller=event.by, tasks=(move,), notes=(), last=event.seq),
    )
