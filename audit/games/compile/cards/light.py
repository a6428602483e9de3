"""The cards of Light."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    THAT,
    VALUE_OF_THAT,
    at_end,
    card,
    choose,
    discard,
    draw,
    every,
    flip,
    protocol,
    reveal,
    shift,
    uncovered,
)

LIGHT = protocol(
    "light",
    "main-1",
    # Value read after the flip and its consequences; a card that reached the trash counts with its face-
    # up value, one that is hidden again counts 2.
    card(0, middle=[flip(uncovered()), draw(VALUE_OF_THAT)]),
    card(1, bottom=[at_end(draw(1))]),
    card(
        2,
        middle=[draw(2), reveal(uncovered(face="down")), choose([shift(THAT)], [flip(THAT)], optional=True)],
    ),
    # Both sides; the cards keep their relative order and stay on their own sides.
    card(3, middle=[shift(every(face="down", line="this"), count=ALL, together=True)]),
    card(4, middle=[reveal(who="opponent", count=ALL)]),
    card(5, middle=[discard(1)]),
)
