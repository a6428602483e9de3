"""Meetings, tie-breaks, players who leave, and the end."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.altered.events import MeetingDetected, PlayerLeft, TiebreakStarted, WinnerDeclared
from audit.altered.evolve.common import Moves, less
from audit.altered.places import where
from audit.altered.state import EXPEDITIONS, State


def met(state: State, event: MeetingDetected) -> State:
    """A player's expeditions stand in one region."""
    return replace(state, met=(*state.met, (event.player, event.surplus)))


def tiebreak(state: State, event: TiebreakStarted) -> State:
    """Another day is called for those who qualified."""
    return replace(state, called=event.qualified)


def left(state: State, event: PlayerLeft) -> State:
    """A player is out of the game; the expeditions opposite theirs now face each other.

    The token stays where it was until the next morning hands it on.
    """
    faces = without_player(state.faces, event.player)
    return replace(state, still_in=less(state.still_in, event.player), faces=faces)


def without_player(faces: Mapping[str, str], seat: str) -> dict[str, str]:
    """The ring of facings without one player: the two expeditions that faced theirs face each other."""
    own = [where(seat, name) for name in EXPEDITIONS]
    ends = [faces[place] for place in own if place in faces and faces[place] not in own]
    kept = {one: other for one, other in faces.items() if one not in own and other not in own}
    if len(ends) == 2:
        kept |= {ends[0]: ends[1], ends[1]: ends[0]}
    return kept


def won(state: State, event: WinnerDeclared) -> State:
    """The game is over."""
    return replace(state, outcome=event.side)


MOVES: Moves = {MeetingDetected: met, TiebreakStarted: tiebreak, PlayerLeft: left, WinnerDeclared: won}
