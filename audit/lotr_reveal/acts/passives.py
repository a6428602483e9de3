"""Step 4: passive effects on the card being revealed, and what the card itself does about them."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.lotr_reveal.acts.base import (
    Act,
    after_a_text,
    not_this_card,
    out_of_place,
    skipped,
    too_early,
)
from audit.lotr_reveal.cards import Card, Outcome
from audit.lotr_reveal.events import CardDefeated, CardExplored, OutcomeEffectResolved, PassiveApplied
from audit.lotr_reveal.plan import is_shut_out
from audit.lotr_reveal.rules import step_0, step_2, step_4
from audit.lotr_reveal.state import Frame, State, Task, find, source_of, top
from audit.lotr_reveal.steps import INDEX, S3
from audit.lotr_reveal.why import OUTCOMES, about, passive_rules
from audit.model import Event
from audit.ruleset import Violation


class Apply(Act):
    """A passive effect of a card in play acts on the card being revealed."""

    event = PassiveApplied

    def refused(self, state: State, event: PassiveApplied) -> Violation | None:  # type: ignore[override]
        if (frame := top(state)) and frame.id == event.frame and (broken := _untouchable(state, frame, event)):
            return broken
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        task = find(frame, "passive", source=event.source)
        if task is None:
            return _not_due(state, frame, event)
        return too_early(frame, INDEX[event.step], task, step_4.PASSIVE_ON_REVEAL) or _differs(
            state, frame, task, event
        )

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        reduced = reduction(state, frame, task)
        counts = task.what in ("damage", "progress")
        yield PassiveApplied(
            seq=0, frame=frame.id, step="4", source=task.source, effect=task.what, target=frame.card,  # type: ignore[arg-type]
            amount=task.amount - reduced if counts else None, reduced_by=reduced if counts else None,
            keyword=task.detail or None,
        )  # fmt: skip

    def cited(self, state: State, frame: Frame, event: PassiveApplied) -> tuple[Rule, ...]:  # type: ignore[override]
        card = state.table.card(frame.card)
        resisted = (step_4.RESISTANCE_REDUCES, step_2.RESISTANCE) if event.reduced_by else ()
        conditional = (step_2.IMMUNE_CONDITIONAL,) if card.conditional else ()
        return (*passive_rules(event.effect), *resisted, *conditional, step_0.PASSIVE_MANDATORY, step_2.TEXT_ACTIVE)


def reduction(state: State, frame: Frame, task: Task) -> int:
    """What resistance takes off the damage of a passive."""
    if task.what != "damage" or "resistance-with-keywords" in state.table.switches:
        return 0
    return min(task.amount, state.table.card(frame.card).resistance)


def _untouchable(state: State, frame: Frame, event: PassiveApplied) -> Violation | None:
    card = state.table.card(frame.card)
    if not card.immune or (source := source_of(state, event.source)) is None or not is_shut_out(card, source):
        return None
    rule = step_2.IMMUNE_CONDITIONAL if card.conditional else step_2.IMMUNE
    return Violation(rule, "immune", {"card": frame.card, "source": event.source})


def _not_due(state: State, frame: Frame, event: PassiveApplied) -> Violation:
    source = source_of(state, event.source)
    data = {"card": frame.card, "source": event.source}
    if source and (source.forced or (source.response and source.step == "11")):
        return Violation(step_4.NOT_AFTER_REVEALED, "passive.later", data)
    return Violation(step_4.PASSIVE_ON_REVEAL, "passive.none", data)


def _differs(state: State, frame: Frame, task: Task, event: PassiveApplied) -> Violation | None:
    data = {"card": frame.card, "source": event.source, "n": task.amount, "expected": task.what}
    if event.effect != task.what or (event.keyword or task.detail) != task.detail:
        return Violation(passive_rules(task.what)[0], "passive.effect", data)
    if task.what not in ("damage", "progress"):
        return not_this_card(frame, event.target, step_4.PASSIVE_ON_REVEAL)
    reduced = reduction(state, frame, task)
    found = task.amount - reduced if event.amount is None else event.amount
    if found != task.amount - reduced or (event.reduced_by or 0) not in (
        reduced,
        0 if event.reduced_by is None else reduced,
    ):
        ignored = reduced and not event.reduced_by and found == task.amount
        rule = step_2.RESISTANCE if ignored else step_4.RESISTANCE_REDUCES
        rule = rule if task.what == "damage" and (reduced or event.reduced_by) else passive_rules(task.what)[0]
        return Violation(rule, "passive.amount", {**data, "n": task.amount - reduced, "reduced": reduced})
    return not_this_card(frame, event.target, step_4.PASSIVE_ON_REVEAL)


class Leave(Act):
    """An enemy has no hit points left, or a location has all its progress."""

    silent = True

    def refused(self, state: State, event: CardDefeated | CardExplored) -> Violation | None:  # type: ignore[override]
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        if after_a_text(frame, INDEX[event.step]):
            return None
        task = find(frame, self.kind)
        if task is None:
            return Violation(self.rule, f"{self.kind}.not", {"card": event.card, **self.lacks(state, event.card)})
        if event.cause not in (None, task.source):
            return Violation(self.rule, f"{self.kind}.cause", {"card": event.card, "expected": task.source})
        return too_early(frame, INDEX[event.step], task, self.rule) or not_this_card(frame, event.card, self.rule)

    kind: str
    rule: Rule

    def lacks(self, state: State, card: str) -> dict[str, object]:
        """How much is left to go."""
        raise NotImplementedError

    def cited(self, state: State, frame: Frame, event: Event) -> tuple[Rule, ...]:
        return (self.rule, step_4.DISCARD_NOW, step_4.STOP_IF_GONE)


class Defeat(Leave):
    """An enemy has no hit points left."""

    event = CardDefeated
    kind = "defeat"
    rule = step_4.DAMAGE_PASSIVES

    def lacks(self, state: State, card: str) -> dict[str, object]:
        return {"n": (state.table.card(card).hit_points or 0) - state.damage.get(card, 0)}

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield CardDefeated(seq=0, frame=frame.id, step="4", card=frame.card, cause=task.source)


class Explore(Leave):
    """A location has all the progress it needs."""

    event = CardExplored
    kind = "explore"
    rule = step_4.PROGRESS_PASSIVE

    def lacks(self, state: State, card: str) -> dict[str, object]:
        return {"n": (state.table.card(card).quest_points or 0) - state.progress.get(card, 0)}

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        yield CardExplored(seq=0, frame=frame.id, step="4", card=frame.card, cause=task.source)


class React(Act):
    """The card's own effect on being damaged, defeated or explored."""

    event = OutcomeEffectResolved

    def refused(self, state: State, event: OutcomeEffectResolved) -> Violation | None:  # type: ignore[override]
        frame = top(state)
        data = {"card": event.card, "what": event.effect}
        if frame and frame.id == event.frame and "no-outcome-at-4" in state.table.switches:
            return Violation(step_2.OWN_FORCED_RESPONSE, "outcome.reading", data)
        if frame and frame.id == event.frame and INDEX[event.step] <= S3 and not skipped(frame, INDEX[event.step]):
            return Violation(step_2.OWN_FORCED_RESPONSE, "outcome.early", data)
        if broken := out_of_place(state, event):
            return broken
        frame = state.frames[-1]
        tasks = [task for task in frame.tasks if task.kind == "outcome" and task.what == event.trigger]
        if not tasks:
            return Violation(step_4.OUTCOME_TRIGGERS, f"outcome.{event.trigger}", data)
        task = next((task for task in tasks if outcome_of(state, task).effect == event.effect), None)
        if task is None:
            return Violation(
                step_4.OUTCOME_TRIGGERS, "outcome.effect", {**data, "expected": outcome_of(state, tasks[0]).effect}
            )
        return not_this_card(frame, event.card, step_4.OUTCOME_TRIGGERS) or _comes_to(state, frame, task, event)

    def fulfil(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        outcome = outcome_of(state, task)
        players = (state.table.first,) if outcome.does.draws else state.table.seats if outcome.does.threat else (None,)
        for player in players:
            yield OutcomeEffectResolved(
                seq=0, frame=frame.id, step="4", card=frame.card, trigger=task.what, effect=outcome.effect,  # type: ignore[arg-type]
                player=player, amount=outcome.does.threat or outcome.does.draws or None,
            )  # fmt: skip

    def cited(self, state: State, frame: Frame, event: Event) -> tuple[Rule, ...]:
        return (step_4.OUTCOME_TRIGGERS, *about(OUTCOMES, frame.card, frame.killer), step_2.OWN_FORCED_RESPONSE)


def outcome_of(state: State, task: Task) -> Outcome:
    """The outcome effect a task stands for."""
    return state.table.card(task.source).outcomes[task.amount]


def _comes_to(state: State, frame: Frame, task: Task, event: OutcomeEffectResolved) -> Violation | None:
    does = outcome_of(state, task).does
    rule = next(iter(about(OUTCOMES, frame.card, frame.killer)), step_4.OUTCOME_TRIGGERS)
    wanted = does.threat or does.draws
    if wanted and event.amount not in (None, wanted):
        return Violation(rule, "outcome.amount", {"card": frame.card, "n": wanted})
    if does.draws and does.who == "first" and event.player not in (None, state.table.first):
        return Violation(rule, "outcome.player", {"card": frame.card, "expected": state.table.first})
    return None


def destination(state: State, card: Card, trigger: str) -> str:
    """Where a card goes that leaves at step 4."""
    if "no-outcome-at-4" in state.table.switches:
        return "encounter_discard"
    own = (outcome.does.to for outcome in card.outcomes if outcome.trigger == trigger and outcome.does.to)
    return next(own, "encounter_discard")
