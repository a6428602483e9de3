"""Effects: their beginning and end, the actions inside them, and what they do at any time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation, Violation
from audit.games.altered.carrying_out import (
    by_itself,
    carried_on,
    carried_out,
    is_resolving,
    not_by_text,
    text_under_way,
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
from audit.games.altered.event_rules.night import CharacterRestedRules
from audit.games.altered.events import (
    CardSacrificed,
    CharacterRested,
    EffectEnded,
    EffectStarted,
    FirstPlayerEffectUsed,
    HandShown,
    InternalActionPlayed,
    ObjectLeft,
    TargetChosen,
    TokenCreated,
)
from audit.games.altered.moments import with_arrival
from audit.games.altered.places import (
    are_open_zones_known,
    character,
    in_expedition,
    in_expeditions,
    on_the_field,
    owner_of,
    split_place,
    zones_of,
)
from audit.games.altered.rules import (
    day_overview,
    free_for_all,
    multiplayer,
    reaction_check,
    reactions,
    timing_of_play,
    two_against_two,
)
from audit.games.altered.seats import is_mate, opponents
from audit.games.altered.state import EXPEDITIONS, UNKNOWN, Character, Deed, DeedKind, Effect, State
from audit.games.altered.texts import Targets, deeds, is_fleeting, targets_of
from audit.games.altered.unread import has_known_text, is_late, of_effect, told, touched, untold
from audit.games.altered.zones import (
    COMPANION_ZONE,
    HERO_ZONE,
    OPEN_ZONES,
    TOKEN_ZONES,
    characters_changed,
    less,
    put,
    sides_with,
    taken_from,
    taken_out,
    without,
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
        effect = Effect(event.player, event.source, seq=event.seq, deeds=to_do)
        after = replace(state, open_effects=(*state.open_effects, effect))
        return untold(after, event.player, event.seq, event.effect) if event.effect else after


def _to_do(state: State, event: EffectStarted) -> tuple[Deed, ...] | None:
    """What the effect does: as the text of what was played says, else as the log words it."""
    played = state.moment.resolving
    if played and played.deeds and not state.open_effects and event.source in played.names:
        return played.deeds
    return deeds(event.effect)


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
        effects = state.open_effects or (Effect(event.player, event.within, seq=event.seq),)
        after = replace(state, open_effects=(*effects[:-1], replace(effects[-1], has_internal_action=True)))
        return untold(after, event.player, event.seq, event.action)


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
    """An effect moves an object, or Rest and Cleanup do; whatever it has in Limbo is played all the same."""

    event = ObjectLeft
    names_cards = True
    hides_cards = True
    may_be_unchecked = True
    rules: Citations = (reactions.SOURCE_MAY_BE_GONE,)
    at_any_time = True

    def criteria(self, state: State, event: ObjectLeft) -> Failures:
        if not _may_leave(state, event):
            yield from blocked_by(state)
            yield fails(timing_of_play.INTERNAL_ACTIONS, "object.no_effect", {"card": event.object})
        if _is_by_text(state, event):
            yield from not_by_text(state, _kind(event.to), "")
        if missing := self.missing(state, event):
            yield missing
        if rested := _rested(state, event):
            yield from REST.criteria(state, rested)

    def unread(self, state: State, event: ObjectLeft) -> Failures:
        if rested := _rested(state, event):
            return REST.unread(state, rested)
        if event.from_ == "limbo":
            is_usual = event.to == end_of_spell(state, event.object)
            return () if is_usual else (fails(timing_of_play.INTERNAL_ACTIONS, "unread.spell", {"card": event.object}),)
        if _is_cost(state, event) or state.daily_effect == "cleanup":
            return ()
        return unread_text(state) if _is_by_text(state, event) else of_effect(state)

    def missing(self, state: State, event: ObjectLeft) -> Violation | None:
        """The violation if the object is not in the open zone that it leaves, as far as zones are known."""
        if event.from_ not in OPEN_ZONES or state.untold:
            return None
        places = zones_of(state, event.object)
        is_elsewhere = event.from_ not in [zone for _, zone in places] if places else are_open_zones_known(state)
        data = {"card": event.object, "zone": event.from_}
        return fails(reactions.SOURCE_MAY_BE_GONE, "object.missing", data) if is_elsewhere else None

    def happen(self, state: State, event: ObjectLeft) -> State:
        """An object is in another zone; its statuses are those it comes with."""
        card, owner = event.object, _owner(state, event)
        found = in_expedition(state, card)
        arrived = found[2] if found else character(state.game, card)
        if found and not {event.from_, event.to} <= {HERO_ZONE, COMPANION_ZONE}:
            arrived = character(state.game, card, found[2].origin)
        taken = replace(state, sides=sides_with(state, owner, lambda side: taken_out(side, event.from_, card)))
        keeper = owner if event.to in TOKEN_ZONES else owner_of(state, owner, card)
        sides = sides_with(taken, keeper, lambda side: put(side, event.to, arrived))
        moment = with_arrival(state, event, card) if event.to in OPEN_ZONES else state.moment
        parts_left = without(state.parts_left, card) if state.daily_effect == "rest" else state.parts_left
        is_there = event.to in TOKEN_ZONES
        departures = without_departure(state, card) if is_there else {**state.departures, card: event.seq}
        owners = state.owners if is_there else without_owner(state, card)
        spells = less(state.spells_from_reserve, card) if event.from_ == "limbo" else state.spells_from_reserve
        after = replace(
            state, sides=sides, moment=moment, departures=departures, parts_left=parts_left, owners=owners,
            spells_from_reserve=spells,
        )  # fmt: skip
        kind = _kind(event.to)
        return told(carried_out(after, kind) if kind and _is_by_text(state, event) else after)


def _is_by_text(state: State, event: ObjectLeft) -> bool:
    """Whether only a text can move the object: not Rest or Cleanup, no Spell that is done, no card paid as a cost."""
    return not (state.daily_effect in ("rest", "cleanup") or event.from_ == "limbo" or _is_cost(state, event))


def _is_cost(state: State, event: ObjectLeft) -> bool:
    """Whether a quick action from the Reserve is paid for by discarding its card, before or after what it does."""
    played = state.moment.resolving
    is_source = played is not None and event.object in played.names and state.moment.reason == "after_quick_action"
    return is_source and (event.from_, event.to) == ("reserve", "discard")


def end_of_spell(state: State, card: str) -> str | None:
    """Where a Spell goes when it is done; None where its text is not known, which may say otherwise.

    The document does not say so. By the public glossary (2.4.6.d to f) it goes to the Reserve, and a Fleeting one, or
    one played from the Reserve, to the discard pile.
    """
    known = state.game.abilities.get(card)
    if known is None:
        return None
    traits = (*known, *state.game.statuses.get(card, ()))
    return "discard" if card in state.spells_from_reserve or is_fleeting(traits) else "reserve"


def _kind(zone: str) -> DeedKind | None:
    """What a text does with a card that it brings to that zone."""
    return _KINDS.get(zone)


_KINDS: dict[str, DeedKind] = {"reserve": "reserve", "discard": "discard", "hand": "hand"}


def _may_leave(state: State, event: ObjectLeft) -> bool:
    """Whether an effect, Rest or Cleanup can move the object now; a Spell leaves Limbo by itself."""
    if state.daily_effect in ("rest", "cleanup"):
        return True
    return is_resolving(state) or is_late(state) or event.from_ == "limbo"


REST = CharacterRestedRules()


def _rested(state: State, event: ObjectLeft) -> CharacterRested | None:
    """The same told as Rest, if that is what moves the object."""
    found = in_expedition(state, event.object) if state.daily_effect == "rest" else None
    if found is None or event.to not in ("reserve", "discard") or state.open_effects:
        return None
    return CharacterRested(seq=event.seq, note=event.note, player=found[0], card=event.object, to=event.to)


def _acting(state: State) -> str:
    """Whose effect is carried out."""
    played = state.moment.resolving
    return state.open_effects[-1].player if state.open_effects else played.player if played else state.turn_of or ""


def _owner(state: State, event: ObjectLeft) -> str:
    """Whose object it is: whoever has it in that zone, else in another, else whose effect is carried out."""
    acting = _acting(state)
    places = [] if event.object.startswith(UNKNOWN) else zones_of(state, event.object)
    there = [seat for seat, zone in places if zone == event.from_] or [seat for seat, _ in places]
    return acting if acting in there or not there else there[0]


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
        if text_under_way(state) or not targets & in_expeditions(state.sides):
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
        if state.game.mode == "duel" and not text_under_way(state):
            yield fails(timing_of_play.INTERNAL_ACTIONS, "unread.duel")

    def citations(self, state: State, event: CardSacrificed) -> Citations:
        return (timing_of_play.INTERNAL_ACTIONS,) if state.game.mode == "duel" else self.rules

    def criteria(self, state: State, event: CardSacrificed) -> Failures:
        yield from not_by_text(state, "discard", event.player)
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
        return told(carried_out(replace(state, sides=sides, departures=departures, owners=owners), "discard"))


class TokenCreatedRules(AlteredEventRules[TokenCreated]):
    """An effect may put a token even where no card can be played."""

    event = TokenCreated
    may_be_unchecked = True
    rules: Citations = (two_against_two.TOKENS_BY_EFFECT,)
    at_any_time = True

    def criteria(self, state: State, event: TokenCreated) -> Failures:
        if not (is_resolving(state) or is_late(state) or by_itself(state, event.source, "zones")):
            yield fails(self.citations(state, event)[0], "token.no_effect", {"card": event.token})
        yield from not_by_text(state, "token", event.player, source=event.source)

    def unread(self, state: State, event: TokenCreated) -> Failures:
        return unread_text(state, event.source) or by_itself(state, event.source, "zones")

    def citations(self, state: State, event: TokenCreated) -> Citations:
        return (timing_of_play.INTERNAL_ACTIONS,) if state.game.mode == "duel" else self.rules

    def happen(self, state: State, event: TokenCreated) -> State:
        token = event.token
        arrived = character(state.game, token, "token")
        sides = sides_with(state, event.to_owner, lambda side: put(side, event.to_zone, arrived))
        moment, departures = with_arrival(state, event, token), without_departure(state, token)
        after = told(carried_out(replace(state, sides=sides, moment=moment, departures=departures), "token"))
        return after if has_known_text(state.game, token) else touched(after, event.seq)
