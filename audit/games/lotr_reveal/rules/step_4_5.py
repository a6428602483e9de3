"""Step 4.5: responses to what the passive effects did."""

from audit.core.catalogue import PROHIBITION, TIMING, Topic, at

rule = Topic("step-4.5")

WINDOW = rule(
    "reveal.4.5.window",
    TIMING,
    "response_played window_passed",
    terms="passive response-window response",
    fr=at(39, "Étape 4.5"),
)

WINGED_FEET = rule(
    "reveal.4.5.winged-feet",
    TIMING,
    "response_played",
    terms="response-window",
    cards="winged-feet",
    fr=at(39, "Étape 4.5"),
)

NOT_IF_DEFEATED = rule(
    "reveal.4.5.not-if-defeated", PROHIBITION, "response_played", terms="response-window", fr=at(39, "Étape 4.5")
)

READY_BEFORE_STEP_7 = rule(
    "reveal.4.5.ready-before-step-7",
    TIMING,
    "response_played when_revealed_resolved",
    terms="treachery",
    fr=at(39, "Étape 4.5"),
)
