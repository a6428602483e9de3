"""Covered and uncovered: what changes when a card gets or loses a card on top."""

from audit.core.catalogue import DEFINITION, OBLIGATION, TIMING, Topic, at

rule = Topic("covered-uncovered")

COVERED_CARD = rule(
    "cover.covered-card",
    DEFINITION,
    "covered played shifted landed",
    terms="covered stack",
    it=at(123, "Regole / Carte annidate", 147),
    pl=at((187, 188), "Szczegółowe zasady gry", 274),
)

UNCOVERED_CARD = rule(
    "cover.uncovered-card",
    DEFINITION,
    "uncovered played shifted deleted",
    terms="uncovered stack",
    fr=at(45, "1 / Ciblage"),
    it=at(151, "Termini chiave / Non annidata", 123),
    pl=at(255, "Kluczowe pojęcia / Niezasłonięta"),
)

VALUE_AND_TOP_TEXT_STAY_VISIBLE = rule(
    "cover.value-and-top-text-stay-visible",
    OBLIGATION,
    "covered played shifted",
    terms="covered value top-command",
    checkable=False,
    it=at(123, "Regole / Carte annidate"),
    pl=at((188, 189), "Szczegółowe zasady gry"),
)

rule = Topic("cover-triggers")
"""Text that acts just before its card is covered."""

COVER_TRIGGER_BEFORE_COVERING = rule(
    "cover-trigger.before-covering",
    TIMING,
    "committed triggered resolved landed covered",
    terms="when-covered-trigger committed covered",
    fr=at(39, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

COVER_TRIGGER_ANY_WAY_OF_COVERING = rule(
    "cover-trigger.any-way-of-covering",
    TIMING,
    "committed triggered shifted played",
    terms="when-covered-trigger shift play",
    fr=at(39, "1 / Cartes engagées", implied=True),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)
