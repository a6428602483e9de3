"""Our position beside the journal's: reads decisions, writes events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import SetupError
from audit.core.model import LOG_VERSION, Header, Player
from audit.core.record_events import Gap, PositionSet
from audit.games.compile import RULESET
from audit.games.compile.events import GameWon
from audit.games.compile.parts import with_side
from audit.games.compile.readings import ALL_IS_SILENT
from audit.games.compile.state import SEATS, Clearing, Compiling, Refreshing, State, Text
from replays.importing.journals.decisions import JournalDecision, said
from replays.importing.journals.decks import DeckLaidOtherwiseError, Relaid, new_deck, other_decks
from replays.importing.journals.moves import MAX_PRICE, PossibleMove, ReplayPath, Search, Work
from replays.importing.journals.reading import Action, JournalGame, JournalStep, Prompt, Snapshot, card_id
from replays.importing.journals.snapshots import (
    PHASES,
    SnapshotDifference,
    agree,
    differences,
    has_same_cards,
    is_ahead,
    only_totals_differ,
    shown,
)

MAX_WORK = 80_000
"""How many events are considered on the way to one snapshot, at most."""
MAX_WORK_OF_A_GAME = 300_000
MIN_WORK = 5_000
"""What each snapshot may take where that of the game is done: enough to go on as long as the rules are followed."""
MAX_RECONSIDERED = 8
"""How many positions are tried that a snapshot shows as well as the one first taken."""
MAX_PASSED_OVER = 3
"""How many snapshots are tried after one that no way leads to."""


class JournalGap(Struct, frozen=True):
    """From which line of a game to which no way was found, and how many of its decisions the log does not hold."""

    first: int
    last: int
    decisions: int


def header(game: JournalGame) -> Header:
    """The header of the log: protocols and decks as they lay before the opening hands."""
    head, deal = game.head, game.steps[0].z
    names = {"A": head.a, "B": head.b}
    return Header(
        log=LOG_VERSION,
        ruleset="compile",
        game=f"journal-{head.g}",
        reading=ALL_IS_SILENT.name,  # the source lets no survivor of a deletion of all cards of a kind act
        players=tuple(Player(seat) for seat in SEATS),
        first=head.first,
        complete="choices",
        setup={
            "protocols": {seat: [name.lower() for name in names[seat]] for seat in SEATS},
            "decks": {seat: [card_id(c) for c in (*deal.side(seat).hd, *deal.side(seat).dk)] for seat in SEATS},
        },
        meta={"source": "journal", "pool": head.pool},
    )


class Moment(Struct, frozen=True):
    """Before which step of a game we stand, the position, decisions still open, and how much of the log is written."""

    number: int
    state: State
    asked: tuple[JournalDecision, ...] = ()
    written: int = 0


class JournalTable:
    """A game being gone through, from one moment of waiting to the next.

    `work` is what may still be done for it, `relays` whether a deck may be found to lie otherwise.
    """

    def __init__(self, game: JournalGame, work: Work, *, relays: bool = True) -> None:
        self.game = game
        self.work = work
        self.relays = relays
        self.header = header(game)
        self.now = Moment(0, RULESET.rules.start(self.header))
        self.before: Moment | None = None
        self.log: list[tuple[PossibleMove, int]] = []
        self.waits: list[tuple[int, State]] = []
        self.differences: list[SnapshotDifference] = []
        self.unexplained: list[int] = []
        self.ahead: list[int] = []
        self.by_prompt = [one.at for one in decisions(game, 0, len(game.steps) - 1) if not one.is_known]
        self.gaps: list[JournalGap] = []

    def go_through(self) -> None:
        """The whole game; raises `DeckLaidOtherwiseError` where it has to be begun again with another deck."""
        number = 0
        while number < len(self.game.steps):
            number = self._go_on(number, next(self._waits_from(number))) + 1
        forced = RULESET.rules.forced(self.now.state)
        if forced and isinstance(forced[1], GameWon):
            self.log.append((PossibleMove(forced[1]), number))

    def _waits_from(self, number: int) -> Iterator[int]:
        return (n for n in range(number, len(self.game.steps)) if waits(self.game, n))

    def _go_on(self, first: int, last: int) -> int:
        """Go through a stretch; return the step up to which the game has been gone through."""
        stretch = self._stretch(self.now, last)
        if way := next(stretch.by_the_rules(), None):
            return self._go_to(way, last)
        outcome = stretch.as_the_source_tells(relays=self.relays)
        if outcome is None and self._reconsider(last):
            return last
        outcome = outcome or stretch.otherwise()
        if outcome.is_ahead:
            self.ahead.append(last + 1)
        if outcome.is_loose:
            self.by_prompt += [decision.at for decision in decisions(self.game, first, last) if decision.is_known]
        if outcome.differences or outcome.is_lost:
            self.differences += outcome.differences
            self.unexplained.append(last + 1)
        if outcome.is_lost:
            return self._pass_over(last) or self._leave_a_gap(outcome.way, last)
        return self._go_to(outcome.way, last)

    def _stretch(self, moment: Moment, last: int) -> Stretch:
        """The steps from a moment to the last of them, with the work that may be done on them."""
        start = ReplayPath(moment.state, (*moment.asked, *decisions(self.game, moment.number, last)))
        return Stretch(
            self.game, (moment.number, last), start, self.work.part(max(MIN_WORK, min(MAX_WORK, self.work.left)))
        )

    def _go_to(self, way: ReplayPath, last: int) -> int:
        self._write(way.gone)
        self.before, self.now = self.now, self._moment(way, last + 1)
        self.waits.append((last + 1, way.state))
        return last

    def _moment(self, way: ReplayPath, number: int) -> Moment:
        return Moment(number, way.state, tuple(one for one in way.asked if one.is_open), len(self.log))

    def _reconsider(self, last: int) -> bool:
        """Go on by the rules from another position that the snapshot before shows as well."""
        before, now = self.before, self.now
        if before is None:
            return False
        others = islice(self._stretch(before, now.number - 1).by_the_rules(), 1, MAX_RECONSIDERED)
        for other in others:
            way = next(self._stretch(self._moment(other, now.number), last).by_the_rules(), None)
            if way:
                del self.log[before.written :], self.waits[-1]
                self.now = before
                self._go_to(other, now.number - 1)
                self._go_to(way, last)
                return True
        return False

    def _pass_over(self, last: int) -> int | None:
        """Go on to one of the next snapshots by the rules, if only the one at hand contradicts them."""
        passed: list[int] = []
        for later in islice(self._waits_from(last + 1), MAX_PASSED_OVER):
            if way := next(self._stretch(self.now, later).by_the_rules(), None):
                self.unexplained += passed
                return self._go_to(way, later)
            passed.append(later + 1)
        return None

    def _write(self, gone: Iterable[tuple[PossibleMove, int]]) -> None:
        self.log += [(move, line) for move, line in gone if move.is_written]

    def _leave_a_gap(self, way: ReplayPath, last: int) -> int:
        """Write what was decided on the way, a gap, and the next position that the journal shows as a whole."""
        self._write(way.decided)
        shown = ((n, self._shown(n, way.state)) for n in range(last, len(self.game.steps)))
        resumed, state = next((found for found in shown if found[1]), (len(self.game.steps) - 1, None))
        lost = (*way.asked, *decisions(self.game, last + 1, resumed))
        self.gaps.append(JournalGap(last + 1, resumed + 1, len(lost)))
        note = f"journal, lines {last + 1} to {resumed + 1}: {len(lost)} decisions left out"
        self.log.append((PossibleMove(Gap(seq=0, note=note)), last + 1))
        if state:
            position = RULESET.rules.position_data(state)
            put = PositionSet(seq=0, position=position, why=f"journal, line {resumed + 1}")
            self.log.append((PossibleMove(put), resumed + 1))
        self.before, self.now = None, Moment(resumed + 1, state or way.state, written=len(self.log))
        return resumed

    def _shown(self, number: int, before: State) -> State | None:
        """The position after a step, where nothing is under way and the snapshot shows every card once."""
        step, deal = self.game.steps[number], self.game.steps[0]
        if step.after.pend is not None or not is_between_actions(self.game, number):
            return None
        following = self.game.steps[min(number + 1, len(self.game.steps) - 1)]
        if following.by not in (step.after.turn, None) or not has_same_cards(step.z, deal.z):
            return None
        state = shown(before, step, following.t)
        try:
            return RULESET.rules.position(RULESET.rules.position_data(state), state)
        except SetupError:
            return None


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
