"""Everything a game knows of one event type, and what is known of each type before any event is judged.

There is one `EventRules` object for each event type of a game, and everything about that event type is in it. The
core finds it by the type of the event and does the rest: matching, explaining, inferring what a log leaves out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.expectations import (
    Citations as Citations,
)
from audit.core.expectations import (
    Expectation as Expectation,
)
from audit.core.expectations import (
    ExpectedEvent as ExpectedEvent,
)
from audit.core.expectations import (
    Obligation as Obligation,
)
from audit.core.expectations import (
    field_getter as field_getter,
)
from audit.core.expectations import (
    own_fields as own_fields,
)
from audit.core.model import Event, type_name
from audit.core.record_events import RECORD_EVENTS

S = TypeVar("S")
E = TypeVar("E", bound=Event)
Json = Mapping[str, object]

MAX_LISTED = 12
"""At most this many events are listed where a finding says what was expected."""


class Violation(Struct, frozen=True, gc=False):
    """A criterion that an event fails: the rule, the key of its sentence, and the data of the sentence."""

    rule: Rule
    key: str
    data: Json = {}
    not_intended: bool = False
    """Another player has to do this, or at another moment: the event was not meant as what is expected now."""
    unavailable: bool = False
    """Nothing of this kind can happen now; the rule says what keeps it from happening."""


Violations = tuple[Violation, ...]

UNEXPECTED: Violations = (Violation(Rule("", "", ""), "unexpected", unavailable=True),)
"""Nothing of this kind can happen now, and no rule in particular forbids it. The expected events explain it."""


class EventRules(ABC, Generic[S, E]):
    """Everything about one event type of a game.

    `expected` and `violations` rest on the same criteria: whatever `expected` lists has no violation, and an event
    without a violation may come now.
    """

    event: type[E]
    is_marker: bool = False
    """Whether the event only says where in the game we are."""
    waits_for_markers: bool = False
    """Whether it waits for what markers say: one that is written only after it shows that it came too early."""
    is_part: bool = False
    """Whether the event only tells a part of what happens, such as a card leaving its place; nobody waits for it."""
    is_settled: bool = False
    """Whether nobody decides the event, and everybody knows of it: what was decided may be written down before it."""
    announces: frozenset[type[Event]] = frozenset()
    """What follows from the event, as the next part of one procedure: people write these down before it as well."""
    names_cards: bool = False
    """Whether the event may name a card that nobody had named before; then it is asked whether that can be."""
    hides_cards: bool = False
    """Whether cards that had a name may have none after the event."""
    may_be_ambiguous: bool = False
    """Whether `is_ambiguous` has to be asked."""
    may_be_unchecked: bool = False
    """Whether `unchecked` has to be asked."""
    is_turn_act: bool = False
    """Whether it is one of the acts between which the player on turn chooses, so that nothing forces this one."""
    has_causes: bool = True
    """Whether something under way may have led to the event, so that the game is asked for its causes."""

    @abstractmethod
    def expected(self, state: S) -> Iterable[Expectation[S]]:
        """What of this type may or must come now; nothing where only a repetition would be accepted."""

    @abstractmethod
    def violations(self, state: S, event: E) -> Violations:
        """The criteria that the event fails, the most telling first; () if it is legal.

        An event that only repeats what the position shows already is legal too.
        """

    @abstractmethod
    def citations(self, state: S, event: E) -> Citations:
        """The rules that make this legal event legal, the most telling first."""

    def accept(self, state: S, event: E) -> Citations | None:
        """The citations of a legal event, None for an illegal one. A game may find both at once."""
        return None if self.violations(state, event) else self.citations(state, event)

    @abstractmethod
    def apply(self, state: S, event: E) -> S:
        """The position after the event. Never validates: an illegal event is applied as recorded."""

    def is_ambiguous(self, state: S, event: E) -> bool:
        """Whether something that the log left out may have led to this legal event as well; later events decide."""
        return False

    def unchecked(self, state: S, event: E) -> Violations:
        """Why the rules known here cannot judge this event: the sentences to say; () if they can."""
        return ()

    def joined(self, event: E, rest: E) -> E | None:
        """The one event that two records tell in parts; None if they are not parts of one."""
        return None

    def tells_also(self, event: E) -> Iterable[Event]:
        """What else the event tells where a record leaves it out, such as the choice that it came in the place of."""
        return ()

    def hangs_on_due(self, state: S, event: E) -> bool:
        """Whether the event is allowed only if what is due now was done: then that has to be told."""
        return False

    def otherwise(self, state: S, event: E) -> Iterable[E]:
        """The same act with the same card in other ways, legal or not, with seq 0: what a mistake may have meant."""
        return ()

    def may_mean(self, event: E, other: Event) -> bool:
        """Whether that other event, which was expected, may be told as what should have come instead of this one."""
        return True

    def is_own_act(self, state: S, event: E) -> bool:
        """Whether a player does this of their own accord, so that nothing else has led to it."""
        return False

    def is_by_chance(self, state: S, event: E) -> bool:
        """Whether something was drawn by lot, such as the order of a deck: it cannot be put back as it was."""
        return False

    def player_of(self, state: S, event: E) -> str | None:
        """Who does it; None where that cannot be said."""
        return getattr(event, "player", None)

    def rejecting_switches(self, state: S, event: E) -> tuple[str, ...]:
        """The names of the switches under which this very event would not have come up; said beside its step."""
        return ()

    def is_relevant(self, state: S, event: E) -> bool:
        """Whether the event was meant for this moment, although it is not expected now."""
        return False

    def names_cause(self, state: S, event: E) -> bool:
        """Whether the event says what led to it, and nothing of that has happened: it may be told next."""
        return False

    def missing(self, state: S, event: E) -> Violation | None:
        """Why the event cannot have happened at all (the card is not there), or None."""
        return None

    def took_away(self, state: S, event: E, before: S, earlier: Event, after: S) -> Violation | None:
        """That this earlier event put what the event is about where it is now, where that cannot have come from there.

        `before` and `after` are the positions around the earlier event. None where it did not, or nothing can be told.
        """
        return None

    def depends_on_hidden(self, state: S, event: E) -> bool:
        """Whether a card or fact that nobody has seen could make this event legal: then it is undetermined."""
        return False


def mismatches(event: Event, expected: Event, rule: Rule) -> Violations:
    """The fields in which an event differs from the one expected, of the same type. A field left out is not wrong."""
    get_fields = field_getter(type(expected))
    if get_fields(event) == get_fields(expected):
        return ()
    return tuple(
        Violation(rule, f"{type_name(type(expected))}.{name}", {"field": name, "expected": getattr(expected, name)})
        for name in own_fields(type(expected))
        if getattr(event, name) not in (None, getattr(expected, name))
    )


def numbered(event: Event, seq: int) -> Event:
    """The same event at another place of the log."""
    return replace(event, seq=seq)


Asking = tuple[bool, bool, Callable[[S, Any], Violations] | None, Callable[[S, Any], bool] | None]
"""What is asked of a legal event: whether it hides cards, and whether it names them; `unchecked` and `is_ambiguous` of
its rules, where these have to be asked."""

Deciding = tuple[
    Callable[[S, Any], Citations | None],
    Callable[[S, Any], S],
    Callable[[S, Event], tuple[int, ...]] | None,
    Asking[S] | None,
]
"""How an event type is judged: `accept` and `apply` of its rules; `causes`, where something may have led to the event;
and what is asked of it, where a legal event may still be ambiguous, impossible or unchecked."""


R = TypeVar("R", bound=EventRules[Any, Any])


def by_event(events: Iterable[type[Event]], rules: Iterable[R]) -> dict[type[Event], R]:
    """The rules of a game by event type, in the order of these types; every type has its rules."""
    found = {one.event: one for one in rules}
    return {event: found[event] for event in events}


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
        asking: Asking[S] = (
            rules.hides_cards,
            rules.names_cards,
            rules.unchecked if rules.may_be_unchecked else None,
            rules.is_ambiguous if rules.may_be_ambiguous else None,
        )
        causes = self.causes if rules.has_causes else None
        return rules.accept, rules.apply, causes, asking if any(asking) else None

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
