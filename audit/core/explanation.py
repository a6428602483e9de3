"""Why an event is a finding: the criteria it fails, or the obligations it skips, and what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, islice, takewhile, zip_longest
from typing import Generic, TypeVar

from msgspec import Struct

from audit.core.event_rules import MAX_LISTED, UNEXPECTED, Citations, Expectation, Obligation, Violations, own_fields
from audit.core.inference import MAX_GAP, Inference, Path, tells
from audit.core.model import Event, Verdict
from audit.core.rules import MAX_ADVANCE

S = TypeVar("S")

MAX_CHOICES = 60
"""At most this many options of a choice that is not in the log are tried."""

MAX_LOOKAHEAD = 4
"""At most this many steps ahead are tried, to see whether an event came too early."""

MAX_DEPTH = 12
"""At most this many pending things are given up to resynchronise."""


class Explanation(Struct, frozen=True):
    """What is wrong with an event: the verdict, the criteria it fails, the rules, and what was expected instead."""

    verdict: Verdict
    violations: Violations
    rules: Citations
    expected: tuple[Event, ...]


class Explainer(Generic[S]):
    """Explains events that are not legal."""

    def __init__(self, inference: Inference[S]) -> None:
        self.inference = inference
        self.rules = inference.rules
        self.told_markers: frozenset[type[Event]] = frozenset()
        """The markers that the log tells wherever they come, so that none of them can have been left out."""

    def nearest(
        self, start: S, event: Event, after: Event | None = None, ahead: Sequence[Event] = ()
    ) -> tuple[Path, S]:
        """The position in which such an event was meant, after events without a choice, and the path to it.

        `after` is the event recorded before, `ahead` are the next ones: what they tell did not happen before. If the
        event was meant nowhere, it is the first position in which a rule in particular keeps it from happening, up to
        the next choice; else that choice: a complete log would have come so far. Where the log leaves out the parts of
        a movement, no position in the middle of one counts.
        """
        is_marker = self._is_marker(event)
        way: list[tuple[Path, S]] = []
        for place in self._onward_before(start, ahead):
            if (self.inference.complete or not is_marker) and self.was_meant(place[1], event):
                return self._least_wrong(place, event, ahead)
            way.append(place)
        if len(way) > MAX_GAP or self.inference.is_exhausted:
            return way[0]
        further = list(self._after_declining(way[-1], ahead))
        if meant := [at for at, place in enumerate((*way, *further)) if self.was_meant(place[1], event)]:
            return self._up_to_choice([*way, *further][meant[-1] :])[-1] if is_marker else [*way, *further][meant[0]]
        if is_marker:
            return next((place for place in way if self._is_misprint(place[1], event)), way[-1])
        is_open = self._is_of_another(start, event) or (after is not None and self._is_marker(after))
        among = way if is_open else self._up_to_obligation(way)
        if after is None or not self.rules.event_rules[type(after)].is_part:
            among = [*self._without_parts(among), among[-1]]
        told = self._told(among, event) or (self._told(further, event) if is_open else [])
        asked = (place for place in way if self._is_asked(place[1], event))
        return min(chain(islice(asked, 1), told), key=lambda place: len(place[0]), default=among[-1])

    def _least_wrong(self, place: tuple[Path, S], event: Event, ahead: Sequence[Event]) -> tuple[Path, S]:
        """This position, or the first further on in which only some of the criteria fail that fail here.

        A player who is not up yet may have been, if the others said nothing because they did nothing.
        """
        failed = self._failed(place[1], event)
        if len(failed) < 2 or type(event) in self.rules.announced:
            return place  # where it is a part of what was announced, another place is no better
        way = [place, *self._further(place, ahead)]
        way += self._after_declining(way[-1], ahead)
        return next((one for one in way if (less := self._failed(one[1], event)) and less < failed), place)

    def _failed(self, state: S, event: Event) -> frozenset[tuple[str, str]]:
        return frozenset((item.rule.id, item.key) for item in self.rules.violations(state, event))

    def _onward_before(
        self, start: S, ahead: Sequence[Event], declining: bool = False, unrecorded: bool = False
    ) -> Iterator[tuple[Path, S]]:
        """The positions onward, up to what the next lines tell; of the parts of the game only the next that is told."""
        markers = (record for record in ahead if self._is_marker(record))
        told = (*islice(markers, 1), *(record for record in ahead if not self._is_marker(record)))
        return takewhile(
            lambda place: not place[0] or not any(tells(record, place[0][-1].event) for record in told),
            self.onward(start, declining, unrecorded),
        )

    def _after_declining(self, last: tuple[Path, S], ahead: Sequence[Event]) -> Iterator[tuple[Path, S]]:
        """The positions further onward if permissions are not used there, then after choices nobody wrote down."""
        if self.inference.tells_choices:
            return
        places = [last, *self._further(last, ahead, declining=True)]
        yield from places[1:]
        beyond = self._further(places[-1], ahead, declining=True, unrecorded=True)
        if (first := next(beyond, None)) and first[0][-1].is_unrecorded:
            yield first
            yield from beyond

    def _further(
        self, last: tuple[Path, S], ahead: Sequence[Event], declining: bool = False, unrecorded: bool = False
    ) -> Iterator[tuple[Path, S]]:
        """The positions further onward."""
        for path, state in islice(self._onward_before(last[1], ahead, declining, unrecorded), 1, None):
            yield (*last[0], *path), state

    def _told(self, way: list[tuple[Path, S]], event: Event) -> list[tuple[Path, S]]:
        """The position in which a rule in particular keeps the event from happening, as far on as it is that rule."""
        rest = list(dropwhile(lambda place: not self._is_told(place[1], event), way))
        if not rest:
            return []
        first = self.rules.violations(rest[0][1], event)
        return list(takewhile(lambda place: self.rules.violations(place[1], event) == first, rest))[-1:]

    def _without_parts(self, way: list[tuple[Path, S]]) -> Iterator[tuple[Path, S]]:
        """The positions after which no part of a movement comes next."""
        moves = (path[-1] for path, _ in way[1:])
        rules = self.rules.event_rules
        return (
            place
            for place, move in zip(way, moves, strict=False)
            if move.siblings or not rules[type(move.event)].is_part
        )

    def onward(self, state: S, declining: bool = False, unrecorded: bool = False) -> Iterator[tuple[Path, S]]:
        """The position, and those after events without a choice, one after the other.

        `declining` goes on where permissions were not used, `unrecorded` where nobody can name the cards of a choice.
        """
        path: Path = ()
        yield path, state
        while len(path) < MAX_GAP and not self.inference.is_exhausted:
            self.inference.declining, self.inference.unrecorded = declining, unrecorded
            ways = self.inference.without_choice(state)
            moves = self.inference.moves(state, ways) if ways else []
            self.inference.declining = self.inference.unrecorded = False
            if not moves or type(moves[0].event) in self.told_markers:
                return
            path = (*path, moves[0])
            state = self.inference.end(path, state)
            yield path, state

    def _up_to_choice(self, way: list[tuple[Path, S]]) -> list[tuple[Path, S]]:
        """The positions until somebody chooses or a part of the game ends."""
        return way[:1] + list(takewhile(lambda place: place[0][-1].is_news and not place[0][-1].siblings, way[1:]))

    def _up_to_obligation(self, way: list[tuple[Path, S]]) -> list[tuple[Path, S]]:
        """The same; and past the markers of this turn to what has to happen next in it."""
        among = self._up_to_choice(way)
        turn = self.rules.clock(among[-1][1]).get("turn")
        for at, place in enumerate(way[len(among) :], len(among)):
            if place[0][-1].is_news or self.rules.clock(place[1]).get("turn") != turn:
                return among
            if self._is_owed(place[1]):
                return way[: at + 1]
        return among

    def _is_owed(self, state: S) -> bool:
        """Whether something has to happen now that leaves no choice, or a choice that is no action of a turn."""
        return any(one.obligation is Obligation.REQUIRED for one in self.rules.expected(state))

    def _is_of_another(self, state: S, event: Event) -> bool:
        """Whether the event is of the player whose turn it is not."""
        player = self.rules.clock(state).get("player")
        return self.rules.event_rules[type(event)].player_of(state, event) not in (None, player)

    def was_meant(self, state: S, event: Event) -> bool:
        """Whether the event was meant for this position, although it fails a criterion."""
        rules = self.rules.event_rules[type(event)]
        if rules.is_marker and self._is_misprint(state, event):
            return self.inference.complete
        if rules.is_relevant(state, event):
            return True
        failed = rules.violations(state, event)
        if any(violation.unavailable or violation.not_intended for violation in failed):
            return False
        return not (rules.is_marker and len(failed) == len(own_fields(type(event))))

    def _is_misprint(self, state: S, event: Event) -> bool:
        """Whether another marker of this one field comes here."""
        failed = self.rules.violations(state, event)
        return len(failed) == len(own_fields(type(event))) == 1 and not failed[0].unavailable

    def _is_asked(self, state: S, event: Event) -> bool:
        """Whether such an event is called for here, if only of another player."""
        if self.rules.event_rules[type(event)].is_part:
            return False
        failed = self.rules.violations(state, event)
        return not any(item.unavailable for item in failed)

    def _is_told(self, state: S, event: Event) -> bool:
        """Whether a rule in particular keeps the event from happening here."""
        failed = self.rules.violations(state, event)
        return failed is not UNEXPECTED and not any(item.not_intended for item in failed)

    def explain(self, state: S, event: Event) -> Explanation:
        """Why the event is a finding: the violated rules first, then the rules of skipped and expected events."""
        rules = self.rules.event_rules[type(event)]
        live = self.rules.expected(state)
        due = tuple(rule for skipped in self.rules.skipped_obligations(state, event) for rule in skipped.rules)
        violations = self._violations(state, event)
        missing = rules.missing(state, event)
        if due and any(item.unavailable for item in violations) and self._comes_too_early(state, event, live):
            violations = ()
        if not violations and missing:
            violations = (missing,)
        cited = (*(item.rule for item in violations), *due, *(rule for item in live for rule in item.rules))
        if rules.depends_on_hidden(state, event):
            verdict = Verdict.UNDETERMINED
        else:
            verdict = Verdict.IMPOSSIBLE if missing else Verdict.ILLEGAL
        return Explanation(verdict, violations, tuple(dict.fromkeys(cited)), self._expected(state, event))

    def _violations(self, state: S, event: Event) -> Violations:
        """The criteria that the event fails now; if there are none in particular, those at the next choice."""
        rules = self.rules.event_rules[type(event)]
        violations = rules.violations(state, event)
        if violations is UNEXPECTED:
            later = rules.violations(self.rules.advance_to_choice(state), event)
            violations = tuple(item for item in later if item.unavailable and later is not UNEXPECTED)
        return violations

    def _expected(self, state: S, event: Event) -> tuple[Event, ...]:
        """The candidates of the decision that is missing, the most similar first."""
        most = MAX_LISTED if self.inference.is_exhausted else MAX_CHOICES
        state, live = self._missing(state, event)
        found = [candidate for item in live for candidate in islice(item.candidates(state), most)]
        found.sort(key=lambda candidate: distance(candidate, event))
        return tuple(found)

    def _missing(self, state: S, event: Event) -> tuple[S, Sequence[Expectation[S]]]:
        """The position in which the next thing happens that a table would speak of, and what is expected there.

        Markers and parts of movements are passed over, unless the event is such a one itself.
        """
        here = state, self.rules.expected(state)
        for _ in range(MAX_ADVANCE):
            live = self.rules.expected(state)
            ways = self.inference.following(state)
            if not ways or any(isinstance(event, item.event) for item in live) or not self._is_silent(ways[0][1]):
                return (state, live) if any(next(item.candidates(state), None) for item in live) else here
            state = self.rules.evolve(state, ways[0][1])
        return here

    def _is_silent(self, event: Event) -> bool:
        """Whether nobody at a table speaks of such an event."""
        rules = self.rules.event_rules[type(event)]
        return rules.is_marker or rules.is_part

    def _comes_too_early(self, state: S, event: Event, live: Sequence[Expectation[S]]) -> bool:
        """Whether the event would be legal without what is due first. Then the finding is the skipped obligation."""
        if self._is_marker(event):
            return True
        if any(self.inference.accepts(relaxed, event) for relaxed in self.inference.relaxed(state, MAX_DEPTH)):
            return True
        if any(isinstance(event, item.event) for item in live):
            return False
        if self._is_of_another(state, event) and any(e.not_intended for e in self.rules.violations(state, event)):
            return True
        return any(self._comes_up(after, event) for after in self.unmentioned_choices(state))

    def _comes_up(self, state: S, event: Event) -> bool:
        """Whether the event is legal now, or after a few expected events."""
        for _ in range(MAX_LOOKAHEAD):
            if self.inference.accepts(state, event):
                return True
            required = next((e for e in self.rules.expected(state) if e.obligation is Obligation.REQUIRED), None)
            candidate = next(required.candidates(state), None) if required else None
            if candidate is None:
                return False
            state = self.rules.evolve(state, candidate)
        return False

    def choices_left_out(self, state: S) -> Iterator[tuple[Event, S]]:
        """What may be done now and is not in the log, each with the position after it."""
        live = [e for e in self.rules.expected(state) if e.obligation is not Obligation.MARKER]
        for candidates in zip_longest(*(islice(e.candidates(state), MAX_CHOICES) for e in live)):
            for candidate in candidates:
                if candidate is not None and not self.inference.is_exhausted:
                    yield candidate, self.rules.evolve(state, candidate)

    def unmentioned_choices(self, state: S) -> Iterator[S]:
        """The positions after a required event that is not in the log, one for each candidate."""
        due = [e for e in self.rules.expected(state) if e.obligation is Obligation.REQUIRED]
        for candidates in zip_longest(*(islice(e.candidates(state), MAX_CHOICES) for e in due)):
            for candidate in candidates:
                if self.inference.is_exhausted:
                    return
                if candidate is not None:
                    yield self.rules.evolve(state, candidate)

    def _is_marker(self, event: Event) -> bool:
        return self.rules.event_rules[type(event)].is_marker


def distance(one: Event, other: Event) -> int:
    """In how many fields two events differ; events of different types are farther apart than any of one type."""
    fields = own_fields(type(other))
    if type(one) is not type(other):
        return len(fields) + 1
    return sum(getattr(one, name) != getattr(other, name) for name in fields)
