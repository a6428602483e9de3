"""The opening hands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.compile import rules
from audit.compile.criteria import protocol_of
from audit.compile.events import Drew
from audit.compile.state import State, is_known
from audit.compile.verbs.drawing import draw_refused, drawn
from audit.model import Event
from audit.ruleset import Option, Violation

OPENING_HAND = 5


class Opening(Option[State]):
    """Five cards for the opening hand."""

    event = Drew
    rules = (rules.setup.OPENING_HAND, rules.setup.DECK_OF_EIGHTEEN)
    ordering = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def violations(self, state: State, event: Drew) -> tuple[Violation, ...]:  # type: ignore[override]
        side = state.side(self.seat)
        if broken := draw_refused(state, event, self.seat, self.seat, OPENING_HAND - len(side.hand)):
            number = broken[0].key == "draw.number"
            return (replace(broken[0], rule=rules.setup.OPENING_HAND),) if number else broken
        stranger = next((c for c in event.cards or () if is_known(c) and protocol_of(c) not in side.protocols), None)
        if stranger is not None:
            return (Violation(rules.setup.DECK_OF_EIGHTEEN, "draw.stranger", {"player": self.seat, "card": stranger}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, self.seat, OPENING_HAND - len(state.side(self.seat).hand))
