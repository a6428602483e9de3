"""How a deck is built."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, Topic, at

rule = Topic("deck")

STANDARD = rule("altered.deck.standard", DEFINITION, "deck_registered", fr=at(119, "Multiplayer deck construction"))

SAME_HERO = rule("altered.deck.same-hero", PERMISSION, "deck_registered", fr=at(119, "Multiplayer deck construction"))

MIN_39 = rule("altered.deck.min-39", LIMIT, "deck_registered", fr=at(120, "Multiplayer deck construction"))

ONE_HERO = rule("altered.deck.one-hero", OBLIGATION, "deck_registered", fr=at(120, "Multiplayer deck construction"))

TOKENS_NOT_COUNTED = rule(
    "altered.deck.tokens-not-counted", LIMIT, "deck_registered", fr=at(121, "Multiplayer deck construction")
)

TOKENS_OUTSIDE = rule(
    "altered.deck.tokens-outside", PROCEDURE, "deck_registered", fr=at(121, "Multiplayer deck construction")
)

FACTION = rule("altered.deck.faction", OBLIGATION, "deck_registered", fr=at(122, "Multiplayer deck construction"))

COPIES = rule("altered.deck.copies", LIMIT, "deck_registered", fr=at(123, "Multiplayer deck construction"))

RARE = rule("altered.deck.rare", LIMIT, "deck_registered", fr=at((124, 125), "Multiplayer deck construction"))

UNIQUE = rule("altered.deck.unique", LIMIT, "deck_registered", fr=at((126, 127), "Multiplayer deck construction"))
