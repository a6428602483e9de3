"""The cards of Ice."""

from audit.games.compile.words import (
    NO_DRAW,
    NO_FLIP,
    THIS,
    THIS_COVERED,
    after_opponent_plays_in_this_line,
    another,
    at_end,
    card,
    discard,
    protocol,
    shift,
)

ICE = protocol(
    "ice",
    "main-2",
    card(
        1,
        middle=[shift(THIS, optional=True)],
        bottom=[after_opponent_plays_in_this_line(discard(1, who="opponent"))],
    ),
    card(2, middle=[shift(another())]),
    card(3, top=[at_end(shift(THIS, condition=THIS_COVERED, optional=True))]),
    card(4, bottom=[NO_FLIP]),
    card(5, middle=[discard(1)]),
    # Once for each draw: a refresh with an empty hand draws five.
    card(6, top=[NO_DRAW]),
)
