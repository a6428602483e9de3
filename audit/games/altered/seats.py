"""Who sits where: initiative, teams, who comes after whom."""

from __future__ import annotations

from typing import Final

from audit.games.altered.game_data import Cards
from audit.games.altered.state import HERO, NOBODY, RESERVE, Expedition, Side, State


def side_of(state: State, seat: str) -> Side:
    """What belongs to that player; nothing is known of somebody who is not at the table."""
    for at, other in enumerate(state.seats):
        if other == seat:
            return state.sides[at]
    return NOBODY


def characters_of(side: Side, expedition: str) -> Expedition | None:
    """The same as `side.characters`, for the rules."""
    return side.hero if expedition == HERO else side.companion


def advance_of(side: Side, expedition: str) -> int | None:
    """The same as `side.advance`, for the rules."""
    return side.hero_advance if expedition == HERO else side.companion_advance


def held_in(side: Side, zone: str) -> Cards | None:
    """The same as `side.zone`, for the rules."""
    return side.reserve if zone == RESERVE else side.landmarks


def initiative(state: State) -> Cards:
    """Those still in, from the first player on, clockwise."""
    seats, first, still_in = state.seats, state.first_player, state.still_in
    known = _INITIATIVE[0]
    if known[0] is seats and known[1] is first and known[2] is still_in:
        return known[3]
    if first is None or first not in seats:
        return still_in
    start = seats.index(first)
    found = tuple([seat for seat in seats[start:] + seats[:start] if seat in still_in])
    _INITIATIVE[0] = (seats, first, still_in, found)
    return found


_INITIATIVE: Final[list[tuple[Cards, str | None, Cards, Cards]]] = [((), None, (), ())]
"""The order that was asked for last, and what it follows from."""


def after(state: State, seat: str, out: Cards = ()) -> str | None:
    """The next player clockwise who is still in and not among those out; the same one again if nobody else is."""
    if seat not in state.seats:
        return None
    start = state.seats.index(seat) + 1
    order = state.seats[start:] + state.seats[:start]
    for other in order:
        if other in state.still_in and other not in out:
            return other
    return None


def team_of(state: State, seat: str) -> str | None:
    """The team of a player, where there are teams."""
    return next((name for name, members in state.teams if seat in members), None)


def is_mate(state: State, seat: str, other: str) -> bool:
    """Whether two different players are on one team."""
    return seat != other and (team := team_of(state, seat)) is not None and team == team_of(state, other)


def opponents(state: State, seat: str) -> Cards:
    """Everybody still in who is neither the player nor a team-mate."""
    return tuple(other for other in state.still_in if other != seat and not is_mate(state, seat, other))


def side_names(state: State) -> Cards:
    """Who can win: the teams, or the players still in."""
    return tuple(name for name, _ in state.teams) or state.still_in


def members(state: State, side: str) -> Cards:
    """The players of a side still in: a team's, or the player alone."""
    return tuple(seat for seat in dict(state.teams).get(side, (side,)) if seat in state.still_in)


def first_turn(state: State) -> str | None:
    """Whose turn it is when an afternoon begins: the first in initiative order who has not passed."""
    if not state.first_player:
        return None
    return next((seat for seat in initiative(state) if seat not in state.passed), None)


def are_neighbours(state: State, seat: str, other: str) -> bool:
    """Whether two players sit side by side, as far as is known."""
    if seat not in state.still_in or other not in state.still_in:
        return True
    distance = abs(state.still_in.index(seat) - state.still_in.index(other))
    return distance in (1, len(state.still_in) - 1)
