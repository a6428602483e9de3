"""Step 4: damage, progress, and cards that leave."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lotr_reveal.acts.passives import destination
from audit.lotr_reveal.events import (
    CardDefeated,
    CardExplored,
    OutcomeEffectResolved,
    PassiveApplied,
)
from audit.lotr_reveal.evolve.tasks import done, rises
from audit.lotr_reveal.plan import keyword_tasks
from audit.lotr_reveal.state import (
    Frame,
    State,
    Task,
    find,
    with_frame,
)
from audit.lotr_reveal.steps import S4, S5_1
from audit.lotr_reveal.zones import with_entry


def passive_applied(state: State, frame: Frame, event: PassiveApplied) -> State:
    """Damage, progress or a keyword for the card being revealed."""
    task = find(frame, "passive", source=event.source)
    frame = done(frame, task, seq=event.seq)
    amount = event.amount
    if amount is None:
        amount = task.amount if task else 0
    if event.effect == "damage":
        return _damaged(state, frame, event, amount)
    if event.effect == "progress":
        return _advanced(state, frame, event, amount)
    if event.effect == "grant_keyword":
        keyword = event.keyword or (task.detail if task else "")
        more = keyword_tasks(frame.card, keyword, 1, S5_1, "granted")
        return with_frame(state, done(frame, None, *more, granted=(*frame.granted, keyword)))
    return with_frame(state, replace(frame, acted=True))


def _damaged(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = state.table.card(frame.card)
    total = state.damage.get(frame.card, 0) + amount
    more = _outcomes(state, frame, "damaged", event.source) if amount > 0 else ()
    if card.hit_points is not None and total >= card.hit_points and not find(frame, "defeat"):
        more = (*more, Task("defeat", S4, event.source))
    return with_frame(replace(state, damage=with_entry(state.damage, frame.card, total)), done(frame, None, *more))


def _advanced(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = state.table.card(frame.card)
    total = state.progress.get(frame.card, 0) + amount
    more: tuple[Task, ...] = ()
    if card.quest_points is not None and total >= card.quest_points and not find(frame, "explore"):
        more = (Task("explore", S4, event.source),)
    return with_frame(replace(state, progress=with_entry(state.progress, frame.card, total)), done(frame, None, *more))


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
    return _gone(state, frame, event, "defeated", find(frame, "defeat"))


def card_explored(state: State, frame: Frame, event: CardExplored) -> State:
    """A location is gone."""
    return _gone(state, frame, event, "explored", find(frame, "explore"))


def _gone(state: State, frame: Frame, event: CardDefeated | CardExplored, trigger: str, task: Task | None) -> State:
    """Nothing of the later steps is left, only what its own leaving brings."""
    if frame.at > S4 or event.card != frame.card:
        return with_frame(state, frame)
    killer = event.cause or (task.source if task else "")
    own = tuple(one for one in frame.tasks if one.kind == "outcome")
    to = destination(state, state.table.card(frame.card), trigger)
    move = Task("move", S4, frame.card, to, detail=killer)
    tasks = (*own, *_outcomes(state, frame, trigger, killer), move)
    return with_frame(state, replace(frame, stop="left", killer=killer, tasks=tasks, notes=(), last=event.seq))


def outcome_effect_resolved(state: State, frame: Frame, event: OutcomeEffectResolved) -> State:
    """The card's own effect: threat that is to rise, cards drawn, or something only its text knows."""
    task = find(frame, "outcome", event.trigger)
    does = state.table.card(task.source).outcomes[task.amount].does if task else None
    more: tuple[Task, ...] = ()
    if does and does.threat:
        more = rises(state, event.player, S4, event.amount or does.threat, frame.card, event.effect, frame.killer)
    is_free = does is None or not (does.threat or does.to or does.draws)
    frame = done(frame, task, *more, seq=event.seq, acted=is_free)
    if does and does.draws and event.player is not None:
        drawn = state.hands.get(event.player, 0) + (event.amount or does.draws)
        state = replace(state, hands=with_entry(state.hands, event.player, drawn))
    return with_frame(state, frame)
