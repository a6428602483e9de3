"""The event types of a game, and what is known of each before any event is judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from audit.core.event_rules import Citations, EventRules
from audit.core.model import Event, type_name
from audit.core.record_events import RECORD_EVENTS

S = TypeVar("S")


Deciding = tuple[
    Callable[[S, Any], Citations | None],
    Callable[[S, Any], S],
    Callable[[S, Event], tuple[int, ...]] | None,
    EventRules[S, Any] | None,
]
"""How an event type is judged: `accept` and `apply` of its rules; `causes`, where something may have led to the event;
and the rules themselves, where a legal event may still be ambiguous, impossible or unchecked."""


class EventTypes(ABC, Generic[S]):
    """The rules of each event type, and what follows from them for all events of that type."""

    event_rules: Mapping[type[Event], EventRules[S, Any]]
    """The rules of each event type, in the order of the documentation."""

    @abstractmethod
    def causes(self, state: S, event: Event) -> tuple[int, ...]:
        """The seqs that led to this event, as things stand, nearest first."""

    @cached_property
    def deciding(self) -> Mapping[type[Event], Deciding[S] | None]:
        """How each event type is judged; None for those about the record."""
        return {
            **dict.fromkeys(RECORD_EVENTS),
            **{event: self._deciding(rules) for event, rules in self.event_rules.items()},
        }

    def _deciding(self, rules: EventRules[S, Any]) -> Deciding[S]:
        is_plain = not (rules.may_be_ambiguous or rules.hides_cards or rules.names_cards or rules.may_be_unchecked)
        return rules.accept, rules.apply, self.causes if rules.has_causes else None, None if is_plain else rules

    @cached_property
    def markers(self) -> frozenset[type[Event]]:
        """The event types that only say where in the game we are."""
        return frozenset(event for event, rules in self.event_rules.items() if rules.is_marker)

    @cached_property
    def announced(self) -> frozenset[type[Event]]:
        """The event types that are parts of a procedure which another event announces."""
        return frozenset().union(*(rules.announces for rules in self.event_rules.values()))

    def are_of_one_procedure(self, one: type[Event], other: type[Event]) -> bool:
        """Whether one event may announce both."""
        return any(one in rules.announces and other in rules.announces for rules in self.event_rules.values())

    def rejecting_switches(self, state: S, event: Event) -> tuple[str, ...]:
        """The names of the switches under which this very event would not have come up."""
        rules = self.event_rules.get(type(event))
        return rules.rejecting_switches(state, event) if rules else ()

    @cached_property
    def questioned(self) -> frozenset[type[Event]]:
        """The event types for which `rejecting_switches` has to be asked: of all others it names none."""
        if type(self).rejecting_switches is not EventTypes.rejecting_switches:
            return frozenset(self.events)
        none = EventRules.rejecting_switches
        return frozenset(event for event, own in self.event_rules.items() if type(own).rejecting_switches is not none)

    @cached_property
    def events(self) -> tuple[type[Event], ...]:
        """The event types, in the order of the documentation; those about the record last."""
        return (*self.event_rules, *RECORD_EVENTS)

    @cached_property
    def types(self) -> dict[str, type[Event]]:
        """Event types by the name they have in a log."""
        return {type_name(event): event for event in self.events}
