"""Showing a hand, giving and taking of it, filling it up."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import not_in_hand, pick_refused, picks
from audit.compile.events import OwnerChanged, Refreshed, Revealed
from audit.compile.readings import STUCK_PLAYER_REFRESHES
from audit.compile.state import HAND_LIMIT, State, Text, opponent
from audit.compile.verbs.instruction import Instruction, acting_text, wrong_player
from audit.compile.words import ALL
from audit.model import Event
from audit.ruleset import Obligation, Option, Violation


class Reveal(Instruction):
    """Show a field card, a card of the hand, or the whole hand."""

    event = Revealed

    def kind(self) -> tuple[Rule, ...]:
        return (rules.reveal.SHOW_AND_PUT_BACK, rules.reveal.WAKES_NOTHING)

    def ready(self, state: State, text: Text) -> bool:
        if self.step.target:
            return bool(picks(state, text, self.step.target))
        return bool(state.side(self.actor(text)).hand)

    def violations(self, state: State, event: Revealed) -> tuple[Violation, ...]:  # type: ignore[override]
        text = acting_text(state)
        actor = self.actor(text)
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        cards = event.cards or ()
        if self.step.count == ALL:
            whole = event.zone == "hand" or len(cards) == len(state.side(actor).hand)
            return () if whole else (Violation(self.rules[0], "reveal.hand", {"player": actor}),)
        if len(cards) != 1:
            return (Violation(self.rules[0], "reveal.one", {}),)
        if self.step.target:
            broken = pick_refused(state, text, self.step.target, cards[0])
            return (broken,) if broken else ()
        held = not not_in_hand(state, actor, cards[0])
        return () if held else (Violation(self.rules[0], "reveal.not_held", {"card": cards[0]}),)

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        actor = self.actor(text)
        if self.step.count == ALL:
            yield Revealed(seq=0, player=actor, zone="hand")
            return
        there = picks(state, text, self.step.target) if self.step.target else state.side(actor).hand
        for card in dict.fromkeys(there):
            yield Revealed(seq=0, player=actor, cards=(card,))


class RevealNothing(Reveal):
    """An empty hand is shown, which shows nothing; nobody has to say so."""

    obligation = Obligation.REDUNDANT

    def kind(self) -> tuple[Rule, ...]:
        return (rules.effects.AS_FAR_AS_POSSIBLE, *super().kind())

    def violations(self, state: State, event: Revealed) -> tuple[Violation, ...]:  # type: ignore[override]
        if event.cards:
            return (Violation(rules.reveal.SHOW_AND_PUT_BACK, "reveal.not_held", {"card": event.cards[0]}),)
        return super().violations(state, event)


def showing_nothing(instruction: Instruction) -> Option[State] | None:
    """How a log may tell of a whole hand being revealed that is empty; None for any other instruction."""
    if isinstance(instruction, Reveal) and instruction.step.count == ALL:
        return RevealNothing(instruction.card, instruction.step)
    return None


class ChangeHands(Instruction):
    """A card goes from one hand to the other and changes owner: given by choice, or taken at random."""

    event = OwnerChanged

    def kind(self) -> tuple[Rule, ...]:
        return (rules.owner.LASTS, rules.owner.THROUGH_ALL_ZONES)

    def giver(self, text: Text) -> str:
        """Out of whose hand the card comes."""
        return self.actor(text) if self.step.verb == "give" else opponent(self.actor(text))

    def ready(self, state: State, text: Text) -> bool:
        return bool(state.side(self.giver(text)).hand)

    def violations(self, state: State, event: OwnerChanged) -> tuple[Violation, ...]:  # type: ignore[override]
        giver = self.giver(acting_text(state))
        why = "gave" if self.step.verb == "give" else "took"
        if event.from_ != giver or event.to != opponent(giver) or event.why != why:
            return (Violation(self.rules[0], "owner.whose", {"player": giver}),)
        if not_in_hand(state, giver, event.card):
            return (Violation(self.rules[0], "owner.hand", {"card": event.card}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        giver = self.giver(acting_text(state))
        why = "gave" if self.step.verb == "give" else "took"
        for card in dict.fromkeys(state.side(giver).hand):
            yield OwnerChanged(seq=0, card=card, from_=giver, to=opponent(giver), why=why)  # type: ignore[arg-type]


class Refresh(Instruction):
    """A refresh like any other."""

    event = Refreshed

    def kind(self) -> tuple[Rule, ...]:
        return (rules.refresh.UP_TO_FIVE, rules.control.BACK_ON_REFRESH)

    def ready(self, state: State, text: Text) -> bool:
        return can_refresh(state, self.actor(text))

    def violations(self, state: State, event: Refreshed) -> tuple[Violation, ...]:  # type: ignore[override]
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if len(state.side(actor).hand) >= HAND_LIMIT:
            return (Violation(rules.refresh.ONLY_UNDER_FIVE, "refresh.five", {"player": actor}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        yield Refreshed(seq=0, player=self.actor(acting_text(state)))


def can_refresh(state: State, seat: str) -> bool:
    """Fewer than five in hand, and something to draw (topic refresh, rule turn.stuck-player)."""
    side = state.side(seat)
    something = side.deck or side.trash or STUCK_PLAYER_REFRESHES.name in state.switches
    return len(side.hand) < HAND_LIMIT and bool(something)
