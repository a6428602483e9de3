"""Step 5.0: revealed, and nothing of the card resolved yet."""

from audit.core.catalogue import TIMING, Topic, at

rule = Topic("step-5.0")

WINDOW = rule(
    "reveal.5.0.window",
    TIMING,
    "response_played window_passed",
    terms="keyword response-window response",
    fr=at(41, "Étape 5.0"),
)

NO_HASTY_JUDGEMENT = rule(
    "reveal.5.0.no-hasty-judgement",
    TIMING,
    "response_played",
    terms="response-window",
    cards="no-hasty-judgement",
    fr=at(41, "Étape 5.0"),
)
