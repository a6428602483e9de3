"""Cards go to the trash from elsewhere than the field: by an instruction, or because the cache is cleared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.criteria import could_be, not_in_hand, took_from_hand
from audit.games.compile.declarations import ALL, Count
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.draw_occasions import deck_of, draw_number
from audit.games.compile.events import CacheCleared, Discarded, cards_of
from audit.games.compile.following import carried_forward_by, drawn_at_random, led_to, with_due
from audit.games.compile.moves import taken_away
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    acting_text,
    called_for,
    without_empty_deck,
    wrong_player,
)
from audit.games.compile.parts import is_idle, is_known, newest, opponent, popped, pushed, side_of, with_side
from audit.games.compile.procedures import skips_cache
from audit.games.compile.state import ALL_CARDS, HAND_LIMIT, SEATS, Clearing, DueText, Refreshing, State, Text
from audit.games.compile.texts import some_react, waiting

MAX_HANDS: Final = 5000
"""At most this many ways of discarding a number of cards are listed; a hand of thirty has millions."""


class Discard(Instruction[Discarded]):
    """Cards go from hand to trash, as one event however many."""

    verbs = ("discard",)
    event = Discarded

    def verb_rules(self) -> Citations:
        return (
            rules.acts.DISCARD_FROM_HAND,
            rules.effects.CARDS_BEAT_RULES if self.declared.at_random else rules.acts.DISCARD_PLAYER_PICKS,
            rules.acts.DISCARD_ONE_EVENT_PER_INSTRUCTION,
            rules.acts.DISCARD_TRASH_IS_FACE_UP,
        )

    def citations(self, state: State, event: Discarded) -> Citations:
        text = acting_text(state)
        found = super().citations(state, event)
        short = len(side_of(state, self.actor(text)).hand) < self._number(state, text)
        return (*found, rules.effects.AS_FAR_AS_POSSIBLE) if short else found

    def ready(self, state: State, text: Text) -> bool:
        return bool(side_of(state, self.actor(text)).hand) and (self._number(state, text) > 0 or self._is_open())

    def _number(self, state: State, text: Text) -> int:
        """How many cards have to be discarded, if there are so many."""
        if self.declared.count == ALL:
            return len(side_of(state, self.actor(text)).hand)
        return draw_number(state, text, self.declared)

    def _is_open(self) -> bool:
        return isinstance(self.declared.count, Count) and self.declared.count.is_open

    def trash(self, text: Text) -> str:
        """Whose trash the cards go to."""
        actor = self.actor(text)
        return opponent(actor) if self.declared.into == "opposing_trash" else actor

    def violations(self, state: State, event: Discarded) -> Violations:
        text = acting_text(state)
        low, high = self.bounds(state, text)
        if failed := discard_violations(state, event, self.actor(text), low, high):
            return failed
        if (event.trash or event.player) == self.trash(text):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "discard.trash", {"player": self.trash(text)}),)

    def bounds(self, state: State, text: Text) -> tuple[int, int]:
        """The fewest and the most cards that can be discarded."""
        held = len(side_of(state, self.actor(text)).hand)
        number = self._number(state, text)
        return min(number, held), held if self._is_open() else min(number, held)

    def hides_choice(self, state: State, event: Event) -> bool:
        return self.declared.count != ALL and names_unknown(event)  # of a whole hand nobody picks

    def candidates(self, state: State) -> Iterator[Discarded]:
        text = acting_text(state)
        actor, trash = self.actor(text), self.trash(text)
        low, high = self.bounds(state, text)
        for event in discards(state, actor, max(low, 1), high):
            yield event if trash == actor else replace(event, trash=trash)


class DiscardBoth(Instruction[Discarded]):
    """Both players discard their hands, one after the other, in an order that the player of the card sets."""

    verbs = ("discard both",)
    event = Discarded

    def verb_rules(self) -> Citations:
        return (
            rules.acts.DISCARD_FROM_HAND,
            rules.effects.SOURCE_SIDE_DECIDES,
            rules.acts.DISCARD_ONE_EVENT_PER_INSTRUCTION,
        )

    def able_players(self, state: State) -> tuple[str, ...]:
        return tuple(seat for seat in SEATS if side_of(state, seat).hand)

    def ready(self, state: State, text: Text) -> bool:
        return bool(self.players_left(state, text))

    def violations(self, state: State, event: Discarded) -> Violations:
        if event.player not in self.players_left(state, acting_text(state)):
            return (Violation(rules.acts.DISCARD_FROM_HAND, "discard.done", {"player": event.player}),)
        held = len(side_of(state, event.player).hand)
        return discard_violations(state, event, event.player, held, held)

    def candidates(self, state: State) -> Iterator[Discarded]:
        for seat in self.players_left(state, acting_text(state)):
            yield Discarded(seq=0, player=seat, cards=side_of(state, seat).hand)


class DiscardFromDeck(Instruction[Discarded]):
    """Cards from the top of a deck go to its player's trash."""

    verbs = ("discard deck",)
    event = Discarded

    def verb_rules(self) -> Citations:
        return (rules.acts.DISCARD_TRASH_IS_FACE_UP, rules.deck.TOP_CARD_EFFECTS_FAIL)

    def citations(self, state: State, event: Discarded) -> Citations:
        return without_empty_deck(super().citations(state, event))

    def holder(self, text: Text) -> str:
        """Whose deck it is."""
        return deck_of(self.declared, self.actor(text))

    def _cards(self, state: State, text: Text) -> tuple[str, ...]:
        deck = side_of(state, self.holder(text)).deck
        return deck if self.declared.count == ALL else deck[: draw_number(state, text, self.declared)]

    def ready(self, state: State, text: Text) -> bool:
        return bool(self._cards(state, text))

    def violations(self, state: State, event: Discarded) -> Violations:
        text = acting_text(state)
        actor, holder = self.actor(text), self.holder(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if event.from_ != "deck" or (event.deck or actor) != holder:
            return (Violation(rules.effects.MUST_BE_APPLIED, "discard.deck", {"player": holder}),)
        cards = self._cards(state, text)
        if not cards:
            return (Violation(rules.deck.TOP_CARD_EFFECTS_FAIL, "play.top", {"card": (*event.cards, "")[0]}),)
        if len(cards) != len(event.cards):
            data = {"n": len(cards), "most": len(cards), "found": len(event.cards)}
            return (Violation(rules.effects.MUST_BE_APPLIED, "discard.number", data),)
        if sorted(cards) == sorted(event.cards) or all(map(could_be, cards, event.cards)):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "discard.top", {"cards": list(cards)}),)

    def hides_choice(self, state: State, event: Event) -> bool:
        return names_unknown(event)

    def candidates(self, state: State) -> Iterator[Discarded]:
        text = acting_text(state)
        actor, holder = self.actor(text), self.holder(text)
        deck = None if holder == actor else holder
        yield Discarded(seq=0, player=actor, cards=self._cards(state, text), from_="deck", deck=deck)


class DiscardToLimit(Occasion[Discarded]):
    """The cards above five go to the trash, as one event."""

    event = Discarded
    rules: Citations = (
        rules.refresh.CACHE_FIVE_CARD_LIMIT, rules.acts.DISCARD_PLAYER_PICKS,
        rules.acts.DISCARD_ONE_EVENT_PER_INSTRUCTION,
    )  # fmt: skip

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def surplus(self, state: State) -> int:
        """How many cards are above the limit."""
        return max(0, len(side_of(state, self.seat).hand) - HAND_LIMIT)

    def violations(self, state: State, event: Discarded) -> Violations:
        surplus = self.surplus(state)
        return discard_violations(state, event, self.seat, surplus, surplus, rules.refresh.CACHE_FIVE_CARD_LIMIT)

    def hides_choice(self, state: State, event: Event) -> bool:
        return names_unknown(event)

    def candidates(self, state: State) -> Iterator[Discarded]:
        yield from discards(state, self.seat, self.surplus(state), self.surplus(state))


def names_unknown(event: Event) -> bool:
    """Whether a card of the event has no name, though everybody sees it from then on."""
    return any(not is_known(card) for card in cards_of(event))


def discards(state: State, player: str, low: int, high: int) -> Iterator[Discarded]:
    """Every way of discarding between so many and so many cards."""
    hand = sorted(side_of(state, player).hand)
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
    rule: Rule = rules.acts.DISCARD_FROM_HAND,
) -> Violations:
    """The criteria that the discard fails."""
    if event.player != player:
        return (wrong_player(player, event.player, rules.acts.DISCARD_PLAYER_PICKS),)
    if event.from_ != "hand":
        return (Violation(rules.acts.DISCARD_FROM_HAND, "discard.from", {}),)
    if event.cards and not side_of(state, player).hand:
        return (Violation(rules.acts.DISCARD_EMPTY_HAND, "discard.hand", {"card": event.cards[0]}),)
    if not low <= len(event.cards) <= high:
        data = {"n": low, "most": high, "found": len(event.cards)}
        is_piecemeal = rule is rules.acts.DISCARD_FROM_HAND and 0 < len(event.cards) < low
        broken = (
            (rules.effects.MUST_BE_APPLIED, rules.acts.DISCARD_ONE_EVENT_PER_INSTRUCTION) if is_piecemeal else (rule,)
        )
        return tuple([Violation(one, "discard.number", data) for one in broken])
    if len(set(event.cards)) != len(event.cards) and all(is_known(card) for card in event.cards):
        return (Violation(rules.acts.DISCARD_FROM_HAND, "discard.twice", {}),)
    for card in event.cards:
        if not_in_hand(state, player, card):
            return (Violation(rules.acts.DISCARD_FROM_HAND, "discard.hand", {"card": card}),)
    return ()


class DiscardedRules(CompileEventRules[Discarded]):
    """The rules of discarding."""

    event = Discarded
    names_cards: bool = True
    may_be_unchecked: bool = True
    verb = "discard"
    may_be_ambiguous: bool = True

    def occasions(self, state: State) -> Iterable[Occasion[Discarded]]:
        frame = newest(state)
        return (DiscardToLimit(frame.seat),) if type(frame) is Clearing else called_for(state, Discarded)

    def joined(self, event: Discarded, rest: Discarded) -> Discarded | None:
        """Discards one by one; who discards several more cards does something else."""
        places = [(one.player, one.from_, one.deck, one.trash) for one in (event, rest)]
        is_part = places[0] == places[1] and len(rest.cards) == 1
        return replace(event, cards=(*event.cards, *rest.cards)) if is_part else None

    def forbidden(self, state: State, event: Discarded) -> Violations:
        """Why nobody discards now: there is nothing in hand, or a refresh is no exchange."""
        frame = newest(state)
        if not side_of(state, event.player).hand:
            return (Violation(rules.acts.DISCARD_EMPTY_HAND, "discard.hand", {"card": (*event.cards, "")[0]}),)
        if event.player != (frame.seat if type(frame) is Refreshing else state.player):
            return ()
        if type(frame) is Refreshing or (frame is None and state.phase == "action" and not state.acted):
            return (Violation(rules.refresh.NO_EXCHANGE, "discard.unasked", {"player": event.player}),)
        return ()

    def unchecked(self, state: State, event: Discarded) -> Violations:
        found = drawn_at_random(state, "discard", event.player) if event.from_ == "hand" else ()
        return () if not found or self.violations(state, event) else found

    def missing(self, state: State, event: Discarded) -> Violation | None:
        if event.from_ == "deck":
            return missing_from_deck(state, event.deck or event.player)
        card = next((card for card in event.cards if not_in_hand(state, event.player, card)), None)
        return Violation(rules.acts.DISCARD_FROM_HAND, "play.hand", {"card": card}) if card is not None else None

    def took_away(
        self, state: State, event: Discarded, before: State, earlier: Event, after: State
    ) -> Violation | None:
        gone = self.missing(state, event) if event.from_ == "hand" else None
        card = str(gone.data["card"]) if gone else ""
        return took_from_hand(state, event.player, card, before, earlier, after) if card else None

    def happen(self, state: State, event: Discarded) -> State:
        why = led_to(state, event)
        holder = event.deck or event.player
        state = taken_away(state, holder, event.from_, event.cards)
        side = side_of(state, event.trash or holder)
        trash = (*side.trash, *event.cards)[:ALL_CARDS]
        state = with_side(state, event.trash or holder, replace(side, trash=trash))
        frame = newest(state)
        texts = _after_discard(state, event.player) if event.cards else ()
        if type(frame) is Clearing:
            texts = (*waiting(state, event.player, "after_you_clear_cache"), *texts)
            return with_due(popped(state), texts, why)
        return with_due(_discarded(state, event), texts, why)


def _discarded(state: State, event: Discarded) -> State:
    """The text that waited for the discard, carried forward."""
    from_deck = event.from_ == "deck" and len(event.cards) == 1
    card = event.cards[0] if from_deck else None
    return carried_forward_by(state, event.player, event.cards, "discard", card, len(event.cards))


def _after_discard(state: State, seat: str) -> tuple[DueText, ...]:
    """The texts that wait for that player to discard."""
    if not some_react(state):
        return ()
    own = waiting(state, seat, "after_you_discard")
    elsewhere = () if seat == state.player else waiting(state, seat, "after_you_discard_in_opponents_turn")
    return (*own, *elsewhere, *waiting(state, opponent(seat), "after_opponent_discards"))


def missing_from_deck(state: State, seat: str) -> Violation | None:
    """That there is no deck to take a card from."""
    return None if side_of(state, seat).deck else Violation(rules.deck.TOP_CARD_EFFECTS_FAIL, "play.top", {})


class ClearCache(Occasion[CacheCleared]):
    """The cache is cleared if the hand has more than five cards."""

    event = CacheCleared
    rules: Citations = (rules.refresh.CACHE_FIVE_CARD_LIMIT,)

    def violations(self, state: State, event: CacheCleared) -> Violations:
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.refresh.CACHE_FIVE_CARD_LIMIT),)
        if state.phase != "cache" or state.acted or not is_above_limit(state):
            return (Violation(rules.refresh.CACHE_FIVE_CARD_LIMIT, "cache.five", {"player": event.player}),)
        if skips_cache(state):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "cache.skipped", {"player": event.player}),)
        return ()

    def candidates(self, state: State) -> Iterator[CacheCleared]:
        yield CacheCleared(seq=0, player=state.player)


CLEAR: Final = ClearCache()


def is_above_limit(state: State) -> bool:
    """Whether the player in turn holds more cards than the limit."""
    return len(state.a.hand if state.player == "A" else state.b.hand) > HAND_LIMIT


def is_clearing_due(state: State) -> bool:
    """Whether the player in turn has to clear the cache now."""
    may_be = is_above_limit(state) and not state.acted and state.phase == "cache"
    return may_be and is_idle(state) and not skips_cache(state)


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
