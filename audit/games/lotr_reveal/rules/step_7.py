"""Step 7: the When Revealed effect is resolved."""

from audit.core.catalogue import PROCEDURE, TIMING, Topic, at

rule = Topic("step-7")

RESOLVE = rule("reveal.7.resolve", PROCEDURE, "when_revealed_resolved", terms="cancel", fr=at(54, "Étape 7"))

GAINED_KEYWORDS_NOW = rule(
    "reveal.7.gained-keywords-now", PROCEDURE, "keyword_resolved surge_armed", terms="keyword", fr=at(54, "Étape 7")
)

GAINED_SURGE_DELAYED = rule(
    "reveal.7.gained-surge-delayed", TIMING, "surge_armed reveal_started", terms="surge", fr=at(54, "Étape 7")
)
