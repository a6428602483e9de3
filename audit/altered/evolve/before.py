"""Before the first day: who plays, with what, and where."""

from __future__ import annotations

from msgspec.structs import replace

from audit.altered.decks import check, size
from audit.altered.events import (
    BoardPlaced,
    CommunicationAgreed,
    DeckRegistered,
    ExpeditionsFaced,
    FirstPlayerDrawn,
    GameConfigured,
    Seated,
    TeamFormed,
)
from audit.altered.evolve.common import Moves
from audit.altered.places import where
from audit.altered.state import EXPEDITIONS, Cards, Side, State, Tumult


def configured(state: State, event: GameConfigured) -> State:
    """The mode and the players, where the setup has not named them."""
    state = _with_players(state, event.players) if not state.seats else state
    faces = state.faces or _duel(state.seats if event.mode == "duel" else ())
    distance = event.meet_distance or state.distance
    return replace(state, box=replace(state.box, mode=event.mode), faces=faces, distance=distance)


def registered(state: State, event: DeckRegistered) -> State:
    """How many cards a deck has, and whether it obeys the rules."""
    return replace(
        state,
        deck_sizes={**state.deck_sizes, event.player: size(event.cards)},
        decks_legal={**state.decks_legal, event.player: not check(event.heroes, event.cards, event.tokens)},
    )


def team_formed(state: State, event: TeamFormed) -> State:
    """One team more."""
    others = tuple(team for team in state.teams if team[0] != event.team)
    return replace(state, teams=(*others, (event.team, event.players)))


def seated(state: State, event: Seated) -> State:
    """The players in their order round the table."""
    if not state.seats:
        return _with_players(state, event.order)
    if set(event.order) != set(state.seats):
        return state
    sides = tuple(state.side(seat) for seat in event.order)
    still_in = tuple(seat for seat in event.order if seat in state.still_in)
    return replace(state, seats=event.order, sides=sides, still_in=still_in)


def first_drawn(state: State, event: FirstPlayerDrawn) -> State:
    """Who holds the token."""
    return replace(state, first=event.player)


def board_placed(state: State, event: BoardPlaced) -> State:
    """Tumult cards in the centre are remembered; the rest of the board is the setup's."""
    if event.piece != "tumult" or event.place != "centre":
        return state
    known = state.tumult.get("centre", Tumult(()))
    return replace(state, tumult={**state.tumult, "centre": replace(known, cards=event.cards)})


def faced(state: State, event: ExpeditionsFaced) -> State:
    """Which expeditions are opposite each other."""
    pairs = [(one, other) for pair in event.pairs for one, other in (pair, pair[::-1])]
    return replace(state, faces={**state.faces, **dict(pairs)})


def agreed(state: State, event: CommunicationAgreed) -> State:
    """Nothing changes on the table."""
    return state


def _with_players(state: State, players: Cards) -> State:
    new = Side(reserve=(), landmarks=(), hero=(), companion=(), hero_at=0, companion_at=0)
    return replace(state, seats=players, sides=(new,) * len(players), still_in=players)


def _duel(seats: Cards) -> dict[str, str]:
    if len(seats) != 2:
        return {}
    pairs = [(where(seats[0], name), where(seats[1], name)) for name in EXPEDITIONS]
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


MOVES: Moves = {
    GameConfigured: configured,
    DeckRegistered: registered,
    TeamFormed: team_formed,
    Seated: seated,
    FirstPlayerDrawn: first_drawn,
    BoardPlaced: board_placed,
    ExpeditionsFaced: faced,
    CommunicationAgreed: agreed,
}
