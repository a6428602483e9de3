"""What happens when a deck runs out."""

from audit.core.catalogue import PROCEDURE, PROHIBITION, Topic, at

rule = Topic("deck-empty")

RESHUFFLE_ON_DRAW = rule(
    "deck.reshuffle-on-draw",
    PROCEDURE,
    "reshuffled drew",
    terms="reshuffle deck trash draw",
    fr=at(153, "2 / Q8"),
    it=at(137, "Regole / Mazzo vuoto, pescare, giocare dalla cima", 160),
    pl=at((230, 232), "Szczegółowe zasady gry"),
)

ONLY_DRAWING_RESHUFFLES = rule(
    "deck.only-drawing-reshuffles",
    PROHIBITION,
    "reshuffled",
    terms="reshuffle draw refresh",
    fr=at(155, "2 / Q8"),
    it=at(137, "Regole / Mazzo vuoto, pescare, giocare dalla cima"),
    pl=at((232, 235), "Szczegółowe zasady gry"),
)

TOP_CARD_EFFECTS_FAIL = rule(
    "deck.top-card-effects-fail",
    PROHIBITION,
    "resolved played discarded revealed",
    terms="deck play discard reveal",
    fr=at(155, "2 / Q8"),
    it=at(137, "Regole / Mazzo vuoto, pescare, giocare dalla cima"),
    pl=at((234, 235), "Szczegółowe zasady gry"),
)
