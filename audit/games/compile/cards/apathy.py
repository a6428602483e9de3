"""The cards of Apathy."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    NO_MIDDLE_COMMANDS,
    THIS,
    before_covered,
    card,
    covered,
    discard,
    every,
    flip,
    line_total,
    protocol,
    uncovered,
)

APATHY = protocol(
    "apathy",
    "aux-1",
    # Face-down cards of both sides count, covered ones too.
    card(0, top=[line_total(1, per="face_down_cards_in_this_line")]),
    card(1, middle=[flip(every(face="up", line="this", other=True), count=ALL)]),
    card(2, top=[NO_MIDDLE_COMMANDS], bottom=[before_covered(flip(THIS))]),
    card(3, middle=[flip(uncovered(owner="opponent", face="up"))]),
    card(4, middle=[flip(covered(owner="you", face="up"), optional=True)]),
    card(5, middle=[discard(1)]),
)
