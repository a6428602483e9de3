"""What each viewer may know: a hand is its player's, the deck is nobody's, the rest lies open. A judge sees it all."""

from __future__ import annotations

from audit.core.disclosure import NOTHING_SHOWN, Disclosure, Shown
from audit.core.event_rules import Json
from audit.core.model import Event, Header
from msgspec.structs import replace

from example_game.events import Drew
from example_game.state import FULL, PILES, SEATS, State

JUDGE = "judge"


def knows(viewer: str, seat: str) -> bool:
    """Whether a viewer may look into that hand."""
    return viewer in (JUDGE, seat)


class ExampleGameDisclosure(Disclosure[State]):
    """What each viewer may know of Example Game."""

    def view(self, state: State, viewer: str = JUDGE) -> Json:
        return {
            "turn": state.turn,
            "player": state.player,
            "over": state.stage == "over",
            "deck": list(state.deck) if viewer == JUDGE else len(state.deck),
            "piles": [list(pile) for pile in state.piles],
            "sides": {seat: self._side(state, seat, viewer) for seat in SEATS},
        }

    def _side(self, state: State, seat: str, viewer: str) -> Json:
        side = state.side(seat)
        return {"hand": list(side.hand) if knows(viewer, seat) else len(side.hand), "taken": list(side.taken)}

    def pending(self, state: State, viewer: str = JUDGE) -> list[Json]:
        return [{"pile": number, "rest": 1} for number in PILES if len(state.pile(number)) >= FULL]

    def redact_event(self, state: State, event: Event, viewer: str) -> Event:
        hidden = isinstance(event, Drew) and not knows(viewer, event.player)
        return replace(event, card=None) if hidden else event

    def recorded_header(self, header: Header, viewer: str, shown: Shown = NOTHING_SHOWN) -> Header:
        """Cards that this viewer does not see are counted."""
        setup = dict(header.setup)
        for zone, hidden in (("deck", True), ("hands", False)):
            if zone in setup:
                setup[zone] = _counted(setup[zone], viewer, hidden=hidden)
        return replace(header, setup=setup, game=f"{header.game}-as-{viewer}")

    def seats(self, header: Header) -> tuple[str, ...]:
        return SEATS


def _counted(cards: object, viewer: str, *, hidden: bool) -> object:
    """Cards as a number; hands each by itself, the viewer's own named."""
    if isinstance(cards, dict):
        return {seat: _counted(hand, viewer, hidden=seat != viewer) for seat, hand in cards.items()}
    return len(cards) if hidden and isinstance(cards, list | tuple) else cards
