"""Who leads takes the control component."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.events import ControlTaken
from audit.compile.state import State
from audit.compile.totals import takes_control
from audit.compile.verbs.instruction import wrong_player
from audit.model import Event
from audit.ruleset import Option, Violation


class TakeControl(Option[State]):
    """Who leads in two lines or more takes the control component."""

    event = ControlTaken
    rules = (rules.control.GAINED,)

    def violations(self, state: State, event: ControlTaken) -> tuple[Violation, ...]:  # type: ignore[override]
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.control.GAINED),)
        if not takes_control(state, event.player):
            return (Violation(rules.control.GAINED, "control.not_ahead", {"player": event.player}),)
        return ()

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        return (*self.rules, rules.setup.CONTROL_NEUTRAL) if state.control is None else self.rules

    def candidates(self, state: State) -> Iterator[Event]:
        if takes_control(state, state.player):
            yield ControlTaken(seq=0, player=state.player)


CONTROL = TakeControl()
