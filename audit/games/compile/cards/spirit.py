"""The cards of Spirit."""

from audit.games.compile.words import (
    ANY_PROTOCOL_PLAY,
    SKIP_CACHE_CHECK,
    THIS,
    after_you_draw,
    at_start,
    card,
    choose,
    discard,
    draw,
    flip,
    protocol,
    refresh,
    shift,
    swap_protocols,
    uncovered,
)

SPIRIT = protocol(
    "spirit",
    "main-1",
    # A full refresh: the control component goes back and may be used first.
    card(0, middle=[refresh(), draw(1)], bottom=[SKIP_CACHE_CHECK]),
    card(1, top=[ANY_PROTOCOL_PLAY], middle=[draw(2)], bottom=[at_start(choose([discard(1)], [flip(THIS)]))]),
    card(2, middle=[flip(uncovered(), optional=True)]),
    card(3, top=[after_you_draw(shift(THIS, optional=True))]),
    card(4, middle=[swap_protocols("you")]),
    card(5, middle=[discard(1)]),
)
