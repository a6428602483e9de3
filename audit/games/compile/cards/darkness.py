"""The cards of Darkness."""

from audit.games.compile.words import (
    THAT,
    card,
    covered,
    discard,
    draw,
    face_down_value,
    flip,
    play,
    protocol,
    shift,
    uncovered,
)

DARKNESS = protocol(
    "darkness",
    "main-1",
    card(0, middle=[draw(3), shift(covered(owner="opponent"))]),
    card(1, middle=[flip(uncovered(owner="opponent")), shift(THAT, optional=True)]),
    # The fixed value holds for your stack in this line only, not for the opposing stack.
    card(2, top=[face_down_value(4)], middle=[flip(covered(line="this"), optional=True)]),
    card(3, middle=[play(source="hand", at="another_line")]),
    card(4, middle=[shift(uncovered(face="down"))]),
    card(5, middle=[discard(1)]),
)
