"""Step 3: the card as a whole can be cancelled."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, TIMING, Topic, at

rule = Topic("step-3")

WINDOW = rule(
    "reveal.3.window",
    TIMING,
    "response_played window_passed",
    terms="cancel response-window response",
    fr=at(20, "Étape 3"),
)

CANCEL_STOPS = rule(
    "reveal.3.cancel-stops", PROCEDURE, "card_cancelled reveal_ended", terms="cancel", fr=at((21, 23), "Étape 3")
)

CANCELLED_CARD_RESHUFFLED = rule(
    "reveal.3.cancelled-card-reshuffled",
    PROCEDURE,
    "card_cancelled card_moved",
    terms="cancel",
    fr=at((21, 23), "Étape 3"),
)

REPLACEMENT = rule("reveal.3.replacement", OBLIGATION, "reveal_started", fr=at((21, 23), "Étape 3"))

DOOR_IS_CLOSED = rule(
    "reveal.3.door-is-closed",
    TIMING,
    "response_played",
    terms="cancel response",
    cards="door-is-closed",
    fr=at((24, 25), "Étape 3"),
)

EFFECT_DECIDES_WINDOW = rule(
    "reveal.3.effect-decides-window",
    PERMISSION,
    "response_played",
    terms="cancel response-window",
    fr=at(25, "Étape 3"),
)

LAMPWRIGHT_DISCARD = rule(
    "reveal.3.lampwright-discard", OBLIGATION, "card_moved reveal_ended", terms="surge", fr=at((26, 27), "Étape 3")
)

LAMPWRIGHT_ONLY_ON_MATCH = rule(
    "reveal.3.lampwright-only-on-match",
    LIMIT,
    "card_moved reveal_ended",
    terms="surge",
    derived=True,
    fr=at((26, 27), "Étape 3"),
)

LAMPWRIGHT_NO_REPLACEMENT = rule(
    "reveal.3.lampwright-no-replacement",
    DEFINITION,
    "reveal_ended reveal_started",
    terms="surge",
    derived=True,
    fr=at((26, 27), "Étape 3"),
)
