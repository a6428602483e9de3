"""What calls for an event in Compile: the action of a turn, an instruction, a step of a procedure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.state import State
from audit.event_rules import Citations, Expectation, ExpectedEvent, Violation, Violations, mismatches
from audit.model import Event

E = TypeVar("E", bound=Event)


class Occasion(Expectation[State], Generic[E]):
    """An expectation with its criteria: one list of them decides, explains and lists the candidates."""

    def violations(self, state: State, event: E) -> Violations:
        """The criteria that the event fails; () if it is what is called for."""
        raise NotImplementedError

    def citations(self, state: State, event: E) -> Citations:
        """The rules that make this very event legal, the most telling first."""
        return self.rules

    def precedence(self, state: State, event: Event) -> Iterator[Rule]:
        """Why what is called for comes before that other event, the nearest reason first."""
        return iter(())


class OneEvent(Occasion[E], ExpectedEvent[State]):
    """Exactly one event is called for. A field the log leaves out is not wrong."""

    def violations(self, state: State, event: E) -> Violations:
        return mismatches(event, self.one, self.rules[0])


def wrong_player(expected: str, found: str, rule: Rule = rules.effects.SOURCE_SIDE_DECIDES) -> Violation:
    """Somebody else acts than the one whose part it is."""
    return Violation(rule, "wrong.player", {"player": found, "expected": expected}, not_intended=True)
