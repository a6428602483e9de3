"""How a day is built (4.2)."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PROCEDURE, TIMING, Topic, at

rule = Topic("day-structure")

PHASE_ORDER = rule("altered.4.2.a", DEFINITION, "phase_started", fr=at(16, "4.2 La structure de la journée"))

CHECK_AT_PHASE_START = rule(
    "altered.4.2.b", OBLIGATION, "phase_started reaction_check", fr=at(17, "4.2 La structure de la journée", 56)
)

ONLY_PHASE_START_TRIGGERS = rule(
    "altered.4.2.b.only-at-phase", DEFINITION, "reaction_check", fr=at(18, "4.2 La structure de la journée")
)

DAILY_EFFECTS = rule("altered.4.2.c", DEFINITION, "daily_effect_started", fr=at(19, "4.2 La structure de la journée"))

CHECK_AFTER_DAILY_EFFECT = rule(
    "altered.4.2.d", OBLIGATION, "daily_effect_ended reaction_check", fr=at(20, "4.2 La structure de la journée")
)

LIMBO_AFTER_DAILY_EFFECT = rule(
    "altered.4.2.d.limbo-content",
    DEFINITION,
    "reaction_check reaction_played reaction_activated",
    fr=at(21, "4.2 La structure de la journée"),
)

NEXT_DAILY_EFFECT = rule(
    "altered.4.2.e.next-effect", TIMING, "daily_effect_started", fr=at(22, "4.2 La structure de la journée")
)

NEXT_PHASE = rule("altered.4.2.e.next-phase", TIMING, "phase_started", fr=at(22, "4.2 La structure de la journée"))

AFTERNOON_ENDS = rule(
    "altered.4.2.f",
    PROCEDURE,
    "card_played player_passed phase_started",
    fr=at(23, "4.2 La structure de la journée", 37),
)
