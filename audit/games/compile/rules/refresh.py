"""Refreshing: drawing up to five cards instead of playing one."""

from audit.core.catalogue import OBLIGATION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("refresh")

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

rule = Topic("cache")
"""Check Cache: the hand limit at the end of a turn."""

CACHE_FIVE_CARD_LIMIT = rule(
    "cache.five-card-limit",
    OBLIGATION,
    "cache_cleared discarded phase_began",
    terms="clear-cache check-cache discard hand",
    fr=at(83, "1 / Mémoire cache"),
    it=at(62, "Flusso di gioco / Fasi del turno", 154),
    pl=at((66, 68), "Przebieg rozgrywki / Przebieg tury", 273),
)
