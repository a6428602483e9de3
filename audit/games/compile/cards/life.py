"""The cards of Life."""

from audit.games.compile.words import (
    THIS,
    THIS_COVERED,
    THIS_COVERING,
    at_end,
    before_covered,
    card,
    delete,
    discard,
    draw,
    flip,
    play,
    protocol,
    uncovered,
)

LIFE = protocol(
    "life",
    "main-1",
    # The line of this card is one of the lines; once this card is covered the rest of the middle box is
    # lost; an empty deck is not refilled for these plays.
    card(
        0,
        top=[at_end(delete(THIS, condition=THIS_COVERED))],
        middle=[play(source="deck", in_lines="each_line_with_your_card")],
    ),
    card(1, middle=[flip(uncovered()), flip(uncovered())]),
    card(2, middle=[draw(1), flip(uncovered(face="down"), optional=True)]),
    card(3, bottom=[before_covered(play(source="deck", at="another_line"))]),
    card(4, middle=[draw(1, condition=THIS_COVERING)]),
    card(5, middle=[discard(1)]),
)
