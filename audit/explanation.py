"""Why an event is a finding: the criteria it fails, or the obligations it skips, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Generic, TypeVar

from msgspec import Struct

from audit.event_rules import MAX_LISTED, UNEXPECTED, Citations, Expectation, Obligation, Violations, own_fields
from audit.inference import MAX_GAP, Inference, Path
from audit.model import Event, Verdict

S = TypeVar("S")

MAX_CHOICES = 60
"""At most this many options of a choice that is not in the log are tried."""

MAX_LOOKAHEAD = 4
"""At most this many steps ahead are tried, to see whether an event came too early."""

MAX_DEPTH = 12
"""At most this many pending things are given up to resynchronise."""


class Explanation(Struct, frozen=True):
    """What is wrong with an event: the verdict, the criteria it fails, the rules, and what was expected instead."""

    verdict: Verdict
    violations: Violations
    rules: Citations
    expected: tuple[Event, ...]


class Explainer(Generic[S]):
    """Explains events that are not legal."""

    def __init__(self, inference: Inference[S]) -> None:
        self.inference = inference
        self.rules = inference.rules

    def nearest(self, start: S, event: Event) -> tuple[Path, S]:
        """The first position, after events without a choice, in which such an event was meant, and the path to it."""
        state = start
        path: Path = ()
        while len(path) < MAX_GAP and not self.inference.is_exhausted:
            if self._was_meant(state, event):
                return path, state
            ways = self.inference.without_choice(state)
            if not ways:
                break
            expectation, omitted = ways[0]
            path = (*path, self.inference.move(state, expectation, omitted, ways))
            state = self.rules.evolve(state, omitted)
        return (path, state) if self._is_marker(event) else ((), start)

    def _was_meant(self, state: S, event: Event) -> bool:
        rules = self.rules.event_rules[type(event)]
        if rules.is_relevant(state, event):
            return True
        failed = rules.violations(state, event)
        if any(violation.unavailable or violation.not_intended for violation in failed):
            return False
        return not (rules.is_marker and 1 < len(failed) == len(own_fields(type(event))))

    def explain(self, state: S, event: Event) -> Explanation:
        """Why the event is a finding: the violated rules first, then the rules of skipped and expected events."""
        rules = self.rules.event_rules[type(event)]
        live = list(self.rules.expected(state))
        due = tuple(rule for skipped in self.rules.skipped_obligations(state, event) for rule in skipped.rules)
        violations = self._violations(state, event)
        missing = rules.missing(state, event)
        if any(item.unavailable for item in violations) and due and self._comes_too_early(state, event):
            violations = ()
        if not violations and missing:
            violations = (missing,)
        cited = (*(item.rule for item in violations), *due, *(rule for item in live for rule in item.rules))
        if rules.depends_on_hidden(state, event):
            verdict = Verdict.UNDETERMINED
        else:
            verdict = Verdict.IMPOSSIBLE if missing else Verdict.ILLEGAL
        return Explanation(verdict, violations, tuple(dict.fromkeys(cited)), self._expected(state, event, live))

    def _violations(self, state: S, event: Event) -> Violations:
        """The criteria that the event fails now; if there are none in particular, those at the next choice."""
        rules = self.rules.event_rules[type(event)]
        violations = rules.violations(state, event)
        if violations is UNEXPECTED:
            later = rules.violations(self.rules.advance_to_choice(state), event)
            violations = tuple(item for item in later if item.unavailable and later is not UNEXPECTED)
        return violations

    def _expected(self, state: S, event: Event, live: list[Expectation[S]]) -> tuple[Event, ...]:
        most = MAX_LISTED if self.inference.is_exhausted else MAX_CHOICES
        found = [candidate for item in live for candidate in islice(item.candidates(state), most)]
        found.sort(key=lambda candidate: distance(candidate, event))
        return tuple(found[:MAX_LISTED])

    def _comes_too_early(self, state: S, event: Event) -> bool:
        """Whether the event would be legal without what is due first. Then the finding is the skipped obligation."""
        if self._is_marker(event):
            return True
        if any(self.inference.accepts(relaxed, event) for relaxed in self.inference.relaxed(state, MAX_DEPTH)):
            return True
        return any(self._comes_up(after, event) for after in self.unmentioned_choices(state))

    def _comes_up(self, state: S, event: Event) -> bool:
        """Whether the event is legal now, or after a few expected events."""
        for _ in range(MAX_LOOKAHEAD):
            if self.inference.accepts(state, event):
                return True
            required = next((e for e in self.rules.expected(state) if e.obligation is Obligation.REQUIRED), None)
            candidate = next(required.candidates(state), None) if required else None
            if candidate is None:
                return False
            state = self.rules.evolve(state, candidate)
        return False

    def unmentioned_choices(self, state: S) -> Iterator[S]:
        """The positions after a required event that is not in the log, one for each candidate."""
        due = [e for e in self.rules.expected(state) if e.obligation is Obligation.REQUIRED]
        for candidates in zip_longest(*(islice(e.candidates(state), MAX_CHOICES) for e in due)):
            for candidate in candidates:
                if self.inference.is_exhausted:
                    return
                if candidate is not None:
                    yield self.rules.evolve(state, candidate)

    def _is_marker(self, event: Event) -> bool:
        return self.rules.event_rules[type(event)].is_marker


def distance(one: Event, other: Event) -> int:
    """In how many fields two events differ; events of different types are farther apart than any of one type."""
    fields = own_fields(type(other))
    if type(one) is not type(other):
        return len(fields) + 1
    return sum(getattr(one, name) != getattr(other, name) for name in fields)
