"""Discarding from hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import not_in_hand
from audit.compile.events import Discarded
from audit.compile.state import State, Text, is_known
from audit.compile.verbs.drawing import draw_number
from audit.compile.verbs.instruction import Instruction, acting_text, wrong_player
from audit.compile.words import Count
from audit.model import Event
from audit.ruleset import Violation

MOST_HANDS = 5000
"""So many ways of discarding a number of cards are listed at most; a hand of thirty has millions."""


class Discard(Instruction):
    """Cards from hand to trash, one event however many."""

    event = Discarded

    def kind(self) -> tuple[Rule, ...]:
        return (
            rules.discard.FROM_HAND,
            rules.discard.PLAYER_PICKS,
            rules.discard.ONE_EVENT_PER_INSTRUCTION,
            rules.discard.TRASH_IS_FACE_UP,
        )

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        text = acting_text(state)
        found = super().citations(state, event)
        short = len(state.side(self.actor(text)).hand) < draw_number(state, text, self.step)
        return (*found, rules.effects.AS_FAR_AS_POSSIBLE) if short else found

    def ready(self, state: State, text: Text) -> bool:
        return bool(state.side(self.actor(text)).hand) and draw_number(state, text, self.step) > 0

    def violations(self, state: State, event: Discarded) -> tuple[Violation, ...]:  # type: ignore[override]
        text = acting_text(state)
        low, high = self.bounds(state, text)
        return discard_refused(state, event, self.actor(text), low, high)

    def bounds(self, state: State, text: Text) -> tuple[int, int]:
        """The fewest and the most cards that can be discarded."""
        held = len(state.side(self.actor(text)).hand)
        number = draw_number(state, text, self.step)
        open_end = isinstance(self.step.count, Count) and self.step.count.at_least > 0
        return min(number, held), held if open_end else min(number, held)

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        yield from discards(state, self.actor(text), *self.bounds(state, text))


def discards(state: State, player: str, low: int, high: int) -> Iterator[Discarded]:
    """Every way of discarding between so many and so many cards."""
    hand = sorted(state.side(player).hand)
    held = sorted(Counter(hand).items())
    all_differ = len(held) == len(hand)
    for number in range(low, high + 1):
        ways = combinations(hand, number) if all_differ else _chosen(held, number)
        for cards in islice(ways, MOST_HANDS):
            yield Discarded(seq=0, player=player, cards=cards)


def _chosen(held: Sequence[tuple[str, int]], number: int) -> Iterator[tuple[str, ...]]:
    """Every choice of so many out of the cards held, each with how often; cards nobody can tell apart are alike."""
    if not number:
        yield ()
    elif held:
        (card, copies), rest = held[0], held[1:]
        left = sum(more for _, more in rest)
        for taken in range(min(copies, number), max(0, number - left) - 1, -1):
            for others in _chosen(rest, number - taken):
                yield (*(card,) * taken, *others)


def discard_refused(
    state: State,
    event: Discarded,
    player: str,
    low: int,
    high: int,
    rule: Rule = rules.discard.FROM_HAND,
) -> tuple[Violation, ...]:
    """Why these cards are not that discard."""
    if event.player != player:
        return (wrong_player(player, event.player, rules.discard.PLAYER_PICKS),)
    if event.from_ != "hand":
        return (Violation(rules.discard.FROM_HAND, "discard.from", {}),)
    if event.cards and not state.side(player).hand:
        return (Violation(rules.discard.EMPTY_HAND, "discard.hand", {"card": event.cards[0]}),)
    if not low <= len(event.cards) <= high:
        if rule is rules.discard.FROM_HAND and 0 < len(event.cards) < low:
            rule = rules.discard.ONE_EVENT_PER_INSTRUCTION
        return (Violation(rule, "discard.number", {"n": low, "most": high, "found": len(event.cards)}),)
    if len(set(event.cards)) != len(event.cards) and all(is_known(card) for card in event.cards):
        return (Violation(rules.discard.FROM_HAND, "discard.twice", {}),)
    for card in event.cards:
        if not_in_hand(state, player, card):
            return (Violation(rules.discard.FROM_HAND, "discard.hand", {"card": card}),)
    return ()
