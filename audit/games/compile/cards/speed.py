"""The cards of Speed."""

from audit.games.compile.words import (
    THIS,
    after_you_clear_cache,
    another,
    at_end,
    before_compile_delete,
    card,
    discard,
    draw,
    flip,
    play,
    protocol,
    shift,
    uncovered,
)

SPEED = protocol(
    "speed",
    "main-1",
    card(0, middle=[play(source="hand", face="any", at="any_line")]),
    card(1, top=[after_you_clear_cache(draw(1))], middle=[draw(2)]),
    # Only this card escapes; the compile goes on as if its value were still there.
    card(2, top=[before_compile_delete(shift(THIS))]),
    card(
        3,
        middle=[shift(another(owner="you"))],
        bottom=[at_end(shift(uncovered(owner="you"), optional=True), flip(THIS, if_did="previous"))],
    ),
    card(4, middle=[shift(uncovered(owner="opponent", face="down"))]),
    card(5, middle=[discard(1)]),
)
