"""Counts the verdicts of an audit, of the steps that stand: what is amended or taken back is counted no longer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from audit.core.model import Event, Verdict, type_name
from audit.core.record import REACH
from audit.core.record_events import Flagged, Gap, PositionSet, left_at, superseded
from audit.core.steps import LEGAL, Step

Json = dict[str, object]

MAX_REASONS = 100
"""At most so many different reasons why steps were not judged are told apart."""
OTHER_REASONS = ""
MAX_PLACES = 8
"""For each reason so many places are kept."""
NOTED = (Gap, PositionSet, Flagged)
"""Events about the record that a reader of a report has to know of."""
MAX_NOTED = 200

FINDINGS = frozenset(verdict.value for verdict in Verdict if verdict.is_finding)
"""The verdicts of a finding, as published."""

EXACT, PARTIAL, DIVERGED = "exact", "partial", "diverged"
_RECORDED, _UNCHECKED, _INFERRED = Verdict.RECORDED.value, Verdict.UNCHECKED.value, Verdict.INFERRED.value


def is_finding(step: Mapping[str, object]) -> bool:
    """Whether a published step is a finding of the game; one that is amended or taken back is none."""
    return step["verdict"] in FINDINGS and not step.get("superseded_by")


class Fidelity(Struct, frozen=True):
    """How far a replay can be trusted: exact, partial (so many steps inferred), or diverged from a seq on."""

    grade: str
    inferred: int = 0
    diverged_from: int | None = None


class _Found(Struct, frozen=True):
    """A finding, and those before it."""

    before: _Found | None
    finding: Json
    number: int


class _Counts(Struct, frozen=True):
    """What was counted up to an event, of the steps that stand after it."""

    seq: int = 0
    legal: int = 0
    others: Mapping[str, int] = {}
    reasons: Mapping[str, tuple[int, tuple[int, ...]]] = {}
    found: _Found | None = None
    diverged_from: int | None = None
    noted: tuple[tuple[str, int], ...] = ()
    unwritten: int = 0


class Tally:
    """Counts the verdicts of the steps of an audit that stand, and keeps their findings, in constant memory."""

    def __init__(self, most: int = 10_000) -> None:
        """`most` is how many findings are kept; the counts are of all."""
        self.most = most
        self.events = 0
        """How many events the log has."""
        self.legal = 0
        self._now = _Counts()
        self._is_saved = True
        self._saved = [self._now]
        """The counts after each of the last events that was not simply legal."""

    def count(self, step: Step, finding: Json | None = None, reason: str = OTHER_REASONS) -> None:
        """One more step; a marker passed in silence is no step at all. `reason` is why it was not judged."""
        if step.verdict is LEGAL and self._is_saved:  # nearly every step, and a member of an enum is slow to count by
            if step.seq:
                self.legal += 1
                self.events = step.seq
            return
        if step.event is None:
            return
        if step.verdict is Verdict.RECORDED and (after := left_at(step.event)) is not None:
            self._go_back(after)
        self._add(step, finding, reason)
        self._is_saved = step.seq is not None
        if step.seq:
            self.events = step.seq
            self._save()

    def _add(self, step: Step, finding: Json | None, reason: str) -> None:
        now, verdict = self._now, step.verdict.value
        if step.verdict is LEGAL:
            self.legal += 1
            return
        reasons, found, diverged = now.reasons, now.found, now.diverged_from
        if step.verdict is Verdict.UNCHECKED:
            key = reason if reason in reasons or len(reasons) < MAX_REASONS else OTHER_REASONS
            steps, at = reasons.get(key, (0, ()))
            reasons = {**reasons, key: (steps + 1, (*at, step.seq or self.events + 1)[:MAX_PLACES])}
        if finding is not None and (found is None or found.number < self.most):
            found = _Found(found, finding, found.number + 1 if found else 1)
        if step.verdict is Verdict.IMPOSSIBLE and diverged is None:
            diverged = step.seq
        others = {**now.others, verdict: now.others.get(verdict, 0) + 1}
        noted = now.noted
        if isinstance(step.event, NOTED) and step.seq and len(noted) < MAX_NOTED:
            noted = (*noted, (type_name(type(step.event)), step.seq))
        unwritten = now.unwritten + (step.seq is None)
        self._now = _Counts(0, 0, others, reasons, found, diverged, noted, unwritten)

    def _save(self) -> None:
        now = self._now
        self._now = msgspec.structs.replace(now, seq=self.events, legal=self.legal)
        self._saved.append(self._now)
        if len(self._saved) > 2 * REACH:
            del self._saved[:REACH]

    def _go_back(self, after: int) -> None:
        """To what was counted after an earlier event. The events since the last saved count were legal."""
        self._now = self._saved[max(0, bisect_right(self._saved, after, key=lambda saved: saved.seq) - 1)]
        self.legal = self._now.legal + after - self._now.seq

    @property
    def counts(self) -> dict[str, int]:
        """How many steps of each verdict stand."""
        others = self._now.others
        return {verdict.value: others.get(verdict.value, 0) for verdict in Verdict} | {LEGAL.value: self.legal}

    @property
    def findings(self) -> list[Json]:
        """The findings that stand, in order."""
        found: list[Json] = []
        last = self._now.found
        while last is not None:
            found.append(last.finding)
            last = last.before
        return found[::-1]

    @property
    def inferred(self) -> int:
        """How many steps the log left out."""
        return self._now.others.get(_INFERRED, 0)

    @property
    def unchecked(self) -> int:
        """How many steps were not judged."""
        return self._now.others.get(_UNCHECKED, 0)

    @property
    def judged(self) -> int:
        """How many steps of the game were judged; an event about the record is no step of the game."""
        return self.legal + sum(self._now.others.values()) - self.unchecked - self._now.others.get(_RECORDED, 0)

    @property
    def reasons(self) -> list[Json]:
        """Why steps were not judged, the most frequent reason first: how many steps, and the events `at` the first."""
        found = sorted(self._now.reasons.items(), key=lambda reason: -reason[1][0])
        return [{"reason": reason, "steps": steps, "at": list(dict.fromkeys(at))} for reason, (steps, at) in found]

    def noted(self, kind: type[Event]) -> list[int]:
        """The seqs of the events of that type that stand: gaps, positions set, flags; at most `MAX_NOTED` in all."""
        return [seq for name, seq in self._now.noted if name == type_name(kind)]

    @property
    def superseded(self) -> int:
        """How many events are amended or taken back."""
        return self.events - (self.legal + sum(self._now.others.values()) - self._now.unwritten)

    @property
    def fidelity(self) -> Fidelity:
        """How far the replay can be trusted."""
        if (diverged := self._now.diverged_from) is not None:
            return Fidelity(DIVERGED, self.inferred, diverged)
        return Fidelity(PARTIAL if self.inferred else EXACT, self.inferred)


class SetAside:
    """Finds the steps of an audit that stand no longer.

    An inferred step goes with the event that it leads to. An amendment that leads nowhere sets nothing aside.
    """

    def __init__(self) -> None:
        self.seqs: dict[int, int | None] = {}
        """The seq of every step, by its index."""
        self._leading: list[Event] = []
        self._last: Event | None = None

    def add(self, step: Step) -> None:
        """One more step."""
        self.seqs[step.index] = seq = step.seq
        if seq:
            self._last = event = step.event
            if step.verdict is not LEGAL and event and left_at(event) is not None and step.verdict is Verdict.RECORDED:
                self._leading.append(event)

    def found(self) -> dict[int, int]:
        """The steps, by index, each with the seq of the event that set it aside."""
        if self._last is None or not self._leading:
            return {}
        by_seq = superseded([*self._leading, self._last])
        found: dict[int, int] = {}
        following: int | None = None
        for index, seq in reversed(self.seqs.items()):
            following = seq or following
            if index and following is not None and following in by_seq:
                found[index] = by_seq[following]
        return dict(sorted(found.items()))


def superseded_steps(steps: Iterable[Step]) -> dict[int, int]:
    """The steps that stand no longer, by index, each with the seq of the event that set it aside."""
    aside = SetAside()
    for step in steps:
        aside.add(step)
    return aside.found()
