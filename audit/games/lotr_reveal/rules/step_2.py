"""Step 2: the card's own text counts, its triggered effects wait."""

from audit.core.catalogue import DEFINITION, PERMISSION, PROHIBITION, TIMING, Topic, at

rule = Topic("step-2")

TEXT_ACTIVE = rule("reveal.2.text-active", DEFINITION, "step_entered passive_applied", fr=at(11, "Étape 2"))

TRIGGERED_WAIT = rule(
    "reveal.2.triggered-wait", TIMING, "keyword_resolved when_revealed_resolved", terms="passive", fr=at(11, "Étape 2")
)

IMMUNE = rule(
    "reveal.2.immune",
    PROHIBITION,
    "response_played passive_applied enter_play_effect",
    terms="immune",
    fr=at((12, 13), "Étape 2"),
)

IMMUNE_CONDITIONAL = rule(
    "reveal.2.immune-conditional",
    DEFINITION,
    "response_played passive_applied enter_play_effect",
    terms="immune",
    fr=at(14, "Étape 2"),
)

IMMUNE_ALL_LATER_STEPS = rule(
    "reveal.2.immune-all-later-steps",
    PROHIBITION,
    "response_played passive_applied enter_play_effect",
    terms="immune cancel",
    derived=True,
    fr=at(13, "Étape 2"),
)

RESISTANCE = rule(
    "reveal.2.resistance",
    DEFINITION,
    "passive_applied",
    terms="resistance keyword",
    contested=True,
    fr=at((15, 16), "Étape 2"),
)

OWN_FORCED_RESPONSE = rule(
    "reveal.2.own-forced-response",
    PERMISSION,
    "outcome_effect_resolved forced_resolved response_played",
    terms="forced response",
    unofficial=True,
    fr=at((17, 19), "Étape 2"),
)
