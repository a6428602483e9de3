"""The rules of each event type of the reveal, in the order of the documentation of the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.core.event_rules import EventRules
from audit.core.model import Event
from audit.games.lotr_reveal.event_rules.base import TaskEventRules
from audit.games.lotr_reveal.event_rules.by_name import by_name
from audit.games.lotr_reveal.event_rules.cancellation import CardCancelledRules
from audit.games.lotr_reveal.event_rules.card_moved import CardMovedRules
from audit.games.lotr_reveal.event_rules.entering import EnterPlayEffectRules
from audit.games.lotr_reveal.event_rules.forced import ForcedResolvedRules
from audit.games.lotr_reveal.event_rules.keywords import KeywordResolvedRules, SurgeArmedRules, ThreatChangedRules
from audit.games.lotr_reveal.event_rules.markers import StepEnteredRules, WindowPassedRules
from audit.games.lotr_reveal.event_rules.openings import PlacementStartedRules, RevealStartedRules
from audit.games.lotr_reveal.event_rules.passives import (
    CardDefeatedRules,
    CardExploredRules,
    OutcomeEffectResolvedRules,
    PassiveAppliedRules,
)
from audit.games.lotr_reveal.event_rules.responses import RESPONSES
from audit.games.lotr_reveal.event_rules.reveal_ended import RevealEndedRules
from audit.games.lotr_reveal.event_rules.table import AT_THE_TABLE
from audit.games.lotr_reveal.event_rules.when_revealed import WhenRevealedResolvedRules
from audit.games.lotr_reveal.state import State

RULES: tuple[TaskEventRules[Any], ...] = (
    RevealStartedRules(),
    PlacementStartedRules(),
    StepEnteredRules(),
    WindowPassedRules(),
    RESPONSES,
    CardCancelledRules(),
    PassiveAppliedRules(),
    CardDefeatedRules(),
    CardExploredRules(),
    OutcomeEffectResolvedRules(),
    KeywordResolvedRules(),
    SurgeArmedRules(),
    WhenRevealedResolvedRules(),
    CardMovedRules(),
    EnterPlayEffectRules(),
    ForcedResolvedRules(),
    ThreatChangedRules(),
    RevealEndedRules(),
    *AT_THE_TABLE,
)

EVENT_RULES: Mapping[type[Event], EventRules[State, Any]] = {rules.event: by_name(rules) for rules in RULES}
