"""The cards of Assimilation."""

from audit.games.compile.words import (
    after_any_refresh,
    at_end,
    card,
    claim,
    discard,
    draw,
    every,
    play,
    protocol,
    refresh,
)

ASSIMILATION = protocol(
    "assimilation",
    "aux-2",
    # Not drawn; the card changes owner.
    card(0, middle=[claim(every(owner="opponent", face="down"))]),
    card(
        1,
        middle=[discard(1), refresh()],
        bottom=[after_any_refresh(draw(1, source="opposing_deck"), discard(1, into="opposing_trash"))],
    ),
    card(2, bottom=[at_end(play(source="opposing_deck", at="this_stack"))]),
    card(4, middle=[draw(1, source="opposing_deck"), draw(1, who="opponent", source="opposing_deck")]),
    card(5, middle=[discard(1)]),
    card(6, bottom=[at_end(play(source="deck", at="any_line", on_side="opponent"))]),
)
