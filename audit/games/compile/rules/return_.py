"""Returning cards from the field to a hand."""

from audit.core.catalogue import DEFINITION, at, rule

FIELD_TO_HAND = rule(
    "return.field-to-hand",
    DEFINITION,
    "returned",
    terms="return hand owner",
    fr=at(23, "1 / Effet de carte", implied=True),
    it=at(162, "Termini chiave / Tornare"),
    pl=at(278, "Kluczowe pojęcia / Zwróć"),
)
