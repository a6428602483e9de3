"""What the options of this game have in common, and what they ask first: is anything in the way?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from audit.altered.rules import s4_2, s4_4, s5_1_1
from audit.altered.state import State
from audit.catalogue import Rule
from audit.model import Event
from audit.ruleset import Json, Obligation, Option, Violation

Refused = Iterable[Violation]
Offers = Iterator[Event]
Rules = tuple[Rule, ...]


class Told(Option[State]):
    """An option that names each criterion an event fails."""

    obligation = Obligation.REQUIRED

    def __init__(self, obligation: Obligation | None = None, ambiguous: bool = False) -> None:
        if obligation is not None:
            self.obligation = obligation
        self.ambiguous = ambiguous

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        return tuple(self.broken(state, event))

    @abstractmethod
    def broken(self, state: State, event: Any) -> Refused:
        """The criteria the event fails, the most telling first."""

    def candidates(self, state: State) -> Offers:
        return iter(())

    def single_candidate(self, state: State) -> Event | None:
        """The first of the offers where their order does not matter, and none where there is a choice."""
        return None


class Listed(Told):
    """An option whose offers all have to happen in some order that does not matter."""

    def single_candidate(self, state: State) -> Event | None:
        return next(self.candidates(state), None)


def fails(rule: Rule, key: str, data: Json | None = None) -> Violation:
    """A criterion that is not met."""
    return Violation(rule, key, data or {})


def elsewhere(rule: Rule, key: str, data: Json | None = None) -> Violation:
    """A criterion that is not met because another moment was meant."""
    return Violation(rule, key, data or {}, not_intended=True)


def held_up(state: State, rule: Rule = s4_4.B) -> Refused:
    """What has to be over before anything new begins: an open effect, and the reactions in Limbo."""
    if state.effects:
        return (_open_effect(state),)
    if not state.limbo:
        return ()
    data = {"n": len(state.limbo), "card": state.limbo[0].id}
    return fails(rule, "limbo.waiting", data), fails(s5_1_1.D, "limbo.waiting", data)


def _open_effect(state: State) -> Violation:
    top = state.effects[-1]
    rule = s4_4.A_INTERNAL_DEFERRED if top.internal else s5_1_1.C
    return fails(rule, "effect.open", {"card": top.source})


def in_effect(state: State, effect: str, key: str, rule: Rule) -> Refused:
    """Whether this daily effect is under way."""
    if state.effect == effect:
        return ()
    before = () if state.effect else held_up(state, s4_2.E_NEXT_EFFECT)
    return (*before, fails(rule, key))


def is_resolving(state: State, source: str | None = None) -> bool:
    """Whether an effect is being carried out (that of the source, if one is named)."""
    if source is None:
        return bool(state.effects) or state.resolving is not None
    return any(effect.source == source for effect in state.effects) or (
        state.resolving is not None and source in state.resolving.names
    )
