"""Events about the record: it was amended, the table went back, a position was set or compared."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TypeVar

from audit.core.errors import SetupError
from audit.core.event_rules import Violation, Violations
from audit.core.findings import Findings
from audit.core.model import Event, Verdict
from audit.core.record import NO_RULE, first_difference, mentions, words_in
from audit.core.record_events import Checkpoint, Gap, PositionSet, left_at
from audit.core.rules import MAX_ADVANCE
from audit.core.steps import Bookmark, Step

S = TypeVar("S")


class RecordAudit(Findings[S]):
    """An audit that goes back, takes a position over or compares it, as the record says."""

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
        for start in _each_once(self.state, self.rules.as_told(self.state, position)):
            for _, state in islice(self.moments.onward(start), MAX_ADVANCE):
                found = first_difference(told, self.rules.position_data(state))
                if found is None:
                    self.state = start
                    return self._noted(event)
                different.append(found)
        path, table, record = different[0]
        data = {"field": path, "expected": _written(record), "found": _written(table)}
        cause = next((one.seq for one in self.history.backwards() if mentions(one, words_in(table, record))), None)
        return self._noted(event, (Violation(NO_RULE, "checkpoint.differs", data),), (cause,) if cause else ())


def _each_once(one: S, other: S) -> tuple[S, ...]:
    return (one,) if other is one else (one, other)


def _written(value: object) -> str:
    """A value of a position as people write it: the cards of a zone with commas between them."""
    return (", ".join(map(str, value)) or "–") if isinstance(value, list | tuple) else str(value)
