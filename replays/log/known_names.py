"""Whether the cards that events speak of exist, and the players are at the table: quick for a whole batch of events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter

from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from replays.errors import Problem
from replays.log.schemas import card_fields, seat_fields
from replays.log.strict_reader import later_cause, unknown_cards, unknown_players


class Cards:
    """Whether every card exists; quick for cards met before."""

    def __init__(self, game: Ruleset[object], may_be_unknown: bool = False) -> None:
        self.exists = None if may_be_unknown else game.rules.card_exists
        self.known: set[str] = set()

    def are_known(self, cards: set[str | None]) -> bool:
        """Whether the game has them all, where it can tell."""
        return self.exists is None or all(self._is_known(card) for card in cards - self.known if card)

    def _is_known(self, card: str) -> bool:
        assert self.exists is not None
        if card.startswith("?"):
            return True
        if self.exists(card):
            self.known.add(card)
        return card in self.known


class Names:
    """Whether every card exists that events speak of, and every player is at the table."""

    def __init__(self, cards: Cards, seats: Sequence[str]) -> None:
        self.cards, self.seats = cards, seats
        self._seated = frozenset[str | None]((*seats, None))
        self._readers = self._seated | {PUBLIC, JUDGE}

    def are_known(self, by_type: Mapping[type[Event], list[Event]], readers: set[str]) -> bool:
        """Whether the game has all they speak of, where it can tell, and who may read their notes."""
        cards, seats = set[str | None](), set[str | None]()
        for kind, some in by_type.items():
            _gather(card_fields(kind), some, cards)
            _gather(seat_fields(kind), some, seats)
        if self.seats and not (seats <= self._seated and readers <= self._readers):
            return False
        return self.cards.are_known(cards)

    def problems(self, event: Event, line: int) -> list[Problem]:
        """The cards and players of an event that there are not, and what its note and its cause name wrongly."""
        found = unknown_cards(event, line, self.cards.exists) if self.cards.exists else []
        return [*found, *unknown_players(event, line, self.seats), *later_cause(event, line)]


def _gather(fields: tuple[tuple[str, ...], tuple[str, ...]], events: list[Event], names: set[str | None]) -> None:
    """Add what the events have in those fields, which hold one name or several."""
    one, many = fields
    for name in one:
        names.update(map(attrgetter(name), events))
    for name in many:
        names.update(*filter(None, map(attrgetter(name), events)))


@cache
def cards_of(game: Ruleset[object], may_be_unknown: bool) -> Cards:
    return Cards(game, may_be_unknown)
