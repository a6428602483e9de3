"""Step 6: the When Revealed effect can be cancelled."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import LIMIT, OBLIGATION, PROCEDURE, TIMING, at

rule = partial(catalogue.rule, topic="step-6")

WINDOW = rule(
    "reveal.6.window",
    TIMING,
    events=("response_played", "window_passed"),
    terms=("cancel", "response-window", "response"),
    fr=at((50, 51), "Étape 6"),
)

TEST_OF_WILL = rule(
    "reveal.6.test-of-will",
    LIMIT,
    events=("response_played", "when_revealed_resolved"),
    cards=("test-of-will",),
    fr=at(52, "Étape 6"),
)

SKIPS_ONLY_7 = rule(
    "reveal.6.skips-only-7",
    PROCEDURE,
    events=("response_played", "step_entered", "card_moved", "when_revealed_resolved"),
    terms=("cancel",),
    fr=at(52, "Étape 6"),
)

ELEANOR_SKIPS_7 = rule(
    "reveal.6.eleanor-skips-7",
    PROCEDURE,
    events=("response_played", "when_revealed_resolved"),
    cards=("eleanor",),
    fr=at(53, "Étape 6"),
)

ELEANOR_FINISH_FIRST = rule(
    "reveal.6.eleanor-finish-first",
    TIMING,
    events=("reveal_started", "card_moved"),
    terms=("surge",),
    fr=at(53, "Étape 6"),
)

ELEANOR_DISCARD_AND_REVEAL = rule(
    "reveal.6.eleanor-discard-and-reveal",
    OBLIGATION,
    events=("card_moved", "reveal_started"),
    terms=("cancel",),
    fr=at(53, "Étape 6"),
)
