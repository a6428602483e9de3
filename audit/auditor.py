"""Judges a log in one pass: match, infer, explain, resynchronise.

Each event is judged by the rules of its type. If it is not legal as things stand, omitted events without a choice are
inferred. If that fails too, the event is a finding, and the audit goes on from the position as written. Other ways in
which the mistake may have happened are kept as alternatives. An alternative is taken only if the position as written
cannot lead to a later event; steps that rest on it are marked as guessed. Nothing found in a log raises an exception,
and later events never change what was said of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Generic, TypeVar

from msgspec.structs import replace

from audit.event_rules import MAX_LISTED, Citations
from audit.explanation import MAX_DEPTH, Explainer, distance
from audit.inference import BUDGET_REFUND, SEARCH_BUDGET, Inference, Path, Paths
from audit.model import Event, Header, Verdict
from audit.ruleset import Rules, Ruleset
from audit.steps import Bookmark, InferredMove, Step

S = TypeVar("S")

LEGAL = Verdict.LEGAL

MAX_ALTERNATIVES = 10
"""At most this many alternatives are kept after a mistake."""


def audit(ruleset: Ruleset[S], header: Header, events: Iterable[Event], start: S | None = None) -> Iterator[Step]:
    """The steps of a game, beginning with step 0, the start. `start` is its position, if it is known already.

    Raises `SetupError` where the header's setup cannot be understood, and nothing else.
    """
    auditor = Auditor(ruleset.rules, header, start)
    return chain((auditor.first(),), chain.from_iterable(map(auditor.judge, events)))


class Auditor(Generic[S]):
    """An audit of a game to which events may still be added."""

    def __init__(self, rules: Rules[S], header: Header, start: S | None = None) -> None:
        self.rules = rules
        self.event_rules = rules.event_rules
        self.state: S = rules.start(header) if start is None else start
        self.alternatives: tuple[S, ...] = ()
        self.index = 0
        self.is_mistaken = False
        """Whether the alternatives come from a mistake, not only from an ambiguous omission."""
        self.inference = Inference(rules)
        self.explainer = Explainer(self.inference)

    def first(self) -> Step:
        """Step 0: the position before the first event."""
        return Step(0, None, None, Verdict.LEGAL, (), (), self.state, self.state)

    def resume(self, state: S, index: int) -> None:
        """Go on from a position reached before."""
        self.return_to(Bookmark(state, (), index, SEARCH_BUDGET, index))

    def bookmark(self) -> Bookmark:
        """Where the audit stands now, to come back to."""
        inference = self.inference
        return Bookmark(
            self.state, self.alternatives, self.index, inference.budget, inference.replenished_at, self.is_mistaken
        )  # fmt: skip

    def return_to(self, mark: Bookmark) -> None:
        """Go on from where this audit, or another of the same game, stood before."""
        self.state, self.alternatives = mark.state, mark.alternatives  # type: ignore[assignment]
        self.index, self.is_mistaken = mark.index, mark.is_mistaken
        self.inference.budget, self.inference.replenished_at = mark.search_budget, mark.replenished_at

    def judge(self, event: Event) -> list[Step]:
        """The step of this event, after the inferred steps that lead to it."""
        if not self.alternatives:
            rules, state = self.event_rules[type(event)], self.state
            cited = rules.accept(state, event)
            if cited is not None and not (rules.may_be_ambiguous and rules.is_ambiguous(state, event)):
                return [self._legal(state, event, cited)]
        return self._judge_with_care(event)

    def _legal(self, state: S, event: Event, cited: Citations) -> Step:
        self.index += 1
        self.state = after = self.event_rules[type(event)].apply(state, event)
        return Step(self.index, event.seq, event, LEGAL, cited, self.rules.causes(state, event), state, after)

    def _judge_with_care(self, event: Event) -> list[Step]:
        inference = self.inference
        inference.replenish(self.index)
        before = inference.budget
        fits, unseen = self._fitting(event)
        if not fits:
            return self._finding(event)
        inference.budget += min(before - inference.budget, BUDGET_REFUND)
        state, paths = self._likeliest(fits)
        guessed = self.is_mistaken and state is not self.state
        others = [self._after(path, start, event) for start, found in fits for path in found]
        others += [self.rules.evolve(start, event) for start in unseen]
        steps = [self._inferred(move, paths) for move in paths[0] if move.is_news]
        last = inference.end(paths[0], state)
        steps.append(self._legal(last, event, self.event_rules[type(event)].citations(last, event)))
        self.alternatives = _distinct(others, self.state)
        self.is_mistaken = self.is_mistaken and bool(self.alternatives)
        return [replace(step, guessed=True) for step in steps] if guessed else steps

    def _likeliest(self, fits: list[tuple[S, Paths]]) -> tuple[S, Paths]:
        """After a mistake the position as written, if it leads to the event; else the shortest path."""
        if self.is_mistaken and fits[0][0] is self.state:
            return fits[0]
        return min(fits, key=lambda fit: len(fit[1][0]))

    def _fitting(self, event: Event) -> tuple[list[tuple[S, Paths]], list[S]]:
        """The positions from which a path leads to the event, and those in which a hidden card may make it legal."""
        fits: list[tuple[S, Paths]] = []
        unseen: list[S] = []
        for state in (self.state, *self.alternatives):
            if paths := self.inference.paths(state, event, len(self.alternatives)):
                fits.append((state, paths))
            elif self.event_rules[type(event)].depends_on_hidden(state, event):
                unseen.append(state)
        return fits, unseen

    def _after(self, path: Path, start: S, event: Event) -> S:
        return self.rules.evolve(self.inference.end(path, start), event)

    def _inferred(self, move: InferredMove, paths: Paths) -> Step:
        before: S = move.before  # type: ignore[assignment]
        because = self.rules.causes(before, move.event)
        self.state = after = self.rules.evolve(before, move.event)
        self.index += 1
        return Step(
            self.index, None, move.event, Verdict.INFERRED, move.rules, because, before, after,
            candidates=move.siblings if len(paths) > 1 else (),
        )  # fmt: skip

    def _finding(self, event: Event) -> list[Step]:
        unmentioned, state = self.explainer.nearest(self.state, event)
        steps = [self._inferred(move, [unmentioned]) for move in unmentioned if move.is_news]
        found = self.explainer.explain(state, event)
        because = self.rules.causes(state, event)
        self.state, self.alternatives = self._resynchronised(state, event)
        self.index += 1
        self.is_mistaken = bool(self.alternatives)
        finding = Step(
            self.index, event.seq, event, found.verdict, found.rules, because, state, self.state, found.violations,
            found.expected,
        )  # fmt: skip
        return [*steps, finding]

    # Resynchronise

    def _resynchronised(self, state: S, event: Event) -> tuple[S, tuple[S, ...]]:
        """The position if the event happened as written, and those if the mistake was another."""
        written = self.rules.evolve(state, event)
        if self.inference.is_exhausted:
            return written, ()
        others = [
            *(self.rules.evolve(state, meant) for meant in self._near(state, event)),
            *islice(self.rules.interleavings(state, event), MAX_DEPTH),
            *self._after_an_unmentioned_choice(state, event),
            *self._without_what_was_due(state, event),
            state,
        ]
        return written, _distinct(others, written)

    def _near(self, state: S, event: Event) -> Iterator[Event]:
        """What was expected and is one field away from the event."""
        for expectation in self.event_rules[type(event)].expected(state):
            for candidate in islice(expectation.candidates(state), MAX_LISTED * 4):
                if distance(candidate, event) == 1:
                    yield candidate

    def _after_an_unmentioned_choice(self, state: S, event: Event) -> Iterator[S]:
        """The positions after the event if a choice before it is missing in the log."""
        for done in self.explainer.unmentioned_choices(self.rules.advance_to_choice(state)):
            for path in self.inference.paths(done, event, len(self.alternatives))[:1]:
                yield self._after(path, done, event)

    def _without_what_was_due(self, state: S, event: Event) -> Iterator[S]:
        """The positions after the event if something pending is given up before it."""
        for relaxed in self.inference.relaxed(state, MAX_DEPTH):
            for path in self.inference.paths(relaxed, event, len(self.alternatives))[:1]:
                yield self._after(path, relaxed, event)


def _distinct(states: Iterable[S], known: S) -> tuple[S, ...]:
    kept: list[S] = []
    for state in states:
        if state != known and state not in kept:
            kept.append(state)
    return tuple(kept[:MAX_ALTERNATIVES])


def renumbered(step: Step, index: int) -> Step:
    """The same step at another place of the replay."""
    return replace(step, index=index)
