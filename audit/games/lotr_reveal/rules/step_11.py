"""Step 11: reactions to the card having been revealed."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, PERMISSION, PROHIBITION, TIMING, at

rule = partial(catalogue.rule, topic="step-11")

AFTER_REVEALED = rule(
    "reveal.11.after-revealed", TIMING, events=("forced_resolved", "response_played"), fr=at(67, "Étape 11")
)

DISTINCT_FROM_10 = rule(
    "reveal.11.distinct-from-10", DEFINITION, events=("forced_resolved", "response_played"), fr=at(67, "Étape 11")
)

WINDOW = rule(
    "reveal.11.window",
    TIMING,
    events=("response_played", "window_passed"),
    terms=("response-window", "response"),
    fr=at(68, "Étape 11"),
)

FORCED_FIRST = rule(
    "reveal.11.forced-first",
    TIMING,
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(68, "Étape 11"),
)

FREE_ORDER_WITHIN = rule(
    "reveal.11.free-order-within",
    PERMISSION,
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(69, "Étape 11"),
)

NOT_FOR_PLACED = rule(
    "reveal.11.not-for-placed",
    PROHIBITION,
    events=("forced_resolved", "response_played"),
    terms=("placed",),
    derived=True,
    fr=at((5, 8), "Étape 11", 67),
)
