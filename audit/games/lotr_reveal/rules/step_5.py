"""Step 5: from here on the card counts as revealed."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, at

rule = partial(catalogue.rule, topic="step-5")

COUNTS_AS_REVEALED = rule("reveal.5.counts-as-revealed", DEFINITION, events=("step_entered",), fr=at(40, "Étape 5"))
