"""Step 4: passive effects on the card being revealed, and whether it leaves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, TypeVar, cast

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import Does
from audit.games.lotr_reveal.event_rules.base import FrameEventRules, keywords_unknown
from audit.games.lotr_reveal.event_rules.conditions import (
    follows_text,
    gone,
    immune,
    other_card,
    other_step,
    out_of_place,
)
from audit.games.lotr_reveal.events import (
    CardDefeated,
    CardExplored,
    CardMoved,
    PassiveApplied,
    PassiveEffect,
    Trigger,
)
from audit.games.lotr_reveal.frames import done, with_text, with_unread_text
from audit.games.lotr_reveal.lookup import acting_frame, card_of, source_of, with_frame
from audit.games.lotr_reveal.procedure import keyword_tasks, unknown_keyword
from audit.games.lotr_reveal.rules import step_0, step_2, step_4
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S4, S5_1
from audit.games.lotr_reveal.tasks import find_task, passive_rules
from audit.games.lotr_reveal.zones import with_committed, with_entry

_COUNTED = ("damage", "progress")
_OUTCOME_TASKS = ("outcome", "own_move")


class PassiveAppliedRules(FrameEventRules[PassiveApplied]):
    """A passive effect of a card in play acts on the card being revealed."""

    event = PassiveApplied
    announces: frozenset[type[Event]] = frozenset((CardDefeated, CardExplored, CardMoved))
    task_kind = "passive"
    depends_on_text = True

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        reduced, is_counted = _reduction(state, frame, task), task.what in _COUNTED
        yield PassiveApplied(
            seq=0, frame=frame.id, step="4", source=task.source, effect=cast(PassiveEffect, task.what),
            target=frame.card, amount=task.amount - reduced if is_counted else None,
            reduced_by=reduced if is_counted else None, keyword=task.detail or None,
        )  # fmt: skip

    def violation(self, state: State, event: PassiveApplied) -> Violation | None:
        if failed := _untouchable(state, event) or out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        task = find_task(frame, "passive", source=event.source)
        if task is None:
            return _not_called_for(state, frame, event)
        return (
            other_step(frame, INDEX[event.step], task, step_4.PASSIVE_ON_REVEAL)
            or _other_effect(frame, task, event)
            or _other_amount(frame, task, _reduction(state, frame, task), event, _is_open(state, frame))
            or other_card(frame, event.target, step_4.PASSIVE_ON_REVEAL)
        )

    def cited(self, state: State, frame: Frame, event: PassiveApplied) -> Citations:
        resisted = (step_4.RESISTANCE_REDUCES, step_2.RESISTANCE) if event.reduced_by else ()
        conditional = (step_2.IMMUNE_CONDITIONAL,) if card_of(state, frame.card).conditional else ()
        return (*passive_rules(event.effect), *resisted, *conditional, step_0.PASSIVE_MANDATORY, step_2.TEXT_ACTIVE)

    def not_known(self, state: State, frame: Frame, event: PassiveApplied) -> Violations:
        if event.effect == "other":
            return (Violation(step_4.PASSIVE_ON_REVEAL, "unchecked.text", {"card": event.source}),)
        task = find_task(frame, "passive", source=event.source)
        if task is None or not _other_amount(frame, task, _reduction(state, frame, task), event, False):
            return ()
        return keywords_unknown(card_of(state, frame.card), frame.card)

    def apply_in(self, state: State, frame: Frame, event: PassiveApplied) -> State:
        """Damage, progress or a keyword for the card being revealed; any other effect is free."""
        task = find_task(frame, "passive", source=event.source)
        source = state.sources.get(event.source)
        if task in frame.possible and source and source.commits:
            state = with_committed(state, event.source, True)
        frame = done(frame, task, seq=event.seq)
        amount = event.amount if event.amount is not None else task.amount if task else 0
        if event.effect == "damage":
            return _damaged(state, frame, event, amount)
        if event.effect == "progress":
            return _advanced(state, frame, event, amount)
        if event.effect != "grant_keyword":
            is_theirs = source is not None and source.owner is not None
            return with_frame(state, with_text(frame) if is_theirs else with_unread_text(frame))
        keyword = event.keyword or (task.detail if task else "")
        more = keyword_tasks(frame.card, keyword, 1, S5_1, "granted")
        frame = replace(frame, possible=(*frame.possible, *unknown_keyword(frame.card, keyword, S5_1)))
        return with_frame(state, done(frame, None, more, granted_keywords=(*frame.granted_keywords, keyword)))


def _is_open(state: State, frame: Frame) -> bool:
    """Whether the card has a keyword the document does not mention, which may change what is done to it."""
    return bool(card_of(state, frame.card).unknown_keywords)


def _reduction(state: State, frame: Frame, task: Task) -> int:
    """What resistance takes off the damage of a passive effect."""
    if task.what != "damage" or "resistance-with-keywords" in state.setup.switches:
        return 0
    return min(task.amount, card_of(state, frame.card).resistance)


def _untouchable(state: State, event: PassiveApplied) -> Violation | None:
    frame, source = acting_frame(state), source_of(state, event.source)
    if frame is None or frame.id != event.frame or source is None:
        return None
    return immune(state, frame, event.source, source, step_2.IMMUNE)


def _not_called_for(state: State, frame: Frame, event: PassiveApplied) -> Violation:
    source = source_of(state, event.source)
    data = {"card": frame.card, "source": event.source}
    if source and (source.forced or (source.response and source.step == "11")):
        return Violation(step_4.NOT_AFTER_REVEALED, "passive.later", data)
    passive = source.on_reveal if source else None
    if failed := gone(state, event.source, step_4.PASSIVE_ON_REVEAL):
        return failed
    if source is None or passive is None or frame.stop:
        return Violation(step_4.PASSIVE_ON_REVEAL, "passive.none", data)
    if any(task.kind == "passive" and task.source == event.source for task in frame.procedure.tasks):
        return Violation(step_4.PASSIVE_ON_REVEAL, "passive.done", data)
    if not card_of(state, frame.card).is_a(passive.to):
        return Violation(step_4.PASSIVE_ON_REVEAL, "passive.kind", {**data, "expected": passive.to})
    return Violation(step_4.PASSIVE_ON_REVEAL, "passive.none" if source.committed else "passive.home", data)


def _other_effect(frame: Frame, task: Task, event: PassiveApplied) -> Violation | None:
    if event.effect == task.what and event.keyword in (None, "", task.detail):
        return None
    data = {"card": frame.card, "source": event.source, "n": task.amount, "expected": task.what}
    return Violation(passive_rules(task.what)[0], "passive.effect", data)


def _other_amount(frame: Frame, task: Task, reduction: int, event: PassiveApplied, is_open: bool) -> Violation | None:
    """Damage is what is left after resistance, unless `is_open`; a log need not say how much resistance took off."""
    right = task.amount - reduction
    if (
        task.what not in _COUNTED
        or is_open
        or (event.amount in (None, right) and event.reduced_by in (None, reduction))
    ):
        return None
    rule = passive_rules(task.what)[0]
    if task.what == "damage" and (reduction or event.reduced_by):
        is_ignored = reduction and not event.reduced_by and event.amount == task.amount
        rule = step_2.RESISTANCE if is_ignored else step_4.RESISTANCE_REDUCES
    data = {"card": frame.card, "source": event.source, "n": right, "expected": task.what, "reduced": reduction}
    return Violation(rule, "passive.resisted" if reduction else "passive.amount", data)


def _damaged(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = card_of(state, frame.card)
    total = state.damage.get(frame.card, 0) + amount
    more = _outcome_tasks(state, frame, "damaged", event.source) if amount > 0 else ()
    if card.hit_points is not None and total >= card.hit_points and not find_task(frame, "defeat"):
        more = (*more, Task("defeat", S4, event.source))
    return with_frame(replace(state, damage=with_entry(state.damage, frame.card, total)), done(frame, None, more))


def _advanced(state: State, frame: Frame, event: PassiveApplied, amount: int) -> State:
    card = card_of(state, frame.card)
    total = state.progress.get(frame.card, 0) + amount
    more: tuple[Task, ...] = ()
    if card.quest_points is not None and total >= card.quest_points and not find_task(frame, "explore"):
        more = (Task("explore", S4, event.source),)
    return with_frame(replace(state, progress=with_entry(state.progress, frame.card, total)), done(frame, None, more))


def _outcome_tasks(state: State, frame: Frame, trigger: str, by: str) -> tuple[Task, ...]:
    """The card's own effects for that trigger, by the card that caused it."""
    if "no-outcome-at-4" in state.setup.switches:
        return ()
    return tuple(
        Task(_kind_of(outcome.does), S4, frame.card, trigger, index, by)
        for index, outcome in enumerate(card_of(state, frame.card).outcomes)
        if outcome.trigger == trigger
    )


def _kind_of(does: Does) -> str:
    """An effect that does no more than say where the card goes is told by the move."""
    return "own_move" if does.to is not None and not (does.threat or does.draws) else "outcome"


L = TypeVar("L", bound=CardDefeated | CardExplored)


class CardLeavesRules(FrameEventRules[L]):
    """An enemy has no hit points left, or a location has all its progress."""

    may_follow_text = True
    trigger: ClassVar[Trigger]
    kind: ClassVar[str]
    rule: ClassVar[Rule]

    @abstractmethod
    def lacking(self, state: State, card: str) -> int | None:
        """How much is left to go; None where nobody has said how much it takes."""

    def gone(self, state: State, frame: Frame, task: Task) -> State:
        """The position once the card has left by that task."""
        return self.apply_in(
            state, frame, self.event(seq=0, frame=frame.id, step="4", card=frame.card, cause=task.source)
        )

    def violation(self, state: State, event: L) -> Violation | None:
        if failed := out_of_place(state, event):
            return failed
        frame, step = state.frames[-1], INDEX[event.step]
        if follows_text(frame, step, event):
            return None
        task = find_task(frame, self.task_kind)
        if task is None:
            lacking = self.lacking(state, event.card)
            key = "defeat.unknown" if lacking is None else f"{self.task_kind}.not"
            return Violation(self.rule, key, {"card": event.card, "n": lacking})
        if event.cause not in (None, task.source):
            return Violation(self.rule, f"{self.task_kind}.cause", {"card": event.card, "expected": task.source})
        return other_step(frame, step, task, self.rule) or other_card(frame, event.card, self.rule)

    def _may_be_of_text(self, state: State, event: L, failed: Violation) -> bool:
        """The same, if anything was done to the card that may have been enough."""
        is_touched = bool(state.damage.get(event.card) or state.progress.get(event.card))
        return is_touched and super()._may_be_of_text(state, event, failed)

    def untold_card(self, state: State, frame: Frame, event: L) -> str | None:
        """The same, or the card if nobody has told how much it takes."""
        is_untold = event.card == frame.card and self._takes_untold(state, event.card)
        return frame.card if is_untold else super().untold_card(state, frame, event)

    def _takes_untold(self, state: State, card: str) -> bool:
        """Whether nobody has told how much it takes to remove a card of this kind."""
        return self.lacking(state, card) is None and self.kind in card_of(state, card).kinds

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield self.event(seq=0, frame=frame.id, step="4", card=frame.card, cause=task.source)

    def cited(self, state: State, frame: Frame, event: L) -> Citations:
        return (self.rule, step_4.DISCARD_NOW, step_4.STOP_IF_GONE)

    def not_known(self, state: State, frame: Frame, event: L) -> Violations:
        if find_task(frame, self.task_kind):
            return ()
        key = "defeat.unknown" if self._takes_untold(state, event.card) else "unchecked.follows"
        return (Violation(self.rule, key, {"card": event.card}),)

    def depends_on_hidden(self, state: State, event: L) -> bool:
        """Whether nobody has said how much it takes, or what else acts on the card."""
        frame = acting_frame(state)
        if frame is None or event.frame != frame.id or event.card != frame.card:
            return False
        takes_unknown = self.lacking(state, event.card) is None or "in_play" in state.hidden
        return takes_unknown and (frame.step <= S4 or super().depends_on_hidden(state, event))

    def apply_in(self, state: State, frame: Frame, event: L) -> State:
        """Nothing of the later steps is left, only what the card's own leaving brings."""
        if frame.step > S4 or event.card != frame.card:
            return with_frame(state, frame)
        task = find_task(frame, self.task_kind)
        by = event.cause or (task.source if task else "")
        pending = tuple(one for one in frame.tasks if one.kind in _OUTCOME_TASKS)
        move = Task("move", S4, frame.card, _destination(state, frame, self.trigger), detail=by)
        tasks = (*pending, *_outcome_tasks(state, frame, self.trigger, by), move)
        frame = replace(frame, stop="left", removed_by=by, tasks=tasks, notes=(), last_cause=event.seq)
        return with_frame(state, frame)


def _left_of(points: int | None, counted: int) -> int | None:
    return None if points is None else points - counted


def _destination(state: State, frame: Frame, trigger: Trigger) -> str:
    """Where a card goes that leaves at step 4: to the discard pile, unless its own effect says otherwise."""
    if "no-outcome-at-4" in state.setup.switches:
        return "encounter_discard"
    outcomes = card_of(state, frame.card).outcomes
    own = (outcome.does.to for outcome in outcomes if outcome.trigger == trigger and outcome.does.to)
    return next(own, "encounter_discard")


class CardDefeatedRules(CardLeavesRules[CardDefeated]):
    """An enemy has no hit points left."""

    event = CardDefeated
    task_kind = "defeat"
    trigger = "defeated"
    kind = "enemy"
    rule = step_4.DAMAGE_PASSIVES

    def lacking(self, state: State, card: str) -> int | None:
        return _left_of(card_of(state, card).hit_points, state.damage.get(card, 0))


class CardExploredRules(CardLeavesRules[CardExplored]):
    """A location has all the progress it needs."""

    event = CardExplored
    task_kind = "explore"
    trigger = "explored"
    kind = "location"
    rule = step_4.PROGRESS_PASSIVE

    def lacking(self, state: State, card: str) -> int | None:
        return _left_of(card_of(state, card).quest_points, state.progress.get(card, 0))


def with_card_gone(state: State) -> State:
    """The position once the acting card has left, if it has no hit points or all its progress; else as it is."""
    frame = acting_frame(state)
    if frame is None:
        return state
    if defeat := find_task(frame, "defeat"):
        return CardDefeatedRules().gone(state, frame, defeat)
    explore = find_task(frame, "explore")
    return CardExploredRules().gone(state, frame, explore) if explore else state
