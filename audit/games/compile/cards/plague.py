"""The cards of Plague."""

from audit.games.compile.declarations import EACH
from audit.games.compile.words import (
    NO_PLAY,
    THIS,
    after_opponent_discards,
    another,
    as_many,
    at_end,
    at_least,
    card,
    delete,
    discard,
    draw,
    flip,
    protocol,
    uncovered,
)

PLAGUE = protocol(
    "plague",
    "main-1",
    card(0, middle=[discard(1, who="opponent")], bottom=[NO_PLAY]),
    # Discards from a deck count too; one draw per discard event, however many cards it moved.
    card(1, top=[after_opponent_discards(draw(1))], middle=[discard(1, who="opponent")]),
    # With an empty hand the opponent still discards 1.
    card(2, middle=[discard(at_least(1)), discard(as_many(plus=1), who="opponent")]),
    card(3, middle=[flip(another(face="up"), count=EACH)]),
    # The opponent picks which of their cards goes.
    card(
        4,
        bottom=[at_end(delete(uncovered(owner="opponent", face="down"), who="opponent"), flip(THIS, optional=True))],
    ),
    card(5, middle=[discard(1)]),
)
