"""Step 1: the top card of the encounter deck is taken and read."""

from audit.core.catalogue import PROCEDURE, Topic, at

rule = Topic("step-1")

TAKE_TOP = rule("reveal.1.take-top", PROCEDURE, "reveal_started", fr=at((9, 10), "Étape 1"))

LOOK = rule("reveal.1.look", PROCEDURE, "reveal_started", checkable=False, fr=at((9, 10), "Étape 1"))
