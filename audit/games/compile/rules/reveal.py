"""Revealing hidden cards."""

from audit.core.catalogue import DEFINITION, PROHIBITION, at, rule

SHOW_AND_PUT_BACK = rule(
    "reveal.show-and-put-back",
    DEFINITION,
    "revealed",
    terms="reveal face-down private-information",
    fr=at((131, 133), "2 / Q3"),
    it=at(158, "Termini chiave / Rivelare"),
    pl=at((258, 259), "Kluczowe pojęcia / Odsłoń"),
)

WAKES_NOTHING = rule(
    "reveal.wakes-nothing",
    PROHIBITION,
    "revealed triggered resolved",
    terms="reveal effect trigger",
    fr=at(133, "2 / Q3", implied=True),
    it=at(158, "Termini chiave / Rivelare"),
)
