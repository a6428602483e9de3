"""Flipping cards."""

from audit.core.catalogue import DEFINITION, at, rule

TURNS_OVER = rule(
    "flip.turns-over",
    DEFINITION,
    "flipped",
    terms="flip face-up face-down",
    it=at(163, "Termini chiave / Voltare"),
    pl=at(261, "Kluczowe pojęcia / Odwróć"),
)
