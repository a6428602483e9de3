"""Shifting cards from line to line."""

from audit.core.catalogue import DEFINITION, PERMISSION, PROCEDURE, TIMING, at, rule

OTHER_LINE_SAME_SIDE = rule(
    "shift.other-line-same-side",
    DEFINITION,
    "shifted",
    terms="shift line side",
    fr=at(61, "1 / Déplacer une carte"),
    it=at(161, "Termini chiave / Spostare"),
    pl=at(265, "Kluczowe pojęcia / Przesuń"),
)

ENDS_UP_UNCOVERED = rule(
    "shift.ends-up-uncovered",
    PROCEDURE,
    "shifted landed covered",
    terms="shift uncovered stack",
    fr=at(61, "1 / Déplacer une carte"),
    it=at(161, "Termini chiave / Spostare"),
)

LAYS_BARE_CARD_BELOW = rule(
    "shift.lays-bare-card-below",
    TIMING,
    "shifted uncovered triggered",
    terms="shift uncovered committed",
    fr=at(61, "1 / Déplacer une carte", 37),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

PROTOCOL_DOES_NOT_MATTER = rule(
    "shift.protocol-does-not-matter",
    PERMISSION,
    "shifted",
    terms="shift face-up protocol",
    fr=at(63, "1 / Déplacer une carte"),
)
