"""Turns gone by: noted from what is told of them where that is enough, and gone through event by event where not."""

from __future__ import annotations

from functools import reduce
from io import BytesIO
from random import Random

import pytest
from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile import RULESET
from audit.games.compile.events import (
    Chose,
    Committed,
    Compiled,
    ControlReset,
    ControlTaken,
    Covered,
    Deleted,
    Discarded,
    Drew,
    Face,
    Flipped,
    GameWon,
    Landed,
    OwnerChanged,
    PhaseBegan,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Returned,
    Revealed,
    Shifted,
    Triggered,
    TurnBegan,
    Uncovered,
)
from audit.games.compile.fast_replay.moves import note_turns
from audit.games.compile.fast_replay.places import Places, all_is_known
from audit.games.compile.game import RULES
from audit.games.compile.state import PlacedCard, Side, State
from bench.fuzz import MUTATIONS, seeds
from replays.generating.simulate import POLICIES, simulated
from replays.log.reader import open_log


def up(*cards: str) -> tuple[PlacedCard, ...]:
    return tuple(PlacedCard(card, up=True) for card in cards)


def down(*cards: str) -> tuple[PlacedCard, ...]:
    return tuple(PlacedCard(card, up=False) for card in cards)


A = Side(
    ("fire", "life", "speed"),
    lines=(up("fire-3"), (*down("life-0"), *up("life-1")), up("fire-0")),
    hand=("fire-5", "life-5"),
    deck=("speed-1", "speed-5", "life-2"),
    trash=("speed-4", "fire-4"),
)
B = Side(
    ("water", "metal", "light"),
    lines=(up("water-5"), up("metal-5"), (*up("light-5"), *down("light-0"))),
    hand=("water-1",),
    deck=("metal-1", "light-4"),
)
TABLE = State(A, B, turn=6, player="B", phase="end", control="A")

BEGINS = TurnBegan(seq=1, player="A", turn=7)
BEFORE = TurnBegan(seq=1, player="A", turn=5)
ENDS = TurnBegan(seq=99, player="B", turn=8)


def played(card: str, line: int, face: Face = "down", *between: Event, deck: bool = False) -> tuple[Event, ...]:
    """A card played by A, all three events."""
    told = Played(seq=2, player="A", card=card, line=line, face=face, from_="deck" if deck else "hand")
    return told, Committed(seq=3, card=card), *between, Landed(seq=4, card=card)


def shifted(card: str, to: int, *between: Event) -> tuple[Event, ...]:
    return Shifted(seq=2, card=card, to=to), Committed(seq=3, card=card), *between, Landed(seq=4, card=card)


def uncovered(card: str) -> Event:
    return Uncovered(seq=4, card=card)


def covered(card: str) -> Event:
    return Covered(seq=4, card=card)


def deleted(*cards: str) -> Event:
    return Deleted(seq=3, cards=cards)


RESET = ControlReset(seq=2, player="A")
KEPT = Chose(seq=2, player="A", what="rearrange", accept=False)
NEW_ORDER = Rearranged(seq=2, side="B", protocols=("metal", "light", "water"))
COMPILED = Compiled(seq=1, player="A", line=1)
LINE_1 = deleted("water-5", "fire-3")

TOLD: dict[str, tuple[Event, ...]] = {
    "nothing": (),
    "a card played": played("fire-5", 1),
    "a card played on another": played("fire-5", 1, "up", covered("fire-3")),
    "the top card of the deck played": played("speed-1", 2, deck=True),
    "a card played on one that has nothing to say face down": (
        Flipped(seq=2, card="fire-0", face="down"), *played("fire-5", 3, "up", covered("fire-0")),
    ),
    "a card shifted": shifted("fire-3", 2),
    "a shift that lays bare what is face down": shifted("life-1", 1, uncovered("life-0")),
    "a card flipped": (Flipped(seq=2, card="fire-3", face="down"),),
    "cards turned over, for which no face is told": (Flipped(seq=2, card="fire-3"), Flipped(seq=3, card="life-0")),
    "a draw": (Drew(seq=2, player="A", cards=("speed-1", "speed-5")),),
    "a draw from the other deck": (Drew(seq=2, player="A", cards=("metal-1",), deck="B"),),
    "a refresh": (Refreshed(seq=2, player="A"), RESET, KEPT, Drew(seq=3, player="A", cards=("speed-1",))),
    "a discard": (Discarded(seq=2, player="A", cards=("life-5", "fire-5")),),
    "a discard from the deck": (Discarded(seq=2, player="B", cards=("metal-1",), from_="deck"),),
    "a new deck of the trash": (Reshuffled(seq=2, player="A", deck=("fire-4", "speed-4")),),
    "a new deck, all of it told": (
        Reshuffled(seq=2, player="A", deck=("speed-1", "speed-5", "life-2", "speed-4", "fire-4")),
    ),
    "a deletion": (deleted("fire-3"),),
    "a deletion on both sides": (deleted("fire-3", "metal-5", "fire-0"),),
    "a deletion that lays bare what is face down": (deleted("life-1"), uncovered("life-0")),
    "a return": (Returned(seq=2, card="fire-3"),),
    "a return of two that lays one bare": (Returned(seq=2, cards=("metal-5", "light-0")), uncovered("light-5")),
    "control taken": (ControlTaken(seq=2, player="B"),),
    "protocols in a new order": (NEW_ORDER,),
    "a compile, control kept": (COMPILED, RESET, KEPT, LINE_1),
    "a compile, the protocols in a new order": (COMPILED, RESET, NEW_ORDER, LINE_1),
    "a compile without control": (
        ControlTaken(seq=1, player="B"), COMPILED, deleted("fire-3", "water-5"),
    ),
    "a recompile": (
        COMPILED, RESET, KEPT, LINE_1, *played("life-5", 1), Recompiled(seq=9, player="A", line=1), deleted("life-5"),
    ),
    "a card given": (OwnerChanged(seq=2, card="fire-5", from_="A", to="B", why="gave"),),
    "a card shown": (Revealed(seq=2, player="A", cards=("fire-5",), zone="hand"),),
    "a text that draws": (Triggered(seq=2, card="fire-0", command="middle"), Drew(seq=3, player="A", cards=())),
}  # fmt: skip
"""Turns that tell where every card goes."""

UNTOLD: dict[str, tuple[Event, ...]] = {
    "a card that never landed": played("fire-5", 1)[:2],
    "a card that was never committed": (played("fire-5", 1)[0], Landed(seq=3, card="fire-5")),
    "another card landed": (*played("fire-5", 1)[:2], Landed(seq=3, card="life-5")),
    "another card committed": (played("fire-5", 1)[0], *played("life-5", 1)[1:]),
    "a card that is not in the hand": played("fire-1", 1),
    "a covered card has something to say": played("fire-5", 3, "up", covered("fire-0")),
    "a shifted card that is not there": shifted("fire-1", 1),
    "a shift that lays bare a text": shifted("light-0", 1, uncovered("light-5")),
    "a flip that tells the card's name": (Flipped(seq=2, card="life-0", face="up", is_="life-2"),),
    "a flip of what is not there": (Flipped(seq=2, card="fire-1", face="up"),),
    "a draw of cards not named": (Drew(seq=2, player="A", count=2),),
    "a draw from further down": (Drew(seq=2, player="A", cards=("speed-5",)),),
    "a discard of what is not there": (Discarded(seq=2, player="A", cards=("fire-1",)),),
    "a new deck not told": (Reshuffled(seq=2, player="A"),),
    "a new deck of other cards": (Reshuffled(seq=2, player="A", deck=("fire-4", "fire-1")),),
    "a new deck with a card twice": (Reshuffled(seq=2, player="A", deck=("fire-4", "fire-4")),),
    "a deletion of what is not there": (deleted("fire-1"),),
    "a deletion of a card twice": (deleted("fire-3", "fire-3"),),
    "a deletion that lays bare a text": (deleted("light-0"), uncovered("light-5")),
    "a deletion that lays one bare, of which nothing is said": (deleted("life-1"),),
    "a compile, of whose control nothing is said": (COMPILED, LINE_1),
    "a compile, of whose control too little is said": (COMPILED, RESET, LINE_1),
    "a compile of half the line": (COMPILED, RESET, KEPT, deleted("fire-3")),
    "a compile of more than the line": (COMPILED, RESET, KEPT, deleted("fire-3", "water-5", "metal-5")),
    "a compile of a card twice": (COMPILED, RESET, KEPT, deleted("fire-3", "fire-3")),
    "a compile without a deletion": (COMPILED, RESET, KEPT),
    "a new order while the reward of a recompile is open": (
        COMPILED, RESET, KEPT, LINE_1, *played("life-5", 1), Recompiled(seq=9, player="A", line=1), deleted("life-5"),
        Rearranged(seq=10, side="A", protocols=("life", "fire", "speed")),
    ),
    "a hidden card shown": (Revealed(seq=2, player="A", cards=("?1",), is_=("fire-5",)),),
    "a reward that nobody drew": (OwnerChanged(seq=2, card="metal-1", from_="B", to="A", why="recompile"),),
    "a card played below another": (
        Triggered(seq=2, card="gravity-0", command="middle"), *played("speed-1", 1, deck=True),
    ),
    "the game is won": (GameWon(seq=2, player="A"),),
    "a player there is not": (ControlTaken(seq=2, player="B"), Drew(seq=3, player="C", cards=("metal-1",))),
}  # fmt: skip
"""Turns in which something is not told, or not by them alone."""


def turns(*told: Event, begins: Event = BEGINS) -> list[Event]:
    """The events as a turn, and another that begins after it."""
    return [begins, PhaseBegan(seq=1, phase="action"), *told, PhaseBegan(seq=98, phase="cache"), ENDS]


def as_each_event_makes_it(state: State, events: list[Event]) -> State:
    return reduce(RULESET.rules.evolve, events, state)


@pytest.mark.parametrize("told", [pytest.param(events, id=name) for name, events in TOLD.items()])
def test_a_turn_that_tells_where_every_card_goes_is_noted(told: tuple[Event, ...]) -> None:
    events = turns(*told)
    places = Places(TABLE)
    assert note_turns(places, iter(events)) == 1
    after, wanted = places.position(), as_each_event_makes_it(TABLE, events)
    assert (after.a, after.b, after.control) == (wanted.a, wanted.b, wanted.control)
    assert RULES.replay_to(TABLE, events) == wanted


@pytest.mark.parametrize("told", [pytest.param(events, id=name) for name, events in UNTOLD.items()])
def test_a_turn_that_does_not_is_taken_back_and_gone_through(told: tuple[Event, ...]) -> None:
    before = turns(Discarded(seq=2, player="A", cards=("life-5",)), begins=BEFORE)[:-1]
    events = turns(*told)
    places = Places(TABLE)
    assert note_turns(places, iter([*before, *events])) == len(events)
    assert places.position().a == as_each_event_makes_it(TABLE, before).a
    assert RULES.replay_to(TABLE, [*before, *events]) == as_each_event_makes_it(TABLE, [*before, *events])


def test_the_turn_that_is_not_over_is_gone_through_with_all_that_is_under_way() -> None:
    events = [*turns(begins=BEFORE)[:-1], *turns(*played("fire-5", 1, "up"))[:5]]
    after = RULES.replay_to(TABLE, events)
    assert after == as_each_event_makes_it(TABLE, events)
    assert after.stack


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"a": replace(A, hand=("?", "fire-5"))}, id="a card without a name"),
        pytest.param({"a": replace(A, hand=("?1", "fire-5"))}, id="a card with a handle"),
        pytest.param({"a": replace(A, hand=("fire-3", "fire-5"))}, id="a card in two places"),
        pytest.param({"switches": frozenset({"returns-commit"})}, id="another reading"),
    ],
)
def test_of_a_table_that_is_not_certain_every_event_is_gone_through(changed: dict[str, object]) -> None:
    table = replace(TABLE, **changed)
    events = turns(*played("fire-5", 1))
    assert all_is_known(TABLE)
    assert not all_is_known(table)
    assert RULES.replay_to(table, events) == as_each_event_makes_it(table, events)


def test_a_turn_that_ends_while_a_card_is_on_its_way_is_gone_through_and_the_next_is_noted() -> None:
    cut_short = turns(*played("fire-5", 1)[:1])[:-1]
    events = [*cut_short, *turns(Discarded(seq=2, player="A", cards=("life-5",)))]
    places = Places(TABLE)
    assert note_turns(places, iter(events)) == len(events)
    assert RULES.replay_to(TABLE, events) == as_each_event_makes_it(TABLE, events)


def test_a_turn_whose_heading_is_written_once_more_is_gone_through() -> None:
    told = Discarded(seq=2, player="A", cards=("life-5",))
    events = [*turns(begins=BEFORE)[:-1], BEGINS, PhaseBegan(seq=1, phase="action"), *turns(told)]
    places = Places(TABLE)
    assert note_turns(places, iter(events)) == len(events) - 3
    assert RULES.replay_to(TABLE, events) == as_each_event_makes_it(TABLE, events)


def test_nothing_becomes_of_no_events() -> None:
    assert RULES.replay_to(TABLE, []) == TABLE


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(12))
def test_of_a_game_told_in_full_hardly_any_turn_has_to_be_gone_through(seed: int) -> None:
    header, events = simulated(RULESET, seed, list(POLICIES)[seed % len(POLICIES)], complete=True)
    state, noted = RULESET.rules.start(header), 0
    starts = [index for index, event in enumerate(events) if type(event) is TurnBegan]
    for begin, end in zip(starts, [*starts[1:], len(events)], strict=True):
        position = as_each_event_makes_it(state, events[:begin])
        noted += note_turns(Places(position), iter([*events[begin:end], ENDS])) == 1
    assert noted > 0.85 * len(starts)


@pytest.mark.every("seed", range(20))
@pytest.mark.every("kind", [kind for kind in MUTATIONS if kind not in ("bytes", "values", "header")])
def test_whatever_is_wrong_with_a_log_the_position_is_that_of_its_events(kind: str, seed: int) -> None:
    random = Random(f"gone by {seed}")
    log = open_log(BytesIO(MUTATIONS[kind](random.choice(seeds("compile")), random)))
    state, events = log.ruleset.rules.start(log.header), list(log)
    assert isinstance(state, State)
    assert RULES.replay_to(state, events) == as_each_event_makes_it(state, events)


@pytest.mark.every("seed", range(40))
def test_two_events_told_in_the_wrong_order_change_nothing_about_that(seed: int) -> None:
    random = Random(seed)
    header, told = simulated(RULESET, seed % 4, "chains", most=500)
    state, events = RULESET.rules.start(header), list(told)
    for _ in range(3):
        at = random.randrange(len(events) - 1)
        events[at], events[at + 1] = events[at + 1], events[at]
    assert RULES.replay_to(state, events) == as_each_event_makes_it(state, events)
