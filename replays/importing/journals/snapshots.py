"""Compares snapshots of a journal with our positions.

While something is under way the source is ahead in ways of its own: a card that is leaving counts as arrived, one
on its way counts as placed, and the deck card held by a question lies nowhere. A position agrees with a snapshot if
it does so by one of these views of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from audit.games.compile import RULESET
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.moves import arrived, taken_from
from audit.games.compile.parts import movements, popped, with_line, with_side
from audit.games.compile.state import SEATS, CardsLeaving, PlacedCard, Side, State, Text
from audit.games.compile.texts import next_instruction
from audit.games.compile.totals import totals
from replays.importing.journals.reading import JournalStep, Shown, Snapshot, card_id

Zones = dict[str, object]
PHASES = {"hand_limit": "cache"}
"""The parts of a turn that the source calls otherwise."""
TOTALS = ".tv"
MAX_AHEAD = 6
"""How many steps the source may be ahead of an open question."""


class SnapshotDifference(Struct, frozen=True):
    """Where our field and a snapshot part: the journal's line (the header is 0), the zone, ours, theirs."""

    line: int
    zone: str
    ours: object
    theirs: object


def agree(state: State, snapshot: Snapshot) -> bool:
    """Whether the snapshot shows this position, by one of the source's views of it."""
    theirs = _theirs(snapshot)
    return any(_ours(view) == theirs for view in _views(state))


def is_ahead(state: State, snapshot: Snapshot) -> bool:
    """Whether the snapshot shows what lies under the open question as carried out before the question is answered."""
    theirs = _theirs(snapshot)
    return any(_ours(view) == theirs for view in _gone_on(state))


def _gone_on(state: State) -> Iterator[State]:
    if not state.stack or type(state.stack[-1]) is not Text:
        return
    state = resolve_automatic(popped(state))
    for _ in range(MAX_AHEAD):
        forced = RULESET.rules.forced(state) if state.stack else None
        if forced is None:
            return
        state = RULESET.rules.evolve(state, forced[1])
        yield from _views(state)


def differences(state: State, snapshot: Snapshot, line: int) -> tuple[SnapshotDifference, ...]:
    """Where they part, by the view that comes nearest."""
    theirs = _theirs(snapshot)
    found = [
        tuple(
            SnapshotDifference(line, zone, mine, theirs[zone])
            for zone, mine in _ours(view).items()
            if mine != theirs[zone]
        )
        for view in _views(state)
    ]
    return min(found, key=len)


def only_totals_differ(state: State, snapshot: Snapshot) -> bool:
    """Whether the snapshot shows this position with other totals: the source counts otherwise."""
    return all(found.zone.endswith(TOTALS) for found in differences(state, snapshot, 0))


def _views(state: State) -> Iterator[State]:
    """The position, and the ways in which the source is ahead of it."""
    yield state
    if not state.stack:
        return
    left = _left(state)
    yield left
    yield _landed(left)
    yield _held(left)


def _left(state: State) -> State:
    """Cards that are leaving have arrived."""
    for frame in state.stack:
        if type(frame) is CardsLeaving:
            state = arrived(state, frame.cards, frame.to)
    return state


def _landed(state: State) -> State:
    """Cards on their way lie in their line, in the order in which they were committed."""
    for movement in sorted(movements(state), key=lambda movement: movement.order):
        stack = state.side(movement.seat).lines[movement.line - 1]
        at = next((index for index, placed in enumerate(stack) if placed.card == movement.under), len(stack))
        state = with_line(
            state, movement.seat, movement.line, (*stack[:at], PlacedCard(movement.card, movement.up), *stack[at:])
        )
    return state


def _held(state: State) -> State:
    """The top card of the deck is in the hand of a question."""
    text = state.stack[-1]
    if type(text) is not Text or next_instruction(text).verb != "play" or next_instruction(text).source != "deck":
        return state
    side = state.side(text.seat)
    return with_side(state, text.seat, replace(side, deck=taken_from(side.deck, side.deck[:1])))


def _ours(state: State) -> Zones:
    shown: Zones = {"control": state.control}
    for seat in SEATS:
        side = state.side(seat)
        shown |= {
            f"{seat}.pr": list(side.protocols),
            f"{seat}.co": [int(name in side.compiled) for name in side.protocols],
            f"{seat}.ln": [[placed.card + ("" if placed.up else "*") for placed in stack] for stack in side.lines],
            f"{seat}.hd": sorted(side.hand),
            f"{seat}.dk": list(side.deck),
            f"{seat}.di": sorted(side.trash),
            seat + TOTALS: list(totals(state, seat)),
        }
    return shown


def _theirs(snapshot: Snapshot) -> Zones:
    shown: Zones = {"control": snapshot.ctl}
    for seat in SEATS:
        side = snapshot.side(seat)
        shown |= {
            f"{seat}.pr": [name.lower() for name in side.pr],
            f"{seat}.co": list(side.co),
            f"{seat}.ln": [[name.lower() for name in stack] for stack in side.ln],
            f"{seat}.hd": sorted(name.lower() for name in side.hd),
            f"{seat}.dk": [name.lower() for name in side.dk],
            f"{seat}.di": sorted(name.lower() for name in side.di),
            seat + TOTALS: list(side.tv),
        }
    return shown


def shown(before: State, step: JournalStep, turn: int) -> State:
    """The position that a snapshot shows where nothing is under way; who may not compile is known from before."""
    return State(
        _side(step.z.a),
        _side(step.z.b),
        turn=turn,
        player=step.after.turn,
        phase=PHASES.get(step.after.ph, step.after.ph),
        control=step.z.ctl,
        barred=before.barred,
        switches=before.switches,
    )


def _side(side: Shown) -> Side:
    protocols = tuple(name.lower() for name in side.pr)
    return Side(
        protocols,
        frozenset(name for name, is_compiled in zip(protocols, side.co, strict=True) if is_compiled),
        tuple(tuple(PlacedCard(card_id(card), not card.endswith("*")) for card in stack) for stack in side.ln),
        tuple(map(card_id, side.hd)),
        tuple(map(card_id, side.dk)),
        tuple(map(card_id, side.di)),
    )


def has_same_cards(snapshot: Snapshot, deal: Snapshot) -> bool:
    """Whether a snapshot shows every card of the deal once."""
    return sorted(_cards(snapshot)) == sorted(_cards(deal))


def _cards(snapshot: Snapshot) -> Iterator[str]:
    for side in (snapshot.a, snapshot.b):
        for cards in (side.hd, side.dk, side.di, *side.ln):
            yield from map(card_id, cards)
