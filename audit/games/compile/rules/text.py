"""Text that comes into sight, and what that sets off."""

from audit.core.catalogue import DEFINITION, PROHIBITION, TIMING, Topic, at

rule = Topic("text-entering-play")

WAYS_IN = rule(
    "text.ways-in",
    DEFINITION,
    "played flipped uncovered triggered",
    terms="effect play flip uncovered",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

MIDDLE_AT_ONCE = rule(
    "text.middle-at-once",
    TIMING,
    "played flipped uncovered resolved",
    terms="middle-command active-effect resolve",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

OUTER_BOXES_WHEN_THEY_SAY = rule(
    "text.outer-boxes-when-they-say",
    TIMING,
    "triggered resolved",
    terms="top-command bottom-command resolve",
    fr=at(31, "1 / Texte entrant en jeu"),
)

COVERED_CARD_TURNED_UP = rule(
    "text.covered-card-turned-up",
    PROHIBITION,
    "flipped triggered resolved",
    terms="covered flip middle-command bottom-command",
    fr=at(199, "2 / Q18"),
)
