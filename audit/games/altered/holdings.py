"""Which cards of Altered are where, as far as anybody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from audit.core.conservation import Holding, Holdings
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import phases
from audit.games.altered.state import LANDMARKS, RESERVE, UNKNOWN, Side, State
from audit.games.altered.zones import COMPANION_ZONE, HERO_ZONE


def holdings(state: State) -> Holdings | None:
    """Where every card is; None where no deck list is given, every card has a name, or a text may have moved some.

    A player whose list is not given may have the same cards as the others: what they have is left out.
    """
    lists = state.game.deck_lists
    if not lists or state.untold or not any(map(_hides, state.sides)):
        return None
    copies = _copies(tuple(lists.values()))
    placed = [(seat, *one) for seat in lists for one in _placed(state.side(seat))]
    located = tuple(_each_copy(placed, copies))
    hidden = tuple(_hidden(state, lists, copies))
    exist = _units(tuple(copies.items()))
    if len(lists) < len(state.seats):
        exist |= {one.card for one in located}
    return Holdings(phases.MORNING_DRAW_TWO, (*located, *hidden), exist)


def _hides(side: Side) -> bool:
    return side.hand is None or UNKNOWN in "".join((*side.hand, *(side.deck or ())))


def _placed(side: Side) -> Iterator[tuple[str, str]]:
    """Every card of which it is known where it is; a deck that has run out was made anew from the discard pile."""
    for zone, group in ((HERO_ZONE, side.hero), (COMPANION_ZONE, side.companion)):
        yield from ((one.id, zone) for one in group or () if one.origin != "token")
    zones = (
        (RESERVE, side.reserve), (LANDMARKS, side.landmarks), ("mana_zone", side.known_orbs), ("hand", side.hand),
        ("deck", side.deck), ("discard", side.discard if side.deck else ()),
    )  # fmt: skip
    for zone, cards in zones:
        yield from ((card, zone) for card in cards or () if not card.startswith(UNKNOWN))


def _hidden(state: State, lists: Mapping[str, Cards], copies: Mapping[str, int]) -> Iterator[Holding]:
    """The cards nobody has named in hands and decks of which there is a list."""
    for seat, listed in lists.items():
        side, may_be = state.side(seat), _units(tuple([(card, copies[card]) for card in dict.fromkeys(listed)]))
        for zone, cards in (("hand", side.hand), ("deck", side.deck)):
            yield from (Holding(card, seat, zone, may_be) for card in cards or () if card.startswith(UNKNOWN))


def _each_copy(placed: list[tuple[str, str, str]], copies: Mapping[str, int]) -> Iterator[Holding]:
    """The cards that have a name; the copies of one are told apart by a number, and one too many is not."""
    seen: Counter[str] = Counter()
    for seat, card, zone in placed:
        seen[card] += 1
        number = seen[card] if seen[card] <= copies.get(card, 1) else 1
        yield Holding(_unit(card, number), seat, zone)


def _unit(card: str, number: int) -> str:
    return card if number == 1 else f"{card}#{number}"


@lru_cache(maxsize=64)
def _copies(lists: tuple[Cards, ...]) -> Mapping[str, int]:
    """How many copies there are of each card."""
    return Counter(card for listed in lists for card in listed)


@lru_cache(maxsize=256)
def _units(copies: tuple[tuple[str, int], ...]) -> frozenset[str]:
    return frozenset(_unit(card, number) for card, most in copies for number in range(1, most + 1))
