"""What may be asked of a card, a protocol or a hand at the table, whether the rules allow it or not."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.model import Event
from audit.games.compile.events import Compiled, Deleted, Discarded, Flipped, Played, Refreshed, Returned, Shifted
from audit.games.compile.parts import side_of
from audit.games.compile.state import LINES, SEATS, UNKNOWN, State


def askable(state: State, key: str) -> Iterator[Event]:
    """What can be done with what has that key on the scene, the most usual first; nothing for any other key."""
    for seat in SEATS:
        side = side_of(state, seat)
        for line, stack in zip(LINES, side.lines, strict=True):
            yield from (event for placed in stack if placed.card == key for event in _of_field(key, placed.up, line))
        if key in side.hand and key != UNKNOWN:
            yield from _of_hand(seat, key)
        if key == f"{seat}.hand":
            yield Refreshed(seq=0, player=seat)
        yield from (Compiled(seq=0, player=seat, line=line) for line in LINES if key == f"{seat}.protocol.{line}")


def _of_field(card: str, up: bool, line: int) -> Iterator[Event]:
    yield Flipped(seq=0, card=card, face="down" if up else "up")
    yield Deleted(seq=0, cards=(card,))
    yield Returned(seq=0, card=card)
    yield from (Shifted(seq=0, card=card, to=other) for other in LINES if other != line)


def _of_hand(seat: str, card: str) -> Iterator[Event]:
    yield from (Played(seq=0, player=seat, card=card, line=line, face="up") for line in LINES)
    yield from (Played(seq=0, player=seat, card=card, line=line, face="down") for line in LINES)
    yield Discarded(seq=0, player=seat, cards=(card,))
