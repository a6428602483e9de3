"""The cards of Peace."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    THIS,
    after_you_discard_in_opponents_turn,
    at_end,
    card,
    discard,
    draw,
    flip,
    play,
    protocol,
    uncovered,
    when,
)

PEACE = protocol(
    "peace",
    "main-2",
    card(1, middle=[discard(ALL, who="both")], bottom=[at_end(draw(1, condition=when("your_hand_empty")))]),
    card(2, middle=[draw(1), play(source="hand", at="any_line")]),
    # The flip does not depend on the discard.
    card(3, middle=[discard(1, optional=True), flip(uncovered(more_than="cards_in_your_hand"))]),
    card(4, bottom=[after_you_discard_in_opponents_turn(draw(1))]),
    card(5, middle=[discard(1)]),
    card(6, middle=[flip(THIS, condition=when("your_hand_above_1"))]),
)
