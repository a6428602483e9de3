"""Step 6: the When Revealed effect can be cancelled."""

from audit.core.catalogue import LIMIT, OBLIGATION, PROCEDURE, TIMING, Topic, at

rule = Topic("step-6")

WINDOW = rule(
    "reveal.6.window",
    TIMING,
    "response_played window_passed",
    terms="cancel response-window response",
    fr=at((50, 51), "Étape 6"),
)

TEST_OF_WILL = rule(
    "reveal.6.test-of-will", LIMIT, "response_played when_revealed_resolved", cards="test-of-will", fr=at(52, "Étape 6")
)

SKIPS_ONLY_7 = rule(
    "reveal.6.skips-only-7",
    PROCEDURE,
    "response_played step_entered card_moved when_revealed_resolved",
    terms="cancel",
    fr=at(52, "Étape 6"),
)

ELEANOR_SKIPS_7 = rule(
    "reveal.6.eleanor-skips-7",
    PROCEDURE,
    "response_played when_revealed_resolved",
    cards="eleanor",
    fr=at(53, "Étape 6"),
)

ELEANOR_FINISH_FIRST = rule(
    "reveal.6.eleanor-finish-first", TIMING, "reveal_started card_moved", terms="surge", fr=at(53, "Étape 6")
)

ELEANOR_DISCARD_AND_REVEAL = rule(
    "reveal.6.eleanor-discard-and-reveal", OBLIGATION, "card_moved reveal_started", terms="cancel", fr=at(53, "Étape 6")
)
