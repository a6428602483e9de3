"""Drawing from a deck."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import could_be
from audit.compile.events import Drew
from audit.compile.state import State, Text, is_known, opponent
from audit.compile.totals import value_of
from audit.compile.verbs.instruction import Instruction, acting_text, wrong_player
from audit.compile.words import Count, Step
from audit.model import Event
from audit.ruleset import Violation


def draw_number(state: State, text: Text, step: Step) -> int:
    """How many cards a text tells to draw or discard, whatever there is, less those drawn before a new deck."""
    return _number(state, text, step) - len(text.taken)


def _number(state: State, text: Text, step: Step) -> int:
    count = step.count
    if isinstance(count, int):
        return count
    if isinstance(count, Count):
        if count.value_of_that:
            return (value_of(state, text.last_picked) or 0) if text.last_picked else 0
        if count.done:
            return text.done + count.plus
        return count.at_least
    return 0


def deck_of(step: Step, actor: str) -> str:
    """Whose deck a step draws from."""
    return opponent(actor) if step.source == "opposing_deck" else actor


class DrawCards(Instruction):
    """Cards from the top of a deck to hand."""

    event = Drew

    def kind(self) -> tuple[Rule, ...]:
        return (rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)

    def ready(self, state: State, text: Text) -> bool:
        deck = state.side(deck_of(self.step, self.actor(text)))
        return draw_number(state, text, self.step) > 0 and bool(deck.deck or deck.trash)

    def violations(self, state: State, event: Drew) -> tuple[Violation, ...]:  # type: ignore[override]
        text = acting_text(state)
        actor = self.actor(text)
        number = draw_number(state, text, self.step)
        broken = self.corrected(draw_refused(state, event, actor, deck_of(self.step, actor), number))
        by_value = isinstance(self.step.count, Count) and self.step.count.value_of_that
        if broken and by_value and (rule := self.own_rule()):
            return (replace(broken[0], rule=rule),)
        return broken

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        actor = self.actor(text)
        yield drawn(state, actor, deck_of(self.step, actor), draw_number(state, text, self.step))


def drawn(state: State, player: str, deck: str, number: int) -> Drew:
    """The event of that many cards being drawn, as far as there are."""
    cards = state.side(deck).deck[:number]
    return Drew(seq=0, player=player, cards=cards, deck=deck if deck != player else None)


def draw_refused(state: State, event: Drew, player: str, deck: str, number: int) -> tuple[Violation, ...]:
    """Why this is not that draw."""
    if event.player != player:
        return (wrong_player(player, event.player),)
    if (event.deck or event.player) != deck:
        return (Violation(rules.draw.FROM_TOP_TO_HAND, "draw.deck", {"player": deck}),)
    there = state.side(deck).deck
    wanted = min(number, len(there))
    count = drawn_count(event)
    if count != wanted or (event.count is not None and event.count != wanted):
        piecemeal = 0 < count < wanted
        rule = rules.draw.ONE_EVENT_PER_INSTRUCTION if piecemeal else rules.draw.FROM_TOP_TO_HAND
        return (Violation(rule, "draw.number", {"n": wanted, "found": count}),)
    if event.cards is not None and not _same_cards(there[:wanted], event.cards):
        return (Violation(rules.draw.FROM_TOP_TO_HAND, "draw.top", {"cards": list(there[:wanted])}),)
    return ()


def _same_cards(top: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    if top == cards:
        return True
    known = sorted(card for card in cards if is_known(card))
    if len(known) == len(cards) and sorted(top) == known:
        return True
    return all(could_be(held, named) for held, named in zip(top, cards, strict=True))


def drawn_count(event: Drew) -> int:
    """How many cards a log says were drawn."""
    return len(event.cards) if event.cards is not None else (event.count or 0)
