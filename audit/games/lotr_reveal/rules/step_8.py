"""Step 8: the card enters play, or the discard pile."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import OBLIGATION, PROCEDURE, at

rule = partial(catalogue.rule, topic="step-8")

ENTER_PLAY = rule("reveal.8.enter-play", PROCEDURE, events=("card_moved",), fr=at(55, "Étape 8"))

TREACHERY_DISCARDED = rule(
    "reveal.8.treachery-discarded", OBLIGATION, events=("card_moved",), terms=("treachery",), fr=at(55, "Étape 8")
)

DEFAULT_STAGING_AREA = rule("reveal.8.default-staging-area", PROCEDURE, events=("card_moved",), fr=at(56, "Étape 8"))
