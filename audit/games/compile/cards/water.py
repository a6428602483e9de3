"""The cards of Water."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    THIS,
    another,
    card,
    discard,
    draw,
    every,
    flip,
    play,
    protocol,
    rearrange,
    return_,
    uncovered,
)

WATER = protocol(
    "water",
    "main-1",
    card(0, middle=[flip(another()), flip(THIS)]),
    # An empty deck is not refilled for these plays.
    card(1, middle=[play(source="deck", in_lines="each_other_line")]),
    card(2, middle=[draw(2), rearrange("you")]),
    # Face-down cards count with their face-down value.
    card(3, middle=[return_(every(line="chosen", values=(2,)), count=ALL)]),
    # This card is a legal choice, and the forced one when it is alone.
    card(4, middle=[return_(uncovered(owner="you"))]),
    card(5, middle=[discard(1)]),
)
