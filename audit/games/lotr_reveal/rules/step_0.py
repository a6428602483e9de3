"""What comes before step 1: when the procedure runs, and what a placed card skips."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("step-0")

OCCASIONS = rule("reveal.0.occasions", DEFINITION, "reveal_started", fr=at(1, "Préambule"))

STEPS_ORDER_SIMULTANEITY = rule("reveal.0.steps-order-simultaneity", TIMING, "step_entered", fr=at((1, 4), "Préambule"))

RESPONSE_OPTIONAL = rule(
    "reveal.0.response-optional",
    PERMISSION,
    "response_played window_passed",
    terms="response-window response",
    fr=at(4, "Préambule"),
)

RESPONSE_WINDOWS_ONLY = rule(
    "reveal.0.response-windows-only", LIMIT, "response_played", terms="response-window response", fr=at(4, "Préambule")
)

PASSIVE_MANDATORY = rule(
    "reveal.0.passive-mandatory",
    OBLIGATION,
    "passive_applied step_entered keyword_resolved when_revealed_resolved",
    terms="passive response-window",
    fr=at(4, "Préambule"),
)

PLACED_IS_NOT_REVEALED = rule(
    "reveal.0.placed-is-not-revealed", DEFINITION, "placement_started", terms="placed", fr=at((5, 8), "Préambule")
)

PLACED_STARTS_AT_8 = rule(
    "reveal.0.placed-starts-at-8",
    PROCEDURE,
    "placement_started card_moved enter_play_effect",
    terms="placed",
    fr=at((5, 8), "Préambule"),
)

PLACED_SKIPS_1_TO_7 = rule(
    "reveal.0.placed-skips-1-to-7",
    PROHIBITION,
    "placement_started keyword_resolved surge_armed when_revealed_resolved response_played passive_applied",
    terms="surge doomed keyword passive placed cancel",
    derived=True,
    fr=at((5, 8), "Préambule"),
)

NESTED_FRAME = rule(
    "reveal.0.nested-frame",
    PROCEDURE,
    "reveal_started placement_started reveal_ended",
    derived=True,
    fr=at((23, 27), "Préambule", 53, (58, 60), 70),
)

# What the document takes for granted; these three statements are ours.

EACH_PLAYER = rule(
    "reveal.0.each-player", OBLIGATION, "reveal_started", derived=True, fr=at(1, "Préambule", implied=True)
)

OWN_RESPONSES = rule(
    "reveal.0.own-responses",
    LIMIT,
    "response_played",
    terms="response",
    derived=True,
    fr=at(4, "Préambule", 44, implied=True),
)

USED_UP = rule(
    "reveal.0.used-up", LIMIT, "response_played", terms="response", derived=True, fr=at(4, "Préambule", implied=True)
)
