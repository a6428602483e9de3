"""Deleting cards from the field."""

from audit.core.catalogue import DEFINITION, OBLIGATION, TIMING, at, rule

FIELD_TO_TRASH = rule(
    "delete.field-to-trash",
    DEFINITION,
    "deleted",
    terms="delete field trash",
    fr=at(35, "1 / Cartes engagées", implied=True),
    it=at(148, "Termini chiave / Cancellare"),
    pl=at(268, "Kluczowe pojęcia / Usuń"),
)

WHOLE_LINE_IS_SILENT = rule(
    "delete.whole-line-is-silent",
    TIMING,
    "deleted uncovered triggered",
    terms="delete all simultaneous trigger",
    fr=at(149, "2 / Q7"),
)

SELF_WHILE_COVERED = rule(
    "delete.self-while-covered",
    OBLIGATION,
    "deleted shifted resolved",
    terms="delete shift top-command covered",
    cards="death-1",
    fr=at(137, "2 / Q4"),
)
