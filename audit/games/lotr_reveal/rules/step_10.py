"""Step 10: reactions to the card having entered play."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import PERMISSION, TIMING, at

rule = partial(catalogue.rule, topic="step-10")

AFTER_ENTERS_PLAY = rule(
    "reveal.10.after-enters-play", TIMING, events=("forced_resolved", "response_played"), fr=at(64, "Étape 10")
)

WINDOW = rule(
    "reveal.10.window",
    TIMING,
    events=("response_played", "window_passed"),
    terms=("response-window", "response"),
    fr=at(65, "Étape 10"),
)

FORCED_FIRST = rule(
    "reveal.10.forced-first",
    TIMING,
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(65, "Étape 10"),
)

FREE_ORDER_WITHIN = rule(
    "reveal.10.free-order-within",
    PERMISSION,
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(66, "Étape 10"),
)
