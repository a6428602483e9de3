"""What the rules of all event types share: how an event is judged, and what may keep it from happening now."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec.structs import force_setattr, replace

from audit.core.catalogue import Rule
from audit.core.event_rules import (
    UNEXPECTED,
    Citations,
    EventRules,
    Expectation,
    Json,
    Obligation,
    Violation,
    Violations,
)
from audit.core.model import Event
from audit.games.altered.agenda import PLAYED_ON, agenda, is_decided
from audit.games.altered.events import ReactionActivated
from audit.games.altered.rules import day_structure, multiplayer, reaction_check, reactions, timing_of_play
from audit.games.altered.seats import members
from audit.games.altered.state import State, copied
from audit.games.altered.triggers import set_off
from audit.games.altered.victory import outcome, played_on, with_all_met
from audit.games.altered.vocabulary import EffectName

E = TypeVar("E", bound=Event)

Failures = Iterable[Violation]


class Due(Expectation[State]):
    """Events of one type that are due; their rules say which, and which one is inferred if the log leaves it out."""

    def __init__(
        self,
        event: type[Event],
        rules: Citations,
        obligation: Obligation,
        candidates: Callable[[State], Iterator[Event]],
        inferred: Callable[[State], Event | None],
        goes_first: Callable[[State, Event], Rule | None],
    ) -> None:
        self.event = event
        self.rules = rules
        self.obligation = obligation
        self._candidates = candidates
        self._inferred = inferred
        self._goes_first = goes_first

    def candidates(self, state: State) -> Iterator[Event]:
        return self._candidates(state)

    def single_candidate(self, state: State) -> Event | None:
        return self._inferred(state)

    def goes_first(self, state: State, event: Event) -> Rule | None:
        return self._goes_first(state, event)


class DueOrDeclined(Due):
    """An event that says that a permission is not used."""

    declines: bool = True


class AlteredEventRules(EventRules[State, E]):
    """The rules of one event type as a list of criteria.

    An event is legal if it fails none of the criteria and its moment has come.
    """

    rules: Citations
    """Why such an event is due, and why it is legal unless `citations` says more."""
    rules_of_duel: Citations = ()
    """The same in a duel, where `rules` are those of other modes."""
    obligation = Obligation.REQUIRED
    at_any_time = False
    """Whether such an event may come at any time if it fails none of the criteria."""

    def __init__(self) -> None:
        self.event_type: type[Event] = self.event
        self.plays_on = self.event in PLAYED_ON
        self.due = self.due_as(self.obligation)
        self.due_in_duel = self.due_as(self.obligation, self.rules_of_duel or self.rules)

    def due_as(self, obligation: Obligation, rules: Citations | None = None) -> Due:
        """What is due of this type, with that obligation."""
        return Due(self.event, rules or self.rules, obligation, self.candidates, self.inferred, self.goes_first)

    def due_now(self, state: State) -> Due:
        """What is due of this type, by the rules of this mode."""
        return self.due_in_duel if state.game.mode == "duel" else self.due

    @abstractmethod
    def criteria(self, state: State, event: E) -> Failures:
        """The criteria that the event fails, the most telling first."""

    def unread(self, state: State, event: E) -> Failures:
        """What a legal event rests on that the ruleset cannot read, with the rule that would decide."""
        return ()

    def unchecked(self, state: State, event: E) -> Violations:
        """Why the ruleset cannot judge an event that fails none of the criteria; () if it can."""
        reasons = tuple(self.unread(state, event))
        return () if not reasons or self.violations(state, event) else reasons

    def candidates(self, state: State) -> Iterator[E]:
        """The events that would do where one is due, with seq 0."""
        return iter(())

    def inferred(self, state: State) -> E | None:
        """The event to infer if the log leaves it out; the first of several, because their order does not matter."""
        return next(self.candidates(state), None)

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """The rule of order by which what is due comes before that other event: nothing reacts to what is to come."""
        is_ahead = isinstance(event, ReactionActivated) and event.trigger_seq >= event.seq
        return reactions.CREATES_EMBLEM if is_ahead else None

    def may_come(self, state: State) -> bool:
        """Whether an event that fails none of the criteria may come now."""
        return state.winner is None if self.at_any_time else self.is_due(state)

    def is_due(self, state: State) -> bool:
        """Whether the agenda has such an event now."""
        return self.event_type in agenda(state)

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return self.when_due(state) if self.is_due(state) else ()

    def when_due(self, state: State) -> tuple[Due, ...]:
        """What of this type may or must come now that the agenda has it."""
        return (self.due_now(state),)

    def violations(self, state: State, event: E) -> Violations:
        failed = tuple(self.criteria(state, event))
        if not failed and self.may_come(state):
            return ()
        if self.plays_on and is_decided(state):
            return game_is_over(state)
        if not failed:
            return UNEXPECTED
        return failed if self.is_due(state) else tuple([replace(one, not_intended=True) for one in failed])

    def accept(self, state: State, event: E) -> Citations | None:
        """Looks for no further criterion once one is failed."""
        for _ in self.criteria(state, event):
            return None
        return self.citations(state, event) if self.may_come(state) else None

    def citations(self, state: State, event: E) -> Citations:
        return self.rules

    def apply(self, state: State, event: E) -> State:
        if self.plays_on and is_decided(state) and self.violations(state, event):
            state = played_on(state)
        after = self.happen(state, event)
        listeners = after.game.listeners.get(self.event_type)
        triggered = set_off(listeners, state, after, event) if listeners else after.triggered
        last_seq = event.seq or state.last_seq
        # Nobody else has the position that `happen` has just made: a second copy of all its fields is not needed.
        after = copied(state) if after is state else after
        force_setattr(after, "last_seq", last_seq)
        if triggered is not after.triggered:
            force_setattr(after, "triggered", triggered)
        return after

    def happen(self, state: State, event: E) -> State:
        """The position after the event alone, without the reactions that it sets off: the same, or one made for it."""
        return state


class ChoiceRules(AlteredEventRules[E]):
    """The rules of an event that somebody decides on: it is never inferred."""

    def inferred(self, state: State) -> E | None:
        return None


def fails(rule: Rule, key: str, data: Json | None = None, *, not_intended: bool = False) -> Violation:
    """A criterion that is not met."""
    return Violation(rule, key, data or {}, not_intended)


def game_is_over(state: State) -> Violations:
    """The violations if the game goes on although somebody has won: who, and by what."""
    told = with_all_met(state)
    found, met = outcome(told), dict(told.meetings)
    side = state.winner or (found.winner if found else None) or ""
    seat = next((one for one in members(state, side) if one in met), None)
    key = "over.won" if seat is None else "over.met"
    return tuple([fails(rule, key, {"player": seat, "side": side}) for rule in (found.rules if found else _WIN)])


_WIN: Citations = (multiplayer.WIN,)


def by_mode(state: State, duel: Rule, ffa: Rule, teams: Rule) -> Rule:
    """The rule for this mode: a duel is judged by no rule of the others."""
    return duel if state.game.mode == "duel" else teams if state.game.mode == "2v2" else ffa


def blocked_by(state: State, rule: Rule = reaction_check.INITIATIVE_CHOOSES) -> Failures:
    """The violations if an open effect, or a reaction in Limbo, has to be over before anything new begins."""
    if state.open_effects:
        return (blocked_by_effect(state),)
    if not state.limbo:
        return ()
    data = {"n": len(state.limbo), "card": state.limbo[0].id}
    return fails(rule, "limbo.waiting", data), fails(timing_of_play.REACTION_OBLIGATORY, "limbo.waiting", data)


def blocked_by_effect(state: State) -> Violation:
    """The violation that the innermost open effect has to be completed first."""
    top = state.open_effects[-1]
    deferred = top.has_internal_action
    rule = reaction_check.INTERNAL_ACTION_DEFERRED if deferred else timing_of_play.INTERNAL_ACTIONS
    return fails(rule, "effect.open", {"card": top.source})


def not_in_daily_effect(state: State, effect: str, key: str, rule: Rule) -> Failures:
    """The violations if this daily effect is not under way, and what blocks it."""
    if state.daily_effect == effect:
        return ()
    before = () if state.daily_effect else blocked_by(state, day_structure.NEXT_DAILY_EFFECT)
    return (*before, fails(rule, key))


def is_by_effect(state: State, effect: EffectName, is_usual: bool = True) -> bool:
    """Whether what this daily effect does is done by another effect now.

    What `is_usual` belongs to the daily effect of the next morning, if nobody has a turn before that and nothing with
    an unknown text has just been played.
    """
    if state.open_effects:
        return state.daily_effect != effect or not is_usual
    if state.daily_effect == effect or state.moment.resolving is None:
        return False
    return _are_turns_left(state) or not is_usual or _has_just_begun(state)


def is_unread_resolving(state: State) -> bool:
    """Whether something with a text that is not known here is being carried out."""
    played = state.moment.resolving
    return played is not None and played.seq == state.newest_text != 0


def may_be_of_morning(state: State, is_usual: bool = True) -> bool:
    """Whether what an effect seems to do may be of the next morning, if the log left out what is between."""
    if not is_usual or state.daily_effect or _are_turns_left(state):
        return False
    return bool(state.open_effects) or _has_just_begun(state)


def _has_just_begun(state: State) -> bool:
    """Whether the last event played something with a text that is not known here."""
    return is_unread_resolving(state) and state.newest_text == state.last_seq


def _are_turns_left(state: State) -> bool:
    return state.phase == "noon" or (state.phase == "afternoon" and len(state.passed) < len(state.still_in))
