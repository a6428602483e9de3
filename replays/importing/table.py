"""Our position beside the journal's: reads decisions, writes events."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from audit.compile import RULESET
from audit.compile.events import GameWon, Played
from audit.compile.readings import ALL_IS_SILENT
from audit.compile.state import SEATS, Clearing, Compiling, Refreshing, State, Text, with_side
from audit.model import LOG_VERSION, Header, Player
from replays.importing.decisions import JournalDecision, card_id, said
from replays.importing.decks import DeckLaidOtherwiseError, Relaid, new_deck, other_decks
from replays.importing.moves import PossibleMove, moves
from replays.importing.reading import Action, JournalGame, JournalStep, Prompt, Snapshot
from replays.importing.snapshots import SnapshotDifference, agree, differences, is_ahead

MAX_PRICE = 6
MAX_TRIED = 4000
PHASES = {"hand_limit": "cache"}

Shows = Callable[[State, Snapshot], bool]


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


def waits(game: JournalGame, number: int) -> bool:
    """Whether the recorder waits for a decision after this step, or the game is over."""
    if number + 1 == len(game.steps) or game.steps[number].after.pend is not None:
        return True
    return isinstance(game.steps[number + 1], Action) and not is_repeated(game, number + 1)


def is_repeated(game: JournalGame, number: int) -> bool:
    """Whether the step asks once more for a compile that is under way: the source does so after control was left."""
    step = game.steps[number]
    if step.dec is None or step.dec.do != "compile":
        return False
    before = (game.steps[n] for n in range(number - 1, 0, -1))
    last = next((one for one in before if isinstance(one, Action)), None)
    return last is not None and (last.t, last.dec) == (step.t, step.dec)


class JournalTable:
    """A game being gone through, from one moment of waiting to the next."""

    def __init__(self, game: JournalGame) -> None:
        self.game = game
        self.header = header(game)
        self.state: State = RULESET.rules.start(self.header)
        self.asked: tuple[JournalDecision, ...] = ()
        self.log: list[tuple[PossibleMove, int]] = []
        self.first = self.last = 0
        self.waits: list[tuple[int, State]] = []
        self.differences: list[SnapshotDifference] = []
        self.unexplained: list[int] = []
        self.ahead: list[int] = []

    def go_through(self) -> None:
        """The whole game; raises `DeckLaidOtherwiseError` where it has to be begun again with another deck."""
        number = 0
        while number < len(self.game.steps):
            last = next(n for n in range(number, len(self.game.steps)) if waits(self.game, n))
            self._go_to(number, last)
            number = last + 1
        forced = RULESET.rules.forced(self.state)
        if forced and isinstance(forced[1], GameWon):
            self.log.append((PossibleMove(forced[1]), self.last + 1))

    def _go_to(self, first: int, last: int) -> None:
        self.first, self.last = first, last
        new = (said(self.game.steps[n], n + 1) for n in range(first, last + 1) if not is_repeated(self.game, n))
        start = ReplayPath(self.state, (*self.asked, *filter(None, new)))
        way = self._cheapest(start)
        if way is None:
            way = self._nearest(start)
            self.unexplained.append(last + 1)
            self.differences += differences(way.state, self._target.z, last + 1)
        self.log += [(move, line) for move, line in way.gone if move.is_written]
        self.state, self.asked = way.state, tuple(one for one in way.asked if one.is_open)
        self.waits.append((last + 1, self.state))

    @property
    def _target(self) -> JournalStep:
        return self.game.steps[self.last]

    # The way to the next snapshot

    def _cheapest(self, start: ReplayPath) -> ReplayPath | None:
        """The rules' own way, else one the source is ahead of, else a deck laid otherwise, else a departure."""
        if way := self._at_price(start, 0, agree):
            return way
        if way := self._at_price(start, 0, is_ahead):
            self.ahead.append(self.last + 1)
            return way
        self._try_other_decks(start)
        return next(filter(None, (self._at_price(start, n, agree) for n in range(1, MAX_PRICE + 1))), None)

    def _at_price(self, start: ReplayPath, price: int, shows: Shows) -> ReplayPath | None:
        ways = self._ways(start, price)
        return next((way for way in ways if way.price == price and self._has_come(way, shows)), None)

    def _nearest(self, start: ReplayPath) -> ReplayPath:
        def apart(way: ReplayPath) -> tuple[int, int]:
            return len(differences(way.state, self._target.z, 0)), len(way.asked)

        return min(self._ways(start, 0), key=apart)

    def _ways(self, start: ReplayPath, budget: int) -> Iterator[ReplayPath]:
        """Every way within the budget, depth first, the likeliest first."""
        seen: dict[tuple[State, int], int] = {}
        open_ways = [start]
        for _ in range(MAX_TRIED):
            if not open_ways:
                return
            way = open_ways.pop()
            key = (way.state, len(way.asked))
            if seen.get(key, budget + 1) <= way.price:
                continue
            seen[key] = way.price
            yield way
            further = [move for move in moves(way.state, way.asked, self._new_deck) if way.price + move.price <= budget]
            open_ways += [self._further(way, move) for move in reversed(further)]

    def _further(self, way: ReplayPath, move: PossibleMove) -> ReplayPath:
        line = way.asked[0].at if move.settles else way.gone[-1][1] if way.gone else self.first + 1
        state = RULESET.rules.evolve(way.state, move.event)
        return ReplayPath(state, way.asked[move.settles :], (*way.gone, (move, line)), way.price + move.price)

    def _has_come(self, way: ReplayPath, shows: Shows) -> bool:
        return (
            all(decision.is_open for decision in way.asked)
            and self._waits_too(way.state)
            and shows(way.state, self._target.z)
        )

    def _waits_too(self, state: State) -> bool:
        after = self._target.after
        frame = state.stack[-1] if state.stack else None
        if after.pend is not None:
            return _asks(frame, after.pend)
        is_last = self.last + 1 == len(self.game.steps)
        if forced := RULESET.rules.forced(state):
            return is_last and isinstance(forced[1], GameWon)
        if is_last:
            return True
        phase = PHASES.get(after.ph, after.ph)
        return frame is None and (state.player, state.phase) == (after.turn, phase)

    # Chance

    def _new_deck(self, state: State, seat: str) -> tuple[str, ...]:
        return new_deck(state, seat, self.game.steps[self.first : self.last + 1])

    def _try_other_decks(self, start: ReplayPath) -> None:
        """Cards the source laid into several lines at once may by the rules have left the deck in another order."""
        for seat, theirs, ours in other_decks(start.state):
            side = start.state.side(seat)
            state = with_side(start.state, seat, replace(side, deck=(*ours, *side.deck[len(ours) :])))
            way = self._at_price(replace(start, state=state), 0, agree)
            if way and way.laid_out > 1:
                raise DeckLaidOtherwiseError(Relaid(self.last + 1, seat, theirs, ours))


def _asks(frame: object, prompt: Prompt) -> bool:
    """Whether the same question is open here."""
    if prompt.src == "control":
        return isinstance(frame, Refreshing | Compiling) and frame.choice
    if not prompt.src:
        return isinstance(frame, Clearing)
    return isinstance(frame, Text) and frame.card == card_id(prompt.src)
