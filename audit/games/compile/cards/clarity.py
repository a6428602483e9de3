"""The cards of Clarity."""

from audit.games.compile.declarations import ALL, Matching
from audit.games.compile.words import (
    at_start,
    before_covered,
    card,
    discard,
    draw,
    line_total,
    play,
    protocol,
    reveal,
    shuffle_deck,
    shuffle_trash_into_deck,
)

CLARITY = protocol(
    "clarity",
    "main-2",
    card(0, top=[line_total(1, per="cards_in_your_hand")]),
    card(
        1,
        top=[at_start(reveal(source="deck"), discard(1, source="deck", optional=True))],
        middle=[reveal(who="opponent", count=ALL)],
        bottom=[before_covered(draw(3))],
    ),
    card(
        2,
        middle=[
            reveal(source="deck", count=ALL),
            draw(1, matching=Matching(values=(1,))),
            shuffle_deck(),
            play(source="hand", matching=Matching(values=(1,)), face="any", at="any_line"),
        ],
    ),
    card(3, middle=[reveal(source="deck", count=ALL), draw(1, matching=Matching(values=(5,))), shuffle_deck()]),
    card(4, middle=[shuffle_trash_into_deck(optional=True)]),
    card(5, middle=[discard(1)]),
)
