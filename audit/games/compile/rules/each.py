"""Effects that speak of each card."""

from audit.core.catalogue import DEFINITION, Topic, at

rule = Topic("all-vs-each")

LEAVES_COVERED_OUT = rule(
    "each.leaves-covered-out", DEFINITION, "resolved", terms="each covered", fr=at(177, "2 / Q13")
)
