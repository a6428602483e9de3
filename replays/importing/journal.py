"""Journals of another implementation of Compile: decisions, and the whole field after every step.

The importer plays the decisions on a table of its own and writes down what a scorekeeper would: choices, the order
of texts set off at once, and what only chance can tell (new decks). From one moment at which the recorder waits for a
decision to the next it looks for the cheapest way that leads to the snapshot (`moves`). What the source did otherwise
than the rules stands in the log as it happened; judging it is the auditor's part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec import Struct

from audit.compile import RULESET
from audit.compile.events import GameWon
from audit.compile.state import SEATS, Clearing, Compiling, Refreshing, State, Text
from audit.model import LOG_VERSION, Event, Header, Player
from audit.ruleset import numbered
from replays.importing.decisions import Said, card_id, said
from replays.importing.moves import Move, moves
from replays.importing.reading import Action, Game, Prompt, Step, games
from replays.importing.snapshots import Difference, agree, differences

__all__ = ["ImportSummary", "Imported", "games", "import_journal", "imported", "summary_line"]

MOST_PRICE = 6
MOST_TRIED = 4000
PHASES = {"hand_limit": "cache"}


class Imported(Struct, frozen=True):
    """A game as a log, and what could not be explained.

    `lines` gives for each event the line of the journal's game (its header is 0) it comes from; `compared` counts
    the snapshots taken while the recorder waited for a decision, `departures` the lines at which the source did what the
    rules do not offer, and `waits` the positions compared.
    """

    game: int
    header: Header
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    compared: int
    differences: tuple[Difference, ...]
    departures: tuple[int, ...]
    unexplained: tuple[int, ...]
    waits: tuple[State, ...]


def imported(game: Game) -> Imported:
    """One game of a journal as a log; raises `SetupError` where its header and deal do not fit."""
    table = _Table(game)
    number = 0
    while number < len(game.steps):
        last = next(n for n in range(number, len(game.steps)) if _waits(game, n))
        table.go_to(number, last)
        number = last + 1
    return table.result()


def _waits(game: Game, number: int) -> bool:
    """Whether the recorder waits for a decision after this step, or the game is over."""
    step = game.steps[number]
    if number + 1 == len(game.steps) or step.after.pend is not None:
        return True
    return isinstance(game.steps[number + 1], Action) and not _is_repeated(game, number + 1)


def _is_repeated(game: Game, number: int) -> bool:
    """Whether the step asks once more for a compile that is under way: the source does so after control was left."""
    step = game.steps[number]
    if step.dec is None or step.dec.do != "compile":
        return False
    before = (game.steps[n] for n in range(number - 1, 0, -1))
    last = next((one for one in before if isinstance(one, Action)), None)
    return last is not None and (last.t, last.dec) == (step.t, step.dec)


def _header(game: Game) -> Header:
    head, deal = game.head, game.steps[0].z
    return Header(
        log=LOG_VERSION,
        ruleset="compile",
        game=f"journal-{head.g}",
        players=tuple(Player(seat) for seat in SEATS),
        first=head.first,
        setup={
            "protocols": {seat: [name.lower() for name in names] for seat, names in (("A", head.a), ("B", head.b))},
            "decks": {seat: [card_id(c) for c in (*deal.side(seat).hd, *deal.side(seat).dk)] for seat in SEATS},
        },
        meta={"source": "journal", "pool": head.pool},
    )


class _Way(Struct, frozen=True):
    """A way gone from the last comparison: where it has come, what is still to be settled, and its moves."""

    state: State
    asked: tuple[Said, ...]
    gone: tuple[tuple[Move, int], ...] = ()
    price: int = 0


class _Table:
    """Our table beside the journal's: decisions come in, events go out."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.header = _header(game)
        self.state: State = RULESET.start(self.header)
        self.asked: tuple[Said, ...] = ()
        self.log: list[tuple[Move, int]] = []
        self.first = self.last = 0
        self.compared = 0
        self.differences: list[Difference] = []
        self.unexplained: list[int] = []
        self.waits: list[State] = []

    def go_to(self, first: int, last: int) -> None:
        """From the last moment of waiting to the next, as cheaply as the snapshot allows."""
        self.first, self.last = first, last
        new = (said(self.game.steps[n], n + 1) for n in range(first, last + 1) if not _is_repeated(self.game, n))
        start = _Way(self.state, (*self.asked, *filter(None, new)))
        way = self._cheapest(start)
        if way is None:
            way = self._nearest(start)
            self.unexplained.append(last + 1)
        self._take(way)

    def _take(self, way: _Way) -> None:
        self.log += [(move, line) for move, line in way.gone if move.is_written]
        self.state, self.asked = way.state, tuple(one for one in way.asked if one.is_open)
        self.compared += 1
        self.waits.append(self.state)
        if not agree(self.state, self._target.z):
            self.differences += differences(self.state, self._target.z, self.last + 1)

    @property
    def _target(self) -> Step:
        return self.game.steps[self.last]

    # The way to the next snapshot

    def _cheapest(self, start: _Way) -> _Way | None:
        """The rules' own way, else one the source is ahead of, else a deck laid otherwise, else a departure."""
        if way := self._at_price(start, 0, agree):
            return way
        if way := self._at_price(start, 0, is_ahead):
            self.ahead.append(self.last + 1)
            return way
        self._try_other_decks(start)
        return next(filter(None, (self._at_price(start, n, agree) for n in range(1, MOST_PRICE + 1))), None)

    def _at_price(self, start: _Way, budget: int, shows: Shows) -> _Way | None:
        ways = self._ways(start, budget)
        return next((way for way in ways if way.price == budget and self._has_come(way, shows)), None)

    def _try_other_decks(self, start: _Way) -> None:
        """Deck cards the source laid into several lines at once may have left the deck in another order."""
        for seat, deck in other_decks(start.state):
            side = replace(start.state.side(seat), deck=deck)
            way = self._at_price(replace(start, state=with_side(start.state, seat, side)), 0, agree)
            if way and laid_from_deck(way) > 1:
                raise DeckLaidOtherwise(Relaid(self.last, seat, start.state.side(seat).deck, deck))

    def _nearest(self, start: _Way) -> _Way:
        def apart(way: _Way) -> tuple[int, int]:
            return len(differences(way.state, self._target.z, 0)), len(way.asked)

        return min(self._ways(start, 0), key=apart)

    def _ways(self, start: _Way, budget: int) -> Iterator[_Way]:
        """Every way within the budget, depth first, the likeliest first."""
        seen: dict[tuple[State, int], int] = {}
        open_ways = [start]
        for _ in range(MOST_TRIED):
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

    def _further(self, way: _Way, move: Move) -> _Way:
        line = way.asked[0].at if move.settles else way.gone[-1][1] if way.gone else self.first + 1
        return _Way(
            RULESET.evolve(way.state, move.event), way.asked[move.settles :], (*way.gone, (move, line)),
            way.price + move.price,
        )  # fmt: skip

    def _has_come(self, way: _Way, shows: Shows) -> bool:
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
        if self.last + 1 == len(self.game.steps):
            return RULESET.forced(state) is None
        phase = PHASES.get(after.ph, after.ph)
        return frame is None and (state.player, state.phase) == (after.turn, phase) and RULESET.forced(state) is None

    # Chance

    def _new_deck(self, state: State, seat: str) -> tuple[str, ...]:
        """The order of a new deck: what was drawn from it at once, then what the next listing shows."""
        side = state.side(seat)
        listed = next((deck for deck in self._decks(seat) if set(deck) & set(side.trash)), ())
        kept = [card for card in listed if card in side.trash]
        return (*side.deck, *self._gone_again(seat, [card for card in side.trash if card not in listed]), *kept)

    def _gone_again(self, seat: str, cards: list[str]) -> list[str]:
        """Cards that left the new deck before it was listed, in the order in which they lie now."""
        side = self._target.z.side(seat)
        lying = [card_id(card) for card in (*side.hd, *(card for stack in side.ln for card in stack))]
        return sorted(cards, key=lambda card: lying.index(card) if card in lying else len(lying))

    def _decks(self, seat: str) -> Iterator[list[str]]:
        for step in self.game.steps[self.first : self.last + 1]:
            for inner in step.log:
                if (listed := inner.d.get(f"{seat}.dk")) is not None:
                    yield [card_id(card) for card in cast(list[str], listed)]
            yield [card_id(card) for card in step.z.side(seat).dk]

    # The log

    def result(self) -> Imported:
        """The log, ended by the victory if there is one."""
        if (forced := RULESET.forced(self.state)) and isinstance(forced[1], GameWon):
            self.log.append((Move(forced[1]), self.last + 1))
        return Imported(
            self.game.head.g,
            self.header,
            tuple(numbered(move.event, seq) for seq, (move, _) in enumerate(self.log, 1)),
            tuple(line for _, line in self.log),
            self.compared,
            tuple(self.differences),
            tuple(line for move, line in self.log if move.price),
            tuple(self.unexplained),
            tuple(self.waits),
        )


def _asks(frame: object, prompt: Prompt) -> bool:
    """Whether the same question is open here."""
    if prompt.src == "control":
        return isinstance(frame, Refreshing | Compiling) and frame.choice
    if not prompt.src:
        return isinstance(frame, Clearing)
    return isinstance(frame, Text) and frame.card == card_id(prompt.src)
