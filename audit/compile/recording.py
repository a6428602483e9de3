"""What one viewer of a game of Compile writes down: handles for the cards that were never shown to them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.compile.events import (
    Committed,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    Identified,
    Landed,
    Looked,
    OwnerChanged,
    Played,
    Reshuffled,
    Resolved,
    Returned,
    Revealed,
    Triggered,
    drawn_count,
)
from audit.compile.state import SEATS, UNKNOWN, State, field_position
from audit.model import Event, Header


def recorded_header(header: Header, viewer: str) -> Header:
    """The header without decks and hands; the viewer learns their own cards by drawing them."""
    setup = {key: value for key, value in header.setup.items() if key not in ("decks", "hands")}
    return replace(header, setup=setup, game=f"{header.game}-as-{viewer}")


class CompileRecorder:
    """Writes down event after event; `handles` are the cards on the table that the viewer cannot name.

    `returned` are the cards that have just gone back to a hand unseen: events about them name no card.
    """

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.handles: dict[str, str] = {}
        self.returned: dict[str, str] = {}
        self.given = 0

    def __call__(self, before: State, event: Event, after: State) -> Iterator[Event]:
        """The event as the viewer writes it, preceded by the names of cards it shows."""
        if not isinstance(event, Committed | Landed):
            self.returned.clear()
        match event:
            case Drew():
                yield self._drew(event)
            case Reshuffled():
                yield replace(event, deck=None)
            case Looked():
                yield event if event.player == self.viewer else replace(event, cards=None)
            case OwnerChanged():
                yield event if self.viewer in SEATS else replace(event, card=UNKNOWN)
            case Played():
                yield self._played(event)
            case Flipped():
                yield self._flipped(event)
            case Deleted() | Discarded() | Triggered() | Resolved():
                yield from self._named(event)
                yield event
            case Revealed():
                yield self._revealed(before, event)
            case Landed() if self._may_look(after, event):
                handle = self.handles.pop(event.card)
                yield replace(event, card=handle)
                yield Identified(seq=0, card=handle, is_=event.card)
            case Identified():
                return
            case _:
                yield self._veiled(event)

    def _may_look(self, after: State, event: Landed) -> bool:
        """A player looks at a deck card once it lies on their side (play.from-deck-unseen)."""
        place = field_position(after, event.card)
        return event.card in self.handles and place is not None and place.seat == self.viewer

    def _drew(self, event: Drew) -> Event:
        if event.player == self.viewer or event.cards is None:
            return event
        return replace(event, cards=None, count=drawn_count(event))

    def _played(self, event: Played) -> Event:
        if event.face == "up" or (event.player == self.viewer and event.from_ == "hand"):
            return event
        self.given += 1
        self.handles[event.card] = f"?{self.given}"
        return self._veiled(event)

    def _flipped(self, event: Flipped) -> Event:
        handle = self.handles.get(event.card)
        if handle is None:
            return event
        if event.face == "down":
            return replace(event, card=handle)
        del self.handles[event.card]
        return replace(event, card=handle, is_=event.card)

    def _named(self, event: Event) -> Iterator[Event]:
        """The events that name cards which are about to be seen."""
        cards = getattr(event, "cards", None) or (getattr(event, "card", None),)
        for card in cards:
            if card in self.handles:
                yield Identified(seq=0, card=self.handles.pop(card), is_=card)

    def _revealed(self, before: State, event: Revealed) -> Event:
        if event.zone == "hand":
            return replace(event, cards=before.side(event.player).hand)
        cards = event.cards or ()
        hidden = [card for card in cards if card in self.handles]
        if not hidden:
            return event
        veiled = tuple(self.handles.pop(card, card) for card in cards)
        return replace(event, cards=veiled, is_=cards)

    def _veiled(self, event: Event) -> Event:
        known = {**self.handles, **self.returned}
        changes: dict[str, object] = {}
        for field in ("card", "by"):
            if (card := getattr(event, field, None)) in known:
                changes[field] = known[card]
        if isinstance(cards := getattr(event, "cards", None), tuple):
            changes["cards"] = tuple(known.get(card, card) for card in cards)
        if isinstance(event, Returned):
            gone = [card for card in event.cards or (event.card,) if card in self.handles]
            self.returned.update({card: self.handles.pop(card) for card in gone})
        return replace(event, **changes) if changes else event
