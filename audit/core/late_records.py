"""Finds what a log records later than it happened.

A scorekeeper may write down a consequence after what followed it. Nothing is wrong with that, as long as nobody decided
anything in between and no rule of order was at stake. Otherwise the event between came too early.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import TypeVar

from msgspec import Struct

from audit.core.inference import Inference, Path, tells
from audit.core.model import Event
from audit.core.rules import Rules
from audit.core.steps import InferredMove, Order

S = TypeVar("S")

MAX_LATE = 5
"""Among so many events after an event, what led to it may be recorded."""

TWO, MORE_FOR_EACH = 2, 2
"""For each player beyond two so many more: what all players do in turn is written row by row."""

MAX_READ = 16
"""So many events are read ahead; those that are amended or taken back among them count for nothing."""


class Late(Struct, frozen=True):
    """A path to an event that goes through what is recorded later."""

    path: Path
    is_cause: bool = False
    """Whether a late record set off what stands before it, so that nothing there can have come too early."""

    @property
    def moves(self) -> Path:
        """The moves that are recorded late; their events have the seqs of those records."""
        return tuple(move for move in self.path if move.event.seq)


def recorded_instead(inference: Inference[S], path: Path, ahead: Sequence[Event]) -> Iterator[tuple[int, int]]:
    """Which inferred moves may be recorded ahead: the index in the path, and the index of the record.

    A permission that was taken not to be used may be used there.
    """
    rules = inference.rules
    open_moves = [(at, move) for at, move in told_later(rules, path) if not move.event.seq]
    types, is_any = {type(move.event) for _, move in open_moves}, any(move.declines for _, move in open_moves)
    for number, record in enumerate(ahead):
        if not is_any and type(record) not in types:
            continue
        for at, move in open_moves:
            may_stand = move.declines or type(record) is type(move.event)
            if may_stand and _accepts(rules, move.before, record):
                yield at, number


def _is_small(rules: Rules[S], event: Event) -> bool:
    """Whether the event is a marker or a part of a movement."""
    return rules.event_rules[type(event)].is_marker or rules.event_rules[type(event)].is_part


def told_later(rules: Rules[S], path: Path) -> list[tuple[int, InferredMove]]:
    """The inferred moves that a log may tell of later: anything but where in the game we are."""
    markers = rules.markers
    return [(at, move) for at, move in enumerate(path) if type(move.event) not in markers]


def with_record(
    inference: Inference[S], path: Path, at: int, record: Event, event: Event, others: Sequence[Event] = ()
) -> Iterator[Path]:
    """The paths to the event with the record in the place of an inferred move, the shortest first.

    What the record leaves to be decided may stand in the `other` records, in any order.
    """
    before: S = path[at].before  # type: ignore[assignment]
    moves: Path = (_as_move(inference.rules, before, record),)
    left = list(others)
    while True:
        last = inference.end(moves, before)
        if found := inference.paths_or_declined(last, event):
            yield (*path[:at], *moves, *found[0])
        if not (way := _to_the_first(inference, last, left)):
            return
        left.remove(way[-1].event)
        moves = (*moves, *way)


def _to(inference: Inference[S], state: S, record: Event) -> Path:
    """The shortest path to a record, which is its last move; () where none leads there."""
    found = inference.paths_or_declined(state, record)
    return (*found[0], _as_move(inference.rules, inference.end(found[0], state), record)) if found else ()


def _to_the_first(inference: Inference[S], state: S, records: Sequence[Event]) -> Path:
    """The same to the first of these records that may come here."""
    return next((path for record in records if (path := _to(inference, state, record))), ())


def with_records(inference: Inference[S], path: Path, ahead: Sequence[Event], event: Event) -> Path:
    """The path to the event with the records ahead in the places of the inferred moves that they tell.

    They are put in by the order of the path, as the way on from each is looked for anew. A record that finds no place
    may tell what follows from one after it, so that all are tried again.
    """
    in_order = _by_place(inference, path, ahead)
    for record in (*in_order, *in_order):
        used = {move.event.seq for move in path if move.event.seq}
        if record.seq not in used:
            path = _with_one_more(inference, path, used, record, ahead, event) or path
    return path


def _by_place(inference: Inference[S], path: Path, records: Sequence[Event]) -> list[Event]:
    """The records by the first move of the path that each may tell; those that tell none of them last."""
    places: dict[int, int] = {}
    for at, number in recorded_instead(inference, path, records):
        places[number] = min(at, places.get(number, at))
    numbers = sorted(range(len(records)), key=lambda number: places.get(number, len(path)))
    return [records[number] for number in numbers]


def _with_one_more(
    inference: Inference[S], path: Path, used: set[int], record: Event, ahead: Sequence[Event], event: Event
) -> Path | None:
    """The path with one record more in the place of a move that it tells; those that it has already stay."""
    others = [one for one in ahead if one is not record]
    for at in [at for at, _ in recorded_instead(inference, path, [record])]:
        for found in with_record(inference, path, at, record, event, others):
            if used <= {move.event.seq for move in found}:
                return found
    return None


def before_choice(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through a choice that is recorded next, markers and parts of movements aside.

    The event is one that nobody decides: what follows from a choice may be written before it.
    """
    others = [one for one in _up_to_the_next(inference.rules, ahead) if type(one) is not type(event)]
    for record in others:
        for path in inference.paths(state, record)[:1]:
            last = inference.end(path, state)
            move = _as_move(inference.rules, last, record)
            found = inference.paths_or_declined(inference.end((move,), last), event)
            if found and not is_decision(inference, event, inference.end(found[0], inference.end((move,), last))):
                return Late(with_records(inference, (*path, move, *found[0]), ahead, event))
    return None


def before_choices(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """The same through several records."""
    path: Path = ()
    for record in takewhile(lambda one: type(one) is not type(event), ahead):
        way = _to(inference, inference.end(path, state), record)
        path = (*path, *way)
        last = inference.end(path, state)
        onward = inference.paths_or_declined(last, event) if way else []
        if onward and not is_decision(inference, event, inference.end(onward[0], last)):
            return Late(with_records(inference, (*path, *onward[0]), ahead, event))
        if not way:
            return None
    return None


def set_off_ahead(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through what a player does of their own accord and wrote down only after it: its cause.

    What stands between the two was set off as well: it does not fit where the event stands.
    """
    to_act = _to_the_first(inference, state, ahead)
    if not to_act or not _is_own_act(inference, to_act[-1]):
        return None
    whole = (*to_act, *_to(inference, inference.end(to_act, state), event))
    is_caused = len(whole) > len(to_act) and not _is_own_act(inference, whole[-1])
    return Late(whole[:-1], is_cause=True) if is_caused else None


def _is_own_act(inference: Inference[S], move: InferredMove) -> bool:
    return inference.rules.event_rules[type(move.event)].is_own_act(move.before, move.event)  # type: ignore[arg-type]


def settled_before(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through what was settled before it and is written only after it."""
    path: Path = ()
    for record in ahead:
        if not inference.rules.event_rules[type(record)].is_settled:
            continue
        way = _to(inference, inference.end(path, state), record)
        path = (*path, *way)
        if way and (onward := inference.paths_or_declined(inference.end(path, state), event)):
            return Late(with_records(inference, (*path, *onward[0]), ahead, event))
    return None


def announced_ahead(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to the event through what is announced only after it, where all in between are parts of that procedure."""
    records = _announcements(inference.rules, ahead, event)
    return next((late for one in records if (late := _through(inference, state, one, ahead, event))), None)


def announced_among(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """The same, where the others in between tell what the path goes through before the announcement."""
    rules = inference.rules
    for number, record in enumerate(ahead):
        strangers = [one.seq for one in ahead[:number] if not _belongs(rules, one, record)]
        if strangers:
            late = _through(inference, state, record, ahead, event)
            if late and {move.event.seq for move in late.moves}.issuperset(strangers):
                return late
    return None


def _through(
    inference: Inference[S], state: S, announcement: Event, ahead: Sequence[Event], event: Event
) -> Late | None:
    """A path to the event through its announcement, with the records ahead that tell of it."""
    path = _to(inference, state, announcement)
    found = inference.paths_or_declined(inference.end(path, state), event) if path else []
    return Late(with_records(inference, (*path, *found[0]), ahead, event)) if found else None


def _belongs(rules: Rules[S], event: Event, announcement: Event) -> bool:
    """Whether the event may be a part of what is announced, or says nothing of its own."""
    return _is_small(rules, event) or type(event) in rules.event_rules[type(announcement)].announces


def announced_before(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """A path to where one of the event's kind comes, though not this one, through what belongs to its procedure.

    What its player announces only after the event counts, and what else of the procedure is written after it.
    """
    records = _announced_by_its_player(inference.rules, state, ahead, event)
    starts = ((), *[_to(inference, state, record) for record in records])
    return next((late for path in starts if (late := _through_parts(inference, path, state, ahead, event))), None)


def _through_parts(inference: Inference[S], path: Path, state: S, ahead: Sequence[Event], event: Event) -> Late | None:
    """The path, and on through parts recorded ahead and what is not used, to where one of the event's kind comes."""
    rules = inference.rules
    parts = [one for one in ahead if rules.are_of_one_procedure(type(one), type(event))]
    while len(path) < MAX_READ:
        last = inference.end(path, state)
        if any(isinstance(event, due.event) for due in rules.expected(last)):
            return Late(path)
        if record := next((one for one in parts if _accepts(rules, last, one)), None):
            parts.remove(record)
            path = (*path, _as_move(rules, last, record))
        elif path and (declined := inference.declined(last)):
            path = (*path, *declined)
        else:
            return None
    return None


def wrongly_announced(inference: Inference[S], state: S, ahead: Sequence[Event], event: Event) -> Event | None:
    """What the same player announces only after the event, a part of it, and may not do: that is the mistake."""
    records = _announced_by_its_player(inference.rules, state, ahead, event)
    return next((record for record in records if not inference.paths_or_declined(state, record)), None)


def _announced_by_its_player(rules: Rules[S], state: S, ahead: Sequence[Event], event: Event) -> Iterator[Event]:
    """The records ahead that announce the event and are of its player, where that can be said."""
    player = rules.event_rules[type(event)].player_of(state, event)
    for record in _announcements(rules, ahead, event):
        if player in (None, rules.event_rules[type(record)].player_of(state, record)):
            yield record


def _announcements(rules: Rules[S], ahead: Sequence[Event], event: Event) -> Iterator[Event]:
    """The records ahead that announce the event, where all in between are parts of the same."""
    for number, record in enumerate(ahead):
        is_announced = type(event) in rules.event_rules[type(record)].announces
        if is_announced and all(_belongs(rules, one, record) for one in ahead[:number]):
            yield record


def _up_to_the_next(rules: Rules[S], ahead: Sequence[Event]) -> Iterator[Event]:
    for event in ahead:
        yield event
        if not _is_small(rules, event):
            return


def order_broken(
    inference: Inference[S], late: InferredMove, event: Event, at: S, told_late: Collection[int] = ()
) -> Order | None:
    """The order in which what is recorded late comes before that event; None where their order does not matter.

    `at` is the position in which the event happened. `told_late` are the seqs of all late records. A marker says
    only where in the game we are, who does not use a permission changes nothing, and another event without a choice
    decides nothing, unless both belong to one part of the game and a rule of order says which of them goes first.
    Nobody waits for a part of a movement either.
    """
    rules = inference.rules
    if rules.event_rules[type(event)].is_marker or _says_no(inference, event, at):
        return None
    before: S = late.before  # type: ignore[assignment]
    if rules.clock(before) != rules.clock(at) and not is_decision(inference, event, at):
        return None
    is_over = rules.clock(before) != rules.clock(at) and _is_forced(inference, late)
    if is_over and rules.event_rules[type(event)].is_own_act(at, event):
        return None
    due = [e for e in rules.expected(before) if e.event is type(late.event)]
    stands_next = all(seq in told_late for seq in range(event.seq + 1, late.event.seq))
    due = [e for e in due if not (stands_next and e.may_be_told_after(event))]
    for one in due:
        if (first := one.goes_first(before, event)) is not None:
            return Order(first, stands_next and one.is_open_after(event))
    named = rules.event_rules[type(late.event)]
    if named.is_part or named.is_settled or type(event) in named.announces or is_over:
        return None
    is_open = is_decision(inference, event, at) and not _says_no(inference, late.event, before)
    cited = inference.citations(late) if is_open else ()
    return Order(cited[0]) if cited else None


def _is_forced(inference: Inference[S], move: InferredMove) -> bool:
    """Whether the move left no choice and is nobody's own act: the position is the same, whenever it is written."""
    before: S = move.before  # type: ignore[assignment]
    if inference.rules.event_rules[type(move.event)].announces or _is_own_act(inference, move):
        return False
    return any(type(one) is type(move.event) for _, one in inference.following(before))


def is_decision(inference: Inference[S], event: Event, at: S) -> bool:
    """Whether somebody chose the event in this position: it is no small step, and not the one thing that could come."""
    is_forced = any(type(forced) is type(event) for _, forced in inference.without_choice(at))
    return not is_forced and not _is_small(inference.rules, event)


def _says_no(inference: Inference[S], event: Event, at: S) -> bool:
    """Whether the event says that a permission is not used here."""
    return any(tells(event, move.event) for move in inference.declined(at))


def _accepts(rules: Rules[S], state: object, event: Event) -> bool:
    return rules.event_rules[type(event)].accept(state, event) is not None  # type: ignore[arg-type]


def _as_move(rules: Rules[S], state: S, record: Event) -> InferredMove:
    return InferredMove(record, state, rules.evolve(state, record), True)
