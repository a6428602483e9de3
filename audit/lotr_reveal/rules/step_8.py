"""Step 8: the card enters play, or the discard pile."""

from audit.catalogue import OBLIGATION, PROCEDURE, at, rule

ENTER_PLAY = rule(
    "reveal.8.enter-play",
    PROCEDURE,
    "step-8",
    events=("card_moved",),
    fr=at(55, "Étape 8"),
)

TREACHERY_DISCARDED = rule(
    "reveal.8.treachery-discarded",
    OBLIGATION,
    "step-8",
    events=("card_moved",),
    terms=("treachery",),
    fr=at(55, "Étape 8"),
)

DEFAULT_STAGING_AREA = rule(
    "reveal.8.default-staging-area",
    PROCEDURE,
    "step-8",
    events=("card_moved",),
    fr=at(56, "Étape 8"),
)
