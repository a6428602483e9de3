"""The cards of War."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    THIS,
    after_opponent_compiles,
    after_opponent_discards,
    after_opponent_draws,
    after_opponent_refreshes,
    after_you_refresh,
    at_least,
    card,
    delete,
    discard,
    draw,
    flip,
    play,
    protocol,
    refresh,
    uncovered,
)

WAR = protocol(
    "war",
    "main-2",
    card(
        0,
        top=[after_you_refresh(flip(THIS, optional=True))],
        bottom=[after_opponent_draws(delete(uncovered(), optional=True))],
    ),
    card(1, bottom=[after_opponent_refreshes(discard(at_least(0)), refresh())]),
    card(2, middle=[flip(uncovered())], bottom=[after_opponent_compiles(discard(ALL, who="opponent"))]),
    card(3, middle=[draw(1)], bottom=[after_opponent_discards(play(source="hand", at="any_line", optional=True))]),
    card(4, middle=[discard(1, who="opponent")]),
    card(5, middle=[discard(1)]),
)
