"""What the players of a game are called in sentences: by their names, where the header of a log tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from audit.core.model import Header, Player

Players = Mapping[str, str]
"""Seats, each with what its player is called. A seat that is missing is called by itself."""

BY_SEAT: Players = {}
"""Nobody has told a name."""

LONGEST = 32
"""So many letters of a name are said: a sentence has to stay readable."""


def player_names(header: Header | None) -> Players:
    """What to call the player at each seat of a log."""
    return names_of(header.players if header else ())


def names_of(players: Iterable[Player]) -> Players:
    """What to call each of these players.

    Two players never share a name: where their names are alike, or one is called like the seat of another, the seat
    is said too.
    """
    players = tuple(players)
    names = {player.seat: name for player in players if (name := _said(player.name))}
    seats = {player.seat.casefold() for player in players}
    often = Counter(name.casefold() for name in names.values())
    return {
        seat: f"{name} ({seat})" if _is_mistakable(seat, name.casefold(), often, seats) else name
        for seat, name in names.items()
    }


def _said(name: str) -> str:
    """A name on one line."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _is_mistakable(seat: str, name: str, often: Mapping[str, int], seats: set[str]) -> bool:
    return often[name] > 1 or (name in seats and name != seat.casefold())
