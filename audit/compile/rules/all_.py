"""Effects that speak of all cards."""

from audit.catalogue import DEFINITION, TIMING, at, rule

INCLUDES_COVERED = rule(
    "all.includes-covered",
    DEFINITION,
    topic="all-vs-each",
    events=("resolved", "chose", "deleted"),
    terms=("all", "covered", "uncovered"),
    fr=at(175, "2 / Q13"),
    it=at(125, "Regole / Bersagli validi"),
    pl=at((195, 196), "Szczegółowe zasady gry"),
)

AT_ONCE = rule(
    "all.at-once",
    TIMING,
    topic="all-vs-each",
    events=("resolved",),
    terms=("all", "simultaneous"),
    fr=at(175, "2 / Q13"),
)
