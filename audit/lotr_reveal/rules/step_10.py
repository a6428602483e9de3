"""Step 10: reactions to the card having entered play."""

from audit.catalogue import PERMISSION, TIMING, at, rule

AFTER_ENTERS_PLAY = rule(
    "reveal.10.after-enters-play",
    TIMING,
    "step-10",
    events=("forced_resolved", "response_played"),
    fr=at(64, "Étape 10"),
)

WINDOW = rule(
    "reveal.10.window",
    TIMING,
    "step-10",
    events=("response_played", "window_passed"),
    terms=("response-window", "response"),
    fr=at(65, "Étape 10"),
)

FORCED_FIRST = rule(
    "reveal.10.forced-first",
    TIMING,
    "step-10",
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(65, "Étape 10"),
)

FREE_ORDER_WITHIN = rule(
    "reveal.10.free-order-within",
    PERMISSION,
    "step-10",
    events=("forced_resolved", "response_played"),
    terms=("forced", "response"),
    fr=at(66, "Étape 10"),
)
