"""Rounds: what is known of the table ends with a staging step, unless the log goes on telling it."""

from __future__ import annotations

from msgspec.structs import replace

from audit.lotr_reveal.state import State
from audit.lotr_reveal.zones import with_sources


def is_staging_over(state: State) -> bool:
    """Whether every player has revealed a card in this staging step."""
    return len(state.staged) >= len(state.setup.seats)


def with_nothing_told(state: State) -> State:
    """Between two staging steps characters ready and commit anew; until somebody tells, nobody knows which."""
    if not state.staged:
        return state
    characters = {name: replace(one, ready=None) for name, one in state.characters.items()}
    sources = {
        name: replace(source, committed=None) if source.commits else source for name, source in state.sources.items()
    }
    return with_sources(replace(state, characters=characters, staged=()), sources)


def staging(state: State, player: str) -> State:
    """The position as that player begins to reveal for the staging step; a second card of theirs is of a new round."""
    state = with_nothing_told(state) if player in state.staged else state
    return replace(state, staged=(*state.staged, player))
