"""Effects that speak of all cards."""

from audit.core.catalogue import DEFINITION, TIMING, Topic, at

rule = Topic("all-vs-each")

INCLUDES_COVERED = rule(
    "all.includes-covered",
    DEFINITION,
    "resolved chose deleted",
    terms="all covered uncovered",
    fr=at(175, "2 / Q13"),
    it=at(125, "Regole / Bersagli validi"),
    pl=at((195, 196), "Szczegółowe zasady gry"),
)

AT_ONCE = rule("all.at-once", TIMING, "resolved", terms="all simultaneous", fr=at(175, "2 / Q13"))
