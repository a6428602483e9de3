"""The rules of each event type, in the order of the documentation."""

from __future__ import annotations

from audit.games.altered.event_rules import (
    afternoon,
    days,
    effects,
    ending,
    expeditions,
    morning,
    night,
    objects,
    reactions,
    setup,
    tumult,
    turns,
)

EVENT_RULES = (
    setup.GameConfiguredRules(), setup.DeckRegisteredRules(), setup.TeamFormedRules(), setup.SeatedRules(),
    setup.FirstPlayerDrawnRules(), setup.BoardPlacedRules(), setup.ExpeditionsFacedRules(),
    setup.CommunicationAgreedRules(), days.DayStartedRules(), days.PhaseStartedRules(), days.DailyEffectStartedRules(),
    days.DailyEffectEndedRules(), morning.FirstPlayerPassedRules(), morning.ObjectsReadiedRules(),
    morning.CardsDrawnRules(), morning.ManaPlacedRules(), morning.ManaDeclinedRules(),
    afternoon.QuickActionPlayedRules(), afternoon.CardPlayedRules(), turns.PlayerPassedRules(),
    effects.EffectStartedRules(), effects.InternalActionPlayedRules(), effects.EffectEndedRules(),
    reactions.ReactionCheckRules(), reactions.ReactionActivatedRules(), reactions.ReactionPlayedRules(),
    objects.ObjectLeftRules(), expeditions.ExpeditionTotalsRules(), expeditions.ExpeditionAdvancedRules(),
    tumult.TumultRevealedRules(), tumult.TumultEffectResolvedRules(), night.CharacterRestedRules(),
    night.CleanupChoiceRules(), night.CleanupDiscardedRules(), ending.MeetingDetectedRules(),
    ending.TiebreakStartedRules(), ending.PlayerLeftRules(), expeditions.ArenaTotalsRules(),
    ending.WinnerDeclaredRules(), effects.FirstPlayerEffectUsedRules(), effects.HandShownRules(),
    effects.TargetChosenRules(), effects.CardSacrificedRules(), objects.BoostsChangedRules(),
    objects.StatusGainedRules(), objects.StatusLostRules(), effects.TokenCreatedRules(),
)  # fmt: skip
