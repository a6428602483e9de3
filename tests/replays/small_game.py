"""A game of our own, small enough to read at a glance: cards are laid on three piles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Meta, field

from audit.errors import SetupError, UnknownRulesetError
from audit.event_rules import Expectation, Violation
from audit.model import Card, Event, Header, Seat
from audit.ruleset import Json, Ruleset

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


class Small(Ruleset[tuple[str, ...]]):
    """Knows its cards, and refuses a setup that has one of them twice."""

    name = "small"
    events = (Laid, Drew, Named, PileTaken)

    def card_exists(self, card: str) -> bool:
        return card in CARDS

    def start(self, header: Header) -> tuple[str, ...]:
        deck = header.setup.get("deck", [])
        if not isinstance(deck, list) or len(set(deck)) < len(deck):
            raise SetupError("deck", "each card once")
        return ()

    def options(self, state: tuple[str, ...]) -> Iterable[Expectation[tuple[str, ...]]]:
        return ()

    def evolve(self, state: tuple[str, ...], event: Event) -> tuple[str, ...]:
        return (*state, event.card) if isinstance(event, Laid) else state

    def absent(self, state: tuple[str, ...], event: Event) -> Violation | None:
        return None

    def hidden(self, state: tuple[str, ...], event: Event) -> bool:
        return False

    def relaxations(self, state: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        return iter(())

    def causes(self, state: tuple[str, ...], event: Event) -> tuple[int, ...]:
        return ()

    def pending(self, state: tuple[str, ...]) -> list[Json]:
        return []

    def view(self, state: tuple[str, ...], viewer: str = "judge") -> Json:
        return {"laid": list(state)}

    def redact(self, state: tuple[str, ...], event: Event, viewer: str) -> Event:
        return event

    def names(self, event: Event, language: str) -> Json:
        return {}

    def now(self, state: tuple[str, ...]) -> Json:
        return {"turn": 1, "player": "A"}


SMALL = Small()
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
