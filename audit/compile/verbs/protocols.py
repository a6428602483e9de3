"""Another order of the protocols, and a side kept from compiling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.events import Rearranged, Resolved
from audit.compile.state import State, Text, opponent
from audit.compile.verbs.instruction import Instruction, acting_text, wrong_player
from audit.model import Event
from audit.ruleset import Violation


class Rearrange(Instruction):
    """Another order of the three protocols of a side; a swap changes just two of them."""

    event = Rearranged

    def kind(self) -> tuple[Rule, ...]:
        return (
            rules.rearrange.MUST_DIFFER,
            rules.rearrange.CARD_ORDER_BINDS,
            rules.rearrange.CARDS_STAY,
            rules.rearrange.NO_CHANGE_OF_SIDE,
        )

    def whose(self, text: Text) -> str:
        """Whose protocols move."""
        return text.seat if self.step.side == "you" else opponent(text.seat)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def violations(self, state: State, event: Rearranged) -> tuple[Violation, ...]:  # type: ignore[override]
        text = acting_text(state)
        if event.side != self.whose(text):
            return (Violation(rules.rearrange.NO_CHANGE_OF_SIDE, "rearrange.side", {"player": self.whose(text)}),)
        if event.by is not None and event.by != self.actor(text):
            return (wrong_player(self.actor(text), event.by),)
        return rearrangement_refused(state, event, swap=self.step.verb == "swap")

    def candidates(self, state: State) -> Iterator[Event]:
        text = acting_text(state)
        yield from rearrangements(state, self.whose(text), self.actor(text), swap=self.step.verb == "swap")


def rearrangement_refused(state: State, event: Rearranged, *, swap: bool) -> tuple[Violation, ...]:
    """Why that is no rearrangement of the protocols of that side."""
    before = state.side(event.side).protocols
    if sorted(before) != sorted(event.protocols):
        return (Violation(rules.rearrange.NO_CHANGE_OF_SIDE, "rearrange.others", {}),)
    if before == event.protocols:
        return (Violation(rules.rearrange.MUST_DIFFER, "rearrange.same", {}),)
    moved = sum(old != new for old, new in zip(before, event.protocols, strict=True))
    if swap and moved != 2:
        return (Violation(rules.effects.CARDS_BEAT_RULES, "rearrange.swap", {}),)
    return ()


def rearrangements(state: State, side: str, by: str, *, swap: bool = False) -> Iterator[Rearranged]:
    """Every other order of the protocols of a side."""
    before = state.side(side).protocols
    for order in permutations(before):
        moved = sum(old != new for old, new in zip(before, order, strict=True))
        if moved == 2 or (moved and not swap):
            yield Rearranged(seq=0, side=side, protocols=order, by=by)


class BarCompile(Instruction):
    """A side cannot compile in its next turn: nothing moves, so the log says that it is done."""

    event = Resolved

    def kind(self) -> tuple[Rule, ...]:
        return (rules.effects.MUST_BE_APPLIED,)

    def ready(self, state: State, text: Text) -> bool:
        return True

    def violations(self, state: State, event: Resolved) -> tuple[Violation, ...]:  # type: ignore[override]
        if (event.card, event.command, event.outcome) == (self.card, acting_text(state).box, "done"):
            return ()
        return (Violation(rules.effects.MUST_BE_APPLIED, "resolved.other", {"card": self.card}),)

    def candidates(self, state: State) -> Iterator[Event]:
        yield Resolved(seq=0, card=self.card, command=acting_text(state).box, outcome="done")
