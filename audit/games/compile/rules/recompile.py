"""Compiling a line whose protocol is compiled already."""

from audit.core.catalogue import PERMISSION, PROCEDURE, at, rule

POSSIBLE = rule(
    "recompile.possible",
    PROCEDURE,
    "recompiled",
    terms="recompile compiled-side",
    fr=at(95, "1 / Compiler"),
    it=at(71, "Azioni / Compilare"),
    pl=at((103, 106), "Akcje / Kompilacja"),
)

EMPTIES_LINE = rule(
    "recompile.empties-line",
    PROCEDURE,
    "recompiled deleted",
    terms="recompile delete line",
    it=at(71, "Azioni / Compilare", 156),
    pl=at((103, 105), "Akcje / Kompilacja"),
)

PROTOCOL_STAYS = rule(
    "recompile.protocol-stays",
    PROCEDURE,
    "recompiled",
    terms="recompile protocol-card",
    it=at(71, "Azioni / Compilare", 156),
    pl=at((105, 106), "Akcje / Kompilacja"),
)

REWARD = rule(
    "recompile.reward",
    PROCEDURE,
    "recompiled owner_changed drew",
    terms="recompile deck opponent",
    fr=at(95, "1 / Compiler"),
    it=at(71, "Azioni / Compilare", 156),
    pl=at((105, 106), "Akcje / Kompilacja"),
)

CARD_CHANGES_HANDS = rule(
    "recompile.card-changes-hands",
    PROCEDURE,
    "recompiled owner_changed",
    terms="recompile owner change-of-owner",
    fr=at(95, "1 / Compiler", 99),
    it=at(71, "Azioni / Compilare"),
    pl=at((106, 107), "Akcje / Kompilacja"),
)

CARD_FACE_DOWN_ANYWHERE = rule(
    "recompile.card-face-down-anywhere",
    PERMISSION,
    "played",
    terms="recompile play face-down",
    it=at(71, "Azioni / Compilare"),
)
