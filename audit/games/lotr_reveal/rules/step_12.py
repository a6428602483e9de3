"""Step 12: armed surges are served."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import LIMIT, OBLIGATION, TIMING, at

rule = partial(catalogue.rule, topic="step-12")

SURGE = rule(
    "reveal.12.surge", OBLIGATION, events=("reveal_started", "reveal_ended"), terms=("surge",), fr=at(70, "Étape 12")
)

ONE_AT_A_TIME = rule(
    "reveal.12.one-at-a-time", TIMING, events=("reveal_started",), terms=("surge",), fr=at(70, "Étape 12")
)

ONLY_ARMED = rule("reveal.12.only-armed", LIMIT, events=("reveal_started",), terms=("surge",), fr=at(70, "Étape 12"))
