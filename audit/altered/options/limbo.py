"""Effects, and the reactions that wait for them to be over."""

from __future__ import annotations

from audit.altered.events import (
    EffectEnded,
    EffectStarted,
    InternalActionPlayed,
    ObjectLeft,
    ReactionActivated,
    ReactionCheck,
    ReactionPlayed,
)
from audit.altered.evolve.limbo import activation_of
from audit.altered.options.told import Listed, Offers, Refused, Rules, Told, fails, held_up, is_resolving
from audit.altered.places import everybody_known, zone_of
from audit.altered.rules import day, s1_3_2, s4_2, s4_4, s5_1_1, s6_3
from audit.altered.seats import initiative
from audit.altered.state import MOST_A_DAY, Emblem, State, waiting
from audit.ruleset import Obligation, Violation


def due_player(state: State) -> str | None:
    """The first player in initiative order who has a reaction in Limbo."""
    holders = {emblem.controller for emblem in state.limbo}
    for seat in initiative(state):
        if seat in holders:
            return seat
    return None


class React(Told):
    """The player with the initiative plays one of their emblems; nobody can decline."""

    event = ReactionPlayed
    rules = (s4_4.B, s5_1_1.D)

    def broken(self, state: State, event: ReactionPlayed) -> Refused:
        if state.effects:
            yield from held_up(state)
        elif state.effect:
            yield fails(s4_2.D, "limbo.during_effect", {"effect": state.effect})
        emblem = waiting(state, event.emblem, event.player)
        if emblem is None and state.moment.limbo_known:
            yield _missing(event)
            return
        if emblem and emblem.controller != event.player:
            yield fails(s4_4.B, "limbo.whose", {"player": emblem.controller})
        due = due_player(state)
        if due is not None and due != event.player:
            yield from _not_first(state, event.player, due)

    def citations(self, state: State, event: ReactionPlayed) -> Rules:  # type: ignore[override]
        return (*_why_now(state, event), *self.rules, s5_1_1.A)

    def candidates(self, state: State) -> Offers:
        due = due_player(state)
        for emblem in state.limbo:
            if emblem.controller == due:
                yield ReactionPlayed(seq=0, player=emblem.controller, emblem=emblem.id)


class ReactUntold(React):
    """The same as long as nobody has told what waits in Limbo: an emblem may come out of it at any time."""

    def broken(self, state: State, event: ReactionPlayed) -> Refused:
        if state.moment.limbo_known:
            yield _missing(event)
        else:
            yield from super().broken(state, event)


def not_waiting(state: State, event: ReactionPlayed) -> Violation | None:
    """That no such emblem is in Limbo."""
    if not state.moment.limbo_known or waiting(state, event.emblem, event.player):
        return None
    return _missing(event)


def _missing(event: ReactionPlayed) -> Violation:
    return fails(s4_4.B, "limbo.missing", {"card": event.emblem})


def _not_first(state: State, seat: str, due: str) -> Refused:
    data = {"player": due}
    yield fails(s4_4.C_INITIATIVE_FIRST, "limbo.initiative", data)
    if _is_back(state, due):
        yield fails(s4_4.C_INITIATIVE_REGAINED, "limbo.initiative", data)
    if state.phase == "noon":
        yield fails(day.NOON_FIRST_PLAYER_FIRST, "limbo.initiative", data)


def _is_back(state: State, seat: str) -> bool:
    """Whether the initiative comes back to a player: somebody after them has played the last reaction."""
    later, order = state.moment.later, initiative(state) if state.moment.later else ()
    return later in order and seat in order and order.index(seat) < order.index(later)


def _why_now(state: State, event: ReactionPlayed) -> Rules:
    emblem = waiting(state, event.emblem, event.player) or Emblem(event.emblem, event.player)
    own = [one for one in state.limbo if one.controller == event.player]
    found = []
    if emblem.source and state.gone.get(emblem.source):
        found.append(s6_3.E)
    if len(own) > 1:
        found.append(s4_4.A_SAME_TIME)
    if len(own) < len(state.limbo):
        found.append(s4_4.C_INITIATIVE_FIRST)
    if emblem.after:
        found.append(s4_4.C_NEW_REACTIONS)
    if _is_back(state, event.player):
        found.append(s4_4.C_INITIATIVE_REGAINED)
    found += _MOMENT_CITES.get(state.moment.name or "", ())
    found += _PHASE_CITES.get(state.phase or "", ())
    return tuple(found)


_MOMENT_CITES: dict[str, Rules] = {
    "after_daily_effect": (s4_2.D_LIMBO_CONTENT, s4_2.D),
    "after_reaction": (s4_4.C,),
    "after_card": (s4_4.A_AFTER_PLAY, s4_4.A_INTERNAL_DEFERRED),
    "after_quick_action": (s4_4.A_AFTER_PLAY, s4_4.A_INTERNAL_DEFERRED),
    "after_pass": (s4_4.A_AFTER_PLAY,),
    "phase_start": (s4_2.B,),
}
_PHASE_CITES: dict[str, Rules] = {
    "noon": (day.NOON_ABILITIES, day.NOON_FIRST_PLAYER_FIRST),
    "dusk": (day.DUSK_AT_DUSK_FIRST,),
}


class Activate(Listed):
    """A trigger is met by something that has just happened, and its source was there before."""

    event = ReactionActivated
    rules = (s6_3.B, s6_3.C)

    def broken(self, state: State, event: ReactionActivated) -> Refused:
        yield from _existence(state, event)
        key = activation_of(event)
        set_off = [one for one in state.triggered if one.key == key]
        unsaid = 0 in [one.seq for one in set_off]
        if event.trigger_seq > state.last and not unsaid:
            yield fails(s6_3.C, "trigger.ahead", {"seq": event.trigger_seq})
        if event.trigger_seq < state.moment.since and not unsaid:
            rule = s4_2.B_ONLY_AT_PHASE if state.moment.name == "phase_start" else s6_3.B
            yield fails(rule, "trigger.past", {"seq": event.trigger_seq})
        known = state.box.reactions.get(key)
        if known and known.controller != event.controller:
            yield fails(s6_3.B, "trigger.controller", {"player": known.controller})
        if known and known.on and not set_off:
            yield fails(s6_3.B, "trigger.none", {"card": event.source})
        if state.activations.get(key, 0) >= MOST_A_DAY:
            yield fails(s6_3.F, "trigger.limit", {"n": MOST_A_DAY})

    def citations(self, state: State, event: ReactionActivated) -> Rules:  # type: ignore[override]
        found = [*self.rules, s6_3.D, s6_3.F]
        if state.moment.born.get(event.source) == event.trigger_seq:
            found.append(s6_3.D_ENTERS_VISIBLE)
        if state.moment.name == "after_daily_effect":
            found.append(s4_2.D_LIMBO_CONTENT)
        if state.moment.name == "phase_start":
            found.append(s4_2.B_ONLY_AT_PHASE)
        if state.phase == "noon":
            found += [s1_3_2.C, day.NOON_ABILITIES]
        if event.trigger_seq in [emblem.trigger_seq for emblem in state.limbo]:
            found.append(s4_4.A_SAME_TIME)
        if state.moment.name == "after_reaction":
            found.append(s4_4.C_NEW_REACTIONS)
        return tuple(found)

    def candidates(self, state: State) -> Offers:
        for one in state.triggered[:1]:
            known, (source, _, name) = state.box.reactions[one.key], one.key.partition(":")
            emblem = f"{source}.{name}.{state.day}.{state.activations.get(one.key, 0) + 1}"
            yield ReactionActivated(
                seq=0, reaction=name, source=source, controller=known.controller, trigger=known.trigger,
                trigger_seq=one.seq or max(1, state.last), emblem=emblem,
            )  # fmt: skip


def _existence(state: State, event: ReactionActivated) -> Refused:
    born, gone = state.moment.born.get(event.source), state.gone.get(event.source)
    if born is not None and born > event.trigger_seq:
        return (fails(s6_3.D, "trigger.not_yet", {"card": event.source}),)
    if born is None and gone is not None and gone < event.trigger_seq:
        return (fails(s6_3.D, "trigger.no_more", {"card": event.source}),)
    return ()


class Check(Told):
    """Limbo is looked through at a moment named for it, and never inside an effect."""

    event = ReactionCheck
    rules = (s4_4.A_AFTER_STEP,)
    obligation = Obligation.REDUNDANT

    def broken(self, state: State, event: ReactionCheck) -> Refused:
        if state.effects:
            top = state.effects[-1]
            rule = s4_4.A_NOT_AFTER_INTERNAL if top.internal else s5_1_1.C
            yield fails(rule, "effect.open", {"card": top.source})
        if state.effect:
            yield fails(s4_4.A_AFTER_STEP, "limbo.during_effect", {"effect": state.effect})
        elif state.moment.name != event.reason and state.last:
            yield from (fails(rule, "check.moment") for rule in _CHECKS[event.reason])
        if event.reason == "phase_start":
            for emblem in state.limbo:
                if 0 < emblem.trigger_seq < state.course.seq:
                    yield fails(s4_2.B_ONLY_AT_PHASE, "check.older", {"card": emblem.id})

    def citations(self, state: State, event: ReactionCheck) -> Rules:  # type: ignore[override]
        return _CHECKS[event.reason]


_CHECKS: dict[str, Rules] = {
    "phase_start": (s4_4.A_PHASE_START, s4_2.B, s4_2.B_ONLY_AT_PHASE),
    "after_daily_effect": (s4_4.A_AFTER_STEP, s4_2.D),
    "after_card": (s4_4.A_AFTER_PLAY,),
    "after_quick_action": (s4_4.A_AFTER_PLAY,),
    "after_pass": (s4_4.A_AFTER_PLAY,),
    "after_reaction": (s4_4.A_AFTER_REACTION, s4_4.C),
}


class OpenEffect(Told):
    """The effect of what was played begins."""

    event = EffectStarted
    rules = (s5_1_1.C,)

    def broken(self, state: State, event: EffectStarted) -> Refused:
        if state.limbo and not state.effect and not is_resolving(state, event.source):
            yield from held_up(state, s4_4.B)


class PlayInternal(Told):
    """An action inside an effect, by whoever resolves it."""

    event = InternalActionPlayed
    rules = (s5_1_1.C, s4_4.A_NOT_AFTER_INTERNAL, s5_1_1.A)

    def broken(self, state: State, event: InternalActionPlayed) -> Refused:
        if state.effects:
            top = state.effects[-1]
            if top.source != event.within:
                yield fails(s5_1_1.C, "internal.outside", {"card": event.within})
            elif top.player != event.player:
                yield fails(s5_1_1.C, "internal.player", {"player": top.player})
        elif not is_resolving(state, event.within):
            yield fails(s5_1_1.C, "internal.outside", {"card": event.within})
        elif state.resolving and state.resolving.player not in ("", event.player):
            yield fails(s5_1_1.C, "internal.player", {"player": state.resolving.player})


class CloseEffect(Listed):
    """The effect is complete."""

    event = EffectEnded
    rules = (s5_1_1.C,)
    obligation = Obligation.MARKER

    def broken(self, state: State, event: EffectEnded) -> Refused:
        if not state.effects:
            if not is_resolving(state, event.source):
                yield fails(s5_1_1.C, "effect.not_open", {"card": event.source})
        elif state.effects[-1].source != event.source or state.effects[-1].player != event.player:
            yield fails(s5_1_1.C, "effect.open", {"card": state.effects[-1].source})

    def citations(self, state: State, event: EffectEnded) -> Rules:  # type: ignore[override]
        deferred = state.effects and state.effects[-1].internal
        return (s5_1_1.C, s4_4.A_INTERNAL_DEFERRED) if deferred else self.rules

    def candidates(self, state: State) -> Offers:
        for effect in state.effects[-1:]:
            yield EffectEnded(seq=0, player=effect.player, source=effect.source)


class Leave(Told):
    """An effect moves an object; whatever it has in Limbo is played all the same."""

    event = ObjectLeft
    rules = (s6_3.E,)

    def broken(self, state: State, event: ObjectLeft) -> Refused:
        if state.limbo and not state.effect and not is_resolving(state):
            yield from held_up(state, s4_4.B)
        if missing := not_on_table(state, event.object, event.from_):
            yield missing


def not_on_table(state: State, card: str, zone: str) -> Violation | None:
    """That an object is not in the open zone it is said to leave, as far as that can be told."""
    found = zone_of(state, card)
    is_open = zone in ("reserve", "landmark_zone", "hero_expedition", "companion_expedition")
    wrong = found[1] != zone if found else is_open and everybody_known(state)
    return fails(s6_3.E, "object.missing", {"card": card, "zone": zone}) if wrong and is_open else None


REACT, REACT_UNTOLD = React(), ReactUntold(Obligation.REDUNDANT)
CLOSE, CLOSE_INTERNAL, CLOSE_ECHO = CloseEffect(), CloseEffect(Obligation.OPTIONAL), CloseEffect(Obligation.REDUNDANT)
ACTIVATE = Activate()
CHECK, OPEN = Check(), OpenEffect(Obligation.REDUNDANT)
LIMBO = (
    REACT_UNTOLD,
    Activate(Obligation.REDUNDANT),
    CHECK,
    OPEN,
    PlayInternal(Obligation.REDUNDANT),
    Leave(Obligation.REDUNDANT),
    CLOSE_ECHO,
)
