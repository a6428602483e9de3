"""The cards of Love."""

from audit.games.compile.words import (
    at_end,
    card,
    discard,
    draw,
    flip,
    give,
    protocol,
    refresh,
    reveal,
    take,
    uncovered,
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
