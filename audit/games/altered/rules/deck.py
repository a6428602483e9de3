"""How a deck is built."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, Topic, at

rule = Topic("deck")

STANDARD = rule(
    "altered.deck.standard", DEFINITION, "deck_registered", fr=at(119, "À plusieurs / construction du deck")
)

SAME_HERO = rule(
    "altered.deck.same-hero", PERMISSION, "deck_registered", fr=at(119, "À plusieurs / construction du deck")
)

MIN_39 = rule("altered.deck.min-39", LIMIT, "deck_registered", fr=at(120, "À plusieurs / construction du deck"))

ONE_HERO = rule(
    "altered.deck.one-hero", OBLIGATION, "deck_registered", fr=at(120, "À plusieurs / construction du deck")
)

TOKENS_NOT_COUNTED = rule(
    "altered.deck.tokens-not-counted", LIMIT, "deck_registered", fr=at(121, "À plusieurs / construction du deck")
)

TOKENS_OUTSIDE = rule(
    "altered.deck.tokens-outside", PROCEDURE, "deck_registered", fr=at(121, "À plusieurs / construction du deck")
)

FACTION = rule("altered.deck.faction", OBLIGATION, "deck_registered", fr=at(122, "À plusieurs / construction du deck"))

COPIES = rule("altered.deck.copies", LIMIT, "deck_registered", fr=at(123, "À plusieurs / construction du deck"))

RARE = rule("altered.deck.rare", LIMIT, "deck_registered", fr=at((124, 125), "À plusieurs / construction du deck"))

UNIQUE = rule("altered.deck.unique", LIMIT, "deck_registered", fr=at((126, 127), "À plusieurs / construction du deck"))
