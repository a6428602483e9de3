"""What one viewer of a game of Compile writes down: handles for the cards that were never shown to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from audit.core.disclosure import Recorder, without_own_words
from audit.core.model import Event, Header
from audit.games.compile import events as e
from audit.games.compile.parts import field_position, is_known
from audit.games.compile.state import SEATS, UNKNOWN, State
from audit.games.compile.texts import next_instruction, readable_text

Named = Callable[[State, str, str], str]
"""What a viewer calls a card in a position: its name, a handle, or nothing."""


def recorded_header(header: Header, viewer: str) -> Header:
    """The header without decks and hands; the viewer learns their own cards by drawing them."""
    setup = without_own_words(header.setup, ("decks", "hands"))
    return replace(header, setup=setup, game=f"{header.game}-as-{viewer}")


def draws_shown_cards(state: State) -> bool:
    """Whether the draw to come is of cards that both players have just been shown."""
    text = readable_text(state)
    return text is not None and next_instruction(text).matching is not None


class CompileRecorder(Recorder[State]):
    """Writes down event after event; `handles` are the cards on the table that the viewer cannot name.

    `returned` are the cards that have just gone back to a hand unseen: events about them name no card. `named` says
    what a card is called at a place. A card that has a handle already keeps it; no new handle is one of those `taken`.
    """

    def __init__(self, viewer: str, named: Named, taken: frozenset[str] = frozenset()) -> None:
        self.viewer = viewer
        self.named = named
        self.taken = taken
        self.handles: dict[str, str] = {}
        self.returned: dict[str, str] = {}
        self.given = 0

    def __call__(self, before: State, event: Event, after: State) -> Iterator[Event]:
        """The event as the viewer writes it, preceded by the names of cards it shows."""
        if not isinstance(event, e.Committed | e.Landed | e.Triggered | e.PutOnDeck):
            self.returned.clear()
        match event:
            case e.Drew():
                yield event if draws_shown_cards(before) else self._drew(event)
            case e.Reshuffled() | e.Shuffled():
                yield replace(event, deck=None)
            case e.Looked():
                yield event if event.player == self.viewer else replace(event, cards=None)
            case e.OwnerChanged(why="claimed"):
                yield from self._claimed(event)
            case e.OwnerChanged():
                yield event if self.viewer in SEATS else replace(event, card=UNKNOWN)
            case e.Played():
                yield self._played(event)
            case e.Flipped():
                yield self._flipped(event)
            case e.Deleted() | e.Discarded() | e.Triggered() | e.Resolved():
                yield from self._shown(event)
                yield event
            case e.Revealed():
                yield self._revealed(before, event)
            case e.Landed() if self._may_look(after, event):
                handle = self.handles.pop(event.card)
                yield replace(event, card=handle)
                if handle != event.card:
                    yield e.Identified(seq=0, card=handle, is_=event.card)
            case e.Identified():
                yield from self._identified(after, event)
            case _:
                yield self._veiled(event)

    def known_as(self, state: State, word: str) -> str:
        """The handle of a card on the field; what else the viewer may not know has no name."""
        if word not in self.handles and len(self.named(state, word, self.viewer)) > len(UNKNOWN):
            self._begin(word)
        return self.handles.get(word, UNKNOWN)

    def copied(self) -> CompileRecorder:
        """The same recorder as it is now."""
        other = CompileRecorder(self.viewer, self.named, self.taken)
        other.handles, other.returned, other.given = dict(self.handles), dict(self.returned), self.given
        return other

    def _begin(self, card: str) -> None:
        """Give a card a handle."""
        if not is_known(card):
            self.handles[card] = card
            return
        self.given += 1
        while f"?{self.given}" in self.taken:
            self.given += 1
        self.handles[card] = f"?{self.given}"

    def _identified(self, after: State, event: e.Identified) -> Iterator[Event]:
        handle = self.handles.pop(event.card, None)
        if self.named(after, event.is_, self.viewer) == event.is_:
            yield event if handle is None else replace(event, card=handle)
        elif handle is not None:
            self.handles[event.is_] = handle

    def _claimed(self, event: e.OwnerChanged) -> Iterator[Event]:
        """A card of the field taken to hand: who takes it sees it, and nobody else whoever had not seen it."""
        handle = self.handles.pop(event.card, None)
        if handle is None:
            yield event
            return
        yield replace(event, card=handle)
        if self.viewer == event.to:
            yield e.Identified(seq=0, card=handle, is_=event.card)
        else:
            self.returned[event.card] = handle

    def _may_look(self, after: State, event: e.Landed) -> bool:
        """A player looks at a deck card once it lies on their side (play.from-deck-unseen)."""
        place = field_position(after, event.card)
        return event.card in self.handles and place is not None and place.seat == self.viewer

    def _drew(self, event: e.Drew) -> Event:
        if event.player == self.viewer or event.cards is None:
            return event
        return replace(event, cards=None, count=e.drawn_count(event))

    def _played(self, event: e.Played) -> Event:
        if event.face == "up" or event.from_ == "trash" or (event.player == self.viewer and event.from_ == "hand"):
            return event
        self._begin(event.card)
        return self._veiled(event)

    def _flipped(self, event: e.Flipped) -> Event:
        handle = self.handles.get(event.card)
        if handle is None:
            return event
        if event.face == "down":
            return replace(event, card=handle)
        del self.handles[event.card]
        return replace(event, card=handle, is_=event.is_ or event.card)

    def _shown(self, event: Event) -> Iterator[Event]:
        """The events that name cards which are about to be seen."""
        cards = getattr(event, "cards", None) or (getattr(event, "card", None),)
        for card in cards:
            if card in self.handles and (handle := self.handles.pop(card)) != card:
                yield e.Identified(seq=0, card=handle, is_=card)

    def _revealed(self, before: State, event: e.Revealed) -> Event:
        if event.zone == "hand":
            return replace(event, cards=before.side(event.player).hand)
        cards = event.cards or ()
        hidden = [card for card in cards if card in self.handles]
        if not hidden:
            return event
        veiled = tuple(self.handles.pop(card, card) for card in cards)
        return replace(event, cards=veiled, is_=event.is_ or cards)

    def _veiled(self, event: Event) -> Event:
        known = {**self.handles, **self.returned}
        changes: dict[str, object] = {}
        for field in ("card", "by"):
            if (card := getattr(event, field, None)) in known:
                changes[field] = known[card]
        if isinstance(cards := getattr(event, "cards", None), tuple):
            changes["cards"] = tuple(known.get(card, card) for card in cards)
        if isinstance(event, e.Returned):
            gone = [card for card in event.cards or (event.card,) if card in self.handles]
            self.returned.update({card: self.handles.pop(card) for card in gone})
        return replace(event, **changes) if changes else event
