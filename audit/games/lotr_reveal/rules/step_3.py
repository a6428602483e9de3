"""Step 3: the card as a whole can be cancelled."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, TIMING, at

rule = partial(catalogue.rule, topic="step-3")

WINDOW = rule(
    "reveal.3.window",
    TIMING,
    events=("response_played", "window_passed"),
    terms=("cancel", "response-window", "response"),
    fr=at(20, "Étape 3"),
)

CANCEL_STOPS = rule(
    "reveal.3.cancel-stops",
    PROCEDURE,
    events=("card_cancelled", "reveal_ended"),
    terms=("cancel",),
    fr=at((21, 23), "Étape 3"),
)

CANCELLED_CARD_RESHUFFLED = rule(
    "reveal.3.cancelled-card-reshuffled",
    PROCEDURE,
    events=("card_cancelled", "card_moved"),
    terms=("cancel",),
    fr=at((21, 23), "Étape 3"),
)

REPLACEMENT = rule("reveal.3.replacement", OBLIGATION, events=("reveal_started",), fr=at((21, 23), "Étape 3"))

DOOR_IS_CLOSED = rule(
    "reveal.3.door-is-closed",
    TIMING,
    events=("response_played",),
    terms=("cancel", "response"),
    cards=("door-is-closed",),
    fr=at((24, 25), "Étape 3"),
)

EFFECT_DECIDES_WINDOW = rule(
    "reveal.3.effect-decides-window",
    PERMISSION,
    events=("response_played",),
    terms=("cancel", "response-window"),
    fr=at(25, "Étape 3"),
)

LAMPWRIGHT_DISCARD = rule(
    "reveal.3.lampwright-discard",
    OBLIGATION,
    events=("card_moved", "reveal_ended"),
    terms=("surge",),
    fr=at((26, 27), "Étape 3"),
)

LAMPWRIGHT_ONLY_ON_MATCH = rule(
    "reveal.3.lampwright-only-on-match",
    LIMIT,
    events=("card_moved", "reveal_ended"),
    terms=("surge",),
    derived=True,
    fr=at((26, 27), "Étape 3"),
)

LAMPWRIGHT_NO_REPLACEMENT = rule(
    "reveal.3.lampwright-no-replacement",
    DEFINITION,
    events=("reveal_ended", "reveal_started"),
    terms=("surge",),
    derived=True,
    fr=at((26, 27), "Étape 3"),
)
