"""Step 12: armed surges are served."""

from audit.catalogue import LIMIT, OBLIGATION, TIMING, at, rule

SURGE = rule(
    "reveal.12.surge",
    OBLIGATION,
    "step-12",
    events=("reveal_started", "reveal_ended"),
    terms=("surge",),
    fr=at(70, "Étape 12"),
)

ONE_AT_A_TIME = rule(
    "reveal.12.one-at-a-time",
    TIMING,
    "step-12",
    events=("reveal_started",),
    terms=("surge",),
    fr=at(70, "Étape 12"),
)

ONLY_ARMED = rule(
    "reveal.12.only-armed",
    LIMIT,
    "step-12",
    events=("reveal_started",),
    terms=("surge",),
    fr=at(70, "Étape 12"),
)
