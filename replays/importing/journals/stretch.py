"""A stretch of a journal: from one moment at which the recorder waits for a decision to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile import RULESET
from audit.games.compile.events import GameWon
from audit.games.compile.parts import with_side
from audit.games.compile.state import Clearing, Compiling, Refreshing, State, Text
from replays.importing.journals.decisions import JournalDecision, said
from replays.importing.journals.decks import DeckLaidOtherwiseError, Relaid, new_deck, other_decks
from replays.importing.journals.moves import MAX_PRICE, ReplayPath, Search, Work
from replays.importing.journals.reading import Action, JournalGame, JournalStep, Prompt, Snapshot, card_id
from replays.importing.journals.snapshots import (
    PHASES,
    SnapshotDifference,
    agree,
    differences,
    is_ahead,
    only_totals_differ,
)

Shows = Callable[[State, Snapshot], bool]


class Outcome(Struct, frozen=True):
    """The way that leads to the snapshot, else the nearest.

    `is_lost` says that none leads there, `differences` where they part, `is_ahead` that the source is ahead of it,
    `is_loose` that decisions were read by their prompts alone.
    """

    way: ReplayPath
    is_ahead: bool = False
    is_loose: bool = False
    is_lost: bool = False
    differences: tuple[SnapshotDifference, ...] = ()


def waits(game: JournalGame, number: int) -> bool:
    """Whether the recorder waits for a decision after this step, or the game is over."""
    return game.steps[number].after.pend is not None or is_between_actions(game, number)


def is_between_actions(game: JournalGame, number: int) -> bool:
    """Whether the turn player decides next, or the game is over."""
    if number + 1 == len(game.steps):
        return True
    return isinstance(game.steps[number + 1], Action) and not is_repeated(game, number + 1)


def is_repeated(game: JournalGame, number: int) -> bool:
    """Whether the step asks once more for an action that is under way: the source does so after control was left."""
    step = game.steps[number]
    if not isinstance(step, Action):
        return False
    before = (game.steps[n] for n in range(number - 1, 0, -1))
    last = next((one for one in before if isinstance(one, Action)), None)
    return last is not None and (last.t, last.dec) == (step.t, step.dec)


def decisions(game: JournalGame, first: int, last: int) -> Iterator[JournalDecision]:
    """What was decided from one step to another."""
    made = (said(game.steps[n], n + 1) for n in range(first, last + 1) if not is_repeated(game, n))
    return filter(None, made)


class Stretch:
    """The first and last of these steps of a game, the position before them, and the work that may be done."""

    def __init__(self, game: JournalGame, steps: tuple[int, int], start: ReplayPath, work: Work) -> None:
        first, last = steps
        self._start = start
        self._work = work
        self._steps = game.steps[first : last + 1]
        self._target: JournalStep = game.steps[last]
        self._next = game.steps[last + 1] if last + 1 < len(game.steps) else None
        self._line = first + 1
        self._search = self._searched(start)
        self._lawful: list[ReplayPath] = []

    def by_the_rules(self) -> Iterator[ReplayPath]:
        """The ways to the snapshot that keep to the rules."""
        for way in self._search.ways(0):
            self._lawful.append(way)
            if self._has_come(way, agree):
                yield way

    def as_the_source_tells(self, *, relays: bool) -> Outcome | None:
        """A way by the rules to what the source shows a little early, or in another order.

        With `relays`, raises `DeckLaidOtherwiseError` where only another order of a deck leads on by the rules.
        """
        if found := self._first(self._lawful, is_ahead):
            return Outcome(found, is_ahead=True)
        if relays and any(way.laid_out > 1 for way in self._lawful):
            self._try_other_decks()
        return None

    def otherwise(self) -> Outcome:
        """A way with other totals, with decisions read by their prompts, or with a departure; else the nearest."""
        if found := self._first(self._lawful, only_totals_differ):
            return Outcome(found, differences=self._differences(found))
        if found := self._waiting_early():
            return Outcome(found)
        loose = replace(self._start, asked=tuple(decision.loosened() for decision in self._start.asked))
        if found := self._first(self._searched(loose).ways(0), agree):
            return Outcome(found, is_loose=True)
        dearer = (way for price in range(1, MAX_PRICE + 1) for way in self._search.ways(price))
        if found := self._first(dearer, agree):
            return Outcome(found)
        nearest = min(self._lawful, key=lambda way: (len(self._differences(way)), len(way.asked)))
        return Outcome(nearest, is_lost=True, differences=self._differences(nearest))

    def _searched(self, start: ReplayPath) -> Search:
        return Search(start, self._line, self._target.z, self._new_deck, self._work)

    def _differences(self, way: ReplayPath) -> tuple[SnapshotDifference, ...]:
        return differences(way.state, self._target.z, self._line + len(self._steps) - 1)

    def _first(self, ways: Iterable[ReplayPath], shows: Shows) -> ReplayPath | None:
        return next((way for way in ways if self._has_come(way, shows)), None)

    def _has_come(self, way: ReplayPath, shows: Shows) -> bool:
        return (
            all(decision.is_open for decision in way.asked)
            and self._waits_too(way.state)
            and shows(way.state, self._target.z)
        )

    def _waiting_early(self) -> ReplayPath | None:
        """A way by the rules to where the source asks, although the rules leave nothing to decide there."""
        after = self._target.after
        if after.pend is not None or self._next is None:
            return None
        asked_at = (after.turn, PHASES.get(after.ph, after.ph), self._next.t)
        for way in self._lawful:
            state = way.state
            is_there = not state.stack and (state.player, state.phase, state.turn) == asked_at
            if is_there and all(one.is_open for one in way.asked) and agree(state, self._target.z):
                return way
        return None

    def _waits_too(self, state: State) -> bool:
        after = self._target.after
        frame = state.stack[-1] if state.stack else None
        if after.pend is not None:
            return _asks(frame, after.pend)
        if forced := RULESET.rules.forced(state):
            return self._next is None and isinstance(forced[1], GameWon)
        if self._next is None:
            return True
        phase = PHASES.get(after.ph, after.ph)
        return frame is None and (state.player, state.phase, state.turn) == (after.turn, phase, self._next.t)

    def _new_deck(self, state: State, seat: str) -> tuple[str, ...]:
        return new_deck(state, seat, self._steps)

    def _try_other_decks(self) -> None:
        """Cards the source laid into several lines at once may by the rules have left the deck in another order."""
        for seat, theirs, ours in other_decks(self._start.state):
            side = self._start.state.side(seat)
            state = with_side(self._start.state, seat, replace(side, deck=(*ours, *side.deck[len(ours) :])))
            way = self._first(self._searched(replace(self._start, state=state)).ways(0), agree)
            if way and way.laid_out > 1:
                raise DeckLaidOtherwiseError(Relaid(self._line + len(self._steps) - 1, seat, theirs, ours))


def _asks(frame: object, prompt: Prompt) -> bool:
    """Whether the same question is open here."""
    if prompt.src == "control":
        return isinstance(frame, Refreshing | Compiling) and frame.choice
    if not prompt.src:
        return isinstance(frame, Clearing)
    return isinstance(frame, Text) and frame.card == card_id(prompt.src)
