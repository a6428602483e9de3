"""The cards of Smoke."""

from audit.games.compile.words import THAT, card, covered, discard, flip, line_total, play, protocol, shift, uncovered

SMOKE = protocol(
    "smoke",
    "main-2",
    card(0, middle=[play(source="deck", in_lines="each_line_with_face_down_card")]),
    card(1, middle=[flip(uncovered(owner="you")), shift(THAT, optional=True)]),
    card(2, top=[line_total(1, per="face_down_cards_in_this_line")]),
    card(3, middle=[play(source="hand", at="line_with_face_down_card")]),
    card(4, middle=[shift(covered(face="down"))]),
    card(5, middle=[discard(1)]),
)
