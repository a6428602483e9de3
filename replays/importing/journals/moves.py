"""What may have happened next in the source, and the cheapest ways in which a game may have gone on.

Each move has a price. What the rules force, and what was decided, costs nothing; a choice nobody was asked for costs
something, a departure from the rules more: the cheapest way to the next snapshot is what happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from audit.core.event_rules import Expectation
from audit.core.model import Event
from audit.games.compile import RULESET
from audit.games.compile.declarations import ALL, EACH
from audit.games.compile.event_rules.playing import PlayCard
from audit.games.compile.events import Deleted, Played, Reshuffled, Triggered, TurnBegan
from audit.games.compile.occasions import Instruction
from audit.games.compile.parts import field_position
from audit.games.compile.state import State
from replays.importing.journals.decisions import JournalDecision, settled
from replays.importing.journals.departures import decided_event, passed_over, shown_movements
from replays.importing.journals.reading import Snapshot

MAX_PRICE = 6
WORK_OF_A_POSITION = 20
"""Making a position takes as long as considering so many events."""


class ReplayPath(Struct, frozen=True):
    """A way gone from the last comparison: where it has come, what is still to be settled, and its moves."""

    state: State
    asked: tuple[JournalDecision, ...]
    gone: tuple[tuple[PossibleMove, int], ...] = ()
    price: int = 0

    @property
    def laid_out(self) -> int:
        """How many cards came straight from a deck onto the field."""
        return sum(isinstance(move.event, Played) and move.event.from_ == "deck" for move, _ in self.gone)

    @property
    def decided(self) -> tuple[tuple[PossibleMove, int], ...]:
        """The moves up to the last one that was decided."""
        last = max((number for number, (move, _) in enumerate(self.gone, 1) if move.settles), default=0)
        return self.gone[:last]


class Search:
    """All ways from a start to a snapshot, as far as the work allowed goes.

    `line` is that of a move nobody decided at the start.
    """

    def __init__(self, start: ReplayPath, line: int, snapshot: Snapshot, decks: Decks, work: Work) -> None:
        self._line = line
        self._snapshot = snapshot
        self._decks = decks
        self._work = work
        self._found: list[ReplayPath] = []
        self._seen: set[tuple[State, int]] = set()
        self._waiting: list[deque[tuple[ReplayPath, PossibleMove | None]]] = [deque() for _ in range(MAX_PRICE + 1)]
        self._waiting[0].append((start, None))

    def ways(self, price: int) -> Iterator[ReplayPath]:
        """Those of this price that are no dearer elsewhere, depth first; to be asked for from 0 upwards."""
        if price:
            self._depart()
        waiting = self._waiting[price]
        while waiting and self._work.left > 0:
            way = self._further(*waiting.pop())
            key = (way.state, len(way.asked))
            if key not in self._seen:
                self._seen.add(key)
                yield way
                self._expand(way)

    def _expand(self, way: ReplayPath) -> None:
        self._found.append(way)
        free = list(moves(way.state, way.asked, self._decks, self._work))
        self._waiting[way.price].extend((way, move) for move in reversed(free))

    def _depart(self) -> None:
        """Let the ways that were found go on by moves that cost something: from the last one first."""
        for way in self._found:
            unasked = () if way.price else unasked_moves(way.state)
            departing = departures(way.state, way.asked, self._snapshot, self._decks, self._work)
            dearer = [*unasked, *departing]
            for move in reversed(dearer):
                if (price := way.price + move.price) <= MAX_PRICE:
                    self._waiting[price].append((way, move))
        self._found.clear()

    def _further(self, way: ReplayPath, move: PossibleMove | None) -> ReplayPath:
        if move is None:
            return way
        self._work.do(WORK_OF_A_POSITION)
        line = way.asked[0].at if move.settles else way.gone[-1][1] if way.gone else self._line
        state = RULESET.rules.evolve(way.state, move.event)
        return ReplayPath(state, way.asked[move.settles :], (*way.gone, (move, line)), way.price + move.price)


MAX_OFFERS = 5000
MAX_UNASKED = 60
UNASKED = 1
DEPARTURE = 2
NOT_DUE = 3
"""Price of a departure that is not even of a kind that is due."""

Decks = Callable[[State, str], tuple[str, ...]]
"""The whole deck of a seat once its trash has been shuffled in."""


class Work:
    """How many events may still be considered. Counted, not timed, so that a journal always gives the same log."""

    def __init__(self, left: int, whole: Work | None = None) -> None:
        self.left = left
        self._whole = whole

    def part(self, most: int) -> Work:
        """Some of it, for one task; what is done of the part is done of the whole."""
        return Work(most, self)

    def do(self, number: int) -> None:
        """So many events were considered."""
        self.left -= number
        if self._whole:
            self._whole.do(number)


class PossibleMove(Struct, frozen=True):
    """An event, how many decisions it settles, what it costs, and whether a scorekeeper writes it down."""

    event: Event
    settles: int = 0
    price: int = 0
    is_written: bool = True


def moves(state: State, asked: tuple[JournalDecision, ...], decks: Decks, work: Work) -> Iterator[PossibleMove]:
    """What the rules let come next: what was decided, and what needs no decision."""
    live = list(RULESET.rules.expected(state))
    if asked:
        yield from _decided(state, live, asked, work)
    for move in _silent(state, live):
        yield replace(move, event=_with_deck(state, move.event, decks))


def unasked_moves(state: State) -> Iterator[PossibleMove]:
    """The choices that the rules give here and nobody was asked for."""
    live = list(RULESET.rules.expected(state))
    if any(_silent(state, live)):
        return
    for option in live:
        yield from (PossibleMove(event, price=UNASKED) for event in islice(option.candidates(state), MAX_UNASKED))


def departures(
    state: State, asked: tuple[JournalDecision, ...], snapshot: Snapshot, decks: Decks, work: Work
) -> Iterator[PossibleMove]:
    """What may have been done here against the rules."""
    for move in _departures(state, asked, snapshot):
        work.do(1)
        yield replace(move, event=_with_deck(state, move.event, decks))


def _departures(state: State, asked: tuple[JournalDecision, ...], snapshot: Snapshot) -> Iterator[PossibleMove]:
    if asked and (event := decided_event(state, asked[0])):
        yield PossibleMove(event, settles=1, price=DEPARTURE)
    due = {option.event for option in RULESET.rules.expected(state)}
    for event in shown_movements(state, snapshot):
        yield PossibleMove(event, settled(state, event, asked), DEPARTURE if type(event) in due else NOT_DUE)
    for event in passed_over(state):
        yield PossibleMove(event, settles=int(isinstance(event, TurnBegan) and bool(asked)), price=DEPARTURE)


def _decided(
    state: State, live: list[Expectation[State]], asked: tuple[JournalDecision, ...], work: Work
) -> Iterator[PossibleMove]:
    for option in live:
        for event in islice(option.candidates(state), MAX_OFFERS):
            work.do(1)
            if number := settled(state, event, asked):
                yield PossibleMove(event, number)


def _silent(state: State, live: list[Expectation[State]]) -> Iterator[PossibleMove]:
    """What the source does without a question: what is forced, and some choices in a fixed order."""
    if forced := RULESET.rules.forced(state):
        yield PossibleMove(forced[1], is_written=isinstance(forced[1], Reshuffled))
    elif live and all(option.any_order for option in live):
        events = [event for option in live for event in option.candidates(state)]
        yield from (PossibleMove(e, is_written=isinstance(e, Triggered)) for e in sorted(events, key=_order(state)))
    elif live and isinstance(live[0], Instruction) and _needs_no_question(live[0]):
        yield from (PossibleMove(event) for event in sorted(live[0].candidates(state), key=_order(state)))


def _needs_no_question(option: Instruction[Any]) -> bool:
    """Deck cards laid into several lines, what is done to each of several cards, and a card taken at random."""
    declared = option.declared
    if isinstance(option, PlayCard):
        return declared.source == "deck" and declared.in_lines is not None
    return declared.verb == "take" or (declared.count in (EACH, ALL) and not declared.together)


def _order(state: State) -> Callable[[Event], tuple[str, int]]:
    """The source's order of texts set off at once: seat A first, from left to right."""

    def place(event: Event) -> tuple[str, int]:
        cards = event.cards if isinstance(event, Deleted) else ()
        card = getattr(event, "card", None) or next(iter(cards), None)
        found = field_position(state, card) if card else None
        return (found.seat, found.line) if found else ("", 0)

    return place


def _with_deck(state: State, event: Event, decks: Decks) -> Event:
    return replace(event, deck=decks(state, event.player)) if isinstance(event, Reshuffled) else event
