"""Situations that no other topic settles."""

from audit.core.catalogue import DEFINITION, Topic, at

rule = Topic("edge-cases")

ZERO_IS_EVEN = rule("edge.zero-is-even", DEFINITION, "resolved", terms="value", fr=at(159, "2 / Q9"))
