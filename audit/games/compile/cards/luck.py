"""The cards of Luck."""

from audit.games.compile.declarations import Matching
from audit.games.compile.words import (
    THAT,
    VALUE_OF_THAT,
    card,
    delete,
    discard,
    draw,
    every,
    flip,
    play,
    protocol,
    reveal,
    state_number,
    state_protocol,
    uncovered,
    when,
)

LUCK = protocol(
    "luck",
    "main-2",
    card(
        0,
        middle=[
            state_number(),
            draw(3),
            reveal(source="just_drawn", matching=Matching(stated=True)),
            play(source="just_drawn", target=THAT, face="any", at="any_line", optional=True),
        ],
    ),
    card(1, middle=[play(source="deck", at="any_line"), flip(THAT, ignores_middle=True)]),
    card(2, middle=[discard(1, source="deck"), draw(VALUE_OF_THAT)]),
    card(
        3,
        middle=[
            state_protocol(),
            discard(1, source="opposing_deck"),
            delete(uncovered(), condition=when("that_matches_stated_protocol")),
        ],
    ),
    card(4, middle=[discard(1, source="deck"), delete(every(same_value=True))]),
    card(5, middle=[discard(1)]),
)
