"""Events about the record: it was amended, the table went back, a position was set or compared."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import TypeVar

from msgspec.structs import replace

from audit.core.catalogue import each_once
from audit.core.checkpoints import (
    Account,
    Difference,
    Parting,
    Place,
    Told,
    last_change,
    with_one_more,
    without_or_otherwise,
)
from audit.core.errors import SetupError
from audit.core.event_rules import Violation, Violations
from audit.core.explanation import MAX_CHOICES
from audit.core.findings import MAX_FAR, Findings, distinct
from audit.core.inference import Path
from audit.core.model import Event, Verdict
from audit.core.record import NO_RULE, mentions, words_in
from audit.core.record_events import Checkpoint, Flagged, Gap, PositionSet, left_at, superseded
from audit.core.rules import MAX_ADVANCE
from audit.core.steps import Bookmark, InferredMove, LostThread, Step

S = TypeVar("S")

MAX_LOOKS = 12
"""At most so often is it looked for what took a card away: a record full of mistakes is not judged twice."""


class RecordAudit(Findings[S]):
    """An audit that goes back, takes a position over or compares it, as the record says."""

    def _about_the_record(self, event: Event) -> Step:
        after = left_at(event)
        if after is not None:
            return self._gone_back(event, after)
        if isinstance(event, PositionSet | Checkpoint) and event.position:
            return self._with_position(event)
        if type(event) is Flagged and event.unread:
            self.unread = LostThread(event.seq)
        if type(event) is Gap:
            self.after_gap, self.alternatives, self.is_mistaken = True, (), False
        return self._noted(event)

    def _finding(self, event: Event) -> list[Step]:
        """The steps of a finding; of what cannot have happened also what took the card away, as far as that is told."""
        steps = super()._finding(event)
        looks = not (self.is_fork or self.lost or self.only_records) and self.looks < MAX_LOOKS
        if looks and steps[-1].verdict is Verdict.IMPOSSIBLE and steps[-1].violations:
            self.looks += 1
            steps[-1] = self._with_what_took_away(steps, event)
        return steps

    def _with_what_took_away(self, steps: Sequence[Step], event: Event) -> Step:
        """The finding with what took away what it is about, where what is told last or was inferred since did so."""
        step, took_away = steps[-1], self.event_rules[type(event)].took_away
        state: S = step.before  # type: ignore[assignment]
        lately = (one for place in reversed(self._lately(event)) for one in reversed(place.steps))
        for one in chain(reversed(steps[:-1]), lately):
            if one.event is None or type(one.event) not in self.event_rules:
                continue
            if why := took_away(state, event, one.before, one.event, one.state):  # type: ignore[arg-type]
                is_untold = one.seq is None  # then the text was forgotten, and its rule is the reason
                led = one.because[:1] if is_untold else (one.seq,)
                rules = each_once((why.rule, *step.rules) if is_untold else (*step.rules, why.rule))
                return replace(step, rules=rules, violations=(*step.violations, why), because=led)
        return step

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
            return self._compared(event)
        before, inference = self.state, self.inference
        self.return_to(Bookmark(told, (), self.index + 1, inference.budget, inference.replenished_at))
        return Step(self.index, event.seq, event, Verdict.RECORDED, (), (), before, told)

    def _compared(self, event: Checkpoint) -> Step:
        """The step of a checkpoint: a finding where the table stands otherwise than the record says."""
        known = (self.state, *self.alternatives)
        for state in known:
            if (start := self._as_told(event, state)) is not None:
                self.state, self.alternatives = start, tuple([one for one in known if one is not state])
                return self._noted(event)
        told = self._told(event, self.state)
        onward, (path, table, record) = self._difference(event)
        data = {"field": path, "expected": _written(record), "found": _written(table)}
        differs = Violation(NO_RULE, "checkpoint.differs", data)
        if (parting := self._where_it_parted(event, told, path, onward)) is None:
            words = words_in(table, record)
            cause = next((one.seq for one in self.history.backwards() if mentions(one, words)), None)
            return self._noted(event, (differs,), (cause,) if cause else ())
        because = (parting.seq,) if parting.seq != event.seq else ()
        step = self._noted(event, (differs, Violation(NO_RULE, parting.key, {"n": parting.seq})), because)
        return replace(step, expected=parting.meant)

    def _told(self, event: Checkpoint, state: S) -> Told[S]:
        """The position that a checkpoint tells; what it leaves out is as it stands in the game."""
        position = self.rules.position(event.position, state)
        data = self.rules.data_told(event.position or {}, position)
        return Told(position, data, self.rules.unordered)

    def _as_told(self, event: Checkpoint, state: S) -> S | None:
        """The position with what only the checkpoint tells of it, where it stands or goes on as that says.

        Permissions that were not used on the way there are over.
        """
        try:
            told = self._told(event, state)
        except SetupError:
            return None
        for start in _each_once(state, self.rules.as_told(state, told.position)):
            for path, different in self._compared_onward(event, start):
                if not different:
                    unused = [number for number, move in enumerate(path, 1) if move.declines]
                    return self.inference.end(path[: max(unused, default=0)], start)
        return None

    def _compared_onward(self, event: Checkpoint, start: S) -> Iterator[tuple[Path, list[Difference]]]:
        """The paths onward, with in which places the position after each differs from the one that is told."""
        for path, at in self._onward(start):
            try:
                told = self._told(event, at)
            except SetupError:
                continue
            yield path, list(told.differences(self.rules.position_data(at)))

    def _onward(self, state: S) -> Iterator[tuple[Path, S]]:
        """Where the position leads by itself, then where it leads if permissions that nobody mentions were not used."""
        yield from islice(self.moments.onward(state), MAX_ADVANCE)
        if not self.inference.tells_choices:
            yield from islice(self.moments.onward(state, declining=True), 1, 2 * MAX_ADVANCE)

    def _difference(self, event: Checkpoint) -> tuple[Path, Difference]:
        """The first difference from where the record leads by itself, as near as it comes to the table; the path."""
        ways = list(self._compared_onward(event, self.state))
        path, different = min(reversed(ways), key=lambda way: len(way[1]))
        return path, different[0]

    # What a checkpoint shows

    def _where_it_parted(self, event: Checkpoint, told: Told[S], path: str, onward: Path) -> Parting | None:
        """From which event on the record leads to another table, and what was most probably not recorded.

        It is looked for as for a lost thread: the record with one thing more, otherwise or less has to lead to the
        table, and nothing in it may be a finding. The nearest to the checkpoint is the most probable. `onward` is what
        follows by itself from the last event.
        """
        if self.is_fork or self.lost or self.only_records:
            return None
        places = self._lately(event)
        near = list(takewhile(lambda place: not place.is_finding, islice(reversed(places), MAX_FAR)))
        for account in self._other_accounts(event, near):
            fork = self._fork(account.mark)
            if fork.finds_any(account.onward) or (state := self._as_told(event, fork.state)) is None:
                continue
            self.alternatives, self.is_mistaken = distinct((state, *self.alternatives), self.state), True
            return Parting(f"checkpoint.{account.kind}", account.seq, account.meant)
        follows = [self._follows(move) for move in onward]
        return last_change([*places, Place(self.bookmark(), event, follows)], told, path, self.rules.position_data)

    def _follows(self, move: InferredMove) -> Step:
        """The step of what follows by itself."""
        before: S = move.before  # type: ignore[assignment]
        causes = self.causes(before, move.event)
        return Step(self.index, None, move.event, Verdict.INFERRED, (), causes, before, move.after)

    def _lately(self, event: Event) -> list[Place[S]]:
        """The last events that stand before this one, each with where the audit stood, the oldest first."""
        way = self.history.way_to(max(0, event.seq - MAX_FAR - 1))
        if way is None:
            return []
        before, events = way
        fork, gone = self._fork(before), superseded(events)
        earlier = [one for one in events if one.seq < event.seq]
        places: list[Place[S]] = []
        for one, steps in zip(earlier, fork.judge_all([*events, *self.ahead]), strict=False):
            if one.seq not in gone and type(one) in self.event_rules:
                places.append(Place(before, one, steps))
            before = fork.bookmark()
        return places

    def _other_accounts(self, event: Event, near: Sequence[Place[S]]) -> Iterator[Account]:
        """What may have happened instead of what the last events tell, the latest first."""
        onward: list[Event] = []
        yield from with_one_more(event.seq, self.bookmark(), onward, self._left_out_at(self.state))
        for place in near:
            meant = [(one, self.rules.evolve(place.before, one)) for one in self._meant_otherwise(place)]
            yield from without_or_otherwise(place, onward, meant)
            onward = [place.event, *onward]
            yield from with_one_more(
                place.event.seq,
                place.mark,
                onward,
                self._left_out_at(place.mark.state),  # type: ignore[arg-type]
            )

    def _left_out_at(self, state: S) -> list[tuple[Event, S]]:
        """What may have been done in a position and not been recorded, each with the position after it."""
        *_, (_, choice) = islice(self.moments.onward(state), MAX_ADVANCE)
        return list(islice(self.explainer.choices_left_out(choice), MAX_CHOICES))

    def _meant_otherwise(self, place: Place[S]) -> list[Event]:
        """What the event may have been instead: the same act in another way, or what differs in one field."""
        rules, state = self.event_rules[type(place.event)], place.before
        others = islice(chain(self._near(state, place.event), rules.otherwise(state, place.event)), MAX_CHOICES)
        return [one for one in others if self.inference.accepts(state, one)]


def _each_once(one: S, other: S) -> tuple[S, ...]:
    return (one,) if other is one else (one, other)


def _written(value: object) -> str:
    """A value of a position as people write it: the cards of a zone with commas between them."""
    return (", ".join(map(str, value)) or "–") if isinstance(value, list | tuple) else str(value)
