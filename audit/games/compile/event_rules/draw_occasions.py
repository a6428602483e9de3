"""Why cards are drawn: the opening hand, an instruction, a refresh, the reward of a recompile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.games.compile import rules
from audit.games.compile.card_rulings import correction
from audit.games.compile.criteria import could_be, has_unknown, kind_violation, matches
from audit.games.compile.declarations import ALL, CardInstruction, Count
from audit.games.compile.events import Drew, drawn_count
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    acting_text,
    wrong_player,
)
from audit.games.compile.parts import (
    is_known,
    opponent,
    protocol_of,
    side_of,
)
from audit.games.compile.procedures import is_draw_barred
from audit.games.compile.state import SEATS, State, Text
from audit.games.compile.totals import number_read, value_of

OPENING_HAND: Final = 5

_FILLED: Final = (rules.refresh.UP_TO_FIVE, rules.acts.DRAW_FROM_TOP_TO_HAND, rules.acts.DRAW_ONE_EVENT_PER_INSTRUCTION)

_FILLED_SHORT: Final = (rules.refresh.NOTHING_LEFT, *_FILLED)


def drawn(state: State, player: str, deck: str, number: int) -> Drew:
    """The event of that many cards being drawn, as far as there are."""
    cards = side_of(state, deck).deck[:number]
    return Drew(seq=0, player=player, cards=cards, deck=deck if deck != player else None)


def draw_violations(state: State, event: Drew, player: str, deck: str, number: int) -> Violations:
    """The criteria that the draw fails: who draws, from which deck, how many."""
    if event.player != player:
        return (wrong_player(player, event.player),)
    if (event.deck or event.player) != deck:
        return (Violation(rules.acts.DRAW_FROM_TOP_TO_HAND, "draw.deck", {"player": deck}),)
    there = side_of(state, deck).deck
    wanted = min(number, len(there))
    count = drawn_count(event)
    if count != wanted or (event.count is not None and event.count != wanted):
        piecemeal = 0 < count < wanted
        rule = rules.acts.DRAW_ONE_EVENT_PER_INSTRUCTION if piecemeal else rules.acts.DRAW_FROM_TOP_TO_HAND
        return (Violation(rule, "draw.number", {"n": wanted, "found": count}),)
    if event.cards is not None and not _same_cards(there[:wanted], event.cards):
        return (Violation(rules.acts.DRAW_FROM_TOP_TO_HAND, "draw.top", {"cards": list(there[:wanted])}),)
    return ()


def _same_cards(top: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    if top == cards:
        return True
    known = sorted(card for card in cards if is_known(card))
    if len(known) == len(cards) and sorted(top) == known:
        return True
    return all(could_be(held, named) for held, named in zip(top, cards, strict=True))


def draw_number(state: State, text: Text, declared: CardInstruction) -> int:
    """How many cards a text tells to draw or discard, whatever there is, less those drawn before a new deck."""
    return number_to_draw(state, text, declared) - len(text.taken)


def number_to_draw(state: State, text: Text, declared: CardInstruction) -> int:
    count = declared.count
    if text.number >= 0:
        return text.number
    if isinstance(count, int):
        return count
    if isinstance(count, Count):
        if count.number_of:
            return number_read(state, text, count.number_of)
        if count.value_of_that:
            return (value_of(state, text.last_picked) or 0) if text.last_picked else 0
        return text.done + count.plus if count.done else count.at_least
    return 0


def deck_of(declared: CardInstruction, actor: str) -> str:
    """Whose deck a step draws from."""
    return opponent(actor) if declared.source == "opposing_deck" else actor


class OpeningDraw(Occasion[Drew]):
    """Five cards for the opening hand."""

    event = Drew
    rules: Citations = (rules.setup.OPENING_HAND, rules.setup.DECK_OF_EIGHTEEN)
    any_order = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> Violations:
        side = side_of(state, self.seat)
        if failed := draw_violations(state, event, self.seat, self.seat, OPENING_HAND - len(side.hand)):
            number = failed[0].key == "draw.number"
            return (replace(failed[0], rule=rules.setup.OPENING_HAND),) if number else failed
        stranger = next((c for c in event.cards or () if is_known(c) and protocol_of(c) not in side.protocols), None)
        if stranger is not None:
            data = {"player": self.seat, "card": stranger}
            return (Violation(rules.setup.DECK_OF_EIGHTEEN, "draw.stranger", data),)
        return ()

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, self.seat, OPENING_HAND - len(side_of(state, self.seat).hand))


def opening_draws(state: State) -> tuple[OpeningDraw, ...]:
    """The opening hands not drawn yet."""
    sides = ((seat, side_of(state, seat)) for seat in SEATS)
    return tuple(OpeningDraw(seat) for seat, side in sides if len(side.hand) < OPENING_HAND and side.deck)


class DrawCards(Instruction[Drew]):
    """Cards from the top of a deck to hand."""

    verbs = ("draw",)
    event = Drew

    def verb_rules(self) -> Citations:
        return (rules.acts.DRAW_FROM_TOP_TO_HAND, rules.acts.DRAW_ONE_EVENT_PER_INSTRUCTION)

    def ready(self, state: State, text: Text) -> bool:
        actor = self.actor(text)
        deck = side_of(state, deck_of(self.declared, actor))
        if draw_number(state, text, self.declared) <= 0 or not (deck.deck or deck.trash):
            return False
        return bool(text.taken) or not self.is_barred(state, actor)

    def is_barred(self, state: State, actor: str) -> bool:
        """Whether a text in force keeps the player from this draw."""
        return is_draw_barred(state, actor, from_other_deck=self.declared.source == "opposing_deck")

    def violations(self, state: State, event: Drew) -> Violations:
        text = acting_text(state)
        actor = self.actor(text)
        number = draw_number(state, text, self.declared)
        if not text.taken and event.player == actor and self.is_barred(state, actor):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": actor}),)
        failed = draw_violations(state, event, actor, deck_of(self.declared, actor), number)
        failed = self.corrected(state, failed)
        by_value = isinstance(self.declared.count, Count) and self.declared.count.value_of_that
        if failed and by_value and (rule := self.own_rule()):
            return (replace(failed[0], rule=rule),)
        return failed

    def candidates(self, state: State) -> Iterator[Drew]:
        text = acting_text(state)
        actor = self.actor(text)
        yield drawn(state, actor, deck_of(self.declared, actor), draw_number(state, text, self.declared))


class DrawMatching(Instruction[Drew]):
    """Cards of a kind out of the whole deck, which has been shown: no new deck is made for them."""

    verbs = ("draw matching",)
    event = Drew

    def verb_rules(self) -> Citations:
        return (rules.effects.CARDS_BEAT_RULES, rules.acts.DRAW_ONE_EVENT_PER_INSTRUCTION)

    def _there(self, state: State, text: Text) -> tuple[str, ...]:
        return tuple(c for c in side_of(state, self.actor(text)).deck if matches(text, self.declared.matching, c))

    def ready(self, state: State, text: Text) -> bool:
        return bool(self._there(state, text)) and not is_draw_barred(state, self.actor(text), from_other_deck=False)

    def violations(self, state: State, event: Drew) -> Violations:
        text = acting_text(state)
        actor, there = self.actor(text), self._there(state, text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if is_draw_barred(state, actor, from_other_deck=False):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": actor}),)
        if (event.deck or actor) != actor:
            return (Violation(rules.acts.DRAW_FROM_TOP_TO_HAND, "draw.deck", {"player": actor}),)
        for card in event.cards or ():
            if other := kind_violation(text, self.declared.matching, card):
                return (other,)
            if card not in there and not has_unknown(there):
                return (Violation(rules.effects.MUST_BE_APPLIED, "draw.not_there", {"card": card}),)
        least, most = self._bounds(there)
        count = drawn_count(event)
        if least <= count <= most:
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "draw.number", {"n": least, "found": count}),)

    def may_be_impossible(self, state: State, text: Text) -> bool:
        return not any(map(is_known, self._there(state, text)))

    def _bounds(self, there: tuple[str, ...]) -> tuple[int, int]:
        """The fewest and the most cards this may be; of unknown cards each may be one of them or not."""
        if self.declared.count != ALL:
            return 1, 1
        return sum(map(is_known, there)), len(there)

    def candidates(self, state: State) -> Iterator[Drew]:
        text = acting_text(state)
        actor, there = self.actor(text), self._there(state, text)
        if self.declared.count == ALL:
            yield Drew(seq=0, player=actor, cards=there)
        else:
            yield from (Drew(seq=0, player=actor, cards=(card,)) for card in dict.fromkeys(there))


class RefreshDraw(Occasion[Drew]):
    """The draw of a refresh."""

    event = Drew
    rules: Citations = _FILLED

    def __init__(self, seat: str, number: int) -> None:
        self.seat = seat
        self.number = number

    def violations(self, state: State, event: Drew) -> Violations:
        failed = draw_violations(state, event, self.seat, self.seat, self.number)
        if failed and failed[0].key == "draw.number":
            return (Violation(self._number_rule(state), "refresh.number", failed[0].data), *failed)
        return failed

    def _number_rule(self, state: State) -> Rule:
        text = state.stack[-2] if len(state.stack) > 1 else None
        if type(text) is Text and (own := correction(text.card, "refreshed")):
            return own
        return rules.refresh.NOTHING_LEFT if self._is_short(state) else rules.refresh.UP_TO_FIVE

    def _is_short(self, state: State) -> bool:
        return len(side_of(state, self.seat).deck) < self.number

    def citations(self, state: State, event: Drew) -> Citations:
        return _FILLED_SHORT if self._is_short(state) else _FILLED

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, self.seat, self.number)


class Reward(Occasion[Drew]):
    """The top card of the opponent's deck, for a recompile."""

    event = Drew
    rules: Citations = (rules.recompile.REWARD, rules.recompile.CARD_CHANGES_HANDS, rules.recompile.PROTOCOL_STAYS)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> Violations:
        failed = draw_violations(state, event, self.seat, opponent(self.seat), 1)
        return (replace(failed[0], rule=rules.recompile.REWARD, not_intended=False),) if failed else ()

    def candidates(self, state: State) -> Iterator[Drew]:
        yield drawn(state, self.seat, opponent(self.seat), 1)


class DrawRest(Occasion[Drew]):
    """What is left of a deck is drawn before the new one is made; the draw then goes on."""

    event = Drew

    def __init__(self, player: str, deck: str, *why: Rule) -> None:
        self.player = player
        self.deck = deck
        self.rules = (*why, rules.deck.RESHUFFLE_ON_DRAW, rules.acts.DRAW_FROM_TOP_TO_HAND)

    def violations(self, state: State, event: Drew) -> Violations:
        return draw_violations(state, event, self.player, self.deck, len(side_of(state, self.deck).deck))
