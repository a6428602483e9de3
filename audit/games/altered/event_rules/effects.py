"""Effects: their beginning and end, the actions inside them, and what they do at any time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation
from audit.games.altered.carrying_out import (
    by_itself,
    carried_on,
    carried_out,
    is_accounted_for,
    is_resolving,
    is_text_read,
    not_by_text,
    shared_out,
    unread_text,
)
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    Due,
    Failures,
    blocked_by,
    by_mode,
    fails,
)
from audit.games.altered.events import (
    CardSacrificed,
    EffectEnded,
    EffectStarted,
    FirstPlayerEffectUsed,
    HandShown,
    InternalActionPlayed,
    TargetChosen,
    TokenCreated,
)
from audit.games.altered.places import (
    character,
    in_expedition,
    in_expeditions,
    on_the_field,
    owner_of,
    split_place,
)
from audit.games.altered.rules import (
    day_overview,
    free_for_all,
    multiplayer,
    reaction_check,
    timing_of_play,
    two_against_two,
)
from audit.games.altered.seats import is_mate, opponents
from audit.games.altered.state import EXPEDITIONS, Character, Deed, Done, Effect, Resolving, State
from audit.games.altered.texts import Targets, deeds, targets_of
from audit.games.altered.triggers import with_arrival
from audit.games.altered.unread import has_known_text, told, touched, untold
from audit.games.altered.zones import (
    characters_changed,
    put,
    sides_with,
    taken_from,
    with_owner,
    without_departure,
    without_owner,
)


class EffectStartedRules(AlteredEventRules[EffectStarted]):
    """The effect of what was played begins."""

    event = EffectStarted
    rules: Citations = (timing_of_play.INTERNAL_ACTIONS,)
    at_any_time = True

    def criteria(self, state: State, event: EffectStarted) -> Failures:
        if state.limbo and not state.daily_effect and not is_resolving(state, event.source):
            return blocked_by(state)
        return ()

    def happen(self, state: State, event: EffectStarted) -> State:
        to_do = _to_do(state, event)
        if to_do is not None:
            state = carried_on(state, event.source)
        effect = Effect(event.player, event.source, seq=event.seq, deeds=to_do, text=event.effect)
        after = replace(state, open_effects=(*state.open_effects, effect))
        return untold(after, event.player, event.seq, event.effect) if event.effect else after


def _to_do(state: State, event: EffectStarted) -> tuple[Deed, ...] | None:
    """What the effect does: as the text of what was played says, else as the log words it."""
    played = state.moment.resolving
    if played and played.deeds and not state.open_effects and event.source in played.names:
        return played.deeds
    return shared_out(state, event.player, deeds(event.effect))


class InternalActionPlayedRules(AlteredEventRules[InternalActionPlayed]):
    """An action inside an effect, by whoever resolves it."""

    event = InternalActionPlayed
    rules: Citations = (
        timing_of_play.INTERNAL_ACTIONS,
        reaction_check.NOT_AFTER_INTERNAL_ACTION,
        timing_of_play.KINDS_OF_PLAY,
    )
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
        effects = state.open_effects or (_begun_within(state, event),)
        if effects[-1].deeds is not None:
            state = carried_on(state, event.within) if not state.open_effects else state
        after = replace(state, open_effects=(*effects[:-1], replace(effects[-1], has_internal_action=True)))
        return untold(after, event.player, event.seq, event.action) if effects[-1].deeds is None else after


def _begun_within(state: State, event: InternalActionPlayed) -> Effect:
    """The effect of what was played, of which the log does not tell the beginning."""
    played = state.moment.resolving
    to_do = played.deeds if played and event.within in played.names else None
    return Effect(event.player, event.within, seq=event.seq, deeds=to_do)


class EffectEndedRules(AlteredEventRules[EffectEnded]):
    """The effect is complete."""

    event = EffectEnded
    rules: Citations = (timing_of_play.INTERNAL_ACTIONS,)
    obligation = Obligation.MARKER
    at_any_time = True

    def __init__(self) -> None:
        super().__init__()
        self.allowed = self.due_as(Obligation.OPTIONAL)

    def when_due(self, state: State) -> tuple[Due, ...]:
        """Where an action inside it was told, its end is, as long as not all is told that it does."""
        newest = state.open_effects[-1]
        return (self.allowed,) if newest.has_internal_action and newest.deeds != () else (self.due,)

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
        if not state.open_effects:
            return state
        ended, moment = state.open_effects[-1], state.moment
        if ended.deeds != ():
            told = Resolving(ended.player, (ended.source,), ended.seq, ended.deeds, ended.text)
            moment = replace(moment, earlier=(*moment.earlier, told))
        return replace(state, open_effects=state.open_effects[:-1], moment=moment)


class FirstPlayerEffectUsedRules(AlteredEventRules[FirstPlayerEffectUsed]):
    """An effect for the first player: the holder of the token, in teams also the team-mate."""

    event = FirstPlayerEffectUsed
    rules: Citations = (day_overview.FIRST_TURN,)
    at_any_time = True

    def criteria(self, state: State, event: FirstPlayerEffectUsed) -> Failures:
        first = state.first_player
        if first not in (None, event.player) and not is_mate(state, event.player, first or ""):
            yield fails(self.citations(state, event)[0], "first.other", {"player": first})

    def citations(self, state: State, event: FirstPlayerEffectUsed) -> Citations:
        rule = by_mode(
            state, day_overview.FIRST_TURN, free_for_all.FIRST_PLAYER_EFFECTS, two_against_two.FIRST_PLAYER_EFFECTS
        )
        return (rule,)


class HandShownRules(AlteredEventRules[HandShown]):
    """With more than two players nobody may show a hand; of a duel the rules say nothing."""

    event = HandShown
    rules: Citations = (multiplayer.MODES,)
    at_any_time = True
    may_be_unchecked = True

    def criteria(self, state: State, event: HandShown) -> Failures:
        if state.game.mode == "duel":
            return
        mate = is_mate(state, event.player, event.to)
        rule = two_against_two.HAND_SECRET if mate else free_for_all.HAND_SECRET
        yield fails(rule, "hand.secret", {"player": event.player, "other": event.to})

    def unread(self, state: State, event: HandShown) -> Failures:
        yield fails(multiplayer.MODES, "unread.duel")


class TargetChosenRules(AlteredEventRules[TargetChosen]):
    """What a wording on a card means: one, any, all, or only one's own side."""

    event = TargetChosen
    may_be_unchecked = True
    rules: Citations = (free_for_all.TARGET_ANY,)
    at_any_time = True

    def criteria(self, state: State, event: TargetChosen) -> Failures:
        meant, kind = opponents(state, event.player), targets_of(event.wording)
        rule = _wording_rule(state, kind)
        match kind:
            case "all_opponents" if set(event.targets) != set(meant):
                yield fails(rule, "target.all", {"players": meant})
            case "one_opponent" if len(event.targets) != 1 or event.targets[0] not in meant:
                yield fails(rule, "target.one", {"players": meant})
            case "own":
                yield from _not_own(state, event, rule)
            case "expedition":
                yield from _no_expedition(state, event, rule)
            case "character":
                yield from _no_character(state, event, rule)

    def citations(self, state: State, event: TargetChosen) -> Citations:
        return (_wording_rule(state, targets_of(event.wording)),)

    def unread(self, state: State, event: TargetChosen) -> Failures:
        if targets_of(event.wording) is None:
            yield fails(_wording_rule(state, None), "unread.wording", {"wording": event.wording})

    def happen(self, state: State, event: TargetChosen) -> State:
        """What a text that is not read does to the targets is not known: their stats and statuses are neither."""
        targets = set(event.targets)
        if is_text_read(state) or not targets & in_expeditions(state.sides):
            return state

        def change(one: Character) -> Character:
            return Character(one.id, origin=one.origin, touched_by=event.seq) if one.id in targets else one

        return replace(state, sides=characters_changed(state, change))


def _wording_rule(state: State, kind: Targets | None) -> Rule:
    """The rule about a wording, by mode."""
    if state.game.mode == "duel":
        return timing_of_play.INTERNAL_ACTIONS
    teams = state.game.mode == "2v2"
    match kind:
        case "all_opponents":
            return two_against_two.YOUR_OPPONENT if teams else free_for_all.YOUR_OPPONENT
        case "one_opponent":
            return two_against_two.TARGET_OPPONENT if teams else free_for_all.TARGET_OPPONENT
        case "own":
            return two_against_two.YOUR_SIDE
    return two_against_two.TARGET_ANY if teams else free_for_all.TARGET_ANY


def _no_character(state: State, event: TargetChosen, rule: Rule) -> Failures:
    """That a target is not on the field, as far as its zones are known."""
    there = on_the_field(state.sides)
    is_known = all(None not in (side.hero, side.companion, side.landmarks) for side in state.sides)
    for target in event.targets:
        if is_known and not state.untold and target not in there:
            yield fails(rule, "target.nobody", {"card": target})


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
    may_be_unchecked = True
    rules: Citations = (two_against_two.SACRIFICE_OWN,)
    at_any_time = True

    def unread(self, state: State, event: CardSacrificed) -> Failures:
        if reasons := unread_text(state, Done("discard", event.player)):
            yield from reasons
        elif state.game.mode == "duel" and not is_text_read(state):
            yield fails(timing_of_play.INTERNAL_ACTIONS, "unread.duel")

    def citations(self, state: State, event: CardSacrificed) -> Citations:
        return (timing_of_play.INTERNAL_ACTIONS,) if state.game.mode == "duel" else self.rules

    def criteria(self, state: State, event: CardSacrificed) -> Failures:
        yield from not_by_text(state, Done("discard", event.player))
        if state.game.mode == "duel":
            return
        found = in_expedition(state, event.card)
        controllers = (event.controller, found[0] if found else event.controller)
        if other := next((seat for seat in controllers if seat != event.player), None):
            yield fails(two_against_two.SACRIFICE_OWN, "sacrifice.other", {"player": other})

    def happen(self, state: State, event: CardSacrificed) -> State:
        """The card is in the discard pile of its owner."""
        found = in_expedition(state, event.card)
        gone = found[2] if found else Character(event.card)
        taken = replace(state, sides=sides_with(state, event.controller, lambda side: taken_from(side, event.card)))
        owner = owner_of(state, event.controller, event.card)
        sides = sides_with(taken, owner, lambda side: put(side, "discard", gone))
        departures, owners = {**state.departures, event.card: event.seq}, without_owner(state, event.card)
        after = replace(state, sides=sides, departures=departures, owners=owners)
        return told(carried_out(after, Done("discard", event.player)))


class TokenCreatedRules(AlteredEventRules[TokenCreated]):
    """An effect may put a token even where no card can be played."""

    event = TokenCreated
    may_be_unchecked = True
    rules: Citations = (two_against_two.TOKENS_BY_EFFECT,)
    at_any_time = True

    def criteria(self, state: State, event: TokenCreated) -> Failures:
        if not (is_accounted_for(state, "token") or by_itself(state, event.source, "zones")):
            yield fails(self.citations(state, event)[0], "token.no_effect", {"card": event.token})
        yield from not_by_text(state, self.done(event))

    def done(self, event: TokenCreated) -> Done:
        """What a text is to have done."""
        return Done("token", event.player, source=event.source)

    def unread(self, state: State, event: TokenCreated) -> Failures:
        return unread_text(state, self.done(event), "zones")

    def citations(self, state: State, event: TokenCreated) -> Citations:
        return (timing_of_play.INTERNAL_ACTIONS,) if state.game.mode == "duel" else self.rules

    def happen(self, state: State, event: TokenCreated) -> State:
        token = event.token
        arrived = character(state.game, token, "token")
        sides = sides_with(state, event.to_owner, lambda side: put(side, event.to_zone, arrived))
        moment, departures = with_arrival(state, event, token), without_departure(state, token)
        owners = with_owner(state, token, event.player, event.to_owner)
        there = replace(state, sides=sides, moment=moment, departures=departures, owners=owners)
        after = told(carried_out(there, self.done(event)))
        return after if has_known_text(state.game, token) else touched(after, event.seq)


RULES = (
    EffectStartedRules(),
    InternalActionPlayedRules(),
    EffectEndedRules(),
    FirstPlayerEffectUsedRules(),
    HandShownRules(),
    TargetChosenRules(),
    CardSacrificedRules(),
    TokenCreatedRules(),
)
