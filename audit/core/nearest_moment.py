"""The moment that an event was meant for: the position to which the events without a choice lead before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, islice, takewhile
from typing import Generic, TypeVar

from audit.core.event_rules import UNEXPECTED, Obligation, own_fields
from audit.core.inference import MAX_GAP, Inference, Path, tells
from audit.core.model import Event
from audit.core.rules import Rules

S = TypeVar("S")


class Moments(Generic[S]):
    """Finds the position in which an event was meant."""

    def __init__(self, inference: Inference[S]) -> None:
        self.inference = inference
        self.rules = inference.rules
        self.event_rules = inference.rules.event_rules
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
        is_marker = self.event_rules[type(event)].is_marker
        way: list[tuple[Path, S]] = []
        for place in self._onward_before(start, ahead):
            if (self.inference.complete or not is_marker) and self.was_meant(place[1], event):
                return self._least_wrong(place, event, ahead)
            way.append(place)
        if len(way) > MAX_GAP or self.inference.is_exhausted:
            return way[0]
        further = list(self._after_declining(way[-1], ahead))
        if meant := [at for at, place in enumerate((*way, *further)) if self.was_meant(place[1], event)]:
            return _up_to_choice([*way, *further][meant[-1] :])[-1] if is_marker else [*way, *further][meant[0]]
        if is_marker:
            return next((place for place in way if self._is_misprint(place[1], event)), way[-1])
        is_open = is_of_another(self.rules, start, event)
        is_open = is_open or (after is not None and self.event_rules[type(after)].is_marker)
        among = way if is_open else self._up_to_obligation(way)
        if after is None or not self.event_rules[type(after)].is_part:
            moves = zip(among, (path[-1] for path, _ in among[1:]), strict=False)
            whole = [at for at, move in moves if move.siblings or not self.event_rules[type(move.event)].is_part]
            among = [*whole, among[-1]]
        told = self._told(among, event) or (self._told(further, event) if is_open else [])
        asked = [place for place in way if self._is_asked(place[1], event)][:1]
        if asked and (own := self._in_next_turn(asked[0], [*way, *further], event)):
            return self._up_to_obligation(own)[-1]
        return min(chain(asked, told), key=lambda place: len(place[0]), default=among[-1])

    def _in_next_turn(self, asked: tuple[Path, S], way: list[tuple[Path, S]], event: Event) -> list[tuple[Path, S]]:
        """The positions in the turn of the player who acts, if another is asked in a turn that the way leads past.

        What that player was asked for they may have left, and nobody writes that down.
        """
        path, state = asked
        is_not_intended = any(item.not_intended for item in self.rules.violations(state, event))
        if not is_not_intended or not is_of_another(self.rules, state, event):
            return []
        turn, clock = self.rules.clock(state).get("turn"), self.rules.clock
        onward = [one for one in way if len(one[0]) > len(path) and clock(one[1]).get("turn") != turn]
        return list(dropwhile(lambda place: is_of_another(self.rules, place[1], event), onward))

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
        markers = (record for record in ahead if self.event_rules[type(record)].is_marker)
        told = (*islice(markers, 1), *(record for record in ahead if not self.event_rules[type(record)].is_marker))
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

    def _up_to_obligation(self, way: list[tuple[Path, S]]) -> list[tuple[Path, S]]:
        """The positions up to a choice; and past the markers of this turn to what has to happen next in it."""
        among = _up_to_choice(way)
        turn = self.rules.clock(among[-1][1]).get("turn")
        for at, place in enumerate(way[len(among) :], len(among)):
            if place[0][-1].is_news or self.rules.clock(place[1]).get("turn") != turn:
                return among
            if any(one.obligation is Obligation.REQUIRED for one in self.rules.expected(place[1])):
                return way[: at + 1]
        return among

    def was_meant(self, state: S, event: Event) -> bool:
        """Whether the event was meant for this position, although it fails a criterion."""
        rules = self.event_rules[type(event)]
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
        if self.event_rules[type(event)].is_part:
            return False
        failed = self.rules.violations(state, event)
        return not any(item.unavailable for item in failed)

    def _is_told(self, state: S, event: Event) -> bool:
        """Whether a rule in particular keeps the event from happening here."""
        failed = self.rules.violations(state, event)
        return failed is not UNEXPECTED and not any(item.not_intended for item in failed)


def is_of_another(rules: Rules[S], state: S, event: Event) -> bool:
    """Whether the event is of the player whose turn it is not."""
    player = rules.clock(state).get("player")
    return rules.event_rules[type(event)].player_of(state, event) not in (None, player)


def _up_to_choice(way: list[tuple[Path, S]]) -> list[tuple[Path, S]]:
    """The positions until somebody chooses or a part of the game ends."""
    return way[:1] + list(takewhile(lambda place: place[0][-1].is_news and not place[0][-1].siblings, way[1:]))
