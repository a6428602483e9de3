"""What is legal in a game, what an event changes, and what may come next."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, reduce
from itertools import islice
from typing import Any, ClassVar, TypeVar

from msgspec import Struct

from audit.core.catalogue import Catalogue
from audit.core.conservation import Holdings
from audit.core.errors import SetupError
from audit.core.event_rules import (
    MAX_LISTED,
    Citations,
    EventRules,
    EventTypes,
    Expectation,
    Json,
    Obligation,
    Violations,
)
from audit.core.model import Event, Header
from audit.core.readings import Switch, switches_in
from audit.core.record_events import PositionSet, standing
from audit.core.written_forms import WrittenForms

S = TypeVar("S")

MAX_ADVANCE = 12
"""At most this many events without a choice are carried out to reach the next choice."""


class SkippedObligation(Struct, frozen=True, gc=False):
    """A required event that is missing before an event: its candidates, and the rules that require it."""

    expected: tuple[Event, ...]
    rules: Citations


class Rules(EventTypes[S], WrittenForms[S]):
    """What is legal in a game and what an event changes."""

    catalogue: Catalogue
    switches: tuple[Switch, ...] = ()
    readings: ClassVar[Mapping[str, frozenset[str]]] = {"standard": frozenset()}
    former_readings: ClassVar[Mapping[str, str]] = {}
    """Names of readings that are no longer in use, and what each of them stands for now."""
    card_exists: Callable[[str], bool] | None = None
    """Whether there is such a card, or it is a handle; None where the game does not know its cards."""
    check_deck: Callable[[Mapping[str, object]], Violations] | None = None
    """What is wrong with a deck given as plain data; None where the game has no decks to check."""

    @abstractmethod
    def start(self, header: Header) -> S:
        """The position before the first event; raises `SetupError` where the setup cannot be understood."""

    def has_unknown_cards(self, state: S) -> bool:
        """Whether a game is played with cards that are not known here. Only a header with `unknown: record` lets it."""
        return False

    @abstractmethod
    def clock(self, state: S) -> Json:
        """Where in the game we are, as a few values: at least `turn` and `player`."""

    def moment(self, state: S, event: Event) -> Json:
        """Where in the game an event stands, as a finding tells it: the clock, and what else people count by."""
        return self.clock(state)

    @abstractmethod
    def relaxations(self, state: S) -> Iterator[S]:
        """Positions in which more and more of what is pending is given up, to resynchronise after a mistake."""

    def interleavings(self, state: S, event: Event) -> Iterator[S]:
        """Positions after the event in which it belongs to something older, while something newer is still pending."""
        return iter(())

    def reorderings(self, state: S) -> Iterator[S]:
        """The position with things that go on at once in another order, which a record need not tell."""
        return iter(())

    @cached_property
    def may_reorder(self) -> bool:
        """Whether the game has such things at all."""
        return type(self).reorderings is not Rules.reorderings

    def upcoming(self, state: S) -> Iterable[EventRules[S, Any]]:
        """The event types of which something may be expected now. All of them; a game may narrow it down."""
        return self.event_rules.values()

    def only_due(self, state: S) -> Expectation[S] | None:
        """The one thing that can come now; None where all have to be asked. A game that says so is searched faster."""
        return None

    def comes_only_where_due(self, event: Event) -> bool:
        """Whether the event is not legal where `only_due` names another; others may repeat what the position shows."""
        return False

    def violations(self, state: S, event: Event) -> Violations:
        """The criteria that the event fails in this position; () if it is legal."""
        return self.event_rules[type(event)].violations(state, event)

    def expected(self, state: S) -> Sequence[Expectation[S]]:
        """What may or must come next. Empty when the game is over."""
        return [expectation for rules in self.upcoming(state) for expectation in rules.expected(state)]

    def doubts(self, state: S) -> Violations:
        """What would have had to happen before a position, for somebody who asks about it; () where all is well."""
        return ()

    def as_told(self, state: S, told: S) -> S:
        """The position with what no event tells taken from one that somebody wrote down, where it may be so."""
        return state

    def holdings(self, state: S) -> Holdings | None:
        """Where every card is and which cards the unknown ones may be; None where nobody can say.

        It may be None as well where every card has a name.
        """
        return None

    def is_in_game(self, state: S, card: str) -> bool:
        """Whether a card may take part in this game at all, as far as that is known."""
        return True

    def evolve(self, state: S, event: Event) -> S:
        """The position after the event. Never validates: an illegal event is applied as recorded.

        An event about the record changes nothing, except that it may set the position.
        """
        rules = self.event_rules.get(type(event))
        if rules is not None:
            return rules.apply(state, event)
        if type(event) is PositionSet and event.position:
            with suppress(SetupError):
                return self.position(event.position, state)
        return state

    def replay_to(self, state: S, events: Sequence[Event]) -> S:
        """The position at the end of a record: what was amended or taken back is left out."""
        stand, begin = standing(events), 0
        for at, event in enumerate(stand if stand is not events else ()):
            if type(event) is PositionSet:
                state, begin = self.evolve(self.replay_moves(state, stand[begin:at]), event), at + 1
        return self.replay_moves(state, stand[begin:])

    def replay_moves(self, state: S, events: Sequence[Event]) -> S:
        """The position after all these events, the same as by `evolve` one by one. A game may know a faster way."""
        return reduce(self.evolve, events, state)

    def skipped_obligations(self, state: S, event: Event) -> tuple[SkippedObligation, ...]:
        """The required events that should have come before this one."""
        return tuple(
            SkippedObligation(tuple(islice(expectation.candidates(state), MAX_LISTED)), expectation.rules)
            for expectation in self.expected(state)
            if expectation.obligation is Obligation.REQUIRED
        )

    def forced(self, state: S) -> tuple[Expectation[S], Event] | None:
        """The expectation and event that come next, if there is no choice."""
        live = self.expected(state)
        if len(live) != 1:
            return None
        (only,) = live
        event = only.single_candidate(state) if only.obligation in (Obligation.REQUIRED, Obligation.MARKER) else None
        return (only, event) if event and not only.hides_choice(state, event) else None

    def advance_to_choice(self, state: S) -> S:
        """The position in which somebody has to choose, or a part of the game ends."""
        for _ in range(MAX_ADVANCE):
            forced = self.forced(state)
            if forced is None or forced[0].obligation is Obligation.MARKER:
                break
            state = self.evolve(state, forced[1])
        return state

    def reading(self, name: str) -> frozenset[str]:
        """The switches of a reading, or of several joined with `+`; raises `UnknownReadingError`."""
        return switches_in(name, self.readings, self.switches, self.former_readings)

    def switches_of(self, header: Header) -> frozenset[str]:
        """The switches of a header: those of its reading, and those of its edition where later rulings changed play.

        Raises `UnknownReadingError` and `UnknownEditionError`.
        """
        return self.reading(header.reading) | self.catalogue.switches_before(self.catalogue.edition(header.edition))
