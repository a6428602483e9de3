"""Step 5.1: keywords that work on being revealed."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("step-5.1")

KEYWORDS = rule(
    "reveal.5.1.keywords", PROCEDURE, "keyword_resolved surge_armed", terms="keyword", fr=at(42, "Étape 5.1")
)

FREE_ORDER = rule(
    "reveal.5.1.free-order", PERMISSION, "keyword_resolved surge_armed", terms="keyword", fr=at(42, "Étape 5.1")
)

DOOMED = rule(
    "reveal.5.1.doomed", PROCEDURE, "keyword_resolved threat_changed", terms="doomed keyword", fr=at(43, "Étape 5.1")
)

PERIL = rule("reveal.5.1.peril", PROCEDURE, "keyword_resolved", terms="peril keyword", fr=at(44, "Étape 5.1"))

PERIL_BLOCKS_RESPONSES = rule(
    "reveal.5.1.peril-blocks-responses", PROHIBITION, "response_played", terms="peril response", fr=at(44, "Étape 5.1")
)

PERIL_PASSIVES_CONTINUE = rule(
    "reveal.5.1.peril-passives-continue",
    DEFINITION,
    "passive_applied enter_play_effect",
    terms="peril passive response",
    fr=at(44, "Étape 5.1"),
)

PERIL_FROM_HERE = rule(
    "reveal.5.1.peril-from-here",
    TIMING,
    "response_played",
    terms="peril response-window",
    derived=True,
    fr=at((42, 44), "Étape 5.1"),
)

SURGE = rule("reveal.5.1.surge", PROCEDURE, "surge_armed", terms="surge keyword", fr=at(45, "Étape 5.1"))

HUNT = rule("reveal.5.1.hunt", PROCEDURE, "keyword_resolved", terms="hunt keyword", fr=at((46, 47), "Étape 5.1"))

SURGE_DELAYED = rule(
    "reveal.5.1.surge-delayed",
    TIMING,
    "surge_armed reveal_started",
    terms="surge passive",
    fr=at((48, 49), "Étape 5.1"),
)

SURGE_SURVIVES_CANCEL = rule(
    "reveal.5.1.surge-survives-cancel",
    OBLIGATION,
    "surge_armed reveal_started response_played",
    terms="surge cancel",
    fr=at(49, "Étape 5.1"),
)

SURGE_REACTION_POINT = rule(
    "reveal.5.1.surge-reaction-point", TIMING, "response_played", terms="surge keyword", fr=at(49, "Étape 5.1")
)
