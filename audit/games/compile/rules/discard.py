"""Discarding cards."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PROCEDURE, TIMING, at, rule

FROM_HAND = rule(
    "discard.from-hand",
    DEFINITION,
    "discarded",
    terms="discard hand trash",
    fr=at(125, "2 / Q2"),
    it=at(159, "Termini chiave / Scartare"),
    pl=at(256, "Kluczowe pojęcia / Odrzuć"),
)

PLAYER_PICKS = rule("discard.player-picks", PROCEDURE, "discarded chose", terms="discard hand", fr=at(125, "2 / Q2"))

EMPTY_HAND = rule(
    "discard.empty-hand",
    PROCEDURE,
    "discarded resolved",
    terms="discard hand",
    fr=at(17, "1 / Effet de carte", implied=True),
    it=at(159, "Termini chiave / Scartare"),
)

ONE_EVENT_PER_INSTRUCTION = rule(
    "discard.one-event-per-instruction", TIMING, "discarded triggered", terms="discard trigger", fr=at(127, "2 / Q2")
)

DECK_COUNTS_TOO = rule(
    "discard.deck-counts-too",
    TIMING,
    "discarded triggered",
    terms="discard deck trigger",
    cards="plague-1",
    fr=at(145, "2 / Q6"),
)

TRASH_IS_FACE_UP = rule(
    "discard.trash-is-face-up",
    OBLIGATION,
    "discarded deleted",
    terms="discard delete trash face-up owner",
    fr=at(125, "2 / Q2", 206, 210),
    it=at(133, "Regole / Scarti"),
    pl=at((224, 225), "Szczegółowe zasady gry"),
)
