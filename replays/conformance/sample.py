"""The simulated games that are checked, and what a problem says of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from replays.generating.simulate import POLICIES, simulated

SEEDS = range(4)
MAX_EVENTS = 700
"""At most this much of a simulated game is looked at."""
MAX_PROBLEMS = 5
"""At most this many problems of one check are listed."""

T = TypeVar("T")
Check = Callable[[T], Iterator[str]]
Log = tuple[Header, list[Event]]


class Sample(Struct, frozen=True):
    """One simulated game: the ruleset, how its players choose, and the seed."""

    ruleset: str
    policy: str
    seed: int

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.policy}-{self.seed}"

    @property
    def game(self) -> Ruleset[object]:
        """The rules it is played by."""
        return ruleset(self.ruleset)

    @property
    def log(self) -> Log:
        """The game with everything that may be told."""
        return _played(self, complete=True)

    @property
    def brief_log(self) -> Log:
        """The game without what nobody has to tell."""
        return _played(self, complete=False)

    @property
    def mistaken_log(self) -> Log:
        """The game with two events in the wrong order and one left out."""
        header, events = self.log
        return header, mistaken(events)

    @property
    def viewers(self) -> tuple[str, ...]:
        """The seats, and the public."""
        return (*self.game.disclosure.seats(self.log[0]), "public")


@cache
def _played(sample: Sample, *, complete: bool) -> Log:
    return simulated(sample.game, sample.seed, sample.policy, most=MAX_EVENTS, complete=complete)


def samples(*names: str) -> list[Sample]:
    """A few simulated games of these rulesets, under every policy."""
    return [Sample(name, policy, seed) for name in names for policy in POLICIES for seed in SEEDS]


def assert_none(problems: Iterable[str]) -> None:
    """Raise an `AssertionError` that lists the first few problems, if there are any."""
    __tracebackhide__ = True
    if found := list(islice(problems, MAX_PROBLEMS)):
        raise AssertionError("\n".join(found))


def check_name(check: Check[T]) -> str:
    """What a check is called in a report."""
    return check.__name__


def mistaken(events: Sequence[Event]) -> list[Event]:
    """The same game with two events in the wrong order and one left out."""
    middle = len(events) // 2
    order = [*events[:middle], *events[middle : middle + 2][::-1], *events[middle + 3 :]]
    return [numbered(event, seq) for seq, event in enumerate(order, 1)]


def steps_said(steps: Iterable[Step]) -> list[object]:
    """What an audit says of each step."""
    return [(s.seq, s.verdict, s.rules, s.because, s.violations, s.state) for s in steps]


def step_told(step: Step) -> str:
    """A step with its verdict and its rules, for a problem."""
    failed = "".join(f", {violation.key} ({violation.rule.id})" for violation in step.violations)
    cited = "" if failed or not step.rules else f" by {', '.join(rule.id for rule in step.rules)}"
    return f"step {step.index}: {step.event} is {step.verdict.value}{failed}{cited}"


def wrong_steps(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Iterator[str]:
    """The steps of a log that are called illegal or impossible."""
    for step in audit(game, header, events):
        if step.verdict in (Verdict.ILLEGAL, Verdict.IMPOSSIBLE):
            yield step_told(step)
