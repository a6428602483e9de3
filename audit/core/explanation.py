"""Why an event is a finding: the criteria it fails, or the obligations it skips, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Generic, TypeVar

from msgspec import Struct

from audit.core.event_rules import MAX_LISTED, UNEXPECTED, Citations, Expectation, Obligation, Violations, own_fields
from audit.core.inference import Inference
from audit.core.model import Event, Verdict
from audit.core.nearest_moment import is_of_another
from audit.core.rules import MAX_ADVANCE

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

    def explain(self, state: S, event: Event) -> Explanation:
        """Why the event is a finding: the violated rules first, then the rules of skipped and expected events."""
        rules = self.rules.event_rules[type(event)]
        live = self.rules.expected(state)
        due = tuple(rule for skipped in self.rules.skipped_obligations(state, event) for rule in skipped.rules)
        violations = self._violations(state, event)
        missing = rules.missing(state, event)
        if due and any(item.unavailable for item in violations) and self._comes_too_early(state, event, live):
            violations = ()
        if not violations and missing:
            violations = (missing,)
        cited = (*(item.rule for item in violations), *due, *(rule for item in live for rule in item.rules))
        if rules.depends_on_hidden(state, event):
            verdict = Verdict.UNDETERMINED
        else:
            verdict = Verdict.IMPOSSIBLE if missing else Verdict.ILLEGAL
        return Explanation(verdict, violations, tuple(dict.fromkeys(cited)), self._expected(state, event))

    def what_is_due(self, state: S) -> Explanation:
        """That something else may come here, by its rules, and no reason: while all is lost nobody is told one."""
        rules = (rule for expectation in self.rules.expected(state) for rule in expectation.rules)
        return Explanation(Verdict.ILLEGAL, (), tuple(dict.fromkeys(rules)), ())

    def _violations(self, state: S, event: Event) -> Violations:
        """The criteria that the event fails now; if there are none in particular, those at the next choice."""
        rules = self.rules.event_rules[type(event)]
        violations = rules.violations(state, event)
        if violations is UNEXPECTED:
            later = rules.violations(self.rules.advance_to_choice(state), event)
            violations = tuple(item for item in later if item.unavailable and later is not UNEXPECTED)
            return violations or self._whatever_is_due(state, event)
        return violations

    def _whatever_is_due(self, state: S, event: Event) -> Violations:
        """Why nothing calls for an event that nobody does of their own accord, which what is due first leads not to."""
        rules = self.rules.event_rules[type(event)]
        if rules.is_own_act(state, event) or self._comes_up(state, event):
            return ()
        for relaxed in self.inference.relaxed(state, MAX_DEPTH):
            if (violations := rules.violations(relaxed, event)) is not UNEXPECTED:
                return violations
        return ()

    def _expected(self, state: S, event: Event) -> tuple[Event, ...]:
        """What is one field away and legal here; else the candidates of the missing decision, the nearest first."""
        most = MAX_LISTED if self.inference.is_exhausted else MAX_CHOICES
        here = state
        state, live = self._missing(here, event)
        found = [candidate for item in live for candidate in islice(item.candidates(state), most)]
        found.sort(key=lambda candidate: distance(candidate, event))
        is_near = bool(found) and differs_in_one_field(found[0], event)
        return tuple(found) if is_near else (self._same_act(here, event) or tuple(found))

    def _same_act(self, state: S, event: Event) -> tuple[Event, ...]:
        """What the event may have meant, one field away from it and legal in this position."""
        rules = self.rules.event_rules[type(event)]
        others = islice(rules.otherwise(state, event), MAX_LISTED)
        return tuple([o for o in others if differs_in_one_field(o, event) and rules.accept(state, o) is not None])

    def _missing(self, state: S, event: Event) -> tuple[S, Sequence[Expectation[S]]]:
        """The position in which the next thing happens that a table would speak of, and what is expected there.

        Markers and parts of movements are passed over, unless the event is such a one itself.
        """
        here = state, self.rules.expected(state)
        for _ in range(MAX_ADVANCE):
            live = self.rules.expected(state)
            ways = self.inference.following(state)
            rules = self.rules.event_rules[type(ways[0][1])] if ways else None
            is_silent = rules is not None and (rules.is_marker or rules.is_part)
            if not is_silent or any(isinstance(event, item.event) for item in live):
                return (state, live) if any(next(item.candidates(state), None) for item in live) else here
            state = self.rules.evolve(state, ways[0][1])
        return here

    def _comes_too_early(self, state: S, event: Event, live: Sequence[Expectation[S]]) -> bool:
        """Whether the event would be legal without what is due first. Then the finding is the skipped obligation."""
        if self.rules.event_rules[type(event)].is_marker:
            return True
        if any(self.inference.accepts(relaxed, event) for relaxed in self.inference.relaxed(state, MAX_DEPTH)):
            return True
        if any(isinstance(event, item.event) for item in live):
            return False
        if is_of_another(self.rules, state, event) and any(e.not_intended for e in self.rules.violations(state, event)):
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

    def choices_left_out(self, state: S) -> Iterator[tuple[Event, S]]:
        """What may be done now and is not in the log, each with the position after it."""
        live = [e for e in self.rules.expected(state) if e.obligation is not Obligation.MARKER]
        for candidate in self._in_turn(state, live):
            yield candidate, self.rules.evolve(state, candidate)

    def unmentioned_choices(self, state: S) -> Iterator[S]:
        """The positions after a required event that is not in the log, one for each candidate."""
        due = [e for e in self.rules.expected(state) if e.obligation is Obligation.REQUIRED]
        for candidate in self._in_turn(state, due):
            yield self.rules.evolve(state, candidate)

    def _in_turn(self, state: S, live: Sequence[Expectation[S]]) -> Iterator[Event]:
        """Some candidates of each expectation, the first of each first, as long as the budget lasts."""
        for candidates in zip_longest(*(islice(e.candidates(state), MAX_CHOICES) for e in live)):
            for candidate in candidates:
                if self.inference.is_exhausted:
                    return
                if candidate is not None:
                    yield candidate


def differs_in_one_field(one: Event, other: Event) -> bool:
    """Whether the two are of one type and all but one of their fields are the same."""
    return type(one) is type(other) and distance(one, other) == 1


def distance(one: Event, other: Event) -> int:
    """In how many fields two events differ; events of different types are farther apart than any of one type."""
    fields = own_fields(type(other))
    if type(one) is not type(other):
        return len(fields) + 1
    return sum(getattr(one, name) != getattr(other, name) for name in fields)
