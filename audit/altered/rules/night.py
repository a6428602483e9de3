"""The night: rest and cleanup (4.2.5)."""

from audit.catalogue import DEFINITION, LIMIT, OBLIGATION, PROCEDURE, TIMING, at, rule

DAILY_EFFECTS = rule(
    "altered.4.2.5.a",
    DEFINITION,
    topic="night",
    events=("daily_effect_started",),
    fr=at(47, "4.2.5 Night"),
)

REST_BEFORE_CLEANUP = rule(
    "altered.4.2.5.a.order",
    TIMING,
    topic="night",
    events=("daily_effect_started",),
    derived=True,
    fr=at((46, 50), "4.2.5 Night"),
)

REST = rule(
    "altered.4.2.5.b",
    PROCEDURE,
    topic="night",
    events=("character_rested",),
    fr=at(48, "4.2.5 Night", 12, 44),
)

REST_MODIFIERS = rule(
    "altered.4.2.5.b.modifiers",
    DEFINITION,
    topic="night",
    events=("character_rested",),
    fr=at(49, "4.2.5 Night"),
)

ANCHORED_ASLEEP_STAY = rule(
    "altered.4.2.5.b.anchored-asleep-stay",
    PROCEDURE,
    topic="night",
    events=("character_rested",),
    derived=True,
    fr=at(49, "4.2.5 Night", 12, 44),
)

ETERNAL_STAYS = rule(
    "altered.4.2.5.b.eternal-stays",
    PROCEDURE,
    topic="night",
    events=("character_rested",),
    derived=True,
    fr=at(49, "4.2.5 Night"),
)

CLEANUP_RESERVE = rule(
    "altered.4.2.5.c.reserve",
    LIMIT,
    topic="night",
    events=("cleanup_choice", "cleanup_discarded"),
    fr=at(50, "4.2.5 Night"),
)

CLEANUP_LANDMARKS = rule(
    "altered.4.2.5.c.landmark",
    LIMIT,
    topic="night",
    events=("cleanup_choice", "cleanup_discarded"),
    fr=at(50, "4.2.5 Night"),
)

KEEP_TO_LIMIT = rule(
    "altered.4.2.5.c.keep-to-limit",
    OBLIGATION,
    topic="night",
    events=("cleanup_choice",),
    derived=True,
    fr=at(50, "4.2.5 Night"),
)

DISCARD_TOGETHER = rule(
    "altered.4.2.5.c.simultaneous",
    TIMING,
    topic="night",
    events=("cleanup_discarded",),
    fr=at(50, "4.2.5 Night"),
)

CHOICE_ORDER = rule(
    "altered.4.2.5.c.choice-order",
    TIMING,
    topic="night",
    events=("cleanup_choice",),
    fr=at(51, "4.2.5 Night"),
)

LIMIT_WITHOUT_HERO = rule(
    "altered.4.2.5.d",
    LIMIT,
    topic="night",
    events=("cleanup_choice",),
    fr=at(52, "4.2.5 Night"),
)

ABOVE_LIMIT = rule(
    "altered.4.2.5.excess",
    DEFINITION,
    topic="night",
    events=("cleanup_discarded", "day_started"),
    fr=at(53, "4.2.5 Night"),
)
