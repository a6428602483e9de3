"""The cards of Time."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import (
    THAT,
    THIS,
    after_you_shuffle,
    card,
    covered,
    discard,
    draw,
    flip,
    play,
    protocol,
    reveal,
    shift,
    shuffle_trash_into_deck,
    when,
)

TIME = protocol(
    "time",
    "main-2",
    card(0, middle=[play(source="trash", face="any", at="any_line"), shuffle_trash_into_deck()]),
    card(1, middle=[flip(covered()), discard(ALL, source="deck")]),
    card(
        2,
        top=[after_you_shuffle(draw(1), shift(THIS, optional=True))],
        middle=[shuffle_trash_into_deck(optional=True, condition=when("your_trash_not_empty"))],
    ),
    card(3, middle=[reveal(source="trash"), play(source="trash", target=THAT, at="another_line")]),
    card(4, middle=[draw(2), discard(2)]),
    card(5, middle=[discard(1)]),
)
