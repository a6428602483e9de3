"""The rules of each event type of the reveal, in the order of the documentation of the log."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from audit.core.event_rules import EventRules, Expectation, Obligation
from audit.core.model import Event
from audit.games.lotr_reveal.event_rules.base import TaskEventRules, TaskExpectation
from audit.games.lotr_reveal.event_rules.by_name import by_name
from audit.games.lotr_reveal.event_rules.card_moved import CardCancelledRules, CardMovedRules
from audit.games.lotr_reveal.event_rules.entering import EnterPlayEffectRules, ForcedResolvedRules
from audit.games.lotr_reveal.event_rules.keywords import KeywordResolvedRules, SurgeArmedRules, ThreatChangedRules
from audit.games.lotr_reveal.event_rules.openings import PlacementStartedRules, RevealStartedRules
from audit.games.lotr_reveal.event_rules.outcomes import OutcomeEffectResolvedRules
from audit.games.lotr_reveal.event_rules.passives import CardDefeatedRules, CardExploredRules, PassiveAppliedRules
from audit.games.lotr_reveal.event_rules.responses import RESPONSES
from audit.games.lotr_reveal.event_rules.reveal_ended import END, RevealEndedRules, StepEnteredRules, WindowPassedRules
from audit.games.lotr_reveal.event_rules.table import AT_THE_TABLE
from audit.games.lotr_reveal.event_rules.when_revealed import WhenRevealedResolvedRules
from audit.games.lotr_reveal.events import KeywordResolved, PlacementStarted, RevealEnded, RevealStarted
from audit.games.lotr_reveal.lookup import card_of
from audit.games.lotr_reveal.state import State, Task
from audit.games.lotr_reveal.tasks import AUTOMATIC, find_task

RULES: tuple[TaskEventRules[Any], ...] = (
    RevealStartedRules(), PlacementStartedRules(), StepEnteredRules(), WindowPassedRules(), RESPONSES,
    CardCancelledRules(), PassiveAppliedRules(), CardDefeatedRules(), CardExploredRules(), OutcomeEffectResolvedRules(),
    KeywordResolvedRules(), SurgeArmedRules(), WhenRevealedResolvedRules(), CardMovedRules(), EnterPlayEffectRules(),
    ForcedResolvedRules(), ThreatChangedRules(), RevealEndedRules(), *AT_THE_TABLE,
)  # fmt: skip

EVENT_RULES: Mapping[type[Event], EventRules[State, Any]] = {rules.event: by_name(rules) for rules in RULES}

_ONLY_WHERE_DUE = frozenset((RevealStarted, PlacementStarted, RevealEnded, KeywordResolved))


def comes_only_where_due(event: Event) -> bool:
    """Whether the event is not legal as long as something else follows by itself, whatever a text may ask for."""
    return type(event) in _ONLY_WHERE_DUE and getattr(event, "cause", None) != "effect"


def only_due(state: State) -> Expectation[State] | None:
    """What follows by itself where nothing else has to come, as in most positions that a log leaves out."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or state.replacement or not frame.seq or state.deck == ():
        return None
    if card_of(state, frame.card).type is None or (frame.possible and find_task(frame, "unknown")):
        return None
    tasks = frame.tasks
    if not tasks:
        return END
    is_alone = tasks[0].kind in AUTOMATIC and (len(tasks) == 1 or tasks[0].step < tasks[1].step)
    return _due_alone(tasks[0]) if is_alone else None


@lru_cache(maxsize=1024)
def _due_alone(task: Task) -> Expectation[State]:
    rules = next(rules for rules in RULES if rules.fulfils(task))
    return TaskExpectation(rules, task, Obligation.REQUIRED)
