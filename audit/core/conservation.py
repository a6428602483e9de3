"""A card exists once. What a table says of its cards, and where it contradicts itself.

A game says which cards it knows to be where, and for each card that nobody has named which cards it may be. From that
follows what an unknown card cannot be, and sometimes what it has to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation

MAX_KINDS = 6
"""At most this many kinds of unknown cards are compared with each other."""


class Holding(Struct, frozen=True):
    """One card and where it is: its name or handle, whose it is and the zone. An unknown card `may_be` one of these.

    Cards that are nobody's have no `player`.
    """

    card: str
    player: str
    zone: str
    may_be: frozenset[str] | None = None


class Holdings(Struct, frozen=True):
    """All cards of a table, the rule that says which there are, and the cards that there are."""

    rule: Rule
    cards: tuple[Holding, ...]
    exist: frozenset[str]

    def located(self) -> dict[str, Holding]:
        """The cards that have a name, each where it is."""
        return {one.card: one for one in self.cards if one.may_be is None}


def hides_some(holdings: Holdings | None) -> bool:
    """Whether some card has no name."""
    return holdings is not None and any(one.may_be is not None for one in holdings.cards)


def contradiction(before: Holdings, after: Holdings) -> Violation | None:
    """What an event says that cannot be: a card is in two places, or where it can never have come; None if nothing."""
    placed = Counter(one.card for one in after.cards if one.may_be is None)
    known = before.located()
    twice = next((card for card, times in placed.items() if times > 1 and _is_new(before, card, times)), None)
    if twice is not None:
        first, second = [one for one in after.cards if one.card == twice][:2]
        data = {"card": twice, "player": first.player, "zone": first.zone, "other": second.player, "to": second.zone}
        return Violation(after.rule, "card.twice" if first.player else "card.two_zones", data)
    new = [one for card, one in after.located().items() if card not in known]
    strange = [one for one in new if one.card not in after.exist]
    if not strange and crowded(after) and not crowded(before):
        strange = new
    if not strange:
        return None
    data = {"card": strange[0].card, "player": strange[0].player}
    return Violation(after.rule, "card.elsewhere" if strange[0].player else "card.not_left", data)


def _is_new(before: Holdings, card: str, times: int) -> bool:
    return sum(one.card == card for one in before.cards) < times


def crowded(holdings: Holdings) -> bool:
    """Whether some unknown cards are more than the cards that they may be."""
    return any(number > len(left) for number, left in _unknown(holdings))


def deductions(holdings: Holdings) -> Mapping[str, str]:
    """The handles that can only be one card, with that card; none where the table contradicts itself.

    Where as many unknown cards as there are cards left share what they may be, the others cannot be any of those.
    """
    kinds = Counter(one.may_be for one in holdings.cards if one.may_be is not None)
    if crowded(holdings):
        return {}
    located = frozenset(holdings.located())
    left = {kind: kind - located for kind in kinds}
    for number, cards, together in list(_together(kinds, located)):
        if number == len(cards):
            left.update({kind: left[kind] - cards for kind in kinds if kind not in together})
    certain = {kind: next(iter(cards)) for kind, cards in left.items() if len(cards) == kinds[kind] == 1}
    return {one.card: certain[one.may_be] for one in holdings.cards if one.may_be in certain and len(one.card) > 1}


def _unknown(holdings: Holdings) -> Iterator[tuple[int, frozenset[str]]]:
    """The unknown cards by what they may be, alone and together: how many, and the cards left for them."""
    kinds = Counter(one.may_be for one in holdings.cards if one.may_be is not None)
    return ((number, left) for number, left, _ in _together(kinds, frozenset(holdings.located())))


def _together(
    kinds: Counter[frozenset[str]], located: frozenset[str]
) -> Iterator[tuple[int, frozenset[str], tuple[frozenset[str], ...]]]:
    """Some kinds of unknown cards together: how many cards, the cards left for them, and the kinds."""
    some = list(kinds)[:MAX_KINDS]
    for size in range(1, len(some) + 1):
        for chosen in combinations(some, size):
            yield sum(kinds[kind] for kind in chosen), frozenset[str]().union(*chosen) - located, chosen
