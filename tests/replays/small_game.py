"""A game of our own, small enough to read at a glance: cards are laid on three piles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Annotated, ClassVar, Literal, TypeVar

from msgspec import Meta, field

from audit.core.catalogue import Catalogue
from audit.core.disclosure import Disclosure
from audit.core.errors import SetupError, UnknownRulesetError
from audit.core.event_rules import Citations, EventRules, Expectation, Json, Violations
from audit.core.model import Card, Event, Header, Seat
from audit.core.names import BY_SEAT, Players
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset, Simulation, Wording

CARDS = frozenset(f"{suit}-{value}" for suit in ("oak", "elm") for value in range(1, 10))


class Laid(Event, frozen=True):
    """A card is laid on a pile."""

    player: Seat
    card: Card
    pile: Annotated[int, Meta(ge=1, le=3)]
    face: Literal["up", "down"] = "up"
    from_: Literal["hand", "deck"] = field(name="from", default="hand")


class Drew(Event, frozen=True):
    """Cards are drawn."""

    player: Seat
    cards: Annotated[tuple[Card, ...], Meta(max_length=4)] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None


class Named(Event, frozen=True):
    """Somebody says a place: a pile or a zone."""

    place: int | str
    sure: bool | None = None


class PileTaken(Event, frozen=True):
    """A pile is taken away."""

    pile: Annotated[int, Meta(ge=1, le=3)]


State = tuple[str, ...]
E = TypeVar("E", bound=Event)


class Anything(EventRules[State, E]):
    """The rules of an event that may always come and changes nothing."""

    def __init__(self, event: type[E]) -> None:
        self.event = event

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return ()

    def violations(self, state: State, event: E) -> Violations:
        return ()

    def citations(self, state: State, event: E) -> Citations:
        return ()

    def apply(self, state: State, event: E) -> State:
        return (*state, event.card) if isinstance(event, Laid) else state


class SmallRules(Rules[State]):
    """Knows its cards, and refuses a setup that has one of them twice."""

    catalogue = Catalogue("tests", (), {})
    event_rules: ClassVar = {event: Anything(event) for event in (Laid, Drew, Named, PileTaken)}
    card_exists = staticmethod(CARDS.__contains__)

    def start(self, header: Header) -> State:
        deck = header.setup.get("deck", [])
        if not isinstance(deck, list) or len(set(deck)) < len(deck):
            raise SetupError("deck", "each card once")
        return ()

    def relaxations(self, state: State) -> Iterator[State]:
        return iter(())

    def causes(self, state: State, event: Event) -> tuple[int, ...]:
        return ()

    def clock(self, state: State) -> Json:
        return {"turn": 1, "player": "A"}


class SmallDisclosure(Disclosure[State]):
    """Everything lies open."""

    def view(self, state: State, viewer: str = "judge") -> Json:
        return {"laid": list(state)}

    def pending(self, state: State, viewer: str = "judge") -> list[Json]:
        return []

    def redact_event(self, state: State, event: Event, viewer: str) -> Event:
        return event


class SmallWording(Wording[State]):
    """No words."""

    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        return {}


class SmallSimulation(Simulation[State]):
    """Never played at random."""

    def setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        return {}


SMALL: Ruleset[State] = Ruleset("small", SmallRules(), SmallDisclosure(), SmallWording(), SmallSimulation())
HEADER = b'{"log": "audit/1", "ruleset": "small", "game": "g1"}\n'


def resolve(name: str) -> Ruleset[object]:
    """The only game there is here."""
    if name != "small":
        raise UnknownRulesetError(name, ("small",))
    return SMALL  # type: ignore[return-value]


def line(seq: int) -> bytes:
    """A good line of that seq; a few kinds by turns."""
    kinds = (
        b'{"seq": %d, "type": "laid", "player": "A", "card": "oak-%d", "pile": 2, "from": "deck"}\n',
        b'{"seq": %d, "type": "drew", "player": "B", "cards": ["elm-%d", "?1"]}\n',
        b'{"seq": %d, "type": "named", "place": %d, "at": "2025-09-01T10:00:00Z"}\n',
    )
    return kinds[seq % 3] % (seq, seq % 9 + 1)


def game(events: int, header: bytes = HEADER) -> bytes:
    """A whole good log of so many events."""
    return header + b"".join(line(seq) for seq in range(1, events + 1))
