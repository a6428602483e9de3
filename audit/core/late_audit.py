"""Events recorded later than they happened, in parts or too early; and what would come of each account."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby, islice, takewhile
from math import inf
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Violation
from audit.core.explanation import Explanation
from audit.core.inference import BUDGET_REFUND, Inference, Path, tells
from audit.core.late_records import (
    Late,
    announced_ahead,
    announced_among,
    before_choices,
    is_decision,
    order_broken,
    recorded_instead,
    set_off_ahead,
    settled_before,
    with_records,
)
from audit.core.model import Event
from audit.core.standing import Standing
from audit.core.steps import Bookmark, InferredMove, Order, Step, unchecked_step

S = TypeVar("S")


class Trials(Standing[S]):
    """An audit that can try what follows before it decides."""

    def judge(self, event: Event) -> list[Step]:
        """The step of this event, after the inferred steps that lead to it."""
        raise NotImplementedError

    def judge_all(self, events: Iterable[Event]) -> Iterator[list[Step]]:
        """The same of all these events, a list for each; any of them may be recorded late."""
        raise NotImplementedError

    def finds_any(self, events: Iterable[Event]) -> bool:
        """Whether one of these events is a finding: the first is not explained, and this audit ends there."""
        raise NotImplementedError

    def _fork(self, mark: Bookmark) -> Trials[S]:
        """An audit of the same game that goes on from there by itself."""
        raise NotImplementedError

    def _findings(self, events: Sequence[Event]) -> int:
        """How many findings these events give from here, if none of them is recorded late."""
        return _found(map(self._fork(self.bookmark()).judge, events))

    def _findings_among(self, events: Sequence[Event]) -> int:
        """How many findings these events give from here, if any of them may be recorded late."""
        return _found(self._fork(self.bookmark()).judge_all(events))

    def _findings_after(self, state: S, events: Sequence[Event]) -> int:
        """The same, from that position."""
        return _found(map(self._fork(replace(self.bookmark(), state=state, alternatives=())).judge, events))

    def _finds_any(self, events: Sequence[Event]) -> bool:
        """Whether any of these events is a finding from here, if none of them is recorded late."""
        return self._fork(self.bookmark()).finds_any(events)

    def _fits_in_place(self, before: Sequence[Event], record: Event) -> bool:
        """Whether the record is no finding after the events before it, whatever these are."""
        fork = self._fork(self.bookmark())
        for one in before:
            fork.judge(one)
        return not fork.finds_any([record])

    def _cost_in_place(self, event: Event, ahead: Iterable[Event], number: int) -> int:
        """How many findings come of the event and so many of those ahead, if it is not explained by these."""
        fork = self._fork(self.bookmark())
        return _found([fork.judge(event), *islice(fork.judge_all(ahead), number)])

    def _fits_only(self, late: Late, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether the events ahead are findings as they stand, and none is if these of them are recorded late."""
        return self._finds_any([event, *ahead]) and not self._fork_after_late(event, late).finds_any(ahead)

    def _findings_saved(self, late: Late, event: Event, ahead: Sequence[Event]) -> int:
        """How many findings fewer there are if these of the events ahead are recorded late.

        The last of those ahead may be explained by what is written after it.
        """
        further = list(self._standing_ahead())
        number = sum(one.seq <= ahead[-1].seq for one in further)
        wrong = _found(islice(self._fork_after_late(event, late).judge_all(further), number))
        return self._cost_in_place(event, further, number) - wrong

    def _fork_after_late(self, event: Event, late: Late) -> Trials[S]:
        """An audit of the same game that goes on after this event, with what is recorded late known to be so."""
        after, known_late = self._after(late.path, self.state, event), {**self.late, **self._rules_of_late(late)}
        return self._fork(replace(self.bookmark(), state=after, late=known_late))


def _found(judged: Iterable[list[Step]]) -> int:
    """How many of the steps are findings."""
    return sum(step.verdict.is_finding for steps in judged for step in steps)


Search = Callable[[Inference[Any], Any, Sequence[Event], Event], Late | None]

FOUND_BY: Final[tuple[Search, ...]] = (announced_among, settled_before, before_choices, set_off_ahead)
"""The ways to what was written before its time."""

MOST_FOR_LATE: Final = 64
"""At most so much of the search budget is used up for what an event's path may have told later."""


class LateAudit(Trials[S]):
    """An audit that finds out what is recorded late, and whether players should have waited for it."""

    def _before_a_decision(self, event: Event, path: Path, ahead: Sequence[Event]) -> Late | None:
        """A path on which inferred moves are what later lines record; parts of movements only up to a decision."""
        budget = self.inference.budget
        late = self._recorded_ahead(event, path, ahead)
        if late and (decided := self._decided_before(event, late, ahead)):
            late = self._recorded_ahead(event, path, [one for one in ahead if one.seq < decided])
        self.inference.budget = max(self.inference.budget, budget - MOST_FOR_LATE)
        return late

    def _recorded_ahead(self, event: Event, path: Path, ahead: Sequence[Event]) -> Late | None:
        """A path on which inferred moves are what later lines record, if those lines have no other place.

        A line that fits where it stands has another place, unless the lines after it fit only if it is recorded late.
        """
        for _, number in recorded_instead(self.inference, path, ahead):
            if ahead[number].seq in self.late:
                continue
            late = Late(with_records(self.inference, path, ahead, event))
            if self._fits_in_place([event, *ahead[:number]], ahead[number]) and not self._fits_only(late, event, ahead):
                continue
            found = self._order_findings(event, late, ahead)
            if not found or found <= self._cost_in_place(event, ahead, len(ahead)):
                return late
        return None

    def _with_late(self, event: Event, late: Late, ahead: Sequence[Event]) -> list[Step]:
        """The steps of an event that follows from what is recorded later; a finding if it came too early."""
        last, overdue = self.inference.end(late.path, self.state), self._overdue(event, late)
        known = self.inference.end(tuple(takewhile(lambda move: not move.event.seq, late.path)), self.state)
        steps = self._along(late.path, [late.path])
        self.late = {**self.late, **self._rules_of_late(late)}
        told = {type(move.event) for move in late.moves}
        untold = tuple(move for move in late.path if not move.event.seq and type(move.event) in told)
        self.told_in_part = (max((one.seq for one in ahead), default=0), untold)
        rules = self.event_rules[type(event)]
        step = self._legal(rules, last, event, rules.citations(last, event))
        if overdue:
            order, waited_for = overdue
            found = self.explainer.explain(known, event)
            due = found.expected if waited_for is late.moves[0] else (waited_for.event,)
            step = out_of_order(replace(step, verdict=found.verdict, rules=found.rules), order, due)
            step = self._with_its_reason(step, found, {order.rule, *self.inference.citations(waited_for)})
        self.early = {**self.early, **self._told_early(event if overdue else None, last, late, ahead)}
        return [*steps, step]

    def _with_its_reason(self, step: Step, found: Explanation, orders: Collection[Rule]) -> Step:
        """The step with the criterion of order that the event fails, where one of several things was due first."""
        if len(step.expected) < 2 or not found.violations or found.violations[0].rule not in orders:
            return step
        told = found.violations
        return replace(step, violations=told, rules=each_once((told[0].rule, *step.rules)))

    def _told_early(
        self, event: Event | None, last: S, late: Late, ahead: Sequence[Event]
    ) -> dict[int, tuple[Order, Event]]:
        """What others should have kept back for a late record, with rule and record: of the event itself it is told.

        What nobody in particular does belongs to the mistake told before it.
        """
        told: dict[int, tuple[Order, Event]] = {}
        before = self.event_rules[type(event)].player_of(last, event) if event else ""
        for one, order, first, at in self._too_early(self._fork(self.bookmark()), late, ahead):
            actor = self.event_rules[type(one)].player_of(at, one)
            is_same = actor == before or (actor is None and bool(event or told))
            if not is_same and not self._is_lawful_next(one, first, at):
                told[one.seq] = (order, first.event)
        return told

    def _is_ahead_of_marker(self, event: Event, path: Path) -> bool:
        """Whether a marker that the path passes over stands ahead, and fits there only if the event came too early."""
        waits = self.event_rules[type(event)].waits_for_markers
        if self.is_fork or not (waits and path and self._look_ahead()):
            return False
        markers = [move.event for move in path if not move.is_news]
        further = list(self._standing_ahead())
        at = next((at for at, one in enumerate(further, 1) if any(tells(one, passed) for passed in markers)), 0)
        if not at or not (wrong := self._cost_in_place(event, further, at)):
            return False
        return 1 + self._findings_as_written(event, further, at) <= wrong

    def _fits_better_as_written(self, event: Event, late: Late) -> bool:
        """Whether what is ahead fits better if an event that should have waited came just as it is written.

        Then what is recorded later happened later.
        """
        overdue, further = self._overdue(event, late), list(self._standing_ahead())
        if self.is_fork or not further or overdue is None or overdue[0].is_open:
            return False
        wrong = _found(self._fork_after_late(event, late).judge_all(further))
        return bool(wrong) and self._findings_as_written(event, further, len(further)) < wrong

    def _findings_as_written(self, event: Event, ahead: Sequence[Event], number: int) -> int:
        """How many of so many events ahead are findings if the event came here, whatever should have come before."""
        state = self.rules.evolve(self.state, event)
        fork = self._fork(replace(self.bookmark(), state=state, alternatives=()))
        return _found(islice(fork.judge_all(ahead), number))

    def _breaks_order(self, event: Event, late: Late, ahead: Sequence[Event]) -> bool:
        """Whether the event, or one before a late record, should have waited for what is recorded late."""
        return bool(self._order_findings(event, late, ahead))

    def _order_findings(self, event: Event, late: Late, ahead: Sequence[Event]) -> float:
        """How often players should have waited for what is recorded late; what one does in a row counts once.

        It is infinite where only what the next player does in a turn of their own came before it: nobody waits for
        what somebody else should have decided in a turn that is over.
        """
        fork = self._fork_after_late(event, late)
        early = [(one, first, at) for one, order, first, at in self._too_early(fork, late, ahead) if not order.is_open]
        overdue = self._overdue(event, late)
        if overdue and not overdue[0].is_open:
            early.insert(0, (event, overdue[1], self.inference.end(late.path, self.state)))
        if early and self._is_lawful_next(*early[0]):
            return inf
        actors = [self.event_rules[type(one)].player_of(before, one) for one, _, before in early]
        return sum(1 for _ in groupby(filter(None, actors))) or len(early[:1])

    def _is_lawful_next(self, event: Event, late: InferredMove, at: S) -> bool:
        """Whether a player does this of their own accord, and the late record is of the turn of another player."""
        was: S = late.before  # type: ignore[assignment]
        is_later_turn = self.rules.clock(was)["player"] != self.rules.clock(at)["player"]
        return is_later_turn and self.event_rules[type(event)].is_own_act(at, event)

    def _overdue(self, event: Event, late: Late) -> tuple[Order, InferredMove] | None:
        """By which order the event should have waited, and for which late record; None if it may be recorded first."""
        if late.is_cause:
            return None
        last = self.inference.end(late.path, self.state)
        told = {*self.late, *[move.event.seq for move in late.moves]}
        for move in late.moves:
            order = order_broken(self.inference, move, event, last, told)
            if order is not None:
                return order, move
        return None

    def _too_early(
        self, fork: Trials[S], late: Late, ahead: Sequence[Event]
    ) -> Iterator[tuple[Event, Order, InferredMove, S]]:
        """The events before a late record that should have waited for it, with the order.

        The fork goes on with them after what is recorded late and the event that led there.
        With each comes what it should have waited for, and the position in which it is recorded.
        """
        told = frozenset(move.event.seq for move in late.moves)
        for event in () if late.is_cause else ahead:
            waiting = [move for move in late.moves if move.event.seq > event.seq]
            if event.seq in told or not waiting:
                continue
            before: S = fork.judge(event)[-1].before  # type: ignore[assignment]
            for move in waiting:
                if order := order_broken(self.inference, move, event, before, {*fork.late, *told}):
                    yield event, order, move, before
                    break

    def _decided_before(self, event: Event, late: Late, ahead: Sequence[Event]) -> int:
        """The seq of what somebody decided before a part of a movement is told: it is of another movement. Else 0."""
        parts = [move.event.seq for move in late.moves if self.event_rules[type(move.event)].is_part]
        if not parts:
            return 0
        fork = self._fork_after_late(event, late)
        for one in takewhile(lambda one: one.seq < max(parts), ahead):
            before: S = fork.judge(one)[-1].before  # type: ignore[assignment]
            if is_decision(self.inference, one, before):
                return one.seq
        return 0

    def _late_by(self, find: Search, event: Event, ahead: Sequence[Event]) -> Late | None:
        """What such a search finds, as far as somebody may have written it down like that.

        Where every choice is told, no permission is silently not used on the path.
        """
        told, self.inference.tells_choices = self.inference.tells_choices, False
        late = find(self.inference, self.state, ahead, event)
        self.inference.tells_choices = told
        if late is None or self._passes_markers(late, ahead) or self._passes_turns(late):
            return None
        return late if self._tells_enough(late) else None

    def _tells_enough(self, late: Late) -> bool:
        """Whether the log may be without what is not recorded on the path."""
        return not self.inference.tells_choices or all(move.event.seq or not move.declines for move in late.path)

    def _used_later(self, event: Event) -> list[Step]:
        """The steps of an event in a log that tells every choice, if what was decided before it is told after it."""
        ahead = self._look_ahead() if self.inference.tells_choices else ()
        if not ahead:
            return []
        self.inference.tells_choices = False
        paths = self.inference.paths_or_declined(self.state, event)
        late = self._before_a_decision(event, paths[0], ahead) if paths else None
        self.inference.tells_choices = True
        return self._with_late(event, late, ahead) if late and self._tells_enough(late) else []

    def _written_early(self, event: Event, ahead: Sequence[Event]) -> Late | None:
        """A path to the event through what is recorded after it, if no order is broken and all that is ahead fits.

        What a procedure does is written before its announcement by programs as well, in the order of the rules.
        """
        budget = self.inference.budget
        found_by: tuple[Search, ...] = (announced_among,) if self.inference.complete else FOUND_BY
        for find in found_by if budget > 0 else ():
            late = self._late_by(find, event, ahead)
            self.inference.budget = max(self.inference.budget, budget - BUDGET_REFUND)
            if late and not self._breaks_order(event, late, ahead) and self._findings_saved(late, event, ahead) > 0:
                return late
        return None

    def _by_next_act(self, event: Event, ahead: Sequence[Event]) -> Late | None:
        """A path to a legal event through what a player does next, if no order is broken and as much fits as without.

        In place the event may be the doing of something that nobody has told.
        """
        late = self._late_by(set_off_ahead, event, ahead) if ahead else None
        if late is None or self._breaks_order(event, late, ahead) or self._findings_saved(late, event, ahead) < 0:
            return None
        return late

    def _passes_markers(self, late: Late, ahead: Sequence[Event]) -> bool:
        """Whether the path goes past several markers that stand ahead: nobody writes so far before its time."""
        passed = [move.event for move in late.path if not move.is_news]
        return sum(any(tells(one, marker) for marker in passed) for one in ahead) > 1

    def _passes_turns(self, late: Late) -> bool:
        """Whether it goes past what players did of their own accord in several turns: nobody writes so far before."""
        turns = set()
        for move in late.moves:
            before: S = move.before  # type: ignore[assignment]
            if self.event_rules[type(move.event)].is_own_act(before, move.event):
                clock = self.rules.clock(before)
                turns.add((clock["turn"], clock["player"]))
        return len(turns) > 1

    def _told_in_parts(self, event: Event) -> list[Step]:
        """The steps of an event if the next ones tell the rest of it; none if they do not.

        Other parts of the same procedure may stand between its parts, and what announces the whole behind the last.
        """
        whole, rules = event, self.event_rules[type(event)]
        rest: list[int] = []
        between: list[Event] = []
        ahead = self._look_ahead()
        for number, other in enumerate(ahead, 1):
            joined = rules.joined(whole, other) if type(other) is type(event) else None
            if joined is None:
                if not self.rules.are_of_one_procedure(type(event), type(other)):
                    return []
                between.append(other)
                continue
            whole = joined
            rest.append(other.seq)
            if late := self._way_to_whole(whole, between, ahead[number:]):
                *steps, told = self._with_late(whole, late, [*between, *ahead[number:]])
                self.late = {**self.late, **dict.fromkeys(rest, told.rules)}
                return [*steps, replace(told, event=event)]
        return []

    def _way_to_whole(self, whole: Event, between: Sequence[Event], ahead: Sequence[Event]) -> Late | None:
        """A path to what several records tell in parts, or one through what announces it after them."""
        are_parts = self.rules.are_of_one_procedure
        onward = takewhile(lambda one: are_parts(type(whole), type(one)), ahead)
        for path in self.inference.paths_or_declined(self.state, whole)[:1]:
            return Late(with_records(self.inference, path, [*between, *onward], whole))
        return self._late_by(announced_ahead, whole, [*between, *ahead])

    def _may_go_on(self, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether the next event may tell the rest of this one."""
        rules = self.event_rules[type(event)]
        return bool(ahead) and type(ahead[0]) is type(event) and rules.joined(event, ahead[0]) is not None


def out_of_order(step: Step, order: Order, due: tuple[Event, ...]) -> Step:
    """The step of an event that should have waited for what was due; not judged where the record leaves that open."""
    if order.is_open:
        open_step = unchecked_step(step, (Violation(order.rule, "order.open"),))
        return replace(open_step, rules=each_once((order.rule, *step.rules)))
    broken = (Violation(order.rule, "overdue"),)
    return replace(step, violations=broken, rules=each_once((order.rule, *step.rules)), expected=due)
