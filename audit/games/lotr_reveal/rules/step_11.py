"""Step 11: reactions to the card having been revealed."""

from audit.core.catalogue import DEFINITION, PERMISSION, PROHIBITION, TIMING, Topic, at

rule = Topic("step-11")

AFTER_REVEALED = rule("reveal.11.after-revealed", TIMING, "forced_resolved response_played", fr=at(67, "Étape 11"))

DISTINCT_FROM_10 = rule(
    "reveal.11.distinct-from-10", DEFINITION, "forced_resolved response_played", fr=at(67, "Étape 11")
)

WINDOW = rule(
    "reveal.11.window", TIMING, "response_played window_passed", terms="response-window response", fr=at(68, "Étape 11")
)

FORCED_FIRST = rule(
    "reveal.11.forced-first", TIMING, "forced_resolved response_played", terms="forced response", fr=at(68, "Étape 11")
)

FREE_ORDER_WITHIN = rule(
    "reveal.11.free-order-within",
    PERMISSION,
    "forced_resolved response_played",
    terms="forced response",
    fr=at(69, "Étape 11"),
)

NOT_FOR_PLACED = rule(
    "reveal.11.not-for-placed",
    PROHIBITION,
    "forced_resolved response_played",
    terms="placed",
    derived=True,
    fr=at((5, 8), "Étape 11", 67),
)
