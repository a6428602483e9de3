"""Which cards of Compile are where, as far as anybody knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from audit.core.conservation import Holding, Holdings
from audit.games.compile import rules
from audit.games.compile.cards import CARDS
from audit.games.compile.moves import taken_from
from audit.games.compile.parts import is_known, protocol_of
from audit.games.compile.state import SEATS, UNKNOWN, CardMovement, CardsLeaving, Side, State


def holdings(state: State) -> Holdings | None:
    """Where every card is; None where all cards have names, or nobody knows how many there are of each deck."""
    a, b = state.a, state.b
    held = UNKNOWN in "".join((*a.hand, *a.deck, *b.hand, *b.deck))
    if state.untold or not (held or _on_the_field(a, b)) or len(a.protocols) + len(b.protocols) < 6:
        return None
    exist = cards_of_deck(a.protocols) | cards_of_deck(b.protocols)
    return Holdings(rules.setup.DECK_OF_EIGHTEEN, tuple(_all(state)), exist)


def _on_the_field(*sides: Side) -> bool:
    """Whether some card on the field has no name."""
    return any(not (card.up or is_known(card.card)) for side in sides for stack in side.lines for card in stack)


def _all(state: State) -> Iterator[Holding]:
    decks = {seat: cards_of_deck(state.side(seat).protocols) for seat in SEATS}
    both = decks["A"] | decks["B"]
    for seat, card, zone in _placed(state):
        may_be = both if seat in state.foreign else decks.get(seat, both)
        yield Holding(card, seat, zone, None if is_known(card) else may_be)


def _placed(state: State) -> Iterator[tuple[str, str, str]]:
    """The holder, name and zone of every card. A card announced out of a hand or deck has shown its name there."""
    announced = {
        (f.holder or f.seat, f.origin): f.card for f in state.stack if type(f) is CardMovement and not f.committed
    }
    for seat in SEATS:
        side = state.side(seat)
        for zone, cards in (("hand", side.hand), ("deck", side.deck), ("trash", side.trash)):
            shown = announced.get((seat, zone))
            if shown is not None and shown not in cards:
                cards = (*taken_from(cards, (shown,)), shown)
            yield from ((seat, card, zone) for card in cards)
        yield from ((seat, placed.card, "field") for stack in side.lines for placed in stack)
    for frame in state.stack:
        if type(frame) is CardMovement and frame.committed:
            yield frame.seat, frame.card, "field"
        elif type(frame) is CardsLeaving:
            yield from ((seat, card, frame.to) for card, seat in frame.cards)


@cache
def cards_of_deck(protocols: tuple[str, ...]) -> frozenset[str]:
    """The cards of a deck of these protocols."""
    return frozenset(card for card in CARDS if protocol_of(card) in protocols)
