"""Where a Spell goes that is done.

The document does not say so. By the public glossary (2.4.6.d to f) it goes from Limbo to the Reserve, and a Fleeting
one, or one played from the Reserve, to the discard pile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from audit.games.altered.state import State
from audit.games.altered.texts import is_fleeting, moves_itself

End = Literal["reserve", "discard"]


def usual_end(state: State, card: str) -> End | None:
    """Where the Spell goes if its text does not send it elsewhere; None where nobody has told its text."""
    known = state.game.abilities.get(card)
    if known is None:
        return None
    traits = (*known, *state.game.statuses.get(card, ()))
    return "discard" if card in state.spells_from_reserve or is_fleeting(traits) else "reserve"


def end_of_spell(state: State, card: str) -> End | None:
    """Where the Spell goes by itself; None where its text is not told or not read, or may send it elsewhere."""
    known = state.game.abilities.get(card)
    return None if known is None or moves_itself(known) else usual_end(state, card)


def spells_done(state: State) -> Iterator[tuple[str, End]]:
    """The Spells in Limbo that go somewhere by themselves now, and where."""
    for side in state.sides:
        for card in side.spells:
            if (end := end_of_spell(state, card)) is not None:
                yield card, end


def is_done(state: State, card: str) -> bool:
    """Whether a Spell goes by itself, and all that its text does is told."""
    played = state.moment.resolving
    is_left = played is not None and card in played.names and played.deeds != ()
    is_open = any(one.source == card for one in state.open_effects)
    return end_of_spell(state, card) is not None and not (is_left or is_open)
