"""The cards of the first auxiliary set."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    NO_MIDDLE_COMMANDS,
    THIS,
    after_you_delete,
    at_end,
    before_covered,
    card,
    covered,
    delete,
    discard,
    draw,
    every,
    flip,
    give,
    line_total,
    protocol,
    refresh,
    reveal,
    take,
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

HATE = protocol(
    "hate",
    "aux-1",
    card(0, middle=[delete(uncovered())]),
    # The deletions do not depend on the discards.
    card(1, middle=[discard(3), delete(uncovered()), delete(uncovered())]),
    # When this card is itself the one deleted first, the second instruction is lost.
    card(
        2,
        middle=[
            delete(uncovered(owner="you", rank="highest")),
            delete(uncovered(owner="opponent", rank="highest")),
        ],
    ),
    # Whether the deletions of your own compile count is not settled by the sources: open.
    card(3, top=[after_you_delete(draw(1))]),
    card(4, bottom=[before_covered(delete(covered(line="this", rank="lowest")))]),
    card(5, middle=[discard(1)]),
)

LOVE = protocol(
    "love",
    "aux-1",
    # A card drawn from the opposing deck, or given, changes owner.
    card(
        1,
        middle=[draw(1, source="opposing_deck")],
        bottom=[at_end(give(optional=True), draw(2, if_did="previous"))],
    ),
    # The French erratum quotes the refresh alone; every card list has the draw by the opponent before it,
    # kept.
    card(2, middle=[draw(1, who="opponent"), refresh()]),
    # The card given may be the one just taken.
    card(3, middle=[take(), give()]),
    card(4, middle=[reveal(), flip(uncovered())]),
    card(5, middle=[discard(1)]),
    card(6, middle=[draw(2, who="opponent")]),
)
