"""The position after a fact. Every event is taken at its word, whether it was allowed or not."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from audit.lotr_reveal.acts.effects import ENGAGED, NOT_ENGAGED, reached
from audit.lotr_reveal.acts.passives import destination
from audit.lotr_reveal.cards import (
    AMBUSH,
    CANCEL_AND_REPLACE,
    CANCEL_CARD,
    CANCEL_EFFECT,
    DOOMED,
    GUARDED,
    GUARDED_X,
    NAME_TYPE,
    PERIL,
    READY,
    SHUFFLE,
    SURGE,
)
from audit.lotr_reveal.events import (
    CardCancelled,
    CardDefeated,
    CardExplored,
    CardMoved,
    EnterPlayEffect,
    ForcedResolved,
    KeywordResolved,
    OutcomeEffectResolved,
    PassiveApplied,
    PlacementStarted,
    ResponsePlayed,
    RevealEnded,
    RevealStarted,
    StepEntered,
    SurgeArmed,
    ThreatChanged,
    WhenRevealedResolved,
    WindowPassed,
)
from audit.lotr_reveal.plan import keyword_tasks, plan_of
from audit.lotr_reveal.rules import step_3, step_6
from audit.lotr_reveal.state import (
    Character,
    Frame,
    Note,
    Plan,
    Replacement,
    State,
    Task,
    closed_frame,
    frame_of,
    source_of,
    top,
    with_frame,
    zone_of,
)
from audit.lotr_reveal.steps import AFTER, INDEX, LAST, S3, S4, S5_1, S7, S8, S9, S12
from audit.lotr_reveal.texts import keyword_and_value
from audit.lotr_reveal.zones import put, take, with_entry
from audit.model import Event


def evolve(state: State, event: Event) -> State:
    """The position after the event."""
    opened = _OPENS.get(type(event))
    if opened:
        return opened(state, event)
    frame = frame_of(state, event.frame)  # type: ignore[attr-defined]
    if frame is None:
        return _outside(state, event)
    return _WITHIN[type(event)](state, arrived(frame, event), event)


def arrived(frame: Frame, event: Event) -> Frame:
    """The frame at the step of the event; what was due before is given up."""
    at = INDEX[event.step]  # type: ignore[attr-defined]
    if at <= frame.at:
        return frame
    tasks = frame.tasks
    if tasks and tasks[0].step < at:
        tasks = tuple(task for task in tasks if task.step >= at)
    notes = frame.notes
    if notes and notes[0].step < at:
        notes = tuple(note for note in notes if note.step >= at)
    return replace(frame, at=at, tasks=tasks, notes=notes, acted=False)


def _outside(state: State, event: Event) -> State:
    """Of a frame that is not open, only what everybody can see counts."""
    if isinstance(event, ThreatChanged):
        return _threat(state, event.player, event.delta)
    if isinstance(event, CardMoved):
        return put(take(state, event.card), event.card, event.to, state.table.first)
    return state


# Frames begin and end


def reveal_started(state: State, event: RevealStarted) -> State:
    """A card is taken from the deck."""
    state = _called(take(state, event.card), event)
    plan = plan_of(state, event.card, placed=False)
    named, surged = _from_surge(state, event)
    frame = Frame(
        id=event.frame, card=event.card, cause=event.cause, player=event.player, at=0, parent=event.parent,
        seq=event.seq, last=event.seq, plan=plan, tasks=plan.tasks, notes=plan.notes, surged=surged, named=None,
    )  # fmt: skip
    if named is not None:
        frame = _met_by_name(state, frame, named)
    return _pushed(replace(state, replacement=None), frame)


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
    parent = replace(parent, tasks=_without_one(parent.tasks, kind), last=event.seq)
    if event.cause == "surge":
        parent = replace(parent, served=parent.served + 1, at=max(parent.at, S12))
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
        state = with_frame(state, replace(parent, tasks=_without_one(parent.tasks, "child"), last=event.seq))
    plan = plan_of(state, event.card, placed=True)
    if event.to and plan.tasks:
        plan = Plan((replace(plan.tasks[0], what=event.to), *plan.tasks[1:]), plan.notes)
    frame = Frame(
        id=event.frame, card=event.card, cause=event.cause, player=event.player, at=S8, parent=event.parent,
        zone=zone, placed=True, seq=event.seq, last=event.seq, plan=plan, tasks=plan.tasks, notes=plan.notes,
    )  # fmt: skip
    return _pushed(state, frame)


def _pushed(state: State, frame: Frame) -> State:
    is_root = not state.frames and frame.parent is None
    return replace(
        state,
        frames=(*state.frames, frame),
        opened=state.opened + 1,
        roots=state.roots + is_root,
        closed=() if is_root else state.closed,
    )


def reveal_ended(state: State, frame: Frame, event: RevealEnded) -> State:
    """The frame is closed; a cancelled card is to be replaced, a spent surge is remembered."""
    state = with_frame(state, replace(frame, tasks=(), last=event.seq))
    over = frame_of(state, frame.id)
    assert over is not None
    state = replace(
        state,
        frames=tuple(one for one in state.frames if one is not over),
        closed=(*state.closed, over),
    )
    if frame.stop == "cancelled":
        state = replace(state, replacement=_replacement(state, frame, event))
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


def _without_one(tasks: tuple[Task, ...], kind: str | None) -> tuple[Task, ...]:
    for index, task in enumerate(tasks):
        if task.kind == kind:
            return (*tasks[:index], *tasks[index + 1 :])
    return tasks


def _done(frame: Frame, task: Task | None, *more: Task, seq: int = 0) -> Frame:
    """The frame with one thing done and others that follow from it, in the order of the steps."""
    tasks = frame.tasks
    if task is not None:
        index = tasks.index(task)
        tasks = (*tasks[:index], *tasks[index + 1 :])
    if more:
        tasks = tuple(sorted((*tasks, *more), key=_step))
    return replace(frame, tasks=tasks, last=seq or frame.last)


def _step(task: Task) -> int:
    return task.step


def _find(frame: Frame, kind: str, what: str | None = None, source: str | None = None) -> Task | None:
    for task in frame.tasks:
        if task.kind == kind and what in (None, task.what) and source in (None, task.source):
            return task
    return None


# Responses


def response_played(state: State, frame: Frame, event: ResponsePlayed) -> State:
    """What a response does as soon as it is played."""
    frame = replace(frame, used=(*frame.used, event.source))
    act = _RESPONDS.get(event.effect)
    return act(state, frame, event) if act else with_frame(state, replace(frame, acted=True, last=event.seq))


def _cancel_card(state: State, frame: Frame, event: ResponsePlayed) -> State:
    if _find(frame, "cancel"):
        return with_frame(state, frame)
    cancel = Task("cancel", max(S3, frame.at), event.source)
    return with_frame(state, replace(frame, tasks=(cancel, *frame.tasks), last=event.seq))


def _cancel_effect(state: State, frame: Frame, event: ResponsePlayed) -> State:
    """Step 7 falls away and nothing else; an exchange waits until step 12 is over."""
    tasks = tuple(task for task in frame.tasks if task.kind != "revealed")
    only_7 = Note(S7, step_6.SKIPS_ONLY_7.id)
    frame = replace(frame, tasks=tasks, canceller=event.source, notes=(only_7, *frame.notes), last=event.seq)
    if event.effect == CANCEL_AND_REPLACE:
        frame = replace(_done(frame, None, Task("replace", LAST, event.source)), exchanged=True)
        if state.table.card(frame.card).enters_play:
            frame = _done(frame, None, Task("move", AFTER, frame.card, "encounter_discard"))
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
    move = Task("move", S3, frame.card, to)
    return with_frame(
        state,
        replace(frame, stop="cancelled", canceller=event.by, tasks=(move,), notes=(), last=event.seq),
    )


# Step 4


def passive_applied(state: State, frame: Frame, event: PassiveApplied) -> State:
    """Damage, progress or a keyword for the card being revealed."""
    task = _find(frame, "passive", source=event.source)
    frame = _done(frame, task, seq=event.seq)
    amount = event.amount
    if amount is None:
        amount = task.amount if task else 0
    if event.effect == "damage":
        return _damaged(state, frame, event, amount)
    if event.effect == "progress":
        return _advanced(state, frame, event, amount)
    if event.effect == "grant_keyword":
        keyword = event.keyword or (task.detail if task else "")
        more = tuple(keyword_tasks(frame.card, keyword, 1, S5_1, "granted"))
        return with_frame(state, replace(_done(frame, None, *more), granted=(*frame.granted, keyword)))
    return with_frame(state, replace(frame, acted=True))


def _damaged(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = state.table.card(frame.card)
    total = state.damage.get(frame.card, 0) + amount
    more = _outcomes(state, frame, "damaged", event.source) if amount > 0 else ()
    if card.hit_points is not None and total >= card.hit_points and not _find(frame, "defeat"):
        more = (*more, Task("defeat", S4, event.source))
    return with_frame(replace(state, damage=with_entry(state.damage, frame.card, total)), _done(frame, None, *more))


def _advanced(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = state.table.card(frame.card)
    total = state.progress.get(frame.card, 0) + amount
    more: tuple[Task, ...] = ()
    if card.quest_points is not None and total >= card.quest_points and not _find(frame, "explore"):
        more = (Task("explore", S4, event.source),)
    return with_frame(replace(state, progress=with_entry(state.progress, frame.card, total)), _done(frame, None, *more))


def _outcomes(state: State, frame: Frame, trigger: str, by: str) -> tuple[Task, ...]:
    if "no-outcome-at-4" in state.table.switches:
        return ()
    return tuple(
        Task("outcome", S4, frame.card, trigger, index, by)
        for index, outcome in enumerate(state.table.card(frame.card).outcomes)
        if outcome.trigger == trigger
    )


def card_defeated(state: State, frame: Frame, event: CardDefeated) -> State:
    """An enemy is gone."""
    return _gone(state, frame, event, "defeated", _find(frame, "defeat"))


def card_explored(state: State, frame: Frame, event: CardExplored) -> State:
    """A location is gone."""
    return _gone(state, frame, event, "explored", _find(frame, "explore"))


def _gone(state: State, frame: Frame, event: CardDefeated | CardExplored, trigger: str, task: Task | None) -> State:
    """Nothing of the later steps is left, only what its own leaving brings."""
    if frame.at > S4 or event.card != frame.card:
        return with_frame(state, frame)
    killer = event.cause or (task.source if task else "")
    own = tuple(one for one in frame.tasks if one.kind == "outcome")
    to = destination(state, state.table.card(frame.card), trigger)
    move = Task("move", S4, frame.card, to)
    tasks = (*own, *_outcomes(state, frame, trigger, killer), move)
    return with_frame(state, replace(frame, stop="left", killer=killer, tasks=tasks, notes=(), last=event.seq))


def outcome_effect_resolved(state: State, frame: Frame, event: OutcomeEffectResolved) -> State:
    """The card's own effect: threat that is to rise, cards drawn, or something only its text knows."""
    task = _find(frame, "outcome", event.trigger)
    does = state.table.card(task.source).outcomes[task.amount].does if task else None
    more: tuple[Task, ...] = ()
    if does and does.threat:
        more = _rises(state, event.player, S4, event.amount or does.threat, frame.card, event.effect, frame.killer)
    frame = replace(
        _done(frame, task, *more, seq=event.seq), acted=does is None or not (does.threat or does.to or does.draws)
    )
    if does and does.draws and event.player is not None:
        drawn = state.hands.get(event.player, 0) + (event.amount or does.draws)
        state = replace(state, hands=with_entry(state.hands, event.player, drawn))
    return with_frame(state, frame)


def _rises(
    state: State, player: str | None, step: int, amount: int, source: str, what: str, detail: str = ""
) -> tuple[Task, ...]:
    seats = (player,) if player else state.table.seats
    return tuple(Task("threat", step, source, what, amount, detail, seat) for seat in seats)


# Steps 5.1 and 7


def keyword_resolved(state: State, frame: Frame, event: KeywordResolved) -> State:
    """Peril binds from here on; Doomed makes everybody's threat rise."""
    task = _find(frame, "keyword", event.keyword)
    more: tuple[Task, ...] = ()
    if event.keyword == DOOMED and not frame.placed:
        value = event.value if isinstance(event.value, int) else (task.amount if task else 0)
        more = _rises(state, None, frame.at, value, frame.card, DOOMED) if value else ()
    frame = _done(frame, task, *more, seq=event.seq)
    if event.keyword == PERIL:
        frame = replace(frame, peril=True)
    elif event.keyword != DOOMED:
        frame = replace(frame, acted=True)
    return with_frame(state, frame)


def surge_armed(state: State, frame: Frame, event: SurgeArmed) -> State:
    """One more card is due at step 12."""
    task = _find(frame, "surge", event.origin) or _find(frame, "surge")
    frame = _done(frame, task, Task("serve", S12, frame.card), seq=event.seq)
    return with_frame(state, replace(frame, armed=frame.armed + 1))


def when_revealed_resolved(state: State, frame: Frame, event: WhenRevealedResolved) -> State:
    """Keywords gained fire at once; damage is dealt; the rest of the text is free."""
    gains = event.gains if event.gains is not None else (state.table.card(frame.card).gains or ())
    more: list[Task] = []
    for gained in gains:
        keyword, value = keyword_and_value(gained)
        more += keyword_tasks(frame.card, keyword, value, frame.at, "gained")
    granted = (*frame.granted, "gained") if any(gained.startswith(SURGE) for gained in gains) else frame.granted
    frame = _done(frame, _find(frame, "revealed"), *more, seq=event.seq)
    state = _hurt(state, frame.card, event.affected)
    return with_frame(state, replace(frame, granted=granted, acted=True))


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
    for task in frame.tasks:
        if task.kind == "threat" and task.player == event.player:
            frame = _done(frame, task)
            break
    return with_frame(_threat(state, event.player, event.delta), frame)


def _threat(state: State, player: str, delta: int) -> State:
    return replace(state, threat=with_entry(state.threat, player, state.threat.get(player, 0) + delta))


# Steps 8 to 12


def card_moved(state: State, frame: Frame, event: CardMoved) -> State:
    """A card changes zone; the card of the frame has then done what its step asks."""
    if event.card != frame.card:
        return with_frame(put(take(state, event.card), event.card, event.to, frame.player), frame)
    state = put(_let_go(state, frame), frame.card, event.to, frame.player)
    task = next((task for task in frame.tasks if task.kind == "move" and min(task.step, S12) <= frame.at), None)
    frame = replace(_done(frame, task), zone=event.to, held=False)
    if task is not None and task.step == S3 and not frame.stop:
        frame = replace(frame, stop="discarded", tasks=(), notes=())
    return with_frame(state, frame)


def _let_go(state: State, frame: Frame) -> State:
    """The card of a frame lies nowhere until it has been put somewhere."""
    return state if frame.held else take(state, frame.card)


def enter_play_effect(state: State, frame: Frame, event: EnterPlayEffect) -> State:
    """Guarded calls for a card, Ambush engages, traps attach; any other text is free."""
    task = _find(frame, "enter", event.effect, event.source)
    act = _ENTERS.get(event.effect)
    if act is None:
        return with_frame(state, replace(_done(frame, task, seq=event.seq), acted=True))
    return act(state, _done(frame, task, seq=event.seq), event, task)


def _calls(state: State, frame: Frame, event: EnterPlayEffect, task: Task | None) -> State:
    child = Task("child", S9, frame.card, event.effect, detail=task.detail if task else "")
    return with_frame(state, _done(frame, None, child))


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
    task = next((one for one in frame.tasks if one.kind == "forced" and one.source == event.source), None)
    return with_frame(state, replace(_done(frame, task, seq=event.seq), acted=True))


# Markers


def step_entered(state: State, frame: Frame, event: StepEntered) -> State:
    """The step is reached, and nothing else."""
    return with_frame(state, frame)


def window_passed(state: State, frame: Frame, event: WindowPassed) -> State:
    """The window is shut."""
    at = INDEX[event.step]
    tasks = tuple(task for task in frame.tasks if task.step > at or task.kind != "forced")
    return with_frame(state, replace(frame, at=max(frame.at, at + 1), tasks=tasks))


_OPENS: dict[type[Event], Callable[..., State]] = {
    RevealStarted: reveal_started,
    PlacementStarted: placement_started,
}

_WITHIN: dict[type[Event], Callable[..., State]] = {
    StepEntered: step_entered,
    WindowPassed: window_passed,
    ResponsePlayed: response_played,
    CardCancelled: card_cancelled,
    PassiveApplied: passive_applied,
    CardDefeated: card_defeated,
    CardExplored: card_explored,
    OutcomeEffectResolved: outcome_effect_resolved,
    KeywordResolved: keyword_resolved,
    SurgeArmed: surge_armed,
    WhenRevealedResolved: when_revealed_resolved,
    CardMoved: card_moved,
    EnterPlayEffect: enter_play_effect,
    ForcedResolved: forced_resolved,
    ThreatChanged: threat_changed,
    RevealEnded: reveal_ended,
}
