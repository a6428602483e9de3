"""Cards are shown, looked at, or named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from audit.core.event_rules import Citations, Violation, Violations
from audit.games.compile import rules
from audit.games.compile.criteria import (
    could_be,
    has_unknown,
    kind_violation,
    matches,
    not_in_hand,
    pick_violation,
    picks,
)
from audit.games.compile.declarations import ALL
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.events import Identified, Looked, Revealed
from audit.games.compile.following import carried_forward_by, waiting_text
from audit.games.compile.moves import named, renamed, top_named
from audit.games.compile.occasions import (
    Instruction,
    Occasion,
    acting_text,
    called_for,
    stuck_instructions,
    without_empty_deck,
    wrong_player,
)
from audit.games.compile.parts import field_position, is_known, side_of, zone_of
from audit.games.compile.state import State, Text
from audit.games.compile.texts import next_instruction


class Reveal(Instruction[Revealed]):
    """Show a field card, a card of the hand, or the whole hand."""

    verbs: ClassVar[tuple[str, ...]] = ("reveal",)
    event = Revealed

    def verb_rules(self) -> Citations:
        return (rules.acts.REVEAL_SHOW_AND_PUT_BACK, rules.acts.REVEAL_WAKES_NOTHING)

    def ready(self, state: State, text: Text) -> bool:
        if self.declared.target:
            return bool(picks(state, text, self.declared.target))
        return bool(side_of(state, self.actor(text)).hand)

    def violations(self, state: State, event: Revealed) -> Violations:
        text = acting_text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        cards = event.cards or ()
        if self.declared.count == ALL:
            whole = event.zone == "hand" or len(cards) == len(side_of(state, actor).hand)
            return () if whole else (Violation(self.rules[0], "reveal.hand", {"player": actor}),)
        if len(cards) != 1:
            return (Violation(self.rules[0], "reveal.one", {}),)
        if self.declared.target:
            violation = pick_violation(state, text, self.declared.target, cards[0])
            return (violation,) if violation else ()
        held = not not_in_hand(state, actor, cards[0])
        return () if held else (Violation(self.rules[0], "reveal.not_held", {"card": cards[0]}),)

    def candidates(self, state: State) -> Iterator[Revealed]:
        text = acting_text(state)
        actor = self.actor(text)
        if self.declared.count == ALL:
            yield Revealed(seq=0, player=actor, zone="hand")
            return
        there = picks(state, text, self.declared.target) if self.declared.target else side_of(state, actor).hand
        for card in dict.fromkeys(there):
            yield Revealed(seq=0, player=actor, cards=(card,))


class RevealDeck(Instruction[Revealed]):
    """Show the top card of the deck, or all of it."""

    verbs: ClassVar[tuple[str, ...]] = ("reveal deck",)
    event = Revealed

    def verb_rules(self) -> Citations:
        return (rules.acts.REVEAL_SHOW_AND_PUT_BACK, rules.deck.TOP_CARD_EFFECTS_FAIL)

    def citations(self, state: State, event: Revealed) -> Citations:
        return without_empty_deck(super().citations(state, event))

    def _cards(self, state: State, text: Text) -> tuple[str, ...]:
        deck = side_of(state, self.actor(text)).deck
        return deck if self.declared.count == ALL else deck[:1]

    def ready(self, state: State, text: Text) -> bool:
        return bool(self._cards(state, text))

    def violations(self, state: State, event: Revealed) -> Violations:
        text = acting_text(state)
        actor, cards = self.actor(text), self._cards(state, text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if event.zone == "hand" or (event.zone is None and not event.cards):
            return (Violation(self.rules[0], "reveal.deck", {"player": actor}),)
        told = event.is_ or event.cards or ()
        if not told and self.declared.count == ALL:
            return ()
        if len(told) == len(cards) and all(map(could_be, cards, told)):
            return ()
        return (Violation(self.rules[0], "reveal.top", {"cards": list(cards)}),)

    def candidates(self, state: State) -> Iterator[Revealed]:
        text = acting_text(state)
        yield Revealed(seq=0, player=self.actor(text), cards=self._cards(state, text), zone="deck")


class RevealDrawn(Instruction[Revealed]):
    """Show one of the cards just drawn."""

    verbs: ClassVar[tuple[str, ...]] = ("reveal just_drawn",)
    event = Revealed

    def verb_rules(self) -> Citations:
        return (rules.acts.REVEAL_SHOW_AND_PUT_BACK, rules.acts.REVEAL_WAKES_NOTHING)

    def _cards(self, state: State, text: Text) -> tuple[str, ...]:
        hand = side_of(state, self.actor(text)).hand
        drawn = [card for card in text.drawn if card in hand]
        return tuple(dict.fromkeys(card for card in drawn if matches(text, self.declared.matching, card)))

    def ready(self, state: State, text: Text) -> bool:
        return bool(self._cards(state, text))

    def violations(self, state: State, event: Revealed) -> Violations:
        text = acting_text(state)
        actor, told = self.actor(text), event.is_ or event.cards or ()
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if len(told) != 1:
            return (Violation(self.rules[0], "reveal.one", {}),)
        if other := kind_violation(text, self.declared.matching, told[0]):
            return (other,)
        cards = self._cards(state, text)
        if told[0] in cards or (has_unknown(cards) and not not_in_hand(state, actor, told[0])):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "reveal.drawn", {"card": told[0]}),)

    def candidates(self, state: State) -> Iterator[Revealed]:
        text = acting_text(state)
        for card in self._cards(state, text):
            yield Revealed(seq=0, player=self.actor(text), cards=(card,))

    def may_be_impossible(self, state: State, text: Text) -> bool:
        return not any(map(is_known, self._cards(state, text)))


class RevealTrash(Instruction[Revealed]):
    """Show a card of the trash, which is open to both players anyway."""

    verbs: ClassVar[tuple[str, ...]] = ("reveal trash",)
    event = Revealed

    def verb_rules(self) -> Citations:
        return (rules.acts.REVEAL_SHOW_AND_PUT_BACK, rules.field.TRASH)

    def ready(self, state: State, text: Text) -> bool:
        return bool(side_of(state, self.actor(text)).trash)

    def violations(self, state: State, event: Revealed) -> Violations:
        actor, cards = self.actor(acting_text(state)), event.cards or ()
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if len(cards) != 1:
            return (Violation(self.rules[0], "reveal.one", {}),)
        there = cards[0] in side_of(state, actor).trash
        return () if there else (Violation(self.rules[0], "reveal.not_held", {"card": cards[0]}),)

    def candidates(self, state: State) -> Iterator[Revealed]:
        actor = self.actor(acting_text(state))
        for card in dict.fromkeys(side_of(state, actor).trash):
            yield Revealed(seq=0, player=actor, cards=(card,), zone="trash")


class RevealNothing(Reveal):
    """A whole hand that is empty is shown, which shows nothing."""

    verbs: ClassVar[tuple[str, ...]] = ()

    def verb_rules(self) -> Citations:
        return (rules.effects.AS_FAR_AS_POSSIBLE, *super().verb_rules())

    def violations(self, state: State, event: Revealed) -> Violations:
        if event.cards:
            return (Violation(rules.acts.REVEAL_SHOW_AND_PUT_BACK, "reveal.not_held", {"card": event.cards[0]}),)
        return super().violations(state, event)


class RevealedRules(CompileEventRules[Revealed]):
    """The rules of showing cards to both players."""

    event = Revealed
    names_cards: bool = True
    verb = "reveal"

    def occasions(self, state: State) -> Iterable[Occasion[Revealed]]:
        return called_for(state, Revealed)

    def also_accepted(self, state: State) -> Iterable[RevealNothing]:
        whole_hands = (i for i in stuck_instructions(state) if isinstance(i, Reveal) and i.declared.count == ALL)
        return tuple(RevealNothing(i.card, i.declared) for i in whole_hands)

    def happen(self, state: State, event: Revealed) -> State:
        if event.cards and event.is_:
            for handle, card in zip(event.cards, event.is_, strict=False):
                state = renamed(state, handle, card)
        elif event.cards and event.zone == "hand":
            state = named(state, event.player, event.cards)
        cards = event.is_ or event.cards or ()
        if event.zone == "deck":
            state = top_named(state, event.player, cards)
        elif _is_just_drawn(state):
            state = named(state, event.player, cards)
        one = cards[0] if len(cards) == 1 else None
        return carried_forward_by(state, event.player, cards, "reveal", one, len(cards) or 1)


def _is_just_drawn(state: State) -> bool:
    text = waiting_text(state, "reveal")
    return text is not None and next_instruction(text).source == "just_drawn"


class LookedRules(CompileEventRules[Looked]):
    """The rules of looking at cards: players may look at their own face-down cards and at all open cards."""

    event = Looked
    redundant_rules: Citations = (rules.info.OPEN_TO_BOTH, rules.info.OWN_FACE_DOWN, rules.info.NOT_THE_OPPONENTS)

    def is_redundant(self, state: State, event: Looked) -> bool:
        return not self.forbidden(state, event)

    def forbidden(self, state: State, event: Looked) -> Violations:
        for card in event.cards or ():
            place = field_position(state, card)
            if place is not None and not place.up and place.seat != event.player:
                return (Violation(rules.info.NOT_THE_OPPONENTS, "look.theirs", {"card": card}),)
            if place is None and not _is_open(state, event.player, card):
                return (Violation(rules.info.NOT_THE_OPPONENTS, "look.hidden", {"card": card}),)
        return ()

    def apply(self, state: State, event: Looked) -> State:
        return state


def _is_open(state: State, player: str, card: str) -> bool:
    found = zone_of(state, card)
    return found is None or found[1] == "trash" or found == (player, "hand")


class IdentifiedRules(CompileEventRules[Identified]):
    """The rules of naming an unknown card: no other card has that name.

    A handle that lies nowhere now, as its card was shuffled into a deck, may be named later: that changes nothing.
    """

    event = Identified
    names_cards: bool = True
    redundant_rules: Citations = (rules.info.OWN_FACE_DOWN,)

    def is_redundant(self, state: State, event: Identified) -> bool:
        is_free = zone_of(state, event.is_) is None or zone_of(state, event.card) is None
        return is_known(event.is_) and is_free

    def forbidden(self, state: State, event: Identified) -> Violations:
        return (Violation(self.redundant_rules[0], "echo.identified"),)

    def happen(self, state: State, event: Identified) -> State:
        return renamed(state, event.card, event.is_)


RULES = (RevealedRules(), LookedRules(), IdentifiedRules())
