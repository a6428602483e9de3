"""The table as lines of text: what lies on the piles, and what each player has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from audit.catalogue import words
from audit.ruleset import Paint, plain

from example_game.catalogue import PACKAGE
from example_game.wording import word

View = Mapping[str, object]


def draw(view: View, language: str, paint: Paint = plain) -> list[str]:
    """The piles, then the players; a number stands for cards that the viewer may not see."""
    names = words(PACKAGE, language, "names")
    piles = cast(Sequence[object], view["piles"])
    sides = cast(Mapping[str, View], view["sides"])
    return [
        *(f"  {names['pile']} {number}: {_cards(pile, language)}" for number, pile in enumerate(piles, 1)),
        f"  {names['deck']}: {_count(view['deck'])}",
        *(
            f"{'▶' if view['player'] == seat else ' '} {paint('seat', seat)}  "
            f"{names['hand']}: {_cards(side['hand'], language)}  {names['taken']}: {_count(side['taken'])}"
            for seat, side in sides.items()
        ),
    ]


def _cards(cards: object, language: str) -> str:
    if isinstance(cards, int):
        return str(cards)
    return ", ".join(str(word(card, language)) for card in cast(Sequence[str], cards)) or "–"


def _count(cards: object) -> int:
    return cards if isinstance(cards, int) else len(cast(Sequence[str], cards))
