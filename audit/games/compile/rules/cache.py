"""Check Cache: the hand limit at the end of a turn."""

from audit.core.catalogue import OBLIGATION, at, rule

FIVE_CARD_LIMIT = rule(
    "cache.five-card-limit",
    OBLIGATION,
    "cache_cleared discarded phase_began",
    terms="clear-cache check-cache discard hand",
    fr=at(83, "1 / Mémoire cache"),
    it=at(62, "Flusso di gioco / Fasi del turno", 154),
    pl=at((66, 68), "Przebieg rozgrywki / Przebieg tury", 273),
)
