"""The smallest game there is: a clock that ticks and strikes. It shows what the core does with any game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.core.catalogue import Catalogue, Rule
from audit.core.errors import SetupError
from audit.core.event_rules import (
    Citations,
    EventRules,
    Expectation,
    ExpectedEvent,
    Json,
    Obligation,
    Violation,
    Violations,
)
from audit.core.model import Event, Header
from audit.core.rules import Rules

WHY = Rule("clock.ticks", "procedure", "clock")


class Ticked(Event, frozen=True):
    """The clock goes on."""

    hand: int = 0


class Struck(Event, frozen=True):
    """The clock strikes."""


class TickedRules(EventRules[int, Ticked]):
    """A clock has one hand or several: each has to move, in any order, or somebody chooses which."""

    event = Ticked

    def __init__(self, hands: int, *, is_choice: bool) -> None:
        self.hands, self.is_choice = hands, is_choice

    def expected(self, state: int) -> Iterable[Expectation[int]]:
        order = self.hands > 1 and not self.is_choice
        return [ExpectedEvent(Ticked(seq=0, hand=n), WHY, any_order=order) for n in range(self.hands)]

    def violations(self, state: int, event: Ticked) -> Violations:
        return ()

    def citations(self, state: int, event: Ticked) -> Citations:
        return (WHY,)

    def apply(self, state: int, event: Ticked) -> int:
        return state + 1


class StruckRules(EventRules[int, Struck]):
    """It strikes at one time only, or at any time from then on."""

    event = Struck
    may_be_ambiguous = True

    def __init__(self, at: int, *, may_wait: bool = False) -> None:
        self.at, self.may_wait = at, may_wait

    def expected(self, state: int) -> Iterable[Expectation[int]]:
        return [ExpectedEvent(Struck(seq=0), WHY, obligation=Obligation.EXPIRES)] if state == self.at else []

    def violations(self, state: int, event: Struck) -> Violations:
        due = state >= self.at if self.may_wait else state == self.at
        return () if due else (Violation(WHY, "clock", unavailable=True),)

    def citations(self, state: int, event: Struck) -> Citations:
        return (WHY,)

    def apply(self, state: int, event: Struck) -> int:
        return state

    def is_ambiguous(self, state: int, event: Struck) -> bool:
        return self.may_wait


class Clock(Rules[int]):
    """A clock: the position is how often it has ticked."""

    catalogue = Catalogue("audit.core", (), {})

    def __init__(self, strikes: int, *, hands: int = 1, is_choice: bool = False, may_wait: bool = False) -> None:
        self.event_rules = {
            Ticked: TickedRules(hands, is_choice=is_choice), Struck: StruckRules(strikes, may_wait=may_wait)
        }  # fmt: skip

    def start(self, header: Header) -> int:
        return 0

    def causes(self, state: int, event: Event) -> tuple[int, ...]:
        return ()

    def clock(self, state: int) -> dict[str, object]:
        return {"turn": state, "player": ""}

    def relaxations(self, state: int) -> Iterator[int]:
        return iter(range(state, state + 9))


class AnyOf(Expectation[int]):
    """One of several moves of a hand."""

    def __init__(self, *hands: int, obligation: Obligation = Obligation.REQUIRED, hidden: bool = False) -> None:
        self.hands, self.obligation, self.hidden = hands, obligation, hidden
        self.event, self.rules = Ticked, (WHY,)

    def candidates(self, state: int) -> Iterator[Event]:
        return (Ticked(seq=0, hand=hand) for hand in self.hands)

    def hides_choice(self, state: int, event: Event) -> bool:
        return self.hidden


class Told(Rules[int]):
    """A clock of which we are told what comes at which time; its position can be written."""

    catalogue = Catalogue("audit.core", (), {})

    def __init__(self, *expected: Expectation[int], until: int = 100) -> None:
        self.told, self.until = expected, until
        self.event_rules = dict(Clock(0).event_rules)

    def start(self, header: Header) -> int:
        return 0

    def causes(self, state: int, event: Event) -> tuple[int, ...]:
        return ()

    def clock(self, state: int) -> Json:
        return {"turn": state}

    def relaxations(self, state: int) -> Iterator[int]:
        return iter(())

    def expected(self, state: int) -> tuple[Expectation[int], ...]:
        return self.told if state < self.until else ()

    def position(self, data: Json, state: int) -> int:
        turn = data.get("turn", 0)
        if not isinstance(turn, int):
            raise SetupError("turn", "a whole number")
        return turn
