"""From a header to the first position: protocols, decks, hands, or a position in the middle of a game."""

from __future__ import annotations

from audit.core.errors import SetupError
from audit.core.model import Header
from audit.core.typed_setup import read_typed
from audit.games.compile.cards import CARDS
from audit.games.compile.positions import (
    all_different,
    check_cards,
    check_protocols,
    position,
    unknown_protocols,
    zone,
)
from audit.games.compile.setup_entries import CompileSetup, Zone
from audit.games.compile.state import SEATS, UNKNOWN, Side, State

DECK_SIZE = 18


def opening(header: Header, switches: frozenset[str]) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    first = header.first or "A"
    if first not in SEATS:
        raise SetupError("first", "A or B")
    setup = read_typed(header.setup, CompileSetup)
    if setup.position is not None:
        return _positioned(header, State(Side(()), Side(()), player=first, phase="action", switches=switches))
    if setup.protocols is None:
        raise SetupError("protocols", "an object")
    others = unknown_protocols((*setup.protocols.a, *setup.protocols.b)) if header.unknown == "record" else ()
    a = _dealt("A", setup.protocols.a, setup.decks.a, setup.hands.a, others)
    b = _dealt("B", setup.protocols.b, setup.decks.b, setup.hands.b, others)
    all_different((*a.protocols, *b.protocols), "protocols")
    all_different((*a.hand, *a.deck, *b.hand, *b.deck), "decks")
    return State(a, b, player=first, phase="setup", switches=switches)


def _positioned(header: Header, nothing: State) -> State:
    if others := [name for name in ("protocols", "decks", "hands") if name in header.setup]:
        raise SetupError(others[0], "nothing beside a position, which says it itself")
    data = header.setup["position"]
    assert isinstance(data, dict)  # the setup was read
    return position(data, nothing, with_unknown=header.unknown == "record")


def _dealt(seat: str, names: tuple[str, ...], deck_told: Zone, hand_told: Zone, others: tuple[str, ...]) -> Side:
    check_protocols(names, f"protocols.{seat}", others)
    hand = zone(hand_told, ())
    deck = zone(deck_told, (UNKNOWN,) * (DECK_SIZE - len(hand)))
    check_cards(hand, f"hands.{seat}", others)
    check_cards(deck, f"decks.{seat}", others)
    if len(deck) + len(hand) > DECK_SIZE:
        raise SetupError(f"decks.{seat}", f"{DECK_SIZE} cards at most, hand and deck together")
    strange = [card for card in (*deck, *hand) if card in CARDS and CARDS[card].protocol not in names]
    if strange:
        raise SetupError(f"decks.{seat}", f"cards of {', '.join(names)}, not {strange[0]}", strange[0])
    return Side(names, hand=hand, deck=deck)
