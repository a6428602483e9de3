"""Infers what a log left out: paths of events without a choice from a position to a recorded event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

from audit.core.event_rules import Citations, Expectation, Obligation, own_fields
from audit.core.model import Event
from audit.core.rules import Rules
from audit.core.steps import InferredMove
from audit.core.typography import says_the_same

S = TypeVar("S")

Path = tuple[InferredMove, ...]
Paths = list[Path]
Ways = list[tuple[Expectation[S], Event]]
"""What comes next without a choice: one event, or several in any order."""

MAX_GAP: Final = 200
"""At most this many events in a row are inferred; a longer gap is a mistake."""

MAX_PATHS: Final = 4
"""At most this many paths through one gap are kept."""

SEARCH_BUDGET: Final = 3000
"""At most this many positions are tried to understand mistakes.

A log may be wrong from end to end. Every step restores a little of the budget, so that a single mistake is always
examined. If many mistakes follow each other, the later ones are judged by the position as written alone.
"""

BUDGET_PER_STEP: Final = 1
"""Search budget restored by each step."""

BUDGET_REFUND: Final = 24
"""At most this much of what an event used is restored if a path to the event was found."""

UNSAID: Final = (None, "?")
"""What stands in a field that a record leaves out or does not know."""


class Inference(Generic[S]):
    """Searches for what a log left out, as long as the search budget lasts."""

    def __init__(self, rules: Rules[S], complete: bool | str = False) -> None:
        """`complete` as in the header of the log: then nothing but markers may be missing, or no choice at all."""
        self.rules = rules
        self.complete = complete is True
        self.tells_choices = bool(complete)
        self.declining = False
        self.unrecorded = False
        """Whether a choice that nobody wrote down is passed over, as long as nobody can name its cards."""
        self.met_unrecorded = False
        self.told_early: tuple[Event, ...] = ()
        """What was recorded before its time a moment ago: a complete log does not tell it again where it belongs."""
        self.left_out: frozenset[type[Event]] = frozenset()
        """The parts of what happens that a log never tells although it says that it is complete: that is told once."""
        self.budget = SEARCH_BUDGET
        self.replenished_at = 0
        self.asked: tuple[S, Event, Citations | None] | None = None
        """The answer that was given already before a search, as it is asked for again where the search begins."""
        self.accepted: tuple[S, Event, Citations] | None = None
        """The last event that was found to be legal, and why."""
        self.due: tuple[S, Expectation[S] | None] | None = None
        """The one thing that can come in the position last asked about, if there is one."""
        self.listed: tuple[S, Sequence[Expectation[S]]] | None = None
        """What was expected in the position last asked about: a search comes back to where it began."""

    def replenish(self, index: int) -> None:
        """Restore the budget for the steps since the last call."""
        self.budget = min(SEARCH_BUDGET, self.budget + BUDGET_PER_STEP * (index - self.replenished_at))
        self.replenished_at = index

    @property
    def is_exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self.budget <= 0

    def accepts(self, state: S, event: Event) -> bool:
        """Whether the event is legal in this position."""
        self.budget -= 1
        asked = self.asked
        if asked is not None and asked[0] is state and asked[1] is event:
            cited = asked[2]
        else:
            cited = self.rules.event_rules[type(event)].accept(state, event)
        if cited is None:
            return False
        self.accepted = (state, event, cited)
        return True

    def comes_later(self, state: S, event: Event) -> bool:
        """Whether one other thing has to come first, so that nobody need ask if the event is legal here."""
        if not self.rules.comes_only_where_due(event):
            return False
        due = self._only_due(state)
        return due is not None and due.event is not type(event)

    def _only_due(self, state: S) -> Expectation[S] | None:
        if self.due is None or self.due[0] is not state:
            self.due = (state, self.rules.only_due(state))
        return self.due[1]

    def cited(self, state: S, event: Event) -> Citations:
        """The rules that make the event legal to which a path was found."""
        known = self.accepted
        if known is not None and known[0] is state and known[1] is event:
            return known[2]
        return self.rules.event_rules[type(event)].citations(state, event)

    def citations(self, move: InferredMove) -> Citations:
        """The rules that make an inferred move legal."""
        before: S = move.before  # type: ignore[assignment]
        expectation: Expectation[S] | None = move.expectation  # type: ignore[assignment]
        cited = None if expectation is None else expectation.cited(before, move.event)
        return self.rules.event_rules[type(move.event)].citations(before, move.event) if cited is None else cited

    def paths(self, state: S, event: Event, open_alternatives: int = 0) -> Paths:
        """The paths of omitted events that lead to this event, shortest first: none, one, or several.

        Those on which the event can be judged come before those on which it counts as written.
        One at most where enough alternatives are open already, and rather one on which the event is not ambiguous.
        """
        found: list[tuple[Path, bool]] = []
        self._search(state, event, (), found)
        if open_alternatives >= MAX_PATHS:
            found = [way for way in found if not way[1]][:1] or found[:1]
        if len(found) < 2:
            return [path for path, _ in found]
        shortest = min((len(path) for path, ambiguous in found if not ambiguous), default=0)
        kept = sorted((path for path, ambiguous in found if ambiguous or len(path) == shortest), key=len)
        rules = self.rules.event_rules[type(event)]
        if not rules.may_be_unchecked:
            return kept
        return sorted(kept, key=lambda path: bool(rules.unchecked(self.end(path, state), event)))

    def paths_or_declined(self, state: S, event: Event, open_alternatives: int = 0) -> Paths:
        """The same, or the paths on which permissions that nobody mentions were not used.

        Both, where the event is allowed by a permission and may as well be what comes if nobody used it.
        """
        found = self.paths(state, event, open_alternatives)
        if self.complete and not self.left_out:
            return found
        if found and (self.tells_choices or not self._may_be_declined(state, event, found)):
            return found
        if self.tells_choices and not self.left_out:
            return self._through_what_it_tells(state, event)
        used = found
        self.declining = True
        self.met_unrecorded = False
        found = self.paths(state, event, open_alternatives)
        if not found and not used and self.met_unrecorded:
            self.unrecorded = True
            found = [
                path
                for path in self.paths(state, event, open_alternatives)
                if not any(
                    self.rules.event_rules[type(event)].hangs_on_due(move.before, event)  # type: ignore[arg-type]
                    for move in path
                    if move.is_unrecorded
                )
            ]
            self.unrecorded = False
        self.declining = False
        if used:
            return used + [path for path in found if path not in used]
        return found or self._through_what_it_tells(state, event)

    def _through_what_it_tells(self, state: S, event: Event) -> Paths:
        """The paths to the event through what it tells of as well."""
        found: Paths = []
        for told in self.rules.event_rules[type(event)].tells_also(event):
            for path in self.paths(state, told):
                last = self.end(path, state)
                move = InferredMove(told, last, self.rules.evolve(last, told), True)
                found += [(*path, move, *way) for way in self.paths(self.end((move,), last), event)]
        return found

    def _may_be_declined(self, state: S, event: Event, found: Paths) -> bool:
        """Whether the event uses a permission, and it may be another event than that."""
        last, rules = self.end(found[0], state), self.rules.event_rules[type(event)]
        return (
            len(found) == 1
            and rules.may_be_ambiguous
            and rules.is_ambiguous(last, event)
            and any(expectation.declines for expectation in self._expected(last))
        )

    def _search(self, state: S, event: Event, path: Path, found: list[tuple[Path, bool]]) -> None:
        """Add the paths from here. After an ambiguous one go on searching."""
        rules = self.rules.event_rules[type(event)]
        is_repeatable = not self.rules.comes_only_where_due(event)
        due = self._only_due(state)
        while len(path) < MAX_GAP and len(found) < MAX_PATHS:
            if due is not None and due.event is not type(event) and not is_repeatable:
                self.budget -= 1  # what asking would use
            elif self.accepts(state, event):
                ambiguous = rules.may_be_ambiguous and rules.is_ambiguous(state, event)
                found.append((path, ambiguous))
                if not ambiguous:
                    return
            if due is not None and self.budget > 0 and self._comes_before(due, event, is_repeatable):
                forced, due = self._forced(state, due, event, is_repeatable)
                if not forced:
                    return
                path, state = path + forced, self.end(forced, state)
                continue
            ways = self._ways(state, due) if self.budget > 0 else []
            if not ways:
                return
            first, *others = self.moves(state, ways)
            for move in others:
                self._search(self.end((move,), state), event, (*path, move), found)
            path = (*path, first)
            state = self.end(path, state)
            due = self._only_due(state)

    def _comes_before(self, due: Expectation[S], event: Event, is_repeatable: bool) -> bool:
        """Whether the one thing that can come is no choice, may be missing, and is not what the event repeats."""
        if due.obligation is Obligation.MARKER:
            return not self.rules.event_rules[type(event)].is_marker
        is_told = self.complete and due.event not in self.left_out
        return not (is_told or is_repeatable or due.event is type(event))

    def _forced(
        self, state: S, due: Expectation[S] | None, event: Event, is_repeatable: bool
    ) -> tuple[Path, Expectation[S] | None]:
        """What comes before anything else can, markers and steps of a card on its way; and what is due after them."""
        moves: list[InferredMove] = []
        while self.budget > 0 and due is not None and self._comes_before(due, event, is_repeatable):
            self.budget -= 2 if moves else 1  # what looking for each of them step by step would use
            one = due.single_candidate(state)
            if one is None:
                break
            move = self._move(state, due, one, ())
            moves.append(move)
            state = move.after  # type: ignore[assignment]
            due = self._only_due(state)
        return tuple(moves), due

    def without_choice(self, state: S) -> Ways[S]:
        """What may be missing in the log: the one event without a choice, or any of several whose order is free."""
        return self._ways(state, self._only_due(state))

    def declined(self, state: S) -> Path:
        """What says that a permission is not used here; nothing where there is none."""
        unused = [(one, event) for one in self._expected(state) if one.declines for event in one.candidates(state)]
        return tuple(self.moves(state, unused)[:1])

    def following(self, state: S) -> Ways[S]:
        """The same, whether the log may leave it out or not."""
        return self._following(state, self._only_due(state))

    def _ways(self, state: S, due: Expectation[S] | None) -> Ways[S]:
        """What may be missing, where the one thing that can come is known already, or that there is none."""
        ways = self._following(state, due)
        for expectation, event in ways if self.complete else ():
            is_small = expectation.obligation is Obligation.MARKER or type(event) in self.left_out
            if not is_small and not any(tells(record, event) for record in self.told_early):
                return []
        return ways

    def _following(self, state: S, due: Expectation[S] | None) -> Ways[S]:
        self.budget -= 1
        if due is not None:
            return [(due, event)] if (event := due.single_candidate(state)) is not None else []
        live = [e for e in self._expected(state) if e.obligation is not Obligation.EXPIRES]
        if self.declining and (declined := [e for e in live if e.declines]):
            live = declined[:1]
        ways: Ways[S] = []
        for expectation in live:
            if expectation.obligation is Obligation.OPTIONAL or (len(live) > 1 and not expectation.any_order):
                return []
            event = expectation.single_candidate(state)
            if event is None and self.declining:
                event = expectation.first_of_all(state)
            if event is None:
                return []
            if expectation.hides_choice(state, event):
                self.met_unrecorded = True
                if not self.unrecorded:
                    return []
            ways.append((expectation, event))
        return ways

    def _expected(self, state: S) -> Sequence[Expectation[S]]:
        if self.listed is None or self.listed[0] is not state:
            self.listed = (state, self.rules.expected(state))
        return self.listed[1]

    def moves(self, state: S, ways: Ways[S]) -> list[InferredMove]:
        """These events as inferred moves."""
        siblings = tuple([event for _, event in ways]) if len(ways) > 1 else ()
        return [self._move(state, expectation, event, siblings) for expectation, event in ways]

    def _move(self, state: S, expectation: Expectation[S], event: Event, siblings: tuple[Event, ...]) -> InferredMove:
        is_news = expectation.obligation is not Obligation.MARKER
        is_unrecorded = self.unrecorded and expectation.hides_choice(state, event)
        after = self.rules.event_rules[type(event)].apply(state, event)
        return InferredMove(event, state, after, is_news, siblings, is_unrecorded, expectation.declines, expectation)

    def end(self, path: Path, start: S) -> S:
        """The position a path leads to."""
        return path[-1].after if path else start  # type: ignore[return-value]

    def relaxed(self, state: S, most: int) -> Iterator[S]:
        """The relaxations of the position, as long as the budget lasts."""
        for relaxation in islice(self.rules.relaxations(state), most):
            if self.is_exhausted:
                return
            yield relaxation


def tells(record: Event, event: Event) -> bool:
    """Whether the record tells of that event; what it leaves out may be anything."""
    if type(record) is not type(event):
        return False
    return all(_agree(getattr(record, name), getattr(event, name)) for name in own_fields(type(event)))


def _agree(told: object, other: object) -> bool:
    """Whether a field may be the same in both; what one leaves out or does not know is no difference."""
    if isinstance(told, tuple) and isinstance(other, tuple):
        return len(told) == len(other) and all(map(_agree, told, other))
    if isinstance(told, str) and isinstance(other, str) and " " in told and " " in other:
        return says_the_same(told, other)
    return told == other or told in UNSAID or other in UNSAID
