"""Step 4: passive effects act on the card while it is being revealed."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, Topic, at

rule = Topic("step-4")

PASSIVE_ON_REVEAL = rule(
    "reveal.4.passive-on-reveal", PROCEDURE, "passive_applied", terms="passive", fr=at(28, "Étape 4")
)

NOT_AFTER_REVEALED = rule(
    "reveal.4.not-after-revealed", PROHIBITION, "passive_applied response_played forced_resolved", fr=at(28, "Étape 4")
)

BOLG_GRANTS_SURGE = rule(
    "reveal.4.bolg-grants-surge",
    PROCEDURE,
    "passive_applied",
    terms="surge keyword",
    cards="bolg",
    fr=at(29, "Étape 4"),
)

DAMAGE_PASSIVES = rule(
    "reveal.4.damage-passives", PROCEDURE, "passive_applied card_defeated", terms="passive", fr=at(30, "Étape 4")
)

RESISTANCE_REDUCES = rule(
    "reveal.4.resistance-reduces", LIMIT, "passive_applied", terms="resistance", fr=at(30, "Étape 4")
)

PROGRESS_PASSIVE = rule(
    "reveal.4.progress-passive", PROCEDURE, "passive_applied card_explored", terms="passive", fr=at(30, "Étape 4")
)

OUTCOME_TRIGGERS = rule(
    "reveal.4.outcome-triggers", PERMISSION, "outcome_effect_resolved", unofficial=True, fr=at((31, 32), "Étape 4")
)

THALIN_CROWS = rule(
    "reveal.4.thalin-crows",
    PROCEDURE,
    "passive_applied card_defeated outcome_effect_resolved",
    terms="surge",
    cards="thalin eastern-crows",
    unofficial=True,
    fr=at(34, "Étape 4", 1),
)

DERANGED_PRISONER = rule(
    "reveal.4.deranged-prisoner",
    PROCEDURE,
    "card_defeated outcome_effect_resolved threat_changed",
    terms="doomed keyword",
    cards="deranged-prisoner",
    unofficial=True,
    fr=at(35, "Étape 4"),
)

HOBBIT_COUNTRY = rule(
    "reveal.4.hobbit-country",
    PROCEDURE,
    "passive_applied card_explored outcome_effect_resolved",
    cards="hobbit-country warden-of-arnor",
    unofficial=True,
    fr=at(36, "Étape 4"),
)

BOLG_SURGE_LOST = rule(
    "reveal.4.bolg-surge-lost",
    PROCEDURE,
    "card_defeated reveal_ended",
    terms="surge",
    unofficial=True,
    fr=at(37, "Étape 4"),
)

DISCARD_NOW = rule("reveal.4.discard-now", OBLIGATION, "card_defeated card_explored card_moved", fr=at(38, "Étape 4"))

OWN_EFFECT_REPLACES_DISCARD = rule(
    "reveal.4.own-effect-replaces-discard",
    DEFINITION,
    "card_moved outcome_effect_resolved",
    unofficial=True,
    derived=True,
    fr=at(34, "Étape 4"),
)

STOP_IF_GONE = rule(
    "reveal.4.stop-if-gone",
    PROHIBITION,
    "card_defeated card_explored reveal_ended keyword_resolved surge_armed when_revealed_resolved response_played",
    terms="surge keyword",
    fr=at(38, "Étape 4"),
)
