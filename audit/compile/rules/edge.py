"""Situations that no other topic settles."""

from audit.catalogue import DEFINITION, at, rule

ZERO_IS_EVEN = rule(
    "edge.zero-is-even",
    DEFINITION,
    topic="edge-cases",
    events=("resolved",),
    terms=("value",),
    fr=at(159, "2 / Q9"),
)
