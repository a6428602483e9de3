"""The day in short (1.3.2)."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, Topic, at

rule = Topic("day-overview")

FIVE_PHASES = rule("altered.1.3.2.a", DEFINITION, "day_started phase_started", fr=at(3, "1.3.2 La journée en bref", 16))

NEW_FIRST_PLAYER = rule(
    "altered.1.3.2.b.first-player", PROCEDURE, "first_player_passed", fr=at(4, "1.3.2 La journée en bref")
)

PREPARE = rule("altered.1.3.2.b.prepare", PROCEDURE, "objects_readied", fr=at(4, "1.3.2 La journée en bref", 27))

DRAW = rule("altered.1.3.2.b.draw", PROCEDURE, "cards_drawn", fr=at(4, "1.3.2 La journée en bref", 28))

MANA = rule("altered.1.3.2.b.mana", PERMISSION, "mana_placed mana_declined", fr=at(4, "1.3.2 La journée en bref", 29))

NOON = rule("altered.1.3.2.c", DEFINITION, "phase_started reaction_activated", fr=at(5, "1.3.2 La journée en bref"))

FIRST_TURN = rule(
    "altered.1.3.2.d.first",
    PROCEDURE,
    "card_played player_passed quick_action_played",
    fr=at(6, "1.3.2 La journée en bref", 33),
)

ALTERNATE_TURNS = rule(
    "altered.1.3.2.d.alternate",
    PROCEDURE,
    "card_played player_passed quick_action_played",
    fr=at(6, "1.3.2 La journée en bref", 23, 33, 137),
)

QUICK_ACTIONS = rule(
    "altered.1.3.2.d.quick-actions", PERMISSION, "quick_action_played", fr=at(6, "1.3.2 La journée en bref", 34)
)

CARD_OR_PASS = rule(
    "altered.1.3.2.d.card-or-pass", OBLIGATION, "card_played player_passed", fr=at(6, "1.3.2 La journée en bref", 33)
)

PASSED_OUT = rule(
    "altered.1.3.2.d.passed-out",
    PROHIBITION,
    "card_played quick_action_played player_passed",
    fr=at(6, "1.3.2 La journée en bref", 36),
)

SUM_STATS = rule("altered.1.3.2.e.sum", PROCEDURE, "expedition_totals", fr=at(7, "1.3.2 La journée en bref", 40))

ONE_STAT_ENOUGH = rule(
    "altered.1.3.2.e.one-stat-enough", PROCEDURE, "expedition_advanced", fr=at(7, "1.3.2 La journée en bref")
)

STAT_OF_REGION = rule("altered.1.3.2.e.match", OBLIGATION, "expedition_advanced", fr=at(8, "1.3.2 La journée en bref"))

STAT_HIGHER = rule(
    "altered.1.3.2.e.strict", OBLIGATION, "expedition_advanced", fr=at(9, "1.3.2 La journée en bref", 41)
)

STAT_POSITIVE = rule(
    "altered.1.3.2.e.positive", OBLIGATION, "expedition_advanced", fr=at(10, "1.3.2 La journée en bref")
)

REST = rule("altered.1.3.2.f.rest", PROCEDURE, "character_rested", fr=at(12, "1.3.2 La journée en bref", 44, 48))

FLEETING = rule("altered.1.3.2.f.fleeting", OBLIGATION, "character_rested", fr=at(12, "1.3.2 La journée en bref", 44))

ANCHORED_ASLEEP = rule(
    "altered.1.3.2.f.anchored-asleep", PROCEDURE, "character_rested", fr=at(12, "1.3.2 La journée en bref", 44)
)

CLEANUP_TWO = rule(
    "altered.1.3.2.f.cleanup-two", LIMIT, "cleanup_choice cleanup_discarded", fr=at(13, "1.3.2 La journée en bref", 45)
)
