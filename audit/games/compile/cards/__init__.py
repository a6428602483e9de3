"""The cards as facts: one file a set, declarations only; a card as it was before an erratum; the names of protocols."""

from __future__ import annotations

import re
from functools import cache

from audit.core.catalogue import LANGUAGES, words
from audit.core.typography import folded
from audit.games.compile.cards import aux_1, aux_2, main_1, main_2
from audit.games.compile.declarations import CardFacts, Protocol
from audit.games.compile.words import THIS, before_covered, card, delete, play

PROTOCOLS: dict[str, Protocol] = {
    each.name: each
    for cards in (main_1, aux_1, main_2, aux_2)
    for each in vars(cards).values()
    if isinstance(each, Protocol)
}

CARDS: dict[str, CardFacts] = {card.id: card for protocol in PROTOCOLS.values() for card in protocol.cards}

EARLIER: dict[str, tuple[str, CardFacts]] = {
    "life-0": (
        "2024-10",
        card(
            0,
            middle=[play(source="deck", in_lines="each_line_with_your_card")],
            bottom=[before_covered(delete(THIS))],
        ),
    ),
}
"""By card the edition that changed it, and its boxes before."""

PACKAGE = "audit.games.compile"
_LETTERS = re.compile(r"[^\W\d_]+")


@cache
def protocol_names() -> dict[str, tuple[str, ...]]:
    """What each name may mean, in small letters without accents: the protocols that have it in some language."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        names = words(PACKAGE, language, "names")
        for protocol in PROTOCOLS:
            for name in (protocol, names.get(f"protocol.{protocol}", protocol)):
                found.setdefault("".join(_LETTERS.findall(folded(name))), set()).add(protocol)
    return {name: tuple(sorted(protocols)) for name, protocols in found.items()}


def protocols_meant(word: str) -> tuple[str, ...]:
    """The protocols that have this name in some language; none where it is no protocol's."""
    return (word,) if word in PROTOCOLS else protocol_names().get(folded(word), ())
