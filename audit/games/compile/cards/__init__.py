"""The cards as facts: one file a set, declarations only."""

from audit.games.compile.cards import aux_1, aux_2, main_1, main_2
from audit.games.compile.declarations import CardFacts, Protocol

PROTOCOLS: dict[str, Protocol] = {
    each.name: each
    for cards in (main_1, aux_1, main_2, aux_2)
    for each in vars(cards).values()
    if isinstance(each, Protocol)
}

CARDS: dict[str, CardFacts] = {card.id: card for protocol in PROTOCOLS.values() for card in protocol.cards}
