"""A finding: what was meant, where the audit goes on from, and whether the record still fits there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import each_once
from audit.core.event_rules import MAX_LISTED, Violation, Violations, own_fields
from audit.core.explanation import MAX_DEPTH, Explanation, differs_in_one_field
from audit.core.inference import MAX_GAP, Path, Paths
from audit.core.late_audit import LateAudit
from audit.core.model import Event, Verdict
from audit.core.nearest_moment import is_of_another
from audit.core.record import NO_RULE
from audit.core.steps import LostThread, MistakeWithCard, Step, unchecked_step

S = TypeVar("S")

MAX_ALTERNATIVES: Final = 10
"""At most this many alternatives are kept after a mistake."""

MAX_FAR: Final = 12
"""So many events after a mistake show whether the record still fits the position."""

PARTED: Final = 4
"""So many findings among these mean that it does not."""

FOUND_AGAIN: Final = 8
"""After so many events in a row that fit, it does again."""


class Findings(LateAudit[S]):
    """An audit that explains an event to which nothing leads, and goes on after it."""

    def _finding(self, event: Event) -> list[Step]:
        """The steps of a finding."""
        if self.stops_at_finding:
            return [Step(self.index, event.seq, event, Verdict.ILLEGAL, (), (), self.state, self.state)]
        if untold := self._after_what_was_untold(event):
            return untold
        if told := self._told_otherwise(event):
            return told
        unmentioned, state = self._nearest(self.state, event)
        steps = self._along(unmentioned, [unmentioned])
        whole = self._with_its_rest(state, event)
        found = self.explainer.what_is_due(state) if self.lost else self.explainer.explain(state, whole)
        self.state, self.alternatives = self._resynchronised(state, event)
        if self.inference.complete and self.state is state:
            self.inference.told_early = (*self.inference.told_early, event)
        self.is_mistaken = bool(self.alternatives)
        parts = self.event_rules[type(event)].announces or frozenset((type(event),) if whole is not event else ())
        self.mistaken = (event.seq, parts) if parts else self.mistaken
        if not self.lost and (parted := self._where_it_parts(state, event)):
            violations, expected = parted
            found = replace(found, violations=(*found.violations, *violations), expected=expected or found.expected)
        step = self._as_found(state, event, found, self.state)
        if (first := self._goes_on_with(event, found.violations)) is not None:
            step = unchecked_step(step, (Violation(NO_RULE, "goes_on", {"n": first}),))
        return [*steps, step]

    def _told_otherwise(self, event: Event) -> list[Step]:
        """The step of an event that tells late, and wrongly, what was inferred while its like was told late.

        It is judged where it happened; the position is the one without the mistake.
        """
        until, untold = self.told_in_part
        rules = self.event_rules[type(event)]
        for move in untold if event.seq <= until else ():
            before: S = move.before  # type: ignore[assignment]
            is_told = differs_in_one_field(move.event, event)
            is_same = is_told and rules.player_of(before, event) == rules.player_of(before, move.event)
            if is_same and rules.violations(before, event):
                self.told_in_part = (until, tuple(one for one in untold if one is not move))
                return [self._as_found(self.state, event, self.explainer.explain(before, event), self.state)]
        return []

    def _after_what_was_untold(self, event: Event) -> list[Step]:
        """The step of an event that fits after what a log that tells everything left out: that is told, and happened.

        It is so where only small parts are missing, or the event could not have happened at all without the rest. A
        log that never tells such parts leaves them all out: that is told once, here. An event that differs in one
        field from what is missing is that, told wrongly.
        """
        paths = self._paths_past_untold(self.state, event)
        missing = [move for move in paths[0] if move.is_news] if paths else []
        are_small = all(self.event_rules[type(move.event)].is_part for move in missing)
        rules = self.event_rules[type(event)]
        is_told_otherwise = any(differs_in_one_field(move.event, event) for move in missing)
        if not missing or is_told_otherwise or not (are_small or rules.missing(self.state, event)):
            return []
        before, after = self.state, self._after(paths[0], self.state, event)
        due = [rule for skipped in self.rules.skipped_obligations(before, event) for rule in skipped.rules]
        cited = each_once((*due, *self.inference.citations(missing[0])))
        found = Explanation(Verdict.ILLEGAL, (Violation(cited[0], "thread.untold"),), cited, (missing[0].event,))
        if are_small:
            told = {type(one) for one in islice(self._earlier(event), MAX_GAP)}
            self.inference.left_out |= {kind for kind, one in self.event_rules.items() if one.is_part} - told
        self.alternatives = distinct((self.rules.evolve(before, event), *self.alternatives), after)
        self.is_mistaken = bool(self.alternatives)
        return [self._as_found(before, event, found, after)]

    def _paths_past_untold(self, state: S, event: Event) -> Paths:
        """The paths to an event in a log that tells everything, if that left out what follows by itself."""
        if not self.inference.complete:
            return []
        self.inference.complete = self.inference.tells_choices = False
        paths = self.inference.paths_or_declined(state, event)[:1]
        self.inference.complete = self.inference.tells_choices = True
        return paths

    def _as_it_came(self, event: Event) -> list[Step]:
        """The step of an event that came before what was due: what that was happens after it."""
        before, found = self.state, self.explainer.explain(self.state, event)
        after, self.alternatives = self._resynchronised(before, event)
        self.is_mistaken = bool(self.alternatives)
        return [self._as_found(before, event, found, after)]

    def _goes_on_with(self, event: Event, failed: Violations) -> int | None:
        """The seq of the mistake that this event, the next one, goes on with: it fails the same with the same card."""
        told, before, self.last_mistake = self.last_mistake, self._recorded_before(event), None
        if not failed or "card" not in failed[0].data:
            return None
        is_same = told is not None and before is not None and before.seq == told.last and failed[0] == told.failed
        first = told.seq if told and is_same else event.seq
        self.last_mistake = MistakeWithCard(first, event.seq, failed[0])
        return first if is_same else None

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
        if whole is event:
            return event
        broken, alone = (self.rules.violations(state, told)[:1] for told in (whole, event))
        return whole if [one.key for one in broken] == [one.key for one in alone] else event

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

    # A lost thread

    def _where_it_parts(self, state: S, event: Event) -> tuple[Violations, tuple[Event, ...]] | None:
        """What is said of a mistake after which the record does not fit; None where it goes on well enough.

        If one thing that nobody wrote down makes most of what follows legal, the audit goes on with it. Else the
        thread is lost, until so many events in a row fit again.
        """
        ahead = self._far_ahead()
        wrong = self._findings(ahead) if len(ahead) > PARTED else 0
        if wrong < PARTED or (wrong := self._findings_among(ahead)) < PARTED:
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
        return list(islice(self._standing_ahead(), MAX_FAR))

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
        return [unchecked_step(step, why) for step in steps]

    def _while_unread(self, steps: list[Step], unread: LostThread) -> list[Step]:
        """The same steps; the first that does not fit is not judged, as a line before it could not be read.

        What that line told is missing: where one thing makes what follows legal, the audit goes on with it; else the
        thread is lost.
        """
        if not steps[-1].verdict.is_finding:
            self.unread = replace(unread, fitting=unread.fitting + 1) if unread.fitting + 1 < FOUND_AGAIN else None
            return steps
        is_clear = any(one.key == "thread.left_out" for one in steps[-1].violations)
        self.unread = replace(unread, fitting=0) if is_clear else None
        self.lost = None if is_clear else LostThread(unread.seq)
        return [*steps[:-1], unchecked_step(steps[-1], (Violation(NO_RULE, "thread.unread", {"n": unread.seq}),))]

    def _nearest(self, state: S, event: Event) -> tuple[Path, S]:
        """Where the event was meant, and what leads there.

        Of the markers a complete log leaves out all of a kind, or none: those that it has recorded lately count.
        """
        if self.inference.complete:
            kinds = {type(one) for one in islice(self._earlier(event), MAX_GAP)}
            self.moments.told_markers = frozenset(kind for kind in kinds if self.event_rules[kind].is_marker)
        else:
            self.moments.told_markers = frozenset()
        return self.moments.nearest(state, event, self._recorded_before(event), self._look_ahead())

    def _recorded_before(self, event: Event) -> Event | None:
        """The event of the game that the log has before this one."""
        return next(self._earlier(event), None)

    def _earlier(self, event: Event) -> Iterator[Event]:
        """The events of the game that the log has before this one, the last first."""
        return (one for one in self.history.backwards() if one.seq < event.seq and type(one) in self.event_rules)

    # Resynchronise

    def _resynchronised(self, state: S, event: Event) -> tuple[S, tuple[S, ...]]:
        """The position if the event happened as written, and those if the mistake was another."""
        written = self.rules.evolve(state, event)
        if self.inference.is_exhausted:
            return written, ()
        others = [
            *self._with_nothing_used(written),
            *(
                self.rules.evolve(state, meant)
                for meant in chain(self._near(state, event), self._mistyped(state, event))
            ),
            *islice(self.rules.interleavings(state, event), MAX_DEPTH),
            *self._without_what_was_due(state, event),
            *self._after_an_unmentioned_choice(state, event),
            *self._after_what_was_left_out(state, event),
            state,
        ]
        return written, distinct(others, written)

    def _with_nothing_used(self, state: S) -> Iterator[S]:
        """The positions in which what is open is not used, where the log tells every choice: it would have told that.

        Nothing that it would have told as well is sooner taken as done.
        """
        for _ in range(MAX_DEPTH if self.inference.tells_choices else 0):
            if not (unused := self.inference.declined(state)):
                return
            state = self.inference.end(unused, state)
            yield state

    def _near(self, state: S, event: Event) -> Iterator[Event]:
        """What was expected and is one field away from the event."""
        for expectation in self.event_rules[type(event)].expected(state):
            for candidate in islice(expectation.candidates(state), MAX_LISTED * 4):
                if differs_in_one_field(candidate, event):
                    yield candidate

    def _mistyped(self, state: S, event: Event) -> Iterator[Event]:
        """The same act one field away, or of the player in turn, where it is legal."""
        if self.lost:
            return
        others = (
            one for one in self.event_rules[type(event)].otherwise(state, event) if differs_in_one_field(one, event)
        )
        for meant in islice(chain(others, self._of_player_in_turn(state, event)), MAX_LISTED * 4):
            if self.inference.accepts(state, meant):
                yield meant

    def _of_player_in_turn(self, state: S, event: Event) -> Iterator[Event]:
        """The same of the player whose turn it is, where the event names another."""
        player = self.rules.clock(state).get("player")
        if isinstance(player, str) and is_of_another(self.rules, state, event):
            named = self.event_rules[type(event)].player_of(state, event)
            fields = {name: player for name in own_fields(type(event)) if getattr(event, name) == named}
            yield replace(event, seq=0, **fields)

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


def distinct(states: Iterable[S], known: S) -> tuple[S, ...]:
    kept: list[S] = []
    for state in states:
        if state != known and state not in kept:
            kept.append(state)
    return tuple(kept[:MAX_ALTERNATIVES])
