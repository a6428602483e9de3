"""What each viewer may know of a game, and what a viewer can write down of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Generic, TypeVar, cast

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.event_rules import Json
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.record_events import RECORD_EVENTS, Checkpoint, PositionSet, free_texts, words_named
from audit.core.typed_setup import without_free_keys

S = TypeVar("S")

JUDGE, PUBLIC = "judge", "public"
"""Viewers beside the seats: one is told everything, the other what everybody may know."""


class Shown(Struct, frozen=True):
    """What a viewer was shown of a game: the cards that its events named to them, and positions as they saw them."""

    cards: frozenset[str] = frozenset()
    views: tuple[Json, ...] = ()


NOTHING_SHOWN = Shown()


class Recorder(ABC, Generic[S]):
    """Turns event after event into what one viewer writes down."""

    @abstractmethod
    def __call__(self, before: S, event: Event, after: S) -> Iterator[Event]:
        """What the viewer writes down of an event, with the positions before and after it."""

    @abstractmethod
    def known_as(self, state: S, word: str) -> str:
        """What a card that the viewer may not know is called in their record."""

    @abstractmethod
    def copied(self) -> Recorder[S]:
        """The same recorder as it is now, to come back to."""


class Disclosure(ABC, Generic[S]):
    """What each viewer may know: a seat, `public` or `judge`."""

    kept_fields: frozenset[str] = frozenset()
    """The fields of events, beside cards and free texts, that some viewers may not know."""
    shown_entries: frozenset[str] = frozenset()
    """The entries of a setup of which a viewer is told what speaks of the cards and places they were shown."""

    @abstractmethod
    def view(self, state: S, viewer: str = "judge") -> Json:
        """The position as that viewer may know it, in plain JSON."""

    def chapter_view(self, state: S, viewer: str = "judge") -> Json:
        """Of the view, what tells the chapter of a scene. A game may find it without the rest of the view."""
        return self.view(state, viewer)

    def open_cards(self, state: S, cards: frozenset[str]) -> frozenset[str]:
        """Those of the cards that the public sees in this position. A game may find them without the whole view."""
        return cards & words_in(self.view(state, "public"))

    @abstractmethod
    def pending(self, state: S, viewer: str = "judge") -> list[Json]:
        """What is under way, newest first; for each at least what acts and how much is left."""

    def redact(self, state: S, event: Event, viewer: str) -> Event:
        """The event as that viewer may know it; `state` is the position before it.

        A position is for the judge alone. A free text that names a card the viewer may not know is left out.
        """
        if viewer == JUDGE and type(event) in RECORD_EVENTS:
            return event
        if type(event) is PositionSet or type(event) is Checkpoint:
            seen: Event = replace(event, position={})
        else:
            seen = event if type(event) in RECORD_EVENTS else self.redact_event(state, event, viewer)
        return self.without_secrets(state, seen, viewer)

    def without_secrets(self, state: S, event: Event, viewer: str) -> Event:
        """The event without the free texts that name a card the viewer may not know."""
        texts = free_texts(event) if viewer != JUDGE else ()
        if not texts:
            return event
        named = words_named([getattr(event, name) for name in texts], words_in(self.view(state, JUDGE)))
        if not named:
            return event
        told = words_in(to_builtins(replace(event, **dict.fromkeys(texts))))
        secret = named - words_in(self.view(state, viewer)) - told
        return replace(event, **{name: None for name in texts if words_named([getattr(event, name)], secret)})

    def known_position(self, state: S, viewer: str) -> S | None:
        """The position without what the viewer does not know, to see what follows from it; None where nothing does."""
        return state if viewer == JUDGE else None

    def position_seen(self, data: Json, viewer: str) -> Json:
        """A position's data without hidden cards, with what the viewer has to allow for besides."""
        return data

    @abstractmethod
    def redact_event(self, state: S, event: Event, viewer: str) -> Event:
        """An event of the game as that viewer may know it; `state` is the position before it."""

    def shows(self, event: Event, viewer: str) -> bool:
        """Whether the event shows that viewer cards that their view hides, such as a hand that is revealed."""
        return False

    def known_as(self, state: S, word: str, viewer: str) -> str:
        """What a card that the viewer may not know is called before them."""
        return "?"

    def recorded_header(self, header: Header, viewer: str, shown: Shown = NOTHING_SHOWN) -> Header:
        """The header of a log that this viewer could have written, without its position.

        Of the entries `shown_entries` it holds what speaks of the cards that the viewer was shown, and of no other.
        """
        return header

    def recorder(self, viewer: str, taken: frozenset[str] = frozenset()) -> Recorder[S]:
        """What this viewer writes down, event after event. No new handle is one of those `taken`."""
        return EachAsSeen(self, viewer)

    def seats(self, header: Header) -> tuple[str, ...]:
        """The seats of this game, in order."""
        return tuple(player.seat for player in header.players)


def entries_of(table: object, is_shown: Callable[[str], bool]) -> object:
    """The entries of a table by card, or of a list of cards, whose card was shown; an ability is its card's."""
    if isinstance(table, Mapping):
        return {key: one for key, one in sorted(table.items()) if is_shown(str(key).partition(":")[0])}
    return [card for card in table if is_shown(str(card))] if isinstance(table, list | tuple) else None


def without_own_words(setup: Json, notes: Collection[str] = ("note",)) -> dict[str, object]:
    """A setup without its notes and without what a program has put into it for itself (`x-`): these are for judges."""
    return {key: one for key, one in cast(Json, without_free_keys(setup)).items() if key not in notes}


class EachAsSeen(Recorder[S]):
    """Writes down each event as its viewer may know it."""

    def __init__(self, disclosure: Disclosure[S], viewer: str) -> None:
        self.disclosure, self.viewer = disclosure, viewer

    def __call__(self, before: S, event: Event, after: S) -> Iterator[Event]:
        yield self.disclosure.redact(before, event, self.viewer)

    def known_as(self, state: S, word: str) -> str:
        return self.disclosure.known_as(state, word, self.viewer)

    def copied(self) -> Recorder[S]:
        return self
