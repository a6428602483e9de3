"""What a game has to offer, and what an option is.

Legality and annotation are one thing: an event is legal because one of the options does not refuse it, and the
rules of that option are its citation. An event that is refused has the refusals as its finding. They are the
same object, so they cannot disagree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache, cached_property, reduce
from importlib.metadata import entry_points
from itertools import islice
from operator import attrgetter
from random import Random
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from audit.catalogue import Catalogue, Rule
from audit.errors import UnknownRulesetError
from audit.model import Event, Header, type_name
from audit.readings import Switch, switches_in

S = TypeVar("S")
Json = Mapping[str, object]

Recorder = Callable[[S, Event, S], Iterator[Event]]

Paint = Callable[[str, str], str]
"""Gives a text the look of a style."""

MAX_LISTED = 12
"""So many ways of doing what was due are named in a finding."""


def plain(style: str, text: str) -> str:
    """No look at all."""
    return text


class Obligation(IntEnum):
    """What becomes of an option that the log does not mention."""

    OPTIONAL = 0
    """A permission: nothing is owed."""
    REQUIRED = 1
    """An obligation: inferred where it leaves no choice, a finding where it does."""
    MARKER = 2
    """Moves the game on without a choice and without news: passed silently."""
    REDUNDANT = 3
    """Repeats what is known already: accepted, and never missed."""
    EXPIRES = 4
    """Optional; expires silently. Later events imply that it was not used."""


class Violation(Struct, frozen=True, gc=False):
    """A named criterion that an event fails: the rule that says so, and the words and data of the finding."""

    rule: Rule
    key: str
    data: Json = {}
    not_intended: bool = False
    """The event is another's to make, or for another moment: this option is not the one that was meant."""


class Due(Struct, frozen=True, gc=False):
    """An obligation that an event would pass by."""

    expected: tuple[Event, ...]
    rules: tuple[Rule, ...]


class Option(Generic[S]):
    """What may or must come next, with the rules that say so.

    An option may stand for many events (any card of a hand, any new order): it is asked whether an event is one
    of them (`refusals`) and lists them only where somebody wants the list (`offers`).
    """

    event: type[Event]
    rules: tuple[Rule, ...]
    obligation: Obligation = Obligation.REQUIRED
    ordering: bool = False
    """One of several that all must happen: which comes first is told by what follows."""
    ambiguous: bool = False
    """Where such an event is accepted, something the log left out may be what it is due to: what follows tells."""

    def violations(self, state: S, event: Event) -> tuple[Violation, ...]:
        """Why this event, which is of the option's type, is none of those the option stands for; () if it is."""
        raise NotImplementedError

    def candidates(self, state: S) -> Iterator[Event]:
        """Every event the option stands for, with seq 0. Unknown cards stand as their handles."""
        raise NotImplementedError

    def citations(self, state: S, event: Event) -> tuple[Rule, ...]:
        """The rules that make this very event legal, the most telling first."""
        return self.rules

    def single_candidate(self, state: S) -> Event | None:
        """The one event the option stands for, if there is no choice in it."""
        found = list(islice(self.candidates(state), 2))
        return found[0] if len(found) == 1 else None


class Exactly(Option[S]):
    """An option that stands for one event and no other. What a log leaves unsaid is not wrong."""

    def __init__(self, one: Event, *rules: Rule, obligation: Obligation = Obligation.REQUIRED) -> None:
        self.one = one
        self.event = type(one)
        self.rules = rules
        self.obligation = obligation
        self._told = field_getter(self.event)
        self._wanted = self._told(one)

    def violations(self, state: S, event: Event) -> tuple[Violation, ...]:
        if self._told(event) == self._wanted:
            return ()
        wrong = (name for name in own_fields(self.event) if getattr(event, name) not in (None, getattr(self.one, name)))
        return tuple(map(self._broken, wrong))

    def _broken(self, name: str) -> Violation:
        key = f"{type_name(self.event)}.{name}"
        return Violation(self.rules[0], key, {"field": name, "expected": getattr(self.one, name)})

    def candidates(self, state: S) -> Iterator[Event]:
        yield self.one

    def single_candidate(self, state: S) -> Event | None:
        return self.one


class Ruleset(ABC, Generic[S]):
    """One game: its events, its rules, and the pure functions that decide."""

    name: str
    catalogue: Catalogue
    events: tuple[type[Event], ...]
    markers: tuple[type[Event], ...] = ()
    """Events that only say where in the game we are."""
    switches: tuple[Switch, ...] = ()
    readings: ClassVar[Mapping[str, frozenset[str]]] = {"standard": frozenset()}
    former_readings: ClassVar[Mapping[str, str]] = {}
    """Names of readings that are no longer in use, and what each of them stands for now."""

    @abstractmethod
    def start(self, header: Header) -> S:
        """The position before the first event; raises `SetupError` where the setup cannot be understood."""

    @abstractmethod
    def options(self, state: S) -> Iterable[Option[S]]:
        """What may or must come next. Empty when the game is over."""

    def match(self, state: S, event: Event) -> Option[S] | None:
        """The first of the options that the event is one of. A game may know a shorter way to it."""
        kind = type(event)
        for option in self.options(state):
            if option.event is kind and not option.violations(state, event):
                return option
        return None

    @abstractmethod
    def evolve(self, state: S, event: Event) -> S:
        """The position after a fact. Trusts it and never judges; works for illegal events too."""

    def replay_to(self, state: S, events: Sequence[Event]) -> S:
        """The position after all these facts, as `evolve` makes it one by one. A game may know a shorter way."""
        return reduce(self.evolve, events, state)

    @abstractmethod
    def absent(self, state: S, event: Event) -> Violation | None:
        """Why the event cannot be applied at all (the card is not there), or None."""

    @abstractmethod
    def hidden(self, state: S, event: Event) -> bool:
        """Whether something nobody has seen could make this refused event right: then nobody can tell."""

    @abstractmethod
    def relaxations(self, state: S) -> Iterator[S]:
        """Positions in which more and more of what is still pending has been given up, to find the thread again."""

    def interleavings(self, state: S, event: Event) -> Iterator[S]:
        """Positions in which something older went on by this event, while what is newer still waits."""
        return iter(())

    @abstractmethod
    def causes(self, state: S, event: Event) -> tuple[int, ...]:
        """The seqs that led to this event, as things stand, nearest first."""

    @abstractmethod
    def pending(self, state: S) -> list[Json]:
        """What is under way and waiting, newest first, for a reader: at least what acts and how much is left."""

    @abstractmethod
    def view(self, state: S, viewer: str = "judge") -> Json:
        """The position as that viewer may know it: a seat, `public` or `judge`."""

    @abstractmethod
    def redact(self, state: S, event: Event, viewer: str) -> Event:
        """The event as that viewer may know it; `state` is the position before it."""

    @abstractmethod
    def names(self, event: Event, language: str) -> Json:
        """The event's fields as words for a sentence: cards, places and players by name."""

    def key(self, event: Event) -> str:
        """Which sentence tells of this event; its type, or finer (`played.up`)."""
        return type_name(type(event))

    def worded(self, data: Json, language: str) -> Json:
        """The values of a finding as words for a sentence."""
        return data

    @abstractmethod
    def now(self, state: S) -> Json:
        """Where in the game we are, small: at least `turn` and `player`."""

    def pending_for(self, state: S, viewer: str) -> list[Json]:
        """What is under way, as that viewer may know it."""
        return self.pending(state)

    def simulate_setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        """The setup of a game to be played at random, from a pool of cards or sets where the game has such."""
        return {}

    def by_chance(self, state: S, event: Event, random: Random) -> Event:
        """The event with what only chance tells, such as the order of a new deck."""
        return event

    def optional_events_before(self, state: S, event: Event) -> Iterator[Event]:
        """What whoever writes down everything notes before that event, though nobody owes it; with seq 0."""
        return iter(())

    def score(self, state: S) -> float:
        """How well the player in turn stands, for players who think one step ahead."""
        return 0.0

    def recorded_header(self, header: Header, viewer: str) -> Header:
        """The header of a log that this viewer could have written."""
        return header

    def recorder(self, viewer: str) -> Recorder[S]:
        """Turns an event, with the positions before and after it, into what this viewer writes down."""
        return lambda before, event, after: iter((self.redact(before, event, viewer),))

    def draw(self, view: Json, language: str, paint: Paint = plain) -> list[str]:
        """The position as lines of text for a terminal, each style named to `paint`; a list of facts by default."""
        return [f"{key}: {value}" for key, value in view.items()]

    def seats(self, header: Header) -> tuple[str, ...]:
        """The seats of this game, in order."""
        return tuple(player.seat for player in header.players)

    def overdue(self, state: S, event: Event) -> tuple[Due, ...]:
        """Obligations that this event would pass by."""
        return tuple(
            Due(tuple(islice(option.candidates(state), MAX_LISTED)), option.rules)
            for option in self.options(state)
            if option.obligation is Obligation.REQUIRED
        )

    def explain(self, state: S, event: Event) -> tuple[Violation, ...]:
        """Which named criteria the event fails: those of the option of its type that it comes nearest to."""
        refused = [
            o.violations(state, event)
            for o in self.options(state)
            if o.event is type(event) and o.obligation is not Obligation.REDUNDANT
        ]
        return min(refused, key=len, default=())

    def unasked(self, state: S, event: Event) -> tuple[Violation, ...]:
        """Which rule keeps an event from happening that is not up at all; () where nothing in particular does."""
        return ()

    def contested(self, state: S, event: Event) -> tuple[str, ...]:
        """Names of the switches under which this very event would not have come up: said beside its step."""
        return ()

    def is_relevant(self, state: S, event: Event) -> bool:
        """Whether something here concerns such an event, though nothing of the kind is up."""
        return False

    def forced(self, state: S) -> tuple[Option[S], Event] | None:
        """The one thing that can happen now, if there is no choice: the option and its event."""
        live = list(
            islice((option for option in self.options(state) if option.obligation is not Obligation.REDUNDANT), 2)
        )
        if (
            len(live) == 1
            and live[0].obligation in (Obligation.REQUIRED, Obligation.MARKER)
            and (event := live[0].single_candidate(state))
        ):
            return live[0], event
        return None

    def reading(self, name: str) -> frozenset[str]:
        """The switches of a reading, or of several joined with `+`; raises `UnknownReadingError`."""
        return switches_in(name, self.readings, self.switches, self.former_readings)

    @cached_property
    def types(self) -> dict[str, type[Event]]:
        """Event types by the name they have in a log."""
        return {type_name(event): event for event in self.events}


@cache
def own_fields(event: type[Event]) -> tuple[str, ...]:
    """The fields of an event type without the envelope, by attribute name."""
    return tuple(name for name in event.__struct_fields__ if name not in Event.ENVELOPE)


@cache
def field_getter(event: type[Event]) -> Callable[[Event], object]:
    """What an event of that type tells, all its own fields at once, to be compared."""
    fields = own_fields(event)
    return attrgetter(*fields) if fields else lambda _: ()


def numbered(event: Event, seq: int) -> Event:
    """The same event at another place of the log."""
    return replace(event, seq=seq)


def rulesets() -> tuple[str, ...]:
    """The names of the games installed here (entry points of the group `audit.rulesets`)."""
    return tuple(sorted(point.name for point in entry_points(group="audit.rulesets")))


def ruleset(name: str) -> Ruleset[object]:
    """The game of that name; raises `UnknownRulesetError`."""
    if name not in _loaded:
        found = entry_points(group="audit.rulesets", name=name)
        if not found:
            raise UnknownRulesetError(name, rulesets())
        _loaded[name] = next(iter(found)).load()
    return _loaded[name]


_loaded: dict[str, Ruleset[object]] = {}
