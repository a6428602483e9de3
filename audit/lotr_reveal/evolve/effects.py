"""Keywords and texts, cards that move, and markers."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from audit.lotr_reveal.acts.effects import ENGAGED, NOT_ENGAGED, reached
from audit.lotr_reveal.cards import (
    AMBUSH,
    DOOMED,
    GUARDED,
    GUARDED_X,
    PERIL,
    SURGE,
)
from audit.lotr_reveal.events import (
    CardMoved,
    EnterPlayEffect,
    ForcedResolved,
    KeywordResolved,
    StepEntered,
    SurgeArmed,
    ThreatChanged,
    WhenRevealedResolved,
    WindowPassed,
)
from audit.lotr_reveal.evolve.tasks import done, rises, shifted_threat
from audit.lotr_reveal.plan import keyword_tasks
from audit.lotr_reveal.state import (
    Character,
    Frame,
    State,
    Task,
    find,
    threat_of,
    with_frame,
)
from audit.lotr_reveal.steps import INDEX, S3, S9, S12
from audit.lotr_reveal.texts import keyword_and_value
from audit.lotr_reveal.zones import put, take, with_entry


def keyword_resolved(state: State, frame: Frame, event: KeywordResolved) -> State:
    """Peril binds from here on; Doomed makes everybody's threat rise."""
    task = find(frame, "keyword", event.keyword)
    more: tuple[Task, ...] = ()
    if event.keyword == DOOMED and not frame.placed:
        value = event.value if isinstance(event.value, int) else (task.amount if task else 0)
        more = rises(state, None, frame.at, value, frame.card, DOOMED) if value else ()
    peril, acted = frame.peril or event.keyword == PERIL, frame.acted or event.keyword not in (PERIL, DOOMED)
    return with_frame(state, done(frame, task, *more, seq=event.seq, peril=peril, acted=acted))


def surge_armed(state: State, frame: Frame, event: SurgeArmed) -> State:
    """One more card is due at step 12."""
    task = find(frame, "surge", event.origin) or find(frame, "surge")
    serve = Task("serve", S12, frame.card)
    return with_frame(state, done(frame, task, serve, seq=event.seq, armed=frame.armed + 1))


def when_revealed_resolved(state: State, frame: Frame, event: WhenRevealedResolved) -> State:
    """Keywords gained fire at once; damage is dealt; the rest of the text is free."""
    gains = event.gains if event.gains is not None else (state.table.card(frame.card).gains or ())
    more: list[Task] = []
    for gained in gains:
        keyword, value = keyword_and_value(gained)
        more += keyword_tasks(frame.card, keyword, value, frame.at, "gained")
    is_surge = gains and any(gained.startswith(SURGE) for gained in gains)
    granted = (*frame.granted, "gained") if is_surge else frame.granted
    state = _hurt(state, frame.card, event.affected)
    task = find(frame, "revealed")
    return with_frame(state, done(frame, task, *more, seq=event.seq, granted=granted, acted=True))


def _hurt(state: State, card: str, affected: tuple[str, ...] | None) -> State:
    damage = state.table.card(card).does.damage
    names = affected if affected is not None else reached(state, card)
    if not damage or not names:
        return state
    characters = dict(state.characters)
    for name in names:
        found = characters.get(name, Character())
        characters[name] = replace(found, damage=found.damage + damage)
    return replace(state, characters=characters)


def threat_changed(state: State, frame: Frame, event: ThreatChanged) -> State:
    """A player's threat moves."""
    if task := threat_of(frame, event.player):
        frame = done(frame, task)
    return with_frame(shifted_threat(state, event.player, event.delta), frame)


def card_moved(state: State, frame: Frame, event: CardMoved) -> State:
    """A card changes zone; the card of the frame has then done what its step asks."""
    if event.card != frame.card:
        return with_frame(put(take(state, event.card), event.card, event.to, frame.player), frame)
    state = put(_let_go(state, frame), frame.card, event.to, frame.player)
    task = find(frame, "move")
    if task is not None and min(task.step, S12) > frame.at:
        task = None
    frame = done(frame, task, zone=event.to, held=False)
    if task is not None and task.step == S3 and not frame.stop:
        frame = replace(frame, stop="discarded", tasks=(), notes=())
    return with_frame(state, frame)


def _let_go(state: State, frame: Frame) -> State:
    """The card of a frame lies nowhere until it has been put somewhere."""
    return state if frame.held else take(state, frame.card)


def enter_play_effect(state: State, frame: Frame, event: EnterPlayEffect) -> State:
    """Guarded calls for a card, Ambush engages, traps attach; any other text is free."""
    task = find(frame, "enter", event.effect, event.source)
    act = _ENTERS.get(event.effect)
    if act is None:
        return with_frame(state, done(frame, task, seq=event.seq, acted=True))
    return act(state, done(frame, task, seq=event.seq), event, task)


def _calls(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    child = Task("child", S9, frame.card, event.effect, detail=task.detail if task else "")
    return with_frame(state, done(frame, None, child))


def _ambushes(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    free = (
        not state.attachments.get(frame.card)
        if event.outcome not in (ENGAGED, NOT_ENGAGED)
        else event.outcome == ENGAGED
    )
    return _engages(state, frame, event, task) if free else with_frame(state, frame)


def _engages(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    player = event.target if event.target in state.table.seats else frame.player
    state = put(_let_go(state, frame), frame.card, "engaged", player)
    return with_frame(state, replace(frame, zone="engaged", held=False))


def _attaches(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    attached = (*state.attachments.get(frame.card, ()), event.source)
    return with_frame(replace(state, attachments=with_entry(state.attachments, frame.card, attached)), frame)


def _no_threat(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    return with_frame(replace(state, strength=with_entry(state.strength, frame.card, 0)), frame)


_ENTERS: dict[str, Callable[[State, Frame, EnterPlayEffect, Task | None], State]] = {
    GUARDED: _calls,
    GUARDED_X: _calls,
    AMBUSH: _ambushes,
    "attach": _attaches,
    "engage": _engages,
    "zero_threat": _no_threat,
}


def forced_resolved(state: State, frame: Frame, event: ForcedResolved) -> State:
    """A forced text is carried out."""
    task = find(frame, "forced", source=event.source)
    return with_frame(state, done(frame, task, seq=event.seq, acted=True))


def step_entered(state: State, frame: Frame, event: StepEntered) -> State:
    """The step is reached, and nothing else."""
    return with_frame(state, frame)


def window_passed(state: State, frame: Frame, event: WindowPassed) -> State:
    """The window is shut."""
    at = INDEX[event.step]
    tasks = frame.tasks
    if tasks and tasks[0].step <= at:
        tasks = tuple([task for task in tasks if task.step > at or task.kind != "forced"])
    return with_frame(state, replace(frame, at=max(frame.at, at + 1), tasks=tasks))
