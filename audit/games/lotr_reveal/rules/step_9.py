"""Step 9: effects of entering play."""

from audit.core.catalogue import DEFINITION, PERMISSION, PROCEDURE, Topic, at

rule = Topic("step-9")

ENTER_PLAY_EFFECTS = rule("reveal.9.enter-play-effects", PROCEDURE, "enter_play_effect", fr=at(57, "Étape 9"))

GUARDED_REVEALS = rule(
    "reveal.9.guarded-reveals",
    PROCEDURE,
    "enter_play_effect reveal_started",
    terms="guarded",
    fr=at((58, 60), "Étape 9"),
)

GUARDED_X_PLACES = rule(
    "reveal.9.guarded-x-places",
    PROCEDURE,
    "enter_play_effect placement_started",
    terms="guarded",
    fr=at((58, 60), "Étape 9"),
)

GUARDED_DISTINCT = rule(
    "reveal.9.guarded-distinct", DEFINITION, "enter_play_effect", terms="guarded keyword", fr=at((58, 60), "Étape 9")
)

SCENARIO_KEYWORDS = rule(
    "reveal.9.scenario-keywords", PROCEDURE, "enter_play_effect", terms="ambush keyword", fr=at(61, "Étape 9")
)

UNDEAD_ENGAGE = rule("reveal.9.undead-engage", PROCEDURE, "enter_play_effect", fr=at(62, "Étape 9"))

TRACKERS_THREAT_ZERO = rule("reveal.9.trackers-threat-zero", PROCEDURE, "enter_play_effect", fr=at(62, "Étape 9"))

TRAPS_ATTACH = rule("reveal.9.traps-attach", PROCEDURE, "enter_play_effect", fr=at(62, "Étape 9"))

FREE_ORDER = rule("reveal.9.free-order", PERMISSION, "enter_play_effect", fr=at(63, "Étape 9"))

TRAP_OR_AMBUSH_FIRST = rule(
    "reveal.9.trap-or-ambush-first", PERMISSION, "enter_play_effect", terms="ambush", fr=at(63, "Étape 9")
)

TREACHERY_HAS_NONE = rule(
    "reveal.9.treachery-has-none",
    DEFINITION,
    "enter_play_effect response_played forced_resolved",
    terms="treachery",
    derived=True,
    fr=at((55, 57), "Étape 9"),
)
