"""Situations that no other topic settles."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, at

rule = partial(catalogue.rule, topic="edge-cases")

ZERO_IS_EVEN = rule("edge.zero-is-even", DEFINITION, events=("resolved",), terms=("value",), fr=at(159, "2 / Q9"))
