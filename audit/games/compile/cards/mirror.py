"""The cards of Mirror."""

from audit.games.compile.words import (
    after_opponent_draws,
    at_end,
    card,
    discard,
    draw,
    flip,
    line_total,
    protocol,
    resolve_middle,
    swap_stacks,
    uncovered,
)

MIRROR = protocol(
    "mirror",
    "main-2",
    card(0, top=[line_total(1, per="opposing_cards_in_this_line")]),
    card(1, bottom=[at_end(resolve_middle(uncovered(owner="opponent", face="up"), optional=True))]),
    card(2, middle=[swap_stacks("you")]),
    card(3, middle=[flip(uncovered(owner="you")), flip(uncovered(owner="opponent", line="same_as_that"))]),
    card(4, bottom=[after_opponent_draws(draw(1))]),
    card(5, middle=[discard(1)]),
)
