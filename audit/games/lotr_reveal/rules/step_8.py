"""Step 8: the card enters play, or the discard pile."""

from audit.core.catalogue import OBLIGATION, PROCEDURE, Topic, at

rule = Topic("step-8")

ENTER_PLAY = rule("reveal.8.enter-play", PROCEDURE, "card_moved", fr=at(55, "Étape 8"))

TREACHERY_DISCARDED = rule(
    "reveal.8.treachery-discarded", OBLIGATION, "card_moved", terms="treachery", fr=at(55, "Étape 8")
)

DEFAULT_STAGING_AREA = rule("reveal.8.default-staging-area", PROCEDURE, "card_moved", fr=at(56, "Étape 8"))
