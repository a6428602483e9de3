"""The cards of Psychic."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    FACE_DOWN_PLAY_ONLY,
    THIS,
    at_end,
    at_start,
    card,
    discard,
    draw,
    flip,
    protocol,
    rearrange,
    return_,
    reveal,
    shift,
    uncovered,
)

PSYCHIC = protocol(
    "psychic",
    "main-1",
    card(0, middle=[draw(2), discard(2, who="opponent"), reveal(who="opponent", count=ALL)]),
    card(1, top=[FACE_DOWN_PLAY_ONLY], bottom=[at_start(flip(THIS))]),
    card(2, middle=[discard(2, who="opponent"), rearrange("opponent")]),
    card(3, middle=[discard(1, who="opponent"), shift(uncovered(owner="opponent"))]),
    card(4, bottom=[at_end(return_(uncovered(owner="opponent"), optional=True), flip(THIS, if_did="previous"))]),
    card(5, middle=[discard(1)]),
)
