"""Effects: their beginning and end, the actions inside them, and what they do at any time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.altered.event_rules.base import AlteredEventRules, Failures, blocked_by, fails, is_resolving
from audit.altered.events import (
    CardSacrificed,
    EffectEnded,
    EffectStarted,
    FirstPlayerEffectUsed,
    HandShown,
    InternalActionPlayed,
    ObjectLeft,
    TargetChosen,
    TokenCreated,
)
from audit.altered.moments import with_arrival
from audit.altered.places import are_open_zones_known, character, in_expedition, in_expeditions, split_place, zone_of
from audit.altered.rules import free_for_all, reaction_check, reactions, timing_of_play, two_against_two
from audit.altered.seats import is_mate, opponents
from audit.altered.state import EXPEDITIONS, Character, Effect, State
from audit.altered.zones import OPEN_ZONES, characters_changed, put, sides_with, taken_from, without_departure
from audit.catalogue import Rule
from audit.event_rules import Citations, Expectation, Obligation, Violation


class EffectStartedRules(AlteredEventRules[EffectStarted]):
    """The effect of what was played begins."""

    event = EffectStarted
    rules = (timing_of_play.INTERNAL_ACTIONS,)
    at_any_time = True

    def criteria(self, state: State, event: EffectStarted) -> Failures:
        if state.limbo and not state.daily_effect and not is_resolving(state, event.source):
            return blocked_by(state)
        return ()

    def happen(self, state: State, event: EffectStarted) -> State:
        return replace(state, open_effects=(*state.open_effects, Effect(event.player, event.source, seq=event.seq)))


class InternalActionPlayedRules(AlteredEventRules[InternalActionPlayed]):
    """An action inside an effect, by whoever resolves it."""

    event = InternalActionPlayed
    rules = (timing_of_play.INTERNAL_ACTIONS, reaction_check.NOT_AFTER_INTERNAL_ACTION, timing_of_play.KINDS_OF_PLAY)
    at_any_time = True

    def criteria(self, state: State, event: InternalActionPlayed) -> Failures:
        top, played = (state.open_effects or (None,))[-1], state.moment.resolving
        is_inside = top.source == event.within if top else is_resolving(state, event.within)
        player = top.player if top else played.player if played else ""
        if not is_inside:
            yield fails(timing_of_play.INTERNAL_ACTIONS, "internal.outside", {"card": event.within})
        elif player not in ("", event.player):
            yield fails(timing_of_play.INTERNAL_ACTIONS, "internal.player", {"player": player})

    def happen(self, state: State, event: InternalActionPlayed) -> State:
        """From now on the effect around it delays reactions."""
        effects = state.open_effects or (Effect(event.player, event.within, seq=event.seq),)
        return replace(state, open_effects=(*effects[:-1], replace(effects[-1], has_internal_action=True)))


class EffectEndedRules(AlteredEventRules[EffectEnded]):
    """The effect is complete."""

    event = EffectEnded
    rules = (timing_of_play.INTERNAL_ACTIONS,)
    obligation = Obligation.MARKER
    at_any_time = True

    def __init__(self) -> None:
        super().__init__()
        self.allowed = self.due_as(Obligation.OPTIONAL)

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if not self.is_due(state):
            return ()
        return (self.allowed,) if state.open_effects[-1].has_internal_action else (self.due,)

    def criteria(self, state: State, event: EffectEnded) -> Failures:
        if not state.open_effects:
            if not is_resolving(state, event.source):
                yield fails(timing_of_play.INTERNAL_ACTIONS, "effect.not_open", {"card": event.source})
        elif (state.open_effects[-1].source, state.open_effects[-1].player) != (event.source, event.player):
            yield fails(timing_of_play.INTERNAL_ACTIONS, "effect.open", {"card": state.open_effects[-1].source})

    def citations(self, state: State, event: EffectEnded) -> Citations:
        deferred = state.open_effects and state.open_effects[-1].has_internal_action
        return (*self.rules, reaction_check.INTERNAL_ACTION_DEFERRED) if deferred else self.rules

    def candidates(self, state: State) -> Iterator[EffectEnded]:
        for effect in state.open_effects[-1:]:
            yield EffectEnded(seq=0, player=effect.player, source=effect.source)

    def happen(self, state: State, event: EffectEnded) -> State:
        return replace(state, open_effects=state.open_effects[:-1])


class ObjectLeftRules(AlteredEventRules[ObjectLeft]):
    """An effect moves an object; whatever it has in Limbo is played all the same."""

    event = ObjectLeft
    rules = (reactions.SOURCE_MAY_BE_GONE,)
    at_any_time = True

    def criteria(self, state: State, event: ObjectLeft) -> Failures:
        if state.limbo and not state.daily_effect and not is_resolving(state):
            yield from blocked_by(state)
        if missing := self.missing(state, event):
            yield missing

    def missing(self, state: State, event: ObjectLeft) -> Violation | None:
        """The violation if the object is not in the open zone that it leaves, as far as zones are known."""
        if event.from_ not in OPEN_ZONES:
            return None
        found = zone_of(state, event.object)
        is_elsewhere = found[1] != event.from_ if found else are_open_zones_known(state)
        data = {"card": event.object, "zone": event.from_}
        return fails(reactions.SOURCE_MAY_BE_GONE, "object.missing", data) if is_elsewhere else None

    def happen(self, state: State, event: ObjectLeft) -> State:
        """An object is in another zone; its statuses are those it comes with."""
        card, sides = event.object, state.sides
        if found := zone_of(state, card):
            state = replace(state, sides=sides_with(state, found[0], lambda side: taken_from(side, card)))
            sides = sides_with(state, found[0], lambda side: put(side, event.to, character(state.game, card)))
        moment = with_arrival(state, event, card) if event.to in OPEN_ZONES else state.moment
        return replace(state, sides=sides, moment=moment, departures={**state.departures, card: event.seq})


class FirstPlayerEffectUsedRules(AlteredEventRules[FirstPlayerEffectUsed]):
    """An effect for the first player: the holder of the token, in teams also the team-mate."""

    event = FirstPlayerEffectUsed
    rules = (free_for_all.FIRST_PLAYER_EFFECTS,)
    at_any_time = True

    def criteria(self, state: State, event: FirstPlayerEffectUsed) -> Failures:
        first = state.first_player
        if first not in (None, event.player) and not is_mate(state, event.player, first or ""):
            yield fails(self.citations(state, event)[0], "first.other", {"player": first})

    def citations(self, state: State, event: FirstPlayerEffectUsed) -> Citations:
        return (two_against_two.FIRST_PLAYER_EFFECTS,) if state.game.mode == "2v2" else self.rules


class HandShownRules(AlteredEventRules[HandShown]):
    """Nobody may show a hand: such an event is never legal."""

    event = HandShown
    rules = (free_for_all.HAND_SECRET,)
    at_any_time = True

    def criteria(self, state: State, event: HandShown) -> Failures:
        mate = is_mate(state, event.player, event.to)
        rule = two_against_two.HAND_SECRET if mate else free_for_all.HAND_SECRET
        yield fails(rule, "hand.secret", {"player": event.player, "other": event.to})


class TargetChosenRules(AlteredEventRules[TargetChosen]):
    """What a wording on a card means: one, any, all, or only one's own side."""

    event = TargetChosen
    rules = (free_for_all.TARGET_ANY,)
    at_any_time = True

    def criteria(self, state: State, event: TargetChosen) -> Failures:
        wording, meant = event.wording.casefold(), opponents(state, event.player)
        rule = _wording_rule(state, wording)
        if "your opponent" in wording:
            if set(event.targets) != set(meant):
                yield fails(rule, "target.all", {"players": meant})
        elif "target opponent" in wording:
            if len(event.targets) != 1 or event.targets[0] not in meant:
                yield fails(rule, "target.one", {"players": meant})
        elif "your expedition" in wording or "you control" in wording:
            yield from _not_own(state, event, rule)
        elif "expedition" in wording:
            yield from _no_expedition(state, event, rule)

    def citations(self, state: State, event: TargetChosen) -> Citations:
        return (_wording_rule(state, event.wording.casefold()),)

    def happen(self, state: State, event: TargetChosen) -> State:
        """The effect may have changed the targets: stats and statuses of these Characters are unknown from now on."""
        targets = set(event.targets)
        if not targets & in_expeditions(state.sides):
            return state
        return replace(
            state, sides=characters_changed(state, lambda one: Character(one.id) if one.id in targets else one)
        )


def _wording_rule(state: State, wording: str) -> Rule:
    """The rule about a wording, by mode."""
    teams = state.game.mode == "2v2"
    if "your opponent" in wording:
        return two_against_two.YOUR_OPPONENT if teams else free_for_all.YOUR_OPPONENT
    if "target opponent" in wording:
        return two_against_two.TARGET_OPPONENT if teams else free_for_all.TARGET_OPPONENT
    if "your expedition" in wording or "you control" in wording:
        return two_against_two.YOUR_SIDE
    return two_against_two.TARGET_ANY if teams else free_for_all.TARGET_ANY


def _not_own(state: State, event: TargetChosen, rule: Rule) -> Failures:
    for target in event.targets:
        found = in_expedition(state, target)
        owner = found[0] if found else split_place(target)[0]
        if owner in state.seats and owner != event.player:
            yield fails(rule, "target.own", {"player": owner})


def _no_expedition(state: State, event: TargetChosen, rule: Rule) -> Failures:
    for target in event.targets:
        seat, name = split_place(target)
        if state.still_in and (seat not in state.still_in or name not in EXPEDITIONS):
            yield fails(rule, "target.nowhere", {"place": target})


class CardSacrificedRules(AlteredEventRules[CardSacrificed]):
    """A player sacrifices only cards that they control."""

    event = CardSacrificed
    rules = (two_against_two.SACRIFICE_OWN,)
    at_any_time = True

    def criteria(self, state: State, event: CardSacrificed) -> Failures:
        found = in_expedition(state, event.card)
        controllers = (event.controller, found[0] if found else event.controller)
        if other := next((seat for seat in controllers if seat != event.player), None):
            yield fails(two_against_two.SACRIFICE_OWN, "sacrifice.other", {"player": other})

    def happen(self, state: State, event: CardSacrificed) -> State:
        """The card is in the discard of its controller."""
        side = taken_from(state.side(event.controller), event.card)
        side = replace(side, discard=(*side.discard, event.card))
        sides = sides_with(state, event.controller, lambda _: side)
        return replace(state, sides=sides, departures={**state.departures, event.card: event.seq})


class TokenCreatedRules(AlteredEventRules[TokenCreated]):
    """An effect may put a token even where no card can be played."""

    event = TokenCreated
    rules = (two_against_two.TOKENS_BY_EFFECT,)
    at_any_time = True

    def criteria(self, state: State, event: TokenCreated) -> Failures:
        if not is_resolving(state):
            yield fails(two_against_two.TOKENS_BY_EFFECT, "token.no_effect", {"card": event.token})

    def happen(self, state: State, event: TokenCreated) -> State:
        token = event.token
        sides = sides_with(state, event.to_owner, lambda side: put(side, event.to_zone, character(state.game, token)))
        moment, departures = with_arrival(state, event, token), without_departure(state, token)
        return replace(state, sides=sides, moment=moment, departures=departures)
