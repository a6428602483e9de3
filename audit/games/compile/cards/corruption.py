"""The cards of Corruption."""

from audit.games.compile.words import (
    ANY_SIDE_PLAY_OF_THIS,
    THAT,
    THIS,
    after_you_discard,
    at_end,
    at_start,
    before_return_to_opponent,
    card,
    choose,
    covered,
    delete,
    discard,
    draw,
    every,
    flip,
    protocol,
    put_on_deck,
    return_,
    uncovered,
)

CORRUPTION = protocol(
    "corruption",
    "main-2",
    card(
        0,
        top=[at_start(flip(every(face="up", line="this_stack", other=True)))],
        bottom=[ANY_SIDE_PLAY_OF_THIS],
    ),
    card(
        1,
        middle=[return_(uncovered())],
        bottom=[before_return_to_opponent(put_on_deck(THAT, into="opposing_deck", instead=True))],
    ),
    card(2, top=[after_you_discard(discard(1, who="opponent"))], middle=[draw(1), discard(1)]),
    card(3, middle=[flip(covered(face="up"), optional=True)]),
    card(5, middle=[discard(1)]),
    card(6, top=[at_end(choose([discard(1)], [delete(THIS)]))]),
)
