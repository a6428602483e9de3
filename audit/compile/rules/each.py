"""Effects that speak of each card."""

from audit.catalogue import DEFINITION, at, rule

LEAVES_COVERED_OUT = rule(
    "each.leaves-covered-out",
    DEFINITION,
    topic="all-vs-each",
    events=("resolved",),
    terms=("each", "covered"),
    fr=at(177, "2 / Q13"),
)
