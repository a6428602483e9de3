"""Finds what a log records later than it happened.

A scorekeeper may write down a consequence after what followed it. Nothing is wrong with that, as long as nobody decided
anything in between and no rule of order was at stake. Otherwise the event between came too early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from audit.core.catalogue import Rule
from audit.core.inference import Inference, Path
from audit.core.model import Event
from audit.core.ruleset import Rules
from audit.core.steps import InferredMove

S = TypeVar("S")

MAX_LATE = 5
"""Among so many events after an event, what led to it may be recorded."""

MAX_READ = 16
"""So many events are read ahead; those that are amended or taken back among them count for nothing."""


class Late(Struct, frozen=True):
    """A path to an event that goes through what is recorded later."""

    path: Path

    @property
    def moves(self) -> Path:
        """The moves that are recorded late; their events have the seqs of those records."""
        return tuple(move for move in self.path if move.event.seq)


def recorded_instead(rules: Rules[S], path: Path, ahead: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Which inferred moves may be recorded ahead: the index in the path, and the index of the record.

    A permission that was taken not to be used may be used there, if nothing else was decided before.
    """
    open_moves = [(at, move) for at, move in told_later(rules, path) if not move.event.seq]
    told = frozenset([type(move.event) for _, move in open_moves])
    may_be_used = any(move.declines for _, move in open_moves)
    is_decided = False
    for number, record in enumerate(ahead):
        if type(record) not in told and not may_be_used:
            continue
        for at, move in open_moves:
            is_alike = type(record) is type(move.event) or (move.declines and not is_decided)
            if is_alike and _accepts(rules, move.before, record):
                yield at, number
        is_decided |= type(record) not in told and not _is_small(rules, record)


def _is_small(rules: Rules[S], event: Event) -> bool:
    """Whether the event is a marker or a part of a movement."""
    return rules.event_rules[type(event)].is_marker or rules.event_rules[type(event)].is_part


def told_later(rules: Rules[S], path: Path) -> list[tuple[int, InferredMove]]:
    """The inferred moves that a log may tell of later: anything but where in the game we are."""
    markers = rules.markers
    return [(at, move) for at, move in enumerate(path) if move.is_news or type(move.event) not in markers]


def with_record(
    inference: Inference[S], path: Path, at: int, record: Event, event: Event, following: Sequence[Event] = ()
) -> Path | None:
    """The path to the event with the record in the place of an inferred move; None where it does not lead there.

    What the record leaves to be decided may stand in the `following` records.
    """
    before: S = path[at].before  # type: ignore[assignment]
    moves: Path = (_as_move(inference.rules, before, record),)
    left = list(following)
    while True:
        last = inference.end(moves, before)
        if found := inference.paths_or_declined(last, event):
            return (*path[:at], *moves, *found[0])
        if not left or not _accepts(inference.rules, last, left[0]):
            return None
        moves = (*moves, _as_move(inference.rules, last, left.pop(0)))


def with_records(inference: Inference[S], path: Path, ahead: Sequence[Event], event: Event) -> Path:
    """The path to the event with the records ahead in the places of the inferred moves that they tell."""
    for number, record in enumerate(ahead, 1):
        used = {move.event.seq for move in path if move.event.seq}
        places = (at for at, _ in recorded_instead(inference.rules, path, [record]) if record.seq not in used)
        ways = (found for at in places if (found := with_record(inference, path, at, record, event, ahead[number:])))
        path = next((found for found in ways if used <= {move.event.seq for move in found}), path)
    return path


def before_choice(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through a choice that is recorded next, markers and parts of movements aside.

    The event is one that nobody decides: what follows from a choice may be written before it.
    """
    others = (one for one in _up_to_the_next(inference.rules, ahead) if type(one) is not type(event))
    for record in others:
        for path in inference.paths(state, record)[:1]:
            last = inference.end(path, state)
            move = _as_move(inference.rules, last, record)
            found = inference.paths_or_declined(inference.end((move,), last), event)
            if found and not is_decision(inference, event, inference.end(found[0], inference.end((move,), last))):
                return Late(with_records(inference, (*path, move, *found[0]), ahead, event))
    return None


def announced_ahead(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through what is announced only after it, where all in between are parts of that procedure."""
    for number, record in _announcements(inference.rules, ahead, event):
        for path in inference.paths_or_declined(state, record)[:1]:
            last = inference.end(path, state)
            move = _as_move(inference.rules, last, record)
            if found := inference.paths_or_declined(inference.end((move,), last), event):
                others = (*ahead[:number], *ahead[number + 1 :])
                return Late(with_records(inference, (*path, move, *found[0]), others, event))
    return None


def announced_before(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to what its player announces only after the event, if one of its kind comes then, though not this one."""
    if _is_expected(inference.rules, state, event):
        return None
    for record in _announced_by_its_player(inference.rules, state, ahead, event):
        for path in inference.paths_or_declined(state, record)[:1]:
            move = _as_move(inference.rules, inference.end(path, state), record)
            if _is_expected(inference.rules, move.after, event):
                return Late((*path, move))
    return None


def _is_expected(rules: Rules[S], state: object, event: Event) -> bool:
    """Whether an event of this kind may or must come now."""
    return any(isinstance(event, due.event) for due in rules.expected(state))  # type: ignore[arg-type]


def wrongly_announced(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Event | None:
    """What the same player announces only after the event, a part of it, and may not do: that is the mistake."""
    records = _announced_by_its_player(inference.rules, state, ahead, event)
    return next((record for record in records if not inference.paths_or_declined(state, record)), None)


def _announced_by_its_player(rules: Rules[S], state: S, ahead: Sequence[Event], event: Event) -> Iterator[Event]:
    """The records ahead that announce the event and are of its player, where that can be said."""
    player = rules.event_rules[type(event)].player_of(state, event)
    for _, record in _announcements(rules, ahead, event):
        if player in (None, rules.event_rules[type(record)].player_of(state, record)):
            yield record


def _announcements(rules: Rules[S], ahead: Sequence[Event], event: Event) -> Iterator[tuple[int, Event]]:
    """The records ahead that announce the event, where all in between are parts of the same, each with its index."""
    for number, record in enumerate(ahead):
        parts = rules.event_rules[type(record)].announces
        if type(event) in parts and all(_is_small(rules, one) or type(one) in parts for one in ahead[:number]):
            yield number, record


def _up_to_the_next(rules: Rules[S], ahead: Sequence[Event]) -> Iterator[Event]:
    for event in ahead:
        yield event
        if not _is_small(rules, event):
            return


def order_rule(inference: Inference[S], late: InferredMove, event: Event, at: S) -> Rule | None:
    """The rule by which what is recorded late comes before that event; None where their order does not matter.

    `at` is the position in which the event happened. A marker says only where in the game we are, and another event
    without a choice decides nothing, unless both belong to one part of the game and a rule of order says which of them
    goes first. Nobody waits for a part of a movement either.
    """
    rules = inference.rules
    if rules.event_rules[type(event)].is_marker:
        return None
    before: S = late.before  # type: ignore[assignment]
    if rules.clock(before) != rules.clock(at) and not is_decision(inference, event, at):
        return None
    due = [e for e in rules.expected(before) if e.event is type(late.event)]
    first = next((rule for e in due if (rule := e.goes_first(before, event)) is not None), None)
    if first is not None:
        return first
    named = rules.event_rules[type(late.event)]
    if named.is_part or type(event) in named.announces:
        return None
    return next(iter(inference.citations(late)), None) if is_decision(inference, event, at) else None


def is_decision(inference: Inference[S], event: Event, at: S) -> bool:
    """Whether somebody chose the event in this position: it is no small step, and not the one thing that could come."""
    is_forced = any(type(forced) is type(event) for _, forced in inference.without_choice(at))
    return not is_forced and not _is_small(inference.rules, event)


def _accepts(rules: Rules[S], state: object, event: Event) -> bool:
    return rules.event_rules[type(event)].accept(state, event) is not None  # type: ignore[arg-type]


def _as_move(rules: Rules[S], state: S, record: Event) -> InferredMove:
    return InferredMove(record, state, rules.evolve(state, record), True)
