"""Refreshing: drawing up to five cards instead of playing one."""

from audit.core.catalogue import PROCEDURE, PROHIBITION, TIMING, at, rule

UP_TO_FIVE = rule(
    "refresh.up-to-five",
    PROCEDURE,
    "refreshed drew",
    terms="refresh draw hand",
    fr=at(71, "1 / Rafraichir"),
    it=at(69, "Azioni / Ricarica", 155),
    pl=at((86, 87), "Akcje / Uzupełnianie kart na ręce", (270, 271)),
)

ONLY_UNDER_FIVE = rule(
    "refresh.only-under-five",
    PROHIBITION,
    "refreshed",
    terms="refresh hand",
    fr=at(191, "2 / Q16"),
    it=at(69, "Azioni / Ricarica"),
    pl=at((89, 90), "Akcje / Uzupełnianie kart na ręce"),
)

NO_EXCHANGE = rule(
    "refresh.no-exchange",
    PROHIBITION,
    "refreshed discarded",
    terms="refresh discard hand",
    fr=at(73, "1 / Rafraichir", 191),
)

SHORT_DECK = rule(
    "refresh.short-deck",
    PROCEDURE,
    "refreshed reshuffled drew",
    terms="refresh reshuffle deck trash",
    fr=at(71, "1 / Rafraichir"),
    it=at(69, "Azioni / Ricarica"),
    pl=at((87, 89), "Akcje / Uzupełnianie kart na ręce"),
)

NOTHING_LEFT = rule(
    "refresh.nothing-left", PROCEDURE, "refreshed drew", terms="refresh draw deck trash", fr=at(71, "1 / Rafraichir")
)

COUNTS_AS_DRAWING = rule(
    "refresh.counts-as-drawing",
    TIMING,
    "refreshed drew triggered",
    terms="refresh draw trigger",
    fr=at(75, "1 / Rafraichir"),
)
