"""Step 10: reactions to the card having entered play."""

from audit.core.catalogue import PERMISSION, TIMING, Topic, at

rule = Topic("step-10")

AFTER_ENTERS_PLAY = rule(
    "reveal.10.after-enters-play", TIMING, "forced_resolved response_played", fr=at(64, "Étape 10")
)

WINDOW = rule(
    "reveal.10.window", TIMING, "response_played window_passed", terms="response-window response", fr=at(65, "Étape 10")
)

FORCED_FIRST = rule(
    "reveal.10.forced-first", TIMING, "forced_resolved response_played", terms="forced response", fr=at(65, "Étape 10")
)

FREE_ORDER_WITHIN = rule(
    "reveal.10.free-order-within",
    PERMISSION,
    "forced_resolved response_played",
    terms="forced response",
    fr=at(66, "Étape 10"),
)
