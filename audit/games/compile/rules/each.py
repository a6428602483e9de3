"""Effects that speak of each card."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, at

rule = partial(catalogue.rule, topic="all-vs-each")

LEAVES_COVERED_OUT = rule(
    "each.leaves-covered-out", DEFINITION, events=("resolved",), terms=("each", "covered"), fr=at(177, "2 / Q13")
)
