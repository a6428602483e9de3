"""The cards of Fire."""

from audit.games.compile.words import (
    another,
    as_many,
    at_end,
    at_least,
    before_covered,
    card,
    delete,
    discard,
    draw,
    flip,
    protocol,
    return_,
    uncovered,
)

FIRE = protocol(
    "fire",
    "main-1",
    card(0, middle=[flip(another()), draw(2)], bottom=[before_covered(draw(1), flip(another()))]),
    card(1, middle=[discard(1), delete(uncovered(), if_did="previous")]),
    card(2, middle=[discard(1), return_(uncovered(), if_did="previous")]),
    card(3, bottom=[at_end(discard(1, optional=True), flip(uncovered(), if_did="previous"))]),
    # With an empty hand nothing is discarded and 1 card is still drawn.
    card(4, middle=[discard(at_least(1)), draw(as_many(plus=1))]),
    card(5, middle=[discard(1)]),
)
