"""Playing a card: from where, into which line, with which face."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROHIBITION, at, rule

ON_OWN_SIDE = rule(
    "play.on-own-side",
    OBLIGATION,
    "played",
    terms="play side line",
    it=at(67, "Azioni / Gioca"),
    pl=at((75, 76), "Akcje / Zagranie karty", (82, 83)),
)

FACE_CHOSEN_BY_PLAYER = rule(
    "play.face-chosen-by-player",
    PERMISSION,
    "played",
    terms="play face-up face-down",
    fr=at(11, "1 / Jouer une carte"),
    it=at(67, "Azioni / Gioca"),
    pl=at(76, "Akcje / Zagranie karty"),
)

FACE_UP_NEEDS_PROTOCOL = rule(
    "play.face-up-needs-protocol",
    OBLIGATION,
    "played",
    terms="play face-up protocol line",
    fr=at(11, "1 / Jouer une carte"),
    it=at(67, "Azioni / Gioca"),
    pl=at((76, 77), "Akcje / Zagranie karty"),
)

FACE_DOWN_ANY_LINE = rule(
    "play.face-down-any-line",
    PERMISSION,
    "played",
    terms="play face-down line",
    fr=at(11, "1 / Jouer une carte"),
    it=at(67, "Azioni / Gioca"),
    pl=at((82, 83), "Akcje / Zagranie karty"),
)

MIDDLE_TEXT_RESOLVED = rule(
    "play.middle-text-resolved",
    OBLIGATION,
    "played resolved",
    terms="play middle-command resolve",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(67, "Azioni / Gioca"),
    pl=at((79, 80), "Akcje / Zagranie karty"),
)

OUTER_BOXES_PASSIVE = rule(
    "play.outer-boxes-passive",
    DEFINITION,
    "played triggered resolved",
    terms="passive-effect top-command bottom-command",
    it=at(67, "Azioni / Gioca"),
    pl=at((80, 81), "Akcje / Zagranie karty"),
)

FROM_DECK_SAME_RULE = rule(
    "play.from-deck-same-rule",
    OBLIGATION,
    "played",
    terms="play deck face-up face-down",
    fr=at(13, "1 / Jouer une carte"),
)

FROM_DECK_UNSEEN = rule(
    "play.from-deck-unseen",
    PROHIBITION,
    "played looked",
    terms="play deck face-down private-information",
    fr=at(141, "2 / Q5", 79),
)

WITHOUT_USEFUL_EFFECT = rule(
    "play.without-useful-effect", PERMISSION, "played resolved", terms="play effect", fr=at(17, "1 / Effet de carte")
)
