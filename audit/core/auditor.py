"""Judges a log in one pass: match, infer, explain, resynchronise.

Each event is judged by the rules of its type. If it is not legal as things stand, omitted events without a choice are
inferred. If that fails too, the event is a finding, and the audit goes on from the position as written. Other ways in
which the mistake may have happened are kept as alternatives. An alternative is taken only if the position as written
cannot lead to a later event; steps that rest on it are marked as guessed. Nothing found in a log raises an exception,
and later events never change what was said of a step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse, groupby, islice, takewhile
from math import inf
from typing import Any, Final, Generic, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.conservation import contradiction, hides_some
from audit.core.errors import SetupError
from audit.core.event_rules import MAX_LISTED, Citations, EventRules, Violation, Violations
from audit.core.explanation import MAX_DEPTH, Explainer, Explanation, distance
from audit.core.inference import BUDGET_REFUND, MAX_GAP, SEARCH_BUDGET, Inference, Path, Paths
from audit.core.late_records import (
    MAX_LATE,
    MAX_READ,
    MORE_FOR_EACH,
    TWO,
    Late,
    announced_ahead,
    announced_among,
    announced_before,
    before_choice,
    before_choices,
    is_decision,
    order_rule,
    recorded_instead,
    set_off_ahead,
    settled_before,
    told_later,
    with_records,
    wrongly_announced,
)
from audit.core.model import Event, Header, Verdict
from audit.core.record import (
    AFTER_A_GAP,
    EVERY,
    NO_RULE,
    REACH,
    UNKNOWN_CARDS,
    History,
    first_difference,
    mentions,
    words_in,
)
from audit.core.record_events import Checkpoint, Gap, PositionSet, left_at, standing_ahead
from audit.core.ruleset import MAX_ADVANCE, Rules, Ruleset
from audit.core.steps import Bookmark, InferredMove, LostThread, Step

S = TypeVar("S")

LEGAL: Final = Verdict.LEGAL

MAX_ALTERNATIVES: Final = 10
"""At most this many alternatives are kept after a mistake."""


MOST_FOR_LATE: Final = 64
"""At most so much of the search budget is used up for what an event's path may have told later."""

MAX_FAR: Final = 12
"""So many events after a mistake show whether the record still fits the position."""

PARTED: Final = 4
"""So many findings among these mean that it does not."""

FOUND_AGAIN: Final = 8
"""After so many events in a row that fit, it does again."""


def audit(ruleset: Ruleset[S], header: Header, events: Iterable[Event], start: S | None = None) -> Iterator[Step]:
    """The steps of a game, beginning with step 0, the start. `start` is its position, if it is known already.

    Raises `SetupError` where the header's setup cannot be understood, and nothing else.
    """
    return Auditor(ruleset.rules, header, start).steps(events, with_first=True)


class Auditor(Generic[S]):
    """An audit of a game to which events may still be added."""

    def __init__(self, rules: Rules[S], header: Header, start: S | None = None, reach: int | None = REACH) -> None:
        """`reach` is how many events back an amendment or a take-back may lead; None for any number."""
        self.rules = rules
        self.event_rules = rules.event_rules
        self.causes = rules.causes
        self.state: S = rules.start(header) if start is None else start
        self.alternatives: tuple[S, ...] = ()
        self.trusted_for: tuple[tuple[S, int], ...] = ()
        """How much more was taken on trust for an alternative than for the position, since they parted."""
        self.index = 0
        self.is_mistaken = False
        """Whether the alternatives come from a mistake, not only from an ambiguous omission."""
        self.inference = Inference(rules, header.complete)
        self.explainer = Explainer(self.inference)
        self.header = header
        self.history = History(reach)
        self.is_fork = False
        """Whether it only looks ahead or back for another audit, whose history it shares."""
        self.late: Mapping[int, Citations] = {}
        """What is recorded later than it happened: the rules of it, by the seq of its record."""
        self.early: Mapping[int, tuple[Rule, Event]] = {}
        """The events that should have waited for a late record, by seq, with the rule of order."""
        self.after_gap = False
        """Whether something was not recorded, so that the position is not known."""
        self.ahead: deque[Event] = deque()
        self.record_ahead = 0
        """The seq of the last event read so far that is about the record."""
        self.source: Iterator[Event] = iter(())
        self.only_records = header.unknown == "record" and rules.has_unknown_cards(self.state)
        """Whether cards take part that the game does not know: events count as written, and nothing is judged."""
        self.in_doubt = self.only_records
        """Whether more has to be asked of an event than whether it is legal here: see `_is_in_doubt`."""
        self.hides_cards = hides_some(rules.holdings(self.state))
        """Whether some cards have no name, so that an event may say what cannot be."""
        self.is_reordered = False
        """Whether another order of what goes on at once has been tried already."""
        self.mistaken: tuple[int, frozenset[type[Event]]] | None = None
        """The announcement just found to be wrong, by its seq, with the event types that are parts of it."""
        self.lost: LostThread | None = None
        """Where the record parted from the position, while it does not fit it."""
        self.is_provisional = False
        """Whether an event was judged that could be explained otherwise by events still to be written."""
        self.stops_at_finding = False
        """Whether nobody goes on after the next finding, or asks what it is: then it need not be explained."""
        self.history.mark(1, self.bookmark())

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
            self.state, self.alternatives, self.index, inference.budget, inference.replenished_at, self.is_mistaken,
            self.late, self.early, self.after_gap, self.trusted_for, self.mistaken, self.lost,
        )  # fmt: skip

    def return_to(self, mark: Bookmark) -> None:
        """Go on from where this audit, or another of the same game, stood before."""
        self.state, self.alternatives = mark.state, mark.alternatives  # type: ignore[assignment]
        self.trusted_for = mark.trusted_for  # type: ignore[assignment]
        self.index, self.is_mistaken = mark.index, mark.is_mistaken
        self.inference.budget, self.inference.replenished_at = mark.search_budget, mark.replenished_at
        self.inference.told_early = ()
        self.late, self.early, self.after_gap = mark.late, mark.early, mark.after_gap
        self.mistaken, self.lost = mark.mistaken, mark.lost
        self.hides_cards = hides_some(self.rules.holdings(self.state))
        self.is_provisional = False
        self.in_doubt = self._is_in_doubt()

    def steps(self, events: Iterable[Event], with_first: bool = False) -> Iterator[Step]:
        """The steps of event after event, after step 0 if wanted.

        A few events ahead are read where something may be recorded late.
        """
        if with_first:
            yield self.first()
        deciding, ahead = self.rules.deciding, self.ahead
        ahead.clear()
        self.source = iter(events)
        next_mark = EVERY * (1 + self.history.last // EVERY)
        for event in self._kept(self.source):
            seq = event.seq
            if seq >= next_mark:
                self._mark(seq)
                next_mark = seq + EVERY
            if self.in_doubt or (decides := deciding[type(event)]) is None:
                yield from self._judge_kept(event)
            else:
                accept, apply, causes, rules = decides
                state = self.state
                cited = accept(state, event)
                if cited is not None and (rules is None or not rules.asks_more(state, event, self.hides_cards)):
                    self.index = index = self.index + 1
                    self.state = after = apply(state, event)
                    because = causes(state, event) if causes else ()
                    yield Step(index, seq, event, LEGAL, cited, because, state, after)
                    continue
                yield from self._judge_asked(event, cited)
            while ahead:
                yield from self.judge(ahead.popleft())

    def judge_all(self, events: Iterable[Event]) -> Iterator[list[Step]]:
        """The same, in one list for each event: the inferred steps that lead to it, then its own."""
        steps: list[Step] = []
        for step in self.steps(events):
            steps.append(step)
            if step.seq is not None:
                yield steps
                steps = []

    def _kept(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events, each kept as it comes, unless it is kept already."""
        if self.is_fork or self.history.last:
            return map(self._keep, events)
        return filterfalse(self.history.events.append, events)

    def _keep(self, event: Event) -> Event:
        if event.seq > self.history.last and not self.is_fork:
            self.history.events.append(event)
        return event

    def _mark(self, seq: int) -> None:
        """Keep where the audit stands before the event of that seq, which has just been kept."""
        if seq == self.history.last and not self.is_fork:
            self.history.mark(seq, self.bookmark())

    def judge(self, event: Event) -> list[Step]:
        """The step of this event, after the inferred steps that lead to it."""
        self._keep(event)
        if not event.seq % EVERY:
            self._mark(event.seq)
        return self._judge_kept(event)

    def finds_any(self, events: Iterable[Event]) -> bool:
        """Whether one of these events is a finding: the first is not explained, and this audit ends there."""
        self.stops_at_finding = True
        return any(step.verdict.is_finding for event in events for step in self.judge(event))

    def _judge_kept(self, event: Event) -> list[Step]:
        rules = self.event_rules.get(type(event))
        if rules is None:
            step = self._about_the_record(event)
            self.in_doubt = self._is_in_doubt()
            return [step]
        if self.in_doubt:
            return self._judge_doubted(event)
        return self._judge_asked(event, rules.accept(self.state, event))

    def _judge_asked(self, event: Event, cited: Citations | None) -> list[Step]:
        """The steps of an event of which is known whether it is legal as things stand, and by which rules."""
        rules, state = self.event_rules[type(event)], self.state
        if cited is not None and not (rules.may_be_ambiguous and rules.is_ambiguous(state, event)):
            return [self._legal(rules, state, event, cited)]
        self.inference.asked = (state, event, cited)
        return self._judge_doubted(event)

    def _judge_doubted(self, event: Event) -> list[Step]:
        steps = self._judge_in_doubt(event)
        self.in_doubt = self._is_in_doubt()
        return steps

    def _is_in_doubt(self) -> bool:
        """Whether the position may be another, records come late, or nothing can be judged."""
        return bool(self.alternatives or self.late or self.after_gap or self.only_records or self.mistaken or self.lost)

    def _legal(self, rules: EventRules[S, Any], state: S, event: Event, cited: Citations) -> Step:
        self.index = index = self.index + 1
        self.state = after = rules.apply(state, event)
        step = Step(index, event.seq, event, LEGAL, cited, self.causes(state, event), state, after)
        if rules.hides_cards or (self.hides_cards and rules.names_cards):
            held = self.rules.holdings(after)
            known = self.rules.holdings(state) if held else None
            self.hides_cards = self.hides_cards or hides_some(held)
            if held and known and (found := contradiction(known, held)):
                return replace(step, verdict=Verdict.IMPOSSIBLE, violations=(found,), rules=(found.rule,))
        if rules.may_be_unchecked and (why := rules.unchecked(state, event)):
            return _unchecked(step, why)
        return step

    def _judge_in_doubt(self, event: Event) -> list[Step]:
        """The steps of an event that is not legal as it stands, or of which that cannot be said."""
        if self.only_records:
            return [self._not_judged(event, UNKNOWN_CARDS)]
        rules = self.event_rules[type(event)]
        if self.mistaken and not (rules.is_marker or rules.is_part or type(event) in self.mistaken[1]):
            self.mistaken = None
        steps = self._judge_late(event) if self.late else self._judge_with_care(event)
        if self.is_provisional:
            steps = [replace(step, provisional=True) for step in steps]
        if self.lost and event.seq != self.lost.seq:
            steps = self._while_lost(steps, self.lost)
        return [_unchecked(step, AFTER_A_GAP) for step in steps] if self.after_gap else steps

    def _judge_with_care(self, event: Event) -> list[Step]:
        inference = self.inference
        inference.replenish(self.index)
        inference.told_early = tuple([one for one in inference.told_early if event.seq - one.seq <= MAX_LATE])
        before = inference.budget
        fits, unseen = self._fitting(event)
        if not fits:
            return self._in_another_order(event) or self._unexpected(event)
        inference.budget += min(before - inference.budget, BUDGET_REFUND)
        state, paths = self._likeliest(event, fits)
        if state is not self.state and not self.is_mistaken:
            others_open = tuple(one for one in (self.state, *self.alternatives) if one is not state)
            self.state, self.alternatives = state, others_open
        if state is self.state and told_later(self.rules, paths[0]):
            ahead = self._look_ahead()
            is_continued = self._may_go_on(event, ahead)
            if is_continued and self._finds_any([event, *ahead[:2]]) and (parts := self._told_in_parts(event)):
                return parts
            if ahead and (late := self._before_a_decision(event, paths[0], ahead)):
                other = self._in_another_order(event, ahead) if self._breaks_order(event, late, ahead) else []
                return other or self._with_late(event, late, ahead)
        if state is self.state and (passed_over := self._passed_over(event, paths[0])):
            return passed_over
        guessed = self.is_mistaken and state is not self.state
        others: list[tuple[S, int]] = []
        if len(fits) > 1 or len(paths) > 1 or unseen:
            ways = [(start, path) for start, found in fits for path in found]
            ways = [(at, path) for at, path in ways if at is not state or path is not paths[0]]
            others += [(self._after(path, at, event), self._trusted(event, at, path)) for at, path in ways]
            others += [(self.rules.evolve(start, event), self._trusted(event, start)) for start in unseen]
        least = self._trusted(event, state, paths[0]) if others else 0
        steps = self._along(paths[0], paths)
        last = inference.end(paths[0], state)
        steps.append(self._legal(self.event_rules[type(event)], last, event, inference.cited(last, event)))
        self.alternatives = _distinct([one for one, _ in others], self.state)
        self.trusted_for = tuple([(one, number - least) for one, number in others])
        self.is_mistaken = self.is_mistaken and bool(self.alternatives)
        return [replace(step, guessed=True) for step in steps] if guessed else steps

    def _passed_over(self, event: Event, path: Path) -> list[Step]:
        """The steps of an event before which a choice that nobody wrote down was not made, as what follows shows."""
        at = next((number for number, move in enumerate(path) if move.is_unrecorded), None)
        ahead = self._far_ahead() if at is not None else ()
        if not ahead or not (wrong := self._findings_after(self._after(path, self.state, event), ahead)):
            return []
        state = self.inference.end(path[:at], self.state)
        for after in islice(self._without_what_was_due(state, event), 1):
            if self._findings_after(after, ahead) < wrong:
                steps, found = self._along(path[:at], [path[:at]]), self.explainer.explain(state, event)
                return [*steps, self._as_found(state, event, found, after)]
        return []

    def _unexpected(self, event: Event) -> list[Step]:
        """The steps of an event to which nothing leads that the log may have left out."""
        rules, ahead = self.event_rules[type(event)], [one for one in self._look_ahead() if one.seq not in self.late]
        late = announced_ahead(self.inference, self.state, ahead, event) if ahead else None
        late = late or (before_choice(self.inference, self.state, ahead, event) if ahead else None)
        if late and (
            self._overdue(event, late) is None
            or self._order_findings(event, late, ahead) <= self._findings([event, *ahead])
        ):
            return self._with_late(event, late, ahead)
        if steps := self._told_in_parts(event):
            return steps
        if ahead and not self.lost and (late := self._written_early(event, ahead)):
            return self._with_late(event, late, ahead)
        if rules.may_be_unchecked and (why := rules.unchecked(self.state, event)):
            return [self._not_judged(event, why)]
        if ahead and (announced := wrongly_announced(self.inference, self.state, ahead, event)):
            return [self._not_judged(event, (Violation(NO_RULE, "part_of", {"n": announced.seq}),))]
        if ahead and (late := announced_before(self.inference, self.state, ahead, event)):
            steps = self._along(late.path, [late.path])
            self.late = {**self.late, **self._rules_of_late(late)}
            return [*steps, *self._finding(event)]
        if self.mistaken and type(event) in self.mistaken[1]:
            return [self._not_judged(event, (Violation(NO_RULE, "part_of", {"n": self.mistaken[0]}),))]
        return self._finding(event)

    def _written_early(self, event: Event, ahead: Sequence[Event]) -> Late | None:
        """A path to the event through what is recorded after it, if no order is broken and all that is ahead fits."""
        budget = self.inference.budget
        found_by = (announced_among, settled_before, before_choices, set_off_ahead) if budget > 0 else ()
        for find in found_by:
            late = find(self.inference, self.state, ahead, event)
            self.inference.budget = max(self.inference.budget, budget - BUDGET_REFUND)
            if late and not self._breaks_order(event, late, ahead) and self._fits(late, event, ahead):
                return late
        return None

    def _in_another_order(self, event: Event, ahead: Sequence[Event] = ()) -> list[Step]:
        """The steps of an event that is no finding if things that go on at once come in another order; else none."""
        if self.inference.tells_choices or self.is_reordered or not self.rules.may_reorder:
            return []
        budget, onward = self.inference.budget, list(self.explainer.onward(self.state))
        self.inference.budget = budget
        for path, other in ((path, other) for path, at in onward for other in self.rules.reorderings(at)):
            fork = self._fork(replace(self.bookmark(), state=other))
            fork.is_reordered = fork.stops_at_finding = True
            if not any(step.verdict.is_finding for step in next(fork.judge_all([event, *ahead]))):
                steps = self._along(path, [path])
                self.state, self.is_reordered = other, True
                steps += self._judge_with_care(event)
                self.is_reordered = False
                return steps
        return []

    def _may_go_on(self, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether the next event may tell the rest of this one."""
        rules = self.event_rules[type(event)]
        return bool(ahead) and type(ahead[0]) is type(event) and rules.joined(event, ahead[0]) is not None

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
        return announced_ahead(self.inference, self.state, [*between, *ahead], whole)

    def _likeliest(self, event: Event, fits: list[tuple[S, Paths]]) -> tuple[S, Paths]:
        """The way on which least was taken on trust since the readings parted.

        Before it one from the position as it stands, after a mistake or if it is told later.
        """
        state, paths = fits[0]
        if len(fits) == 1 or (state is self.state and (self.is_mistaken or self._is_told_later(event, paths[0]))):
            return fits[0]
        return min(fits, key=lambda fit: self._trusted(event, fit[0], fit[1][0]))

    def _trusted(self, event: Event, state: S, path: Path = ()) -> int:
        """How much is taken on trust up to this event, less what was in the reading taken before it.

        Every inferred move counts, and the event itself, if it counts as written, for more than all of these.
        """
        rules = self.event_rules[type(event)]
        as_written = rules.may_be_unchecked and rules.unchecked(self.inference.end(path, state), event)
        before = next((number for one, number in self.trusted_for if one is state), 0)
        return before + len(path) + (MAX_GAP if as_written else 0)

    def _is_told_later(self, event: Event, path: Path) -> bool:
        """Whether the next lines record what was inferred on the path."""
        ahead = self._look_ahead() if told_later(self.rules, path) else ()
        return bool(ahead) and self._before_a_decision(event, path, ahead) is not None

    def _fitting(self, event: Event) -> tuple[list[tuple[S, Paths]], list[S]]:
        """The positions from which a path leads to the event, and those in which a hidden card may make it legal.

        Another way to read this event counts for more than those of long ago: from the position as it stands all are
        looked for, however many are still open.
        """
        fits: list[tuple[S, Paths]] = []
        unseen: list[S] = []
        for state in (self.state, *self.alternatives):
            others_open = 0 if state is self.state else len(self.alternatives)
            if paths := self.inference.paths_or_declined(state, event, others_open):
                fits.append((state, paths))
            elif self.event_rules[type(event)].depends_on_hidden(state, event):
                unseen.append(state)
        return fits, unseen

    def _after(self, path: Path, start: S, event: Event) -> S:
        return self.rules.evolve(self.inference.end(path, start), event)

    def _along(self, path: Path, paths: Paths) -> list[Step]:
        return [self._inferred(move, paths) for move in path if move.is_news]

    def _inferred(self, move: InferredMove, paths: Paths) -> Step:
        before: S = move.before  # type: ignore[assignment]
        self.state = after = self.inference.end((move,), before)
        rules, because = self.inference.citations(move), self.causes(before, move.event)
        self.index += 1
        if move.is_unrecorded:
            why = (Violation(rules[0], "not_recorded"),)
            return Step(self.index, None, move.event, Verdict.UNCHECKED, rules, because, before, after, why)
        return Step(
            self.index, None, move.event, Verdict.INFERRED, rules, because, before, after,
            candidates=move.siblings if len(paths) > 1 else (), late=move.event.seq or None,
        )  # fmt: skip

    def _not_judged(self, event: Event, why: Violations) -> Step:
        """The step of an event that the rules cannot judge: it counts as written."""
        before, because = self.state, self.causes(self.state, event)
        self.index += 1
        self.state, self.alternatives, self.is_mistaken = self.rules.evolve(before, event), (), False
        rules = tuple(item.rule for item in why if item.rule.id)
        return Step(self.index, event.seq, event, Verdict.UNCHECKED, rules, because, before, self.state, why)

    def _finding(self, event: Event) -> list[Step]:
        """The steps of a finding."""
        if self.stops_at_finding:
            return [Step(self.index + 1, event.seq, event, Verdict.ILLEGAL, (), (), self.state, self.state)]
        self._read_as_meant(event)
        unmentioned, state = self._nearest(self.state, event)
        steps = self._along(unmentioned, [unmentioned])
        whole = self._with_its_rest(state, event)
        found = self.explainer.explain(state, whole)
        self.state, self.alternatives = self._resynchronised(state, event)
        if self.inference.complete and self.state is state:
            self.inference.told_early = (*self.inference.told_early, event)
        self.is_mistaken = bool(self.alternatives)
        parts = self.event_rules[type(event)].announces or frozenset((type(event),) if whole is not event else ())
        self.mistaken = (event.seq, parts) if parts else self.mistaken
        if not self.lost and (parted := self._where_it_parts(state, event)):
            violations, expected = parted
            found = replace(found, violations=(*found.violations, *violations), expected=expected or found.expected)
        return [*steps, self._as_found(state, event, found, self.state)]

    def _as_found(self, before: S, event: Event, found: Explanation, after: S) -> Step:
        """The step of a finding."""
        self.index += 1
        self.state = after
        return Step(
            self.index, event.seq, event, found.verdict, found.rules, self.causes(before, event), before, after,
            found.violations, found.expected,
        )  # fmt: skip

    def _with_its_rest(self, state: S, event: Event) -> Event:
        """The event with what the next ones tell of it in parts, if the whole breaks the same rule; else the event."""
        rules, whole = self.event_rules[type(event)], event
        for other in self._look_ahead():
            joined = rules.joined(whole, other) if type(other) is type(event) else None
            if joined is None:
                break
            whole = joined
        broken, alone = (self.rules.violations(state, told)[:1] for told in (whole, event))
        return whole if [one.key for one in broken] == [one.key for one in alone] else event

    # A lost thread

    def _where_it_parts(self, state: S, event: Event) -> tuple[Violations, tuple[Event, ...]] | None:
        """What is said of a mistake after which the record does not fit; None where it goes on well enough.

        If one thing that nobody wrote down makes most of what follows legal, the audit goes on with it. Else the
        thread is lost, until so many events in a row fit again.
        """
        ahead = self._far_ahead()
        wrong = self._findings(ahead) if len(ahead) > PARTED else 0
        if wrong < PARTED:
            return None
        left_out, after, misfits = self._left_out(state, event, ahead)
        if left_out is not None and misfits < PARTED - 1:
            self.state, self.alternatives, self.is_mistaken = after, (), False
            data = {"n": len(ahead) - misfits, "of": len(ahead)}
            return (Violation(NO_RULE, "thread.left_out", data),), (left_out,)
        self.lost = LostThread(event.seq)
        return (Violation(NO_RULE, "thread.lost", {"n": wrong, "of": len(ahead)}),), ()

    def _far_ahead(self) -> Sequence[Event]:
        """The events of the game that stand next, as far as they are read ahead."""
        if self.is_fork or not self._look_ahead():
            return ()
        stand = takewhile(lambda one: type(one) in self.event_rules, standing_ahead(self.ahead))
        return list(islice(stand, MAX_FAR))

    def _left_out(self, state: S, event: Event, ahead: Sequence[Event]) -> tuple[Event | None, S, int]:
        """What was most probably not written down before an event, the position after that event, and what misfits."""
        best: tuple[Event | None, S, int] = (None, state, len(ahead))
        for missing, done in self.explainer.choices_left_out(self.rules.advance_to_choice(state)):
            for path in self.inference.paths_or_declined(done, event)[:1]:
                after = self._after(path, done, event)
                misfits = self._findings_after(after, ahead)
                if misfits < best[2]:
                    best = missing, after, misfits
        return best

    def _while_lost(self, steps: list[Step], lost: LostThread) -> list[Step]:
        """The same steps as not judged; once enough of them have fitted in a row, the thread is found again."""
        fitting = 0 if steps[-1].verdict.is_finding else lost.fitting + 1
        self.lost = replace(lost, fitting=fitting) if fitting < FOUND_AGAIN else None
        why = (Violation(NO_RULE, "thread.unchecked", {"n": lost.seq}),)
        return [_unchecked(step, why) for step in steps]

    def _read_as_meant(self, event: Event) -> None:
        """Of several ways to read what came before, take the one in which such an event was meant."""
        if self.alternatives and not self.is_mistaken and not self._is_meant(self.state, event):
            self.state = next((one for one in self.alternatives if self._is_meant(one, event)), self.state)

    def _is_meant(self, state: S, event: Event) -> bool:
        return self.explainer.was_meant(self._nearest(state, event)[1], event)

    def _nearest(self, state: S, event: Event) -> tuple[Path, S]:
        """Where the event was meant, and what leads there."""
        self.explainer.told_markers = self._told_markers(event)
        return self.explainer.nearest(state, event, self._recorded_before(event), self._look_ahead())

    def _told_markers(self, event: Event) -> frozenset[type[Event]]:
        """The markers of which a complete log has recorded some lately; it leaves out all of a kind, or none."""
        if not self.inference.complete:
            return frozenset()
        lately = islice((one for one in self.history.backwards() if one.seq < event.seq), MAX_GAP)
        kinds = {type(one) for one in lately} & self.event_rules.keys()
        return frozenset(kind for kind in kinds if self.event_rules[kind].is_marker)

    def _recorded_before(self, event: Event) -> Event | None:
        """The event of the game that the log has before this one."""
        earlier = (one for one in self.history.backwards() if one.seq < event.seq and type(one) in self.event_rules)
        return next(earlier, None)

    # Records that come late

    def _look_ahead(self) -> Sequence[Event]:
        """The next few events of the game that stand, as far as they are there."""
        if self.header.complete:
            return ()
        ahead = self.ahead
        while len(ahead) < MAX_READ and (event := next(self.source, None)) is not None:
            ahead.append(event)
            if type(event) not in self.event_rules:
                self.record_ahead = event.seq
        self.is_provisional = len(ahead) < MAX_READ
        most = MAX_LATE + MORE_FOR_EACH * max(0, len(self.header.players) - TWO)
        if not ahead or self.record_ahead < ahead[0].seq:
            return list(islice(ahead, most))
        stand = standing_ahead(ahead)[:most]
        return list(takewhile(lambda event: type(event) in self.event_rules, stand))

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
            if not found or found <= self._cost_in_place(event, ahead, ahead[number]):
                return late
        return None

    def _with_late(self, event: Event, late: Late, ahead: Sequence[Event]) -> list[Step]:
        """The steps of an event that follows from what is recorded later; a finding if it came too early."""
        last, overdue = self.inference.end(late.path, self.state), self._overdue(event, late)
        known = tuple(takewhile(lambda move: not move.event.seq, late.path))
        found = self.explainer.explain(self.inference.end(known, self.state), event) if overdue else None
        steps = self._along(late.path, [late.path])
        self.late = {**self.late, **self._rules_of_late(late)}
        rules = self.event_rules[type(event)]
        step = self._legal(rules, last, event, rules.citations(last, event))
        if overdue and found:
            order, waited_for = overdue
            due = found.expected if waited_for is late.moves[0] else (waited_for.event,)
            step = replace(
                step, verdict=found.verdict, violations=(Violation(order, "overdue"),),
                rules=each_once((order, *found.rules)), expected=due,
            )  # fmt: skip
        self.alternatives = ()
        self.early = {**self.early, **self._told_early(event if overdue else None, last, late, ahead)}
        return [*steps, step]

    def _told_early(
        self, event: Event | None, last: S, late: Late, ahead: Sequence[Event]
    ) -> dict[int, tuple[Rule, Event]]:
        """What should have waited for a late record, with rule and record; what one does in a row is told once."""
        told: dict[int, tuple[Rule, Event]] = {}
        before = self.event_rules[type(event)].player_of(last, event) if event else ""
        for one, rule, first, at in self._too_early(late, ahead):
            actor = self.event_rules[type(one)].player_of(at, one)
            if actor != before:
                told[one.seq] = (rule, first)
            before = actor
        return told

    def _breaks_order(self, event: Event, late: Late, ahead: Sequence[Event]) -> bool:
        """Whether the event, or one before a late record, should have waited for what is recorded late."""
        return self._overdue(event, late) is not None or any(self._too_early(late, ahead))

    def _order_findings(self, event: Event, late: Late, ahead: Sequence[Event]) -> int:
        """How often players should have waited for what is recorded late; what one does in a row counts once."""
        early = [(one, before) for one, _, _, before in self._too_early(late, ahead)]
        if self._overdue(event, late):
            early.insert(0, (event, self.inference.end(late.path, self.state)))
        actors = (self.event_rules[type(one)].player_of(before, one) for one, before in early)
        return sum(1 for _ in groupby(actors))

    def _overdue(self, event: Event, late: Late) -> tuple[Rule, InferredMove] | None:
        """By which rule the event should have waited, and for which late record; None if it may be recorded first."""
        if late.is_cause:
            return None
        last = self.inference.end(late.path, self.state)
        told = {*self.late, *[move.event.seq for move in late.moves]}
        for move in late.moves:
            rule = order_rule(self.inference, move, event, last, told)
            if rule is not None:
                return rule, move
        return None

    def _too_early(self, late: Late, ahead: Sequence[Event]) -> Iterator[tuple[Event, Rule, Event, S]]:
        """The events before a late record that should have waited for it, with the rule of order.

        With each comes what it should have waited for, and the position in which it is recorded.
        """
        fork, told = self._fork(self.bookmark()), frozenset(move.event.seq for move in late.moves)
        for event in () if late.is_cause else ahead:
            waiting = [move for move in late.moves if move.event.seq > event.seq]
            if event.seq in fork.late or event.seq in told or not waiting:
                continue
            before: S = fork.judge(event)[-1].before  # type: ignore[assignment]
            for move in waiting:
                if rule := order_rule(self.inference, move, event, before, {*fork.late, *told}):
                    yield event, rule, move.event, before
                    break

    def _rules_of_late(self, late: Late) -> dict[int, Citations]:
        return {move.event.seq: self.inference.citations(move) for move in late.moves}

    def _decided_before(self, event: Event, late: Late, ahead: Sequence[Event]) -> int:
        """The seq of what somebody decided before a part of a movement is told: it is of another movement. Else 0."""
        parts = [move.event.seq for move in late.moves if self.event_rules[type(move.event)].is_part]
        if not parts:
            return 0
        fork = self._fork_after_late(event, late)
        for one in takewhile(lambda one: one.seq < max(parts), ahead):
            is_late = one.seq in fork.late
            before: S = fork.judge(one)[-1].before  # type: ignore[assignment]
            if not is_late and is_decision(self.inference, one, before):
                return one.seq
        return 0

    def _fits_in_place(self, before: Sequence[Event], record: Event) -> bool:
        """Whether the record is no finding after the events before it, whatever these are."""
        fork = self._fork(self.bookmark())
        deque(map(fork.judge, before), maxlen=0)
        return not fork.finds_any([record])

    def _cost_in_place(self, event: Event, ahead: Sequence[Event], record: Event) -> float:
        """How many findings come if the record has a place of its own; none can be too many where it has none."""
        fork = self._fork(self.bookmark())
        judged = [*fork.judge(event), *chain.from_iterable(fork.judge_all(ahead))]
        found = [step for step in judged if step.verdict.is_finding]
        lost = any(step.seq == record.seq and not step.violations for step in found)
        return inf if lost else len(found)

    def _findings(self, events: Sequence[Event]) -> int:
        """How many findings these events give from here, if none of them is recorded late."""
        fork = self._fork(self.bookmark())
        return sum(step.verdict.is_finding for steps in map(fork.judge, events) for step in steps)

    def _findings_after(self, state: S, events: Sequence[Event]) -> int:
        """The same, from that position."""
        fork = self._fork(replace(self.bookmark(), state=state, alternatives=()))
        return sum(step.verdict.is_finding for steps in map(fork.judge, events) for step in steps)

    def _finds_any(self, events: Sequence[Event]) -> bool:
        """Whether any of these events is a finding from here, if none of them is recorded late."""
        return self._fork(self.bookmark()).finds_any(events)

    def _fits_only(self, late: Late, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether the events ahead are findings as they stand, and none is if these of them are recorded late."""
        return self._finds_any([event, *ahead]) and not self._fork_after_late(event, late).finds_any(ahead)

    def _fits(self, late: Late, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether nothing ahead is a finding if these of them are recorded late, and others may be."""
        fork = self._fork_after_late(event, late)
        return not any(step.verdict.is_finding for steps in fork.judge_all(ahead) for step in steps)

    def _fork_after_late(self, event: Event, late: Late) -> Auditor[S]:
        """An audit of the same game that goes on after this event, with what is recorded late known to be so."""
        after, known_late = self._after(late.path, self.state, event), {**self.late, **self._rules_of_late(late)}
        return self._fork(replace(self.bookmark(), state=after, late=known_late))

    def _fork(self, mark: Bookmark) -> Auditor[S]:
        """An audit of the same game that goes on from there by itself."""
        fork = Auditor(self.rules, self.header, self.state)
        fork.history, fork.is_fork = self.history, True
        fork.return_to(mark)
        return fork

    def _judge_late(self, event: Event) -> list[Step]:
        """The steps of an event that is a late record, or that came before one."""
        if event.seq in self.late:
            rules = self.late[event.seq]
            self.late = {seq: why for seq, why in self.late.items() if seq != event.seq}
            self.index += 1
            state = self.state
            return [Step(self.index, event.seq, event, LEGAL, rules, (), state, state, late=event.seq)]
        steps = self._judge_with_care(event)
        early = self.early.get(event.seq)
        if early is None or steps[-1].verdict is not LEGAL:
            return steps
        rule, first = early
        broken = (Violation(rule, "overdue"),)
        found = replace(steps[-1], verdict=Verdict.ILLEGAL, rules=(rule,), violations=broken, expected=(first,))
        return [*steps[:-1], found]

    # Events about the record

    def _about_the_record(self, event: Event) -> Step:
        after = left_at(event)
        if after is not None:
            return self._gone_back(event, after)
        if isinstance(event, PositionSet | Checkpoint) and event.position:
            return self._with_position(event)
        if type(event) is Gap:
            self.after_gap, self.alternatives, self.is_mistaken = True, (), False
        return self._noted(event)

    def _noted(self, event: Event, violations: Violations = (), because: tuple[int, ...] = ()) -> Step:
        """The step of an event that changes nothing."""
        self.index += 1
        verdict = Verdict.IMPOSSIBLE if violations else Verdict.RECORDED
        return Step(self.index, event.seq, event, verdict, (), because, self.state, self.state, violations)

    def _gone_back(self, event: Event, after: int) -> Step:
        """The position after an earlier event, as the audit of the lines up to it has it."""
        way = self.history.way_to(after) if after < event.seq else None
        if way is None:
            return self._noted(event, (Violation(NO_RULE, "record.too_far_back", {"n": after}),))
        mark, events = way
        self._look_ahead()
        before, fork = self.state, self._fork(mark)
        deque(islice(fork.judge_all([*events, *self.ahead]), sum(one.seq <= after for one in events)), maxlen=0)
        index = self.index + 1
        self.return_to(fork.bookmark())
        self.index = index
        if event.seq == self.history.last and not self.is_fork:
            self.history.mark(event.seq + 1, self.bookmark())
        return Step(self.index, event.seq, event, Verdict.RECORDED, (), (), before, self.state)

    def _with_position(self, event: PositionSet | Checkpoint) -> Step:
        """The step of an event that tells a position: it is taken over, or compared."""
        try:
            told = self.rules.position(event.position, self.state)
        except SetupError as error:
            data = {"field": error.field, "expected": error.expected}
            return self._noted(event, (Violation(NO_RULE, "position.unreadable", data),))
        if type(event) is Checkpoint and not self.after_gap:
            return self._compared(event, told)
        before, inference = self.state, self.inference
        self.return_to(Bookmark(told, (), self.index + 1, inference.budget, inference.replenished_at))
        return Step(self.index, event.seq, event, Verdict.RECORDED, (), (), before, told)

    def _compared(self, event: Event, position: S) -> Step:
        """The step of a checkpoint: a finding where the table stands otherwise than the record says."""
        told = self.rules.position_data(position)
        different: list[tuple[str, object, object]] = []
        for _, state in islice(self.explainer.onward(self.state), MAX_ADVANCE):
            found = first_difference(told, self.rules.position_data(state))
            if found is None:
                return self._noted(event)
            different.append(found)
        path, table, record = different[0]
        data = {"field": path, "expected": str(record), "found": str(table)}
        cause = next((one.seq for one in self.history.backwards() if mentions(one, words_in(table, record))), None)
        return self._noted(event, (Violation(NO_RULE, "checkpoint.differs", data),), (cause,) if cause else ())

    # Resynchronise

    def _resynchronised(self, state: S, event: Event) -> tuple[S, tuple[S, ...]]:
        """The position if the event happened as written, and those if the mistake was another."""
        written = self.rules.evolve(state, event)
        if self.inference.is_exhausted:
            return written, ()
        others = [
            *(self.rules.evolve(state, meant) for meant in self._near(state, event)),
            *islice(self.rules.interleavings(state, event), MAX_DEPTH),
            *self._without_what_was_due(state, event),
            *self._after_an_unmentioned_choice(state, event),
            *self._after_what_was_left_out(state, event),
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

    def _after_what_was_left_out(self, state: S, event: Event) -> list[S]:
        """The position after the event if what a complete log left out before it happened all the same."""
        if not self.inference.complete:
            return []
        self.inference.complete = False
        paths = self.inference.paths(state, event)[:1]
        self.inference.complete = True
        return [self._after(path, state, event) for path in paths]

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


def _unchecked(step: Step, why: Violations) -> Step:
    """The same step as one that was not judged; what was inferred and what is about the record stays what it is."""
    if step.verdict is Verdict.INFERRED or step.verdict is Verdict.RECORDED:
        return step
    return replace(step, verdict=Verdict.UNCHECKED, violations=why, expected=())
