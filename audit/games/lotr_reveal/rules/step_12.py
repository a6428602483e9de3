"""Step 12: armed surges are served."""

from audit.core.catalogue import LIMIT, OBLIGATION, TIMING, Topic, at

rule = Topic("step-12")

SURGE = rule("reveal.12.surge", OBLIGATION, "reveal_started reveal_ended", terms="surge", fr=at(70, "Étape 12"))

ONE_AT_A_TIME = rule("reveal.12.one-at-a-time", TIMING, "reveal_started", terms="surge", fr=at(70, "Étape 12"))

ONLY_ARMED = rule("reveal.12.only-armed", LIMIT, "reveal_started", terms="surge", fr=at(70, "Étape 12"))
