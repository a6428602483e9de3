"""Step 5: from here on the card counts as revealed."""

from audit.catalogue import DEFINITION, at, rule

COUNTS_AS_REVEALED = rule(
    "reveal.5.counts-as-revealed",
    DEFINITION,
    "step-5",
    events=("step_entered",),
    fr=at(40, "Étape 5"),
)
