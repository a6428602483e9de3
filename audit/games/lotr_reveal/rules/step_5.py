"""Step 5: from here on the card counts as revealed."""

from audit.core.catalogue import DEFINITION, Topic, at

rule = Topic("step-5")

COUNTS_AS_REVEALED = rule("reveal.5.counts-as-revealed", DEFINITION, "step_entered", fr=at(40, "Étape 5"))
