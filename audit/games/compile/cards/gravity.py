"""The cards of Gravity."""

from audit.games.compile.words import THAT, card, discard, draw, flip, one_per, play, protocol, shift, uncovered

GRAVITY = protocol(
    "gravity",
    "main-1",
    # Count both stacks of the line, this card included; the number is fixed before the first card is
    # played.
    card(0, middle=[play(source="deck", at="under_this", count=one_per(2))]),
    card(1, middle=[draw(2), shift(uncovered(), to="to_or_from_this_line")]),
    # The flipped card is moved even if it has been covered meanwhile; it stays on its own side.
    card(2, middle=[flip(uncovered()), shift(THAT, to="this_line")]),
    card(4, middle=[shift(uncovered(face="down"), to="this_line")]),
    card(5, middle=[discard(1)]),
    card(6, middle=[play(source="deck", at="this_line", who="opponent")]),
)
