"""The night: rest and cleanup (4.2.5)."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PROCEDURE, TIMING, Topic, at

rule = Topic("night")

DAILY_EFFECTS = rule("altered.4.2.5.a", DEFINITION, "daily_effect_started", fr=at(47, "4.2.5 La nuit"))

REST_BEFORE_CLEANUP = rule(
    "altered.4.2.5.a.order", TIMING, "daily_effect_started", derived=True, fr=at((46, 50), "4.2.5 La nuit")
)

REST = rule("altered.4.2.5.b", PROCEDURE, "character_rested", fr=at(48, "4.2.5 La nuit", 12, 44))

REST_MODIFIERS = rule("altered.4.2.5.b.modifiers", DEFINITION, "character_rested", fr=at(49, "4.2.5 La nuit"))

ANCHORED_ASLEEP_STAY = rule(
    "altered.4.2.5.b.anchored-asleep-stay",
    PROCEDURE,
    "character_rested",
    derived=True,
    fr=at(49, "4.2.5 La nuit", 12, 44),
)

ETERNAL_STAYS = rule(
    "altered.4.2.5.b.eternal-stays", PROCEDURE, "character_rested", derived=True, fr=at(49, "4.2.5 La nuit")
)

CLEANUP_RESERVE = rule("altered.4.2.5.c.reserve", LIMIT, "cleanup_choice cleanup_discarded", fr=at(50, "4.2.5 La nuit"))

CLEANUP_LANDMARKS = rule(
    "altered.4.2.5.c.landmark", LIMIT, "cleanup_choice cleanup_discarded", fr=at(50, "4.2.5 La nuit")
)

KEEP_TO_LIMIT = rule(
    "altered.4.2.5.c.keep-to-limit", OBLIGATION, "cleanup_choice", derived=True, fr=at(50, "4.2.5 La nuit")
)

DISCARD_TOGETHER = rule("altered.4.2.5.c.simultaneous", TIMING, "cleanup_discarded", fr=at(50, "4.2.5 La nuit"))

CHOICE_ORDER = rule("altered.4.2.5.c.choice-order", TIMING, "cleanup_choice", fr=at(51, "4.2.5 La nuit"))

LIMIT_WITHOUT_HERO = rule("altered.4.2.5.d", LIMIT, "cleanup_choice", fr=at(52, "4.2.5 La nuit"))

ABOVE_LIMIT = rule("altered.4.2.5.excess", DEFINITION, "cleanup_discarded day_started", fr=at(53, "4.2.5 La nuit"))
