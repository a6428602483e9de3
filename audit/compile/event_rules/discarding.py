"""Cards go to the trash from elsewhere than the field: by an instruction, or because the cache is cleared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import not_in_hand
from audit.compile.event_rules.base import CompileEventRules
from audit.compile.event_rules.drawing import draw_number
from audit.compile.events import CacheCleared, Discarded, cards_of
from audit.compile.following import carried_forward, led_to, with_due
from audit.compile.moves import taken_away
from audit.compile.occasions import Instruction, Occasion, acting_text, called_for, wrong_player
from audit.compile.procedures import skips_cache
from audit.compile.state import (
    ALL_CARDS,
    HAND_LIMIT,
    Clearing,
    Refreshing,
    State,
    Text,
    is_known,
    opponent,
    popped,
    pushed,
    with_side,
)
from audit.compile.texts import waiting
from audit.compile.words import Count
from audit.event_rules import Citations, Violation, Violations
from audit.model import Event

MAX_HANDS = 5000
"""At most this many ways of discarding a number of cards are listed; a hand of thirty has millions."""


class Discard(Instruction[Discarded]):
    """Cards go from hand to trash, as one event however many."""

    verbs = ("discard",)
    event = Discarded

    def verb_rules(self) -> Citations:
        return (
            rules.discard.FROM_HAND,
            rules.discard.PLAYER_PICKS,
            rules.discard.ONE_EVENT_PER_INSTRUCTION,
            rules.discard.TRASH_IS_FACE_UP,
        )

    def citations(self, state: State, event: Discarded) -> Citations:
        text = acting_text(state)
        found = super().citations(state, event)
        short = len(state.side(self.actor(text)).hand) < draw_number(state, text, self.declared)
        return (*found, rules.effects.AS_FAR_AS_POSSIBLE) if short else found

    def ready(self, state: State, text: Text) -> bool:
        return bool(state.side(self.actor(text)).hand) and draw_number(state, text, self.declared) > 0

    def violations(self, state: State, event: Discarded) -> Violations:
        text = acting_text(state)
        low, high = self.bounds(state, text)
        return discard_violations(state, event, self.actor(text), low, high)

    def bounds(self, state: State, text: Text) -> tuple[int, int]:
        """The fewest and the most cards that can be discarded."""
        held = len(state.side(self.actor(text)).hand)
        number = draw_number(state, text, self.declared)
        open_end = isinstance(self.declared.count, Count) and self.declared.count.at_least > 0
        return min(number, held), held if open_end else min(number, held)

    def hides_choice(self, state: State, event: Event) -> bool:
        return names_unknown(event)

    def candidates(self, state: State) -> Iterator[Discarded]:
        text = acting_text(state)
        yield from discards(state, self.actor(text), *self.bounds(state, text))


class DiscardToLimit(Occasion[Discarded]):
    """The cards above five go to the trash, as one event."""

    event = Discarded
    rules = (rules.cache.FIVE_CARD_LIMIT, rules.discard.PLAYER_PICKS, rules.discard.ONE_EVENT_PER_INSTRUCTION)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def surplus(self, state: State) -> int:
        """How many cards are above the limit."""
        return max(0, len(state.side(self.seat).hand) - HAND_LIMIT)

    def violations(self, state: State, event: Discarded) -> Violations:
        surplus = self.surplus(state)
        return discard_violations(state, event, self.seat, surplus, surplus, rules.cache.FIVE_CARD_LIMIT)

    def hides_choice(self, state: State, event: Event) -> bool:
        return names_unknown(event)

    def candidates(self, state: State) -> Iterator[Discarded]:
        yield from discards(state, self.seat, self.surplus(state), self.surplus(state))


def names_unknown(event: Event) -> bool:
    """Whether a card of the event has no name, though everybody sees it from then on."""
    return any(not is_known(card) for card in cards_of(event))


def discards(state: State, player: str, low: int, high: int) -> Iterator[Discarded]:
    """Every way of discarding between so many and so many cards."""
    hand = sorted(state.side(player).hand)
    held = sorted(Counter(hand).items())
    all_differ = len(held) == len(hand)
    for number in range(low, high + 1):
        ways = combinations(hand, number) if all_differ else _chosen(held, number)
        for cards in islice(ways, MAX_HANDS):
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


def discard_violations(
    state: State,
    event: Discarded,
    player: str,
    low: int,
    high: int,
    rule: Rule = rules.discard.FROM_HAND,
) -> Violations:
    """The criteria that the discard fails."""
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


class DiscardedRules(CompileEventRules[Discarded]):
    """The rules of discarding."""

    event = Discarded
    names_cards: bool = True
    verb = "discard"

    def occasions(self, state: State) -> Iterable[Occasion[Discarded]]:
        frame = state.newest
        return (DiscardToLimit(frame.seat),) if type(frame) is Clearing else called_for(state, Discarded)

    def forbidden(self, state: State, event: Discarded) -> Violations:
        """Why nobody discards now: there is nothing in hand, or a refresh is no exchange."""
        frame = state.newest
        if not state.side(event.player).hand:
            return (Violation(rules.discard.EMPTY_HAND, "discard.hand", {"card": (*event.cards, "")[0]}),)
        if event.player != (frame.seat if type(frame) is Refreshing else state.player):
            return ()
        if type(frame) is Refreshing or (frame is None and state.phase == "action" and not state.acted):
            return (Violation(rules.refresh.NO_EXCHANGE, "discard.unasked", {"player": event.player}),)
        return ()

    def missing(self, state: State, event: Discarded) -> Violation | None:
        if event.from_ == "deck":
            return missing_from_deck(state, event.player)
        card = next((card for card in event.cards if not_in_hand(state, event.player, card)), None)
        return Violation(rules.discard.FROM_HAND, "play.hand", {"card": card}) if card is not None else None

    def happen(self, state: State, event: Discarded) -> State:
        why = led_to(state, event)
        state = taken_away(state, event.player, event.from_, event.cards)
        side = state.side(event.player)
        trash = (*side.trash, *event.cards)[:ALL_CARDS]
        state = with_side(state, event.player, replace(side, trash=trash))
        frame = state.newest
        texts = waiting(state, opponent(event.player), "after_opponent_discards") if event.cards else ()
        if type(frame) is Clearing:
            texts = (*waiting(state, event.player, "after_you_clear_cache"), *texts)
            return with_due(popped(state), texts, why)
        return with_due(carried_forward(state, "discard", None, len(event.cards)), texts, why)


def missing_from_deck(state: State, seat: str) -> Violation | None:
    """That there is no deck to take a card from."""
    return None if state.side(seat).deck else Violation(rules.deck.TOP_CARD_EFFECTS_FAIL, "play.top", {})


class ClearCache(Occasion[CacheCleared]):
    """The cache is cleared if the hand has more than five cards."""

    event = CacheCleared
    rules = (rules.cache.FIVE_CARD_LIMIT,)

    def violations(self, state: State, event: CacheCleared) -> Violations:
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.cache.FIVE_CARD_LIMIT),)
        if state.phase != "cache" or state.acted or not is_above_limit(state):
            return (Violation(rules.cache.FIVE_CARD_LIMIT, "cache.five", {"player": event.player}),)
        if skips_cache(state):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "cache.skipped", {"player": event.player}),)
        return ()

    def candidates(self, state: State) -> Iterator[CacheCleared]:
        yield CacheCleared(seq=0, player=state.player)


CLEAR = ClearCache()


def is_above_limit(state: State) -> bool:
    """Whether the player in turn holds more cards than the limit."""
    return len(state.side(state.player).hand) > HAND_LIMIT


def is_clearing_due(state: State) -> bool:
    """Whether the player in turn has to clear the cache now."""
    if state.acted or state.phase != "cache" or not state.is_idle:
        return False
    return is_above_limit(state) and not skips_cache(state)


class CacheClearedRules(CompileEventRules[CacheCleared]):
    """The rules of clearing the cache."""

    event = CacheCleared
    is_part: bool = True

    def occasions(self, state: State) -> Iterable[ClearCache]:
        return (CLEAR,) if is_clearing_due(state) else ()

    def out_of_place(self, state: State, event: CacheCleared) -> Violations:
        return CLEAR.violations(state, event)

    def happen(self, state: State, event: CacheCleared) -> State:
        return pushed(replace(state, acted="cleared"), Clearing(event.player, led_to(state, event)))


RULES = (DiscardedRules(), CacheClearedRules())
