"""What a card does at step 4 about having been damaged, defeated or explored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.lotr_reveal.cards import Does, Outcome
from audit.games.lotr_reveal.event_rules.base import OF_TEXT, FrameEventRules
from audit.games.lotr_reveal.event_rules.conditions import (
    other_card,
    out_of_place,
    placed_skips,
)
from audit.games.lotr_reveal.event_rules.passives import with_card_gone
from audit.games.lotr_reveal.events import (
    OutcomeEffectResolved,
    Trigger,
)
from audit.games.lotr_reveal.frames import done, threat_rises, with_unread_text
from audit.games.lotr_reveal.lookup import acting_frame, card_of, with_frame
from audit.games.lotr_reveal.rules import step_2, step_4
from audit.games.lotr_reveal.state import Frame, State, Task
from audit.games.lotr_reveal.steps import INDEX, S3, S4
from audit.games.lotr_reveal.tasks import OUTCOMES, naming
from audit.games.lotr_reveal.texts import read, read_text
from audit.games.lotr_reveal.zones import shifted_hand, still_in, with_quest_in_doubt

_OUTCOME_TASKS = ("outcome", "own_move")


class OutcomeEffectResolvedRules(FrameEventRules[OutcomeEffectResolved]):
    """The card's own effect on being damaged, defeated or explored."""

    event = OutcomeEffectResolved
    of_text = OF_TEXT | {"stop.left"}
    depends_on_text = True

    def fulfils(self, task: Task) -> bool:
        return task.kind in _OUTCOME_TASKS

    def fulfilling(self, state: State, frame: Frame, task: Task) -> Iterator[Event]:
        outcome = _outcome_of(state, task)
        does = outcome.does
        yield OutcomeEffectResolved(
            seq=0, frame=frame.id, step="4", card=frame.card, trigger=cast(Trigger, task.what),
            effect=outcome.effect, player=state.first if does.draws else None,
            amount=does.threat or does.draws or None,
        )  # fmt: skip

    def violations(self, state: State, event: OutcomeEffectResolved) -> Violations:
        """As of the moment when the card has left, if nobody wrote down that it did."""
        gone = with_card_gone(state)
        return super().violations(gone if self.violation(gone, event) else state, event)

    def violation(self, state: State, event: OutcomeEffectResolved) -> Violation | None:
        if failed := _no_reaction_yet(state, event) or out_of_place(state, event):
            return failed
        frame = state.frames[-1]
        data = {"card": event.card, "what": event.effect}
        tasks = [task for task in frame.tasks if self.fulfils(task) and task.what == event.trigger]
        if not tasks:
            return Violation(step_4.OUTCOME_TRIGGERS, f"outcome.{event.trigger}", data)
        meant = _meant(state, tasks, event)
        if meant is None:
            expected = _outcome_of(state, tasks[0]).effect
            return Violation(step_4.OUTCOME_TRIGGERS, "outcome.effect", {**data, "expected": expected})
        outcome = _outcome_of(state, meant)
        return other_card(frame, event.card, step_4.OUTCOME_TRIGGERS) or _other_result(state, frame, outcome, event)

    def cited(self, state: State, frame: Frame, event: OutcomeEffectResolved) -> Citations:
        named = naming(OUTCOMES, frame.card, frame.removed_by)
        return (step_4.OUTCOME_TRIGGERS, *named, step_2.OWN_FORCED_RESPONSE)

    def not_known(self, state: State, frame: Frame, event: OutcomeEffectResolved) -> Violations:
        if any(_outcome_of(state, task).does != Does() for task in frame.tasks if self.fulfils(task)):
            return ()
        return (Violation(step_4.OUTCOME_TRIGGERS, "unchecked.text", {"card": event.card}),)

    def apply_in(self, state: State, frame: Frame, event: OutcomeEffectResolved) -> State:
        """Threat that is to rise, cards drawn, or something only the text knows."""
        tasks = [task for task in frame.tasks if self.fulfils(task) and task.what == event.trigger]
        task = _meant(state, tasks, event) or next(iter(tasks), None)
        does = _outcome_of(state, task).does if task else None
        more: tuple[Task, ...] = ()
        if does and does.threat:
            players = (event.player,) if event.player else still_in(state, state.setup.seats)
            amount = event.amount or does.threat
            more = threat_rises(players, S4, amount, frame.card, event.effect, frame.removed_by)
        is_free = does is None or not (does.threat or does.to or does.draws)
        if does and does.draws:
            state = shifted_hand(state, event.player or state.first, event.amount or does.draws)
        if is_free and read_text(event.effect).reaches_quest:
            state = with_quest_in_doubt(state)
        frame = done(frame, task, more, event.seq, text_resolved=False)
        return with_frame(state, with_unread_text(frame) if is_free else frame)


def _no_reaction_yet(state: State, event: OutcomeEffectResolved) -> Violation | None:
    """A card reacts at step 4 at the earliest, and by one reading not at all."""
    frame = acting_frame(state)
    if frame is None or frame.id != event.frame:
        return None
    data = {"card": event.card, "what": event.effect}
    if "no-outcome-at-4" in state.setup.switches:
        return Violation(step_2.OWN_FORCED_RESPONSE, "outcome.reading", data)
    if INDEX[event.step] <= S3 and not placed_skips(frame, INDEX[event.step]):
        return Violation(step_2.OWN_FORCED_RESPONSE, "outcome.early", data)
    return None


def _outcome_of(state: State, task: Task) -> Outcome:
    """The outcome effect a task stands for."""
    return card_of(state, task.source).outcomes[task.amount]


def _meant(state: State, tasks: Sequence[Task], event: OutcomeEffectResolved) -> Task | None:
    """The effect that an event tells: in the words of the card, or in others that say as much or are not understood."""
    told = read(event.effect)
    for task in tasks:
        if _outcome_of(state, task).effect == event.effect:
            return task
    alike = [task for task in tasks if _says(told, _outcome_of(state, task).does)]
    return min(alike, key=lambda task: (_outcome_of(state, task).does == Does()) != (told == Does()), default=None)


def _says(told: Does, does: Does) -> bool:
    """Whether words may tell of an effect, whatever number they give; `told` is what they come to."""
    if Does() in (told, does):
        return True
    return (told.to, bool(told.threat), bool(told.draws)) == (does.to, bool(does.threat), bool(does.draws))


def _other_result(state: State, frame: Frame, outcome: Outcome, event: OutcomeEffectResolved) -> Violation | None:
    does = outcome.does
    rule = next(iter(naming(OUTCOMES, frame.card, frame.removed_by)), step_4.OUTCOME_TRIGGERS)
    wanted = does.threat or does.draws
    told = read(event.effect) if event.effect != outcome.effect else does
    if wanted and (event.amount not in (None, wanted) or (told.threat or told.draws) not in (0, wanted)):
        return Violation(rule, "outcome.amount", {"card": frame.card, "n": wanted})
    if does.draws and does.who == "first" and event.player not in (None, state.first):
        return Violation(rule, "outcome.player", {"card": frame.card, "expected": state.first})
    return None
