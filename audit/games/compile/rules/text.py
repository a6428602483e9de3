"""Text that comes into sight, and what that sets off."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, PROHIBITION, TIMING, at

rule = partial(catalogue.rule, topic="text-entering-play")

WAYS_IN = rule(
    "text.ways-in",
    DEFINITION,
    events=("played", "flipped", "uncovered", "triggered"),
    terms=("effect", "play", "flip", "uncovered"),
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

MIDDLE_AT_ONCE = rule(
    "text.middle-at-once",
    TIMING,
    events=("played", "flipped", "uncovered", "resolved"),
    terms=("middle-command", "active-effect", "resolve"),
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

OUTER_BOXES_WHEN_THEY_SAY = rule(
    "text.outer-boxes-when-they-say",
    TIMING,
    events=("triggered", "resolved"),
    terms=("top-command", "bottom-command", "resolve"),
    fr=at(31, "1 / Texte entrant en jeu"),
)

COVERED_CARD_TURNED_UP = rule(
    "text.covered-card-turned-up",
    PROHIBITION,
    events=("flipped", "triggered", "resolved"),
    terms=("covered", "flip", "middle-command", "bottom-command"),
    fr=at(199, "2 / Q18"),
)
