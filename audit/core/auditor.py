"""Judges a log in one pass: match, infer, explain, resynchronise.

Each event is judged by the rules of its type. If it is not legal as things stand, omitted events without a choice are
inferred. If that fails too, the event is a finding, and the audit goes on from the position as written. Other ways in
which the mistake may have happened are kept as alternatives. An alternative is taken only if the position as written
cannot lead to a later event; steps that rest on it are marked as guessed. Nothing found in a log raises an exception,
and later events never change what was said of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import filterfalse
from typing import TypeVar

from msgspec.structs import replace

from audit.core.event_rules import Asking, Citations, Violation
from audit.core.findings import distinct
from audit.core.inference import BUDGET_REFUND, MAX_GAP, Path, Paths
from audit.core.late_audit import out_of_order
from audit.core.late_records import (
    MAX_LATE,
    announced_ahead,
    announced_before,
    before_choice,
    told_later,
    wrongly_announced,
)
from audit.core.model import Event, Header, Verdict
from audit.core.record import AFTER_A_GAP, EVERY, NO_RULE, UNKNOWN_CARDS
from audit.core.record_audit import RecordAudit
from audit.core.ruleset import Ruleset
from audit.core.steps import LEGAL, Bookmark, Step, unchecked_step

S = TypeVar("S")


def audit(ruleset: Ruleset[S], header: Header, events: Iterable[Event], start: S | None = None) -> Iterator[Step]:
    """The steps of a game, beginning with step 0, the start. `start` is its position, if it is known already.

    Raises `SetupError` where the header's setup cannot be understood, and nothing else.
    """
    return Auditor(ruleset.rules, header, start).steps(events, with_first=True)


def asks_more(asking: Asking[S], state: S, event: Event, some_are_hidden: bool) -> bool:
    """Whether this legal event may still be ambiguous, impossible or unchecked.

    `some_are_hidden`: whether some cards have no name.
    """
    hides_cards, names_cards, unchecked, is_ambiguous = asking
    if hides_cards or (some_are_hidden and names_cards):
        return True
    if unchecked is not None and unchecked(state, event):
        return True
    return is_ambiguous is not None and is_ambiguous(state, event)


class Auditor(RecordAudit[S]):
    """An audit of a game to which events may still be added."""

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
                accept, apply, causes, asking = decides
                state = self.state
                cited = accept(state, event)
                if cited is not None and (asking is None or not asks_more(asking, state, event, self.hides_cards)):
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
        state = self.state
        return self._judge_asked(
            event, None if self.inference.comes_later(state, event) else rules.accept(state, event)
        )

    def _judge_asked(self, event: Event, cited: Citations | None) -> list[Step]:
        """The steps of an event of which is known whether it is legal as things stand, and by which rules."""
        rules, state = self.event_rules[type(event)], self.state
        if cited is not None and not (rules.may_be_ambiguous and rules.is_ambiguous(state, event)):
            return self._after_its_cause(event) or [self._legal(rules, state, event, cited)]
        self.inference.asked = (state, event, cited)
        return self._judge_doubted(event)

    def _judge_doubted(self, event: Event) -> list[Step]:
        steps = self._judge_in_doubt(event)
        self.in_doubt = self._is_in_doubt()
        return steps

    def _judge_in_doubt(self, event: Event) -> list[Step]:
        """The steps of an event that is not legal as it stands, or of which that cannot be said."""
        if self.only_records:
            return [self._not_judged(event, UNKNOWN_CARDS)]
        rules = self.event_rules[type(event)]
        if self.mistaken and not (rules.is_marker or rules.is_part or type(event) in self.mistaken[1]):
            self.mistaken = None
        lost = self.lost
        steps = self._judge_late(event) if self.late else self._judge_with_care(event)
        if self.is_provisional:
            steps = [replace(step, provisional=True) for step in steps]
        if lost:
            steps = self._while_lost(steps, lost)
        elif self.unread:
            steps = self._while_unread(steps, self.unread)
        return [unchecked_step(step, AFTER_A_GAP) for step in steps] if self.after_gap else steps

    def _judge_with_care(self, event: Event) -> list[Step]:
        inference = self.inference
        inference.replenish(self.index)
        if inference.told_early:
            inference.told_early = tuple([one for one in inference.told_early if event.seq - one.seq <= MAX_LATE])
        before = inference.budget
        fits, unseen = self._fitting(event)
        if not fits:
            return self._in_another_order(event) or self._used_later(event) or self._unexpected(event)
        inference.budget += min(before - inference.budget, BUDGET_REFUND)
        state, paths = self._likeliest(event, fits)
        if state is not self.state and not self.is_mistaken:
            others_open = tuple(one for one in (self.state, *self.alternatives) if one is not state)
            self.state, self.alternatives = state, others_open
        if state is self.state and self._is_ahead_of_marker(event, paths[0]):
            return self._as_it_came(event)
        if state is self.state and told_later(self.rules, paths[0]):
            ahead = self._look_ahead()
            is_continued = self._may_go_on(event, ahead)
            if is_continued and self._finds_any([event, *ahead[:2]]) and (parts := self._told_in_parts(event)):
                return parts
            if ahead and (late := self._before_a_decision(event, paths[0], ahead)):
                is_broken = self._breaks_order(event, late, ahead)
                other = self._in_another_order(event, ahead) if is_broken else []
                if is_broken and not other and self._fits_better_as_written(event, late):
                    return self._as_it_came(event)
                return other or self._with_late(event, late, ahead)
        if state is self.state and (passed_over := self._passed_over(event, paths[0])):
            return passed_over
        if state is self.state and not paths[0] and (caused := self._after_its_cause(event)):
            return caused
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
        self.alternatives = distinct([one for one, _ in others], self.state) if others else ()
        self.trusted_for = tuple([(one, number - least) for one, number in others])
        self.is_mistaken = self.is_mistaken and bool(self.alternatives)
        return [replace(step, guessed=True) for step in steps] if guessed else steps

    def _after_its_cause(self, event: Event) -> list[Step]:
        """The steps of an event that cannot be judged where it stands, if it names what is told next; else none."""
        rules, state = self.event_rules[type(event)], self.state
        if not (rules.may_be_unchecked and rules.names_cause(state, event) and rules.unchecked(state, event)):
            return []
        self.inference.replenish(self.index)
        ahead = [one for one in self._look_ahead() if one.seq not in self.late]
        late = self._by_next_act(event, ahead)
        at = self.inference.end(late.path, state) if late else state
        if late is None or rules.names_cause(at, event) or rules.unchecked(at, event):
            return []
        steps = self._with_late(event, late, ahead)
        self.in_doubt = self._is_in_doubt()
        return steps

    def _unexpected(self, event: Event) -> list[Step]:
        """The steps of an event to which nothing leads that the log may have left out."""
        rules, ahead = self.event_rules[type(event)], [one for one in self._read_ahead() if one.seq not in self.late]
        late = self._late_by(announced_ahead, event, ahead) if ahead else None
        if ahead and not self.inference.complete:
            late = late or self._late_by(before_choice, event, ahead)
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
        if self._look_ahead() and (late := self._late_by(announced_before, event, ahead)):
            steps = self._along(late.path, [late.path])
            self.late = {**self.late, **self._rules_of_late(late)}
            return [*steps, *self._finding(event)]
        if self.mistaken and type(event) in self.mistaken[1]:
            return [self._not_judged(event, (Violation(NO_RULE, "part_of", {"n": self.mistaken[0]}),))]
        return self._finding(event)

    def _in_another_order(self, event: Event, ahead: Sequence[Event] = ()) -> list[Step]:
        """The steps of an event that is no finding if things that go on at once come in another order; else none."""
        if self.inference.tells_choices or self.is_reordered or not self.rules.may_reorder:
            return []
        budget, onward = self.inference.budget, list(self.moments.onward(self.state))
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

    def _fork(self, mark: Bookmark) -> Auditor[S]:
        fork = Auditor(self.rules, self.header, self.state, shared=self.history)
        fork._stand_at(mark)
        if self.hides_cards or mark.state is not self.state:
            fork.hides_cards = fork._has_hidden_cards()
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
        order, first = early
        return [*steps[:-1], out_of_order(replace(steps[-1], verdict=Verdict.ILLEGAL, rules=()), order, (first,))]
