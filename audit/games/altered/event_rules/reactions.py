"""Reactions: they are triggered, wait as emblems in Limbo, and are played at the next check."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation
from audit.games.altered.carrying_out import shared_out
from audit.games.altered.event_rules.base import AlteredEventRules, ChoiceRules, Failures, blocked_by_effect, fails
from audit.games.altered.events import ReactionActivated, ReactionCheck, ReactionPlayed
from audit.games.altered.game_data import Trigger
from audit.games.altered.places import are_open_zones_known, is_on_the_field, waiting_emblem
from audit.games.altered.rules import day_overview, day_structure, phases, reaction_check, reactions, timing_of_play
from audit.games.altered.seats import initiative
from audit.games.altered.state import MAX_USES_A_DAY, Emblem, Resolving, State
from audit.games.altered.texts import deeds
from audit.games.altered.triggers import begun, effect_told
from audit.games.altered.unread import are_reactions_told, untold


class ReactionCheckRules(AlteredEventRules[ReactionCheck]):
    """Reactions are checked at named moments, and never inside an effect."""

    event = ReactionCheck
    rules: Citations = (reaction_check.AFTER_STEP,)
    at_any_time = True
    is_marker = True

    def criteria(self, state: State, event: ReactionCheck) -> Failures:
        if state.open_effects:
            top = state.open_effects[-1]
            inside = top.has_internal_action
            rule = reaction_check.NOT_AFTER_INTERNAL_ACTION if inside else timing_of_play.INTERNAL_ACTIONS
            yield fails(rule, "effect.open", {"card": top.source})
        if state.daily_effect:
            yield fails(reaction_check.AFTER_STEP, "limbo.during_effect", {"effect": state.daily_effect})
        elif state.moment.reason != event.reason and state.last_seq:
            yield from (fails(rule, "check.moment") for rule in _CHECKS[event.reason])
        if event.reason == "phase_start":
            for emblem in state.limbo:
                if 0 < emblem.trigger_seq < state.progress.seq:
                    yield fails(day_structure.ONLY_PHASE_START_TRIGGERS, "check.older", {"card": emblem.id})

    def citations(self, state: State, event: ReactionCheck) -> Citations:
        return _CHECKS[event.reason]


_CHECKS: dict[str, Citations] = {
    "phase_start": (
        reaction_check.AT_PHASE_START, day_structure.CHECK_AT_PHASE_START, day_structure.ONLY_PHASE_START_TRIGGERS,
    ),
    "after_daily_effect": (reaction_check.AFTER_STEP, day_structure.CHECK_AFTER_DAILY_EFFECT),
    "after_card": (reaction_check.AFTER_PLAY,),
    "after_quick_action": (reaction_check.AFTER_PLAY,),
    "after_pass": (reaction_check.AFTER_PLAY,),
    "after_reaction": (reaction_check.AFTER_REACTION, reaction_check.CHECK_AGAIN),
}  # fmt: skip


class ReactionActivatedRules(AlteredEventRules[ReactionActivated]):
    """A trigger is met by something that has just happened, and its source was there before."""

    event = ReactionActivated
    may_be_unchecked = True
    rules: Citations = (reactions.CREATES_EMBLEM, reactions.ACTIVATION)
    at_any_time = True

    def criteria(self, state: State, event: ReactionActivated) -> Failures:
        yield from _not_there_before(state, event)
        name = _name_of(event)
        set_off = [one.seq for one in state.triggered if one.reaction == name]
        is_now = state.moment.triggers_from <= event.trigger_seq <= state.last_seq
        if not is_now and all(seq > 0 for seq in set_off):
            yield from _not_at_this_moment(state, event)
        known, trigger = state.game.reactions.get(name), state.game.triggers.get(name)
        if known and known.controller != event.controller:
            yield fails(reactions.CREATES_EMBLEM, "trigger.controller", {"player": known.controller})
        if _greets_itself(state, event, trigger):
            yield fails(reactions.EXISTS_BEFORE_TRIGGER, "trigger.own", {"card": event.source})
        elif trigger and trigger.is_read and not set_off and not _may_have_been_there(state, event):
            yield fails(reactions.CREATES_EMBLEM, "trigger.none", {"card": event.source})
        if state.activations.get(name, 0) >= MAX_USES_A_DAY:
            yield fails(reactions.ACTIVATIONS_A_DAY, "trigger.limit", {"n": MAX_USES_A_DAY})

    def unread(self, state: State, event: ReactionActivated) -> Failures:
        name, data = _name_of(event), {"card": event.source}
        trigger = state.game.triggers.get(name)
        if trigger is None or not trigger.is_read:
            return (fails(reactions.CREATES_EMBLEM, "unread.trigger", data),)
        is_set_off = any(one.reaction == name for one in state.triggered)
        return () if is_set_off else (fails(reactions.CREATES_EMBLEM, "unread.place", data),)

    def citations(self, state: State, event: ReactionActivated) -> Citations:
        found = [*self.rules, reactions.EXISTS_BEFORE_TRIGGER, reactions.ACTIVATIONS_A_DAY]
        moment = state.moment
        if moment.arrivals.get(event.source) == event.trigger_seq:
            found.append(reactions.OWN_ARRIVAL)
        if moment.reason == "after_daily_effect":
            found.append(day_structure.LIMBO_AFTER_DAILY_EFFECT)
        if moment.reason == "phase_start":
            found.append(day_structure.ONLY_PHASE_START_TRIGGERS)
        if state.phase == "noon":
            found += [day_overview.NOON, phases.NOON_ABILITIES]
        if event.trigger_seq in [emblem.trigger_seq for emblem in state.limbo]:
            found.append(reaction_check.SAME_TIME)
        if moment.reason == "after_reaction":
            found.append(reaction_check.NEW_REACTIONS)
        return tuple(found)

    def candidates(self, state: State) -> Iterator[ReactionActivated]:
        for one in state.triggered[:1]:
            known, (source, _, name) = state.game.reactions[one.reaction], one.reaction.partition(":")
            emblem = f"{source}.{name}.{state.day}.{state.activations.get(one.reaction, 0) + 1}"
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=one.seq if one.seq > 0 else max(1, state.last_seq), emblem=emblem,
            )  # fmt: skip

    def happen(self, state: State, event: ReactionActivated) -> State:
        """An emblem waits in Limbo."""
        name = _name_of(event)
        emblem = Emblem(
            event.emblem, event.controller, event.source, event.trigger_seq, event.seq,
            follows_reaction=state.moment.reason == "after_reaction", is_named=event.seq > 0, reaction=name,
        )  # fmt: skip
        set_off = [one for one in state.triggered if one.reaction == name]
        exactly = [one for one in set_off if one.seq == event.trigger_seq]
        done = next(iter(exactly or set_off), None)
        return replace(
            state,
            triggered=tuple([one for one in state.triggered if one is not done]),
            limbo=(*state.limbo, emblem),
            activations={**state.activations, name: state.activations.get(name, 0) + 1},
        )


def _greets_itself(state: State, event: ReactionActivated, trigger: Trigger | None) -> bool:
    """Whether the arrival of its own source sets off a reaction that is not said to be about just that."""
    if trigger is None or not trigger.is_read or trigger.who not in ("you", "opponent"):
        return False
    return state.moment.arrivals.get(event.source) == event.trigger_seq


def _may_have_been_there(state: State, event: ReactionActivated) -> bool:
    """Whether the source may have been where its reaction works, or has just left in another way than `on` says."""
    if event.trigger_seq in (state.departures.get(event.source), state.moment.arrivals.get(event.source)):
        return True
    if is_on_the_field(state.sides, event.source) or event.source not in state.game.costs:
        return False
    return bool(state.untold) or not are_open_zones_known(state)


def _name_of(event: ReactionActivated) -> str:
    return f"{event.source}:{event.reaction}"


def _not_at_this_moment(state: State, event: ReactionActivated) -> Failures:
    data = {"seq": event.trigger_seq}
    if event.trigger_seq > state.last_seq:
        yield fails(reactions.ACTIVATION, "trigger.ahead", data)
    if event.trigger_seq < state.moment.triggers_from:
        at_phase_start = state.moment.reason == "phase_start"
        rule = day_structure.ONLY_PHASE_START_TRIGGERS if at_phase_start else reactions.CREATES_EMBLEM
        yield fails(rule, "trigger.past", data)


def _not_there_before(state: State, event: ReactionActivated) -> Failures:
    arrival, departure = state.moment.arrivals.get(event.source), state.departures.get(event.source)
    data = {"card": event.source}
    if arrival is not None and arrival > event.trigger_seq:
        return (fails(reactions.EXISTS_BEFORE_TRIGGER, "trigger.not_yet", data),)
    if arrival is None and departure is not None and departure < event.trigger_seq:
        return (fails(reactions.EXISTS_BEFORE_TRIGGER, "trigger.no_more", data),)
    return ()


class ReactionPlayedRules(ChoiceRules[ReactionPlayed]):
    """The player with the initiative plays one of their emblems; nobody can decline."""

    event = ReactionPlayed
    waits_for_markers = True
    may_be_unchecked = True
    rules: Citations = (reaction_check.INITIATIVE_CHOOSES, timing_of_play.REACTION_OBLIGATORY)

    def criteria(self, state: State, event: ReactionPlayed) -> Failures:
        emblem = waiting_emblem(state, event.emblem, event.player)
        if state.open_effects:
            yield _held_back(state, emblem)
        elif state.daily_effect:
            rule = day_structure.CHECK_AFTER_DAILY_EFFECT
            yield fails(rule, "limbo.during_effect", {"effect": state.daily_effect})
        if emblem is None and are_reactions_told(state):
            yield _no_such_emblem(event)
            return
        if emblem and emblem.controller != event.player:
            yield fails(reaction_check.INITIATIVE_CHOOSES, "limbo.whose", {"player": emblem.controller})
        first = first_to_react(state)
        if first is not None and first != event.player:
            yield from _not_first(state, first)

    def may_come(self, state: State) -> bool:
        """If it is unknown what waits in Limbo, an emblem may be played from it at any time."""
        return self.is_due(state) or (not are_reactions_told(state) and state.winner is None)

    def unread(self, state: State, event: ReactionPlayed) -> Failures:
        if are_reactions_told(state) or waiting_emblem(state, event.emblem, event.player):
            return ()
        return (fails(reaction_check.INITIATIVE_CHOOSES, "unread.emblem", {"card": event.emblem}),)

    def citations(self, state: State, event: ReactionPlayed) -> Citations:
        return (*_why_now(state, event), *self.rules, timing_of_play.KINDS_OF_PLAY)

    def candidates(self, state: State) -> Iterator[ReactionPlayed]:
        first = first_to_react(state)
        for emblem in state.limbo:
            if emblem.controller == first:
                yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)

    def missing(self, state: State, event: ReactionPlayed) -> Violation | None:
        if not are_reactions_told(state) or waiting_emblem(state, event.emblem, event.player):
            return None
        return _no_such_emblem(event)

    def happen(self, state: State, event: ReactionPlayed) -> State:
        """An emblem leaves Limbo; its effect resolves."""
        emblem = waiting_emblem(state, event.emblem, event.player)
        names = (event.emblem, emblem.source) if emblem and emblem.source else (event.emblem,)
        known = state.game.reactions.get(emblem.reaction) if emblem else None
        text = known.effect if known and known.effect else event.effect or _told_effect(state, emblem)
        resolving = Resolving(event.player, names, event.seq, shared_out(state, event.player, deeds(text)), text)
        moment = begun(state, event, "after_reaction", resolving, reaction_of=event.player)
        limbo = tuple([one for one in state.limbo if one is not emblem])
        after = replace(state, moment=moment, limbo=limbo)
        is_known = not event.effect and emblem is not None and emblem.source in state.game.known_sources
        return after if is_known else untold(after, event.player, event.seq, text)


def _held_back(state: State, emblem: Emblem | None) -> Violation:
    """That the open effect has to be complete first, above all where something within it set the reaction off."""
    newest = state.open_effects[-1]
    if emblem is None or not newest.seq < emblem.trigger_seq:
        return blocked_by_effect(state)
    return fails(reaction_check.INTERNAL_ACTION_DEFERRED, "effect.open", {"card": newest.source})


def _told_effect(state: State, emblem: Emblem | None) -> str:
    """What an emblem does by a text of its source."""
    if emblem is None or not emblem.source:
        return ""
    return effect_told(state.game, emblem.source, emblem.reaction.removeprefix(f"{emblem.source}:"))


def first_to_react(state: State) -> str | None:
    """The first player in initiative order who has a reaction in Limbo."""
    for seat in initiative(state):
        for emblem in state.limbo:
            if emblem.controller == seat:
                return seat
    return None


def _no_such_emblem(event: ReactionPlayed) -> Violation:
    return fails(reaction_check.INITIATIVE_CHOOSES, "limbo.missing", {"card": event.emblem})


def _not_first(state: State, first: str) -> Failures:
    data = {"player": first}
    yield fails(reaction_check.INITIATIVE_FIRST, "limbo.initiative", data)
    if _has_regained_initiative(state, first):
        yield fails(reaction_check.INITIATIVE_REGAINED, "limbo.initiative", data)
    if state.phase == "noon":
        yield fails(phases.NOON_FIRST_PLAYER_FIRST, "limbo.initiative", data)


def _has_regained_initiative(state: State, seat: str) -> bool:
    """Whether a player who comes later in the order has played the last reaction."""
    later, order = state.moment.reaction_of, initiative(state) if state.moment.reaction_of else ()
    return later in order and seat in order and order.index(seat) < order.index(later)


def _why_now(state: State, event: ReactionPlayed) -> Citations:
    emblem = waiting_emblem(state, event.emblem, event.player) or Emblem(event.emblem, event.player)
    own = [one for one in state.limbo if one.controller == event.player]
    found = []
    if emblem.source and state.departures.get(emblem.source):
        found.append(reactions.SOURCE_MAY_BE_GONE)
    if len(own) > 1:
        found.append(reaction_check.SAME_TIME)
    if len(own) < len(state.limbo):
        found.append(reaction_check.INITIATIVE_FIRST)
    if emblem.follows_reaction:
        found.append(reaction_check.NEW_REACTIONS)
    if _has_regained_initiative(state, event.player):
        found.append(reaction_check.INITIATIVE_REGAINED)
    found += _BY_MOMENT.get(state.moment.reason or "", ())
    found += _BY_PHASE.get(state.phase or "", ())
    return tuple(found)


_BY_MOMENT: dict[str, Citations] = {
    "after_daily_effect": (day_structure.LIMBO_AFTER_DAILY_EFFECT, day_structure.CHECK_AFTER_DAILY_EFFECT),
    "after_reaction": (reaction_check.CHECK_AGAIN,),
    "after_card": (reaction_check.AFTER_PLAY, reaction_check.INTERNAL_ACTION_DEFERRED),
    "after_quick_action": (reaction_check.AFTER_PLAY, reaction_check.INTERNAL_ACTION_DEFERRED),
    "after_pass": (reaction_check.AFTER_PLAY,),
    "phase_start": (day_structure.CHECK_AT_PHASE_START,),
}
_BY_PHASE: dict[str, Citations] = {
    "noon": (phases.NOON_ABILITIES, phases.NOON_FIRST_PLAYER_FIRST),
    "dusk": (phases.DUSK_AT_DUSK_FIRST,),
}


RULES = (ReactionCheckRules(), ReactionActivatedRules(), ReactionPlayedRules())
