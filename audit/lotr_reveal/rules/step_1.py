"""Step 1: the top card of the encounter deck is taken and read."""

from audit.catalogue import PROCEDURE, at, rule

TAKE_TOP = rule(
    "reveal.1.take-top",
    PROCEDURE,
    "step-1",
    events=("reveal_started",),
    fr=at((9, 10), "Étape 1"),
)

LOOK = rule(
    "reveal.1.look",
    PROCEDURE,
    "step-1",
    events=("reveal_started",),
    checkable=False,
    fr=at((9, 10), "Étape 1"),
)
