"""The cards of Courage."""

from audit.games.compile.words import (
    THIS,
    at_end,
    at_start,
    card,
    delete,
    discard,
    draw,
    flip,
    protocol,
    shift,
    uncovered,
    when,
)

COURAGE = protocol(
    "courage",
    "main-2",
    card(
        0,
        top=[at_start(draw(1, condition=when("your_hand_empty")))],
        middle=[draw(1)],
        bottom=[at_end(discard(1, optional=True), discard(1, who="opponent", if_did="previous"))],
    ),
    card(1, middle=[delete(uncovered(owner="opponent", line="chosen", line_lead="opponent"))]),
    card(2, middle=[draw(1)], bottom=[at_end(draw(1, condition=when("opponent_leads_this_line")))]),
    card(3, bottom=[at_end(shift(THIS, to="opponents_highest_total_line", optional=True))]),
    card(5, middle=[discard(1)]),
    card(6, top=[at_end(flip(THIS, condition=when("opponent_leads_this_line")))]),
)
