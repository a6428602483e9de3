"""A card that is said to be chosen before it is acted on: it binds what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.state import State, Text, is_known
from audit.compile.verbs.instruction import Instruction
from audit.compile.verbs.picking import Pick
from audit.compile.words import ALL
from audit.model import Event
from audit.ruleset import Option, Violation


class Chosen(Option[State]):
    """An instruction of which some cards have been chosen: it is carried out with them."""

    def __init__(self, instruction: Instruction, cards: tuple[str, ...]) -> None:
        self.instruction = instruction
        self.cards = cards
        self.event = instruction.event
        self.rules = instruction.rules

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        if broken := self.instruction.violations(state, event):
            return broken
        left = next((card for card in self.cards if card not in _cards_of(event)), None)
        if left is None:
            return ()
        return (Violation(rules.effects.SOURCE_SIDE_DECIDES, "chose.bound", {"card": left}),)

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        return self.instruction.citations(state, event)

    def candidates(self, state: State) -> Iterator[Event]:
        return (event for event in self.instruction.candidates(state) if set(self.cards) <= set(_cards_of(event)))


def _cards_of(event: Event) -> tuple[str, ...]:
    cards: tuple[str, ...] | None = getattr(event, "cards", None)
    card: str | None = getattr(event, "card", None)
    return cards or ((card,) if card else ())


def can_choose(state: State, text: Text, ready: Iterable[Instruction], card: str) -> bool:
    """Whether one of these instructions leaves that card to be chosen, alone or among several."""
    return any(_leaves(state, text, instruction, card) for instruction in ready if instruction.step.count != ALL)


def _leaves(state: State, text: Text, instruction: Instruction, card: str) -> bool:
    if isinstance(instruction, Pick):
        return card in instruction.pickable(state, text)
    if instruction.step.target is not None:
        return any(card in _cards_of(event) for event in instruction.candidates(state))
    if instruction.step.verb not in ("discard", "give", "play", "reveal") or instruction.step.source == "deck":
        return False
    hand = state.side(instruction.actor(text)).hand
    return card in hand or (is_known(card) and any(not is_known(held) for held in hand))
