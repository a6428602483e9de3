"""What would come of it: other audits of the same game go on for a few events, and say how many are findings."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, takewhile
from math import inf
from typing import TypeVar

from msgspec.structs import replace

from audit.core.late_records import Late
from audit.core.model import Event
from audit.core.record_events import standing_ahead
from audit.core.standing import Standing
from audit.core.steps import Bookmark, Step

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
        deque(map(fork.judge, before), maxlen=0)
        return not fork.finds_any([record])

    def _cost_in_place(self, event: Event, ahead: Sequence[Event], record: Event) -> float:
        """How many findings come if the record has a place of its own; none can be too many where it has none."""
        fork = self._fork(self.bookmark())
        judged = [*fork.judge(event), *chain.from_iterable(fork.judge_all(ahead))]
        found = [step for step in judged if step.verdict.is_finding]
        lost = any(step.seq == record.seq and not step.violations for step in found)
        return inf if lost else len(found)

    def _fits_only(self, late: Late, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether the events ahead are findings as they stand, and none is if these of them are recorded late."""
        return self._finds_any([event, *ahead]) and not self._fork_after_late(event, late).finds_any(ahead)

    def _fits(self, late: Late, event: Event, ahead: Sequence[Event]) -> bool:
        """Whether fewer of the event and those ahead are findings if these of them are recorded late; others may be.

        The last of those ahead may be explained by what is written after it.
        """
        stand = takewhile(lambda one: type(one) in self.event_rules, standing_ahead(self.ahead))
        further = [*ahead, *[one for one in stand if one.seq > ahead[-1].seq]]
        wrong = _found(islice(self._fork_after_late(event, late).judge_all(further), len(ahead)))
        if not wrong:
            return True
        in_place = self._fork(self.bookmark())
        return wrong < _found([in_place.judge(event)]) + _found(islice(in_place.judge_all(further), len(ahead)))

    def _fork_after_late(self, event: Event, late: Late) -> Trials[S]:
        """An audit of the same game that goes on after this event, with what is recorded late known to be so."""
        after, known_late = self._after(late.path, self.state, event), {**self.late, **self._rules_of_late(late)}
        return self._fork(replace(self.bookmark(), state=after, late=known_late))


def _found(judged: Iterable[list[Step]]) -> int:
    """How many of the steps are findings."""
    return sum(step.verdict.is_finding for steps in judged for step in steps)
