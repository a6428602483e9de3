"""The ways in which a game may have gone on from a position: the cheapest first, each position once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from audit.games.compile import RULESET
from audit.games.compile.events import Played
from audit.games.compile.state import State
from replays.importing.journals.decisions import JournalDecision
from replays.importing.journals.moves import Decks, PossibleMove, Work, departures, moves, unasked_moves
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
