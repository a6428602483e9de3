"""Rounds: what is known of the table ends with a staging step, unless the log goes on telling it."""

from __future__ import annotations

from msgspec.structs import replace

from audit.games.lotr_reveal.lookup import is_over
from audit.games.lotr_reveal.state import State
from audit.games.lotr_reveal.zones import ready_again, with_sources


def is_staging_over(state: State) -> bool:
    """Whether every player has revealed a card in this staging step."""
    return len(state.staged) >= len(state.setup.seats)


MAX_THREAT = 50
"""At this threat a player may be out of the game: the document does not say, so nothing is asked of them."""


def still_to_reveal(state: State) -> tuple[str, ...]:
    """The players who have not revealed a card in the staging step under way, in turn from the first player.

    A log may begin in the middle of a staging step: those before the first one told may have revealed before.
    """
    if not state.staged or is_over(state):
        return ()
    seats = in_turn(state)
    is_told_from_start = state.roots > len(state.staged) or state.staged[0] not in seats
    left = seats if is_told_from_start else seats[seats.index(state.staged[0]) :]
    return tuple([seat for seat in left if seat not in state.staged and state.threat.get(seat, 0) < MAX_THREAT])


def in_turn(state: State) -> tuple[str, ...]:
    """The players in turn, from the first player on."""
    seats = state.setup.seats
    first = seats.index(state.first)
    return (*seats[first:], *seats[:first])


def with_nothing_told(state: State) -> State:
    """Between two staging steps characters ready and commit anew; until somebody tells, nobody knows which."""
    if not state.staged:
        return state
    characters, sources = state.characters, state.sources
    if any(one.ready is not None for one in characters.values()):
        characters = {name: replace(one, ready=None) for name, one in characters.items()}
    state = replace(state, characters=characters, staged=())
    if any(source.commits and source.committed is not None for source in sources.values()):
        known = [(name, replace(one, committed=None) if one.commits else one) for name, one in sources.items()]
        state = with_sources(state, dict(known))
    return ready_again(state)


def staging(state: State, player: str) -> State:
    """The position as that player begins to reveal for the staging step; a second card of theirs is of a new round."""
    state = with_nothing_told(state) if player in state.staged else state
    return replace(state, staged=(*state.staged, player))
