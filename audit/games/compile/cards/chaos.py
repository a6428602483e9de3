"""The cards of Chaos."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    ANY_PROTOCOL_PLAY_OF_THIS,
    as_many,
    at_end,
    at_start,
    card,
    covered,
    discard,
    draw,
    flip,
    protocol,
    rearrange,
    shift,
)

CHAOS = protocol(
    "chaos",
    "main-2",
    card(
        0,
        middle=[flip(covered(), in_lines="each_line")],
        bottom=[at_start(draw(1, source="opposing_deck"), draw(1, who="opponent", source="opposing_deck"))],
    ),
    card(1, middle=[rearrange("you"), rearrange("opponent")]),
    card(2, middle=[shift(covered(owner="you"))]),
    # Only where this card is played, not others.
    card(3, bottom=[ANY_PROTOCOL_PLAY_OF_THIS]),
    card(4, bottom=[at_end(discard(ALL), draw(as_many()))]),
    card(5, middle=[discard(1)]),
)
