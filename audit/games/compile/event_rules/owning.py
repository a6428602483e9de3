"""A card changes hands for the rest of the game: given, taken, or won by a recompile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.criteria import has_unknown, not_in_hand
from audit.games.compile.event_rules.base import CompileEventRules
from audit.games.compile.event_rules.discarding import names_unknown
from audit.games.compile.event_rules.picking import Pick
from audit.games.compile.events import OwnerChanged
from audit.games.compile.following import carried_forward, drawn_at_random, led_to
from audit.games.compile.moves import left_for, taken_away, with_foreign, with_hand, with_hidden_hand
from audit.games.compile.occasions import Instruction, Occasion, acting_text, called_for
from audit.games.compile.parts import field_position, is_known, newest, opponent, side_of
from audit.games.compile.procedures import compile_over
from audit.games.compile.state import Compiling, State, Text


class ChangeHands(Instruction[OwnerChanged]):
    """A card goes from one hand to the other and changes owner: given by choice, or taken at random."""

    verbs = ("give", "take")
    event = OwnerChanged

    def verb_rules(self) -> Citations:
        return (rules.owner.LASTS, rules.owner.THROUGH_ALL_ZONES)

    def giver(self, text: Text) -> str:
        """Out of whose hand the card comes."""
        return self.actor(text) if self.declared.verb == "give" else opponent(self.actor(text))

    def ready(self, state: State, text: Text) -> bool:
        return bool(side_of(state, self.giver(text)).hand)

    def violations(self, state: State, event: OwnerChanged) -> Violations:
        giver = self.giver(acting_text(state))
        why = "gave" if self.declared.verb == "give" else "took"
        if event.from_ != giver or event.to != opponent(giver) or event.why != why:
            return (Violation(self.rules[0], "owner.whose", {"player": giver}),)
        if not_in_hand(state, giver, event.card):
            return (Violation(self.rules[0], "owner.hand", {"card": event.card}),)
        return ()

    def hides_choice(self, state: State, event: Event) -> bool:
        """A card that is given is picked, one that is taken is not."""
        giver = self.giver(acting_text(state))
        return self.declared.verb == "give" and len(side_of(state, giver).hand) > 1 and names_unknown(event)

    def candidates(self, state: State) -> Iterator[OwnerChanged]:
        giver = self.giver(acting_text(state))
        why = "gave" if self.declared.verb == "give" else "took"
        for card in dict.fromkeys(side_of(state, giver).hand):
            yield OwnerChanged(seq=0, card=card, from_=giver, to=opponent(giver), why=why)  # type: ignore[arg-type]


class Claim(Pick[OwnerChanged]):
    """A card of the field goes to the hand of who acts, and changes owner."""

    verbs = ("claim",)
    event = OwnerChanged

    def verb_rules(self) -> Citations:
        return (rules.owner.LASTS, rules.owner.THROUGH_ALL_ZONES, *self.scope())

    def violations(self, state: State, event: OwnerChanged) -> Violations:
        actor = self.actor(acting_text(state))
        if (event.from_, event.to, event.why) != (opponent(actor), actor, "claimed"):
            return (Violation(rules.owner.LASTS, "owner.whose", {"player": opponent(actor)}),)
        violation = self.target_violation(state, event.card)
        return (violation,) if violation else ()

    def candidates(self, state: State) -> Iterator[OwnerChanged]:
        text = acting_text(state)
        actor = self.actor(text)
        for card in self.pickable(state, text):
            yield OwnerChanged(seq=0, card=card, from_=opponent(actor), to=actor, why="claimed")


class OwnerChangedRules(CompileEventRules[OwnerChanged]):
    """The rules of a card changing hands."""

    event = OwnerChanged
    names_cards: bool = True
    may_be_unchecked: bool = True
    verb = "give"
    redundant_rules: Citations = (rules.recompile.CARD_CHANGES_HANDS, rules.owner.LASTS)

    def occasions(self, state: State) -> Iterable[Occasion[OwnerChanged]]:
        return called_for(state, OwnerChanged)

    def is_redundant(self, state: State, event: OwnerChanged) -> bool:
        """A card drawn from the other deck belongs to who drew it, also under the name that it is given only now."""
        hand = side_of(state, event.to).hand
        may_be_there = event.to in state.foreign and has_unknown(hand) and not not_in_hand(state, event.to, event.card)
        return event.why == "recompile" and (event.card in hand or may_be_there)

    def forbidden(self, state: State, event: OwnerChanged) -> Violations:
        untrue = event.why == "recompile" and not self.is_redundant(state, event)
        return (Violation(self.redundant_rules[0], "echo.owner_changed"),) if untrue else ()

    def unchecked(self, state: State, event: OwnerChanged) -> Violations:
        found = drawn_at_random(state, "take", event.from_) if event.why == "took" else ()
        return () if not found or self.violations(state, event) else found

    def happen(self, state: State, event: OwnerChanged) -> State:
        if event.why == "recompile":
            return _named_in_hand(state, event) if self.is_redundant(state, event) else _reward_taken(state, event)
        if event.why == "claimed":
            return _claimed(state, event)
        state = taken_away(state, event.from_, "hand", (event.card,))
        state = with_hand(state, event.to, (*side_of(state, event.to).hand, event.card))
        if not is_known(event.card):
            state = with_foreign(with_hidden_hand(state, event.from_), event.to)
        return carried_forward(state, "give" if event.why == "gave" else "take", event.card)


def _named_in_hand(state: State, event: OwnerChanged) -> State:
    """The position with the card under its name, where nobody had said which one was drawn."""
    if event.card in side_of(state, event.to).hand or not is_known(event.card):
        return state
    state = taken_away(state, event.to, "hand", (event.card,))
    return with_hand(state, event.to, (*side_of(state, event.to).hand, event.card))


def _claimed(state: State, event: OwnerChanged) -> State:
    why = led_to(state, event)
    going = ((event.card, event.to),) if field_position(state, event.card) else ()
    state = state if is_known(event.card) or not going else with_foreign(state, event.to)
    return left_for(carried_forward(state, "claim", event.card), going, "hand", why, None, silent=False)


def _reward_taken(state: State, event: OwnerChanged) -> State:
    state = taken_away(state, event.from_, "deck", (event.card,))
    state = with_hand(state, event.to, (*side_of(state, event.to).hand, event.card))
    state = state if is_known(event.card) else with_foreign(state, event.to)
    frame = newest(state)
    return compile_over(state, frame) if type(frame) is Compiling else state


RULES = (OwnerChangedRules(),)
