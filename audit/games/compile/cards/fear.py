"""The cards of Fear."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    NO_OPPOSING_MIDDLE_COMMANDS,
    as_many,
    card,
    choose,
    discard,
    draw,
    every,
    flip,
    protocol,
    return_,
    shift,
    uncovered,
)

FEAR = protocol(
    "fear",
    "main-2",
    card(0, top=[NO_OPPOSING_MIDDLE_COMMANDS], middle=[choose([shift(uncovered())], [flip(uncovered())])]),
    card(1, middle=[draw(2), discard(ALL, who="opponent"), draw(as_many(plus=-1), who="opponent")]),
    card(2, middle=[return_(uncovered(owner="opponent"))]),
    card(3, middle=[shift(every(owner="opponent", line="this"))]),
    card(4, middle=[discard(1, who="opponent", at_random=True)]),
    card(5, middle=[discard(1)]),
)
