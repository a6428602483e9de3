"""The parts of the day, explained one by one."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, TIMING, Topic, at

rule = Topic("phases")

MORNING_TOKEN_PASS = rule(
    "altered.day.morning.token-pass", PROCEDURE, "first_player_passed", fr=at(26, "Les phases / matin", 4)
)

MORNING_READY_ALL = rule("altered.day.morning.ready-all", PROCEDURE, "objects_readied", fr=at(27, "Les phases / matin"))

MORNING_DRAW_TWO = rule("altered.day.morning.draw-two", LIMIT, "cards_drawn", fr=at(28, "Les phases / matin"))

MORNING_MANA_ORDER = rule(
    "altered.day.morning.mana-order", TIMING, "mana_placed mana_declined", fr=at(29, "Les phases / matin")
)

MORNING_MANA_ONE = rule("altered.day.morning.mana-one", LIMIT, "mana_placed", fr=at(29, "Les phases / matin"))

MORNING_MANA_FACEDOWN = rule(
    "altered.day.morning.mana-facedown", OBLIGATION, "mana_placed", fr=at(29, "Les phases / matin")
)

MORNING_MANA_BECOMES_ORB = rule(
    "altered.day.morning.mana-becomes-orb", DEFINITION, "mana_placed", fr=at(29, "Les phases / matin")
)

MORNING_ORDER = rule(
    "altered.day.morning.order",
    TIMING,
    "first_player_passed objects_readied cards_drawn mana_placed",
    derived=True,
    fr=at((25, 29), "Les phases / matin"),
)

NOON_ABILITIES = rule(
    "altered.day.noon.abilities",
    PROCEDURE,
    "reaction_activated reaction_played",
    fr=at(31, "Les phases / midi"),
)

NOON_FIRST_PLAYER_FIRST = rule(
    "altered.day.noon.first-player-first", TIMING, "reaction_played", fr=at(31, "Les phases / midi")
)

AFTERNOON_QUICK_BEFORE_CARD = rule(
    "altered.day.afternoon.quick-before-card",
    TIMING,
    "quick_action_played card_played",
    fr=at(34, "Les phases / après-midi"),
)

AFTERNOON_QUICK_KINDS = rule(
    "altered.day.afternoon.quick-kinds", DEFINITION, "quick_action_played", fr=at(34, "Les phases / après-midi")
)

AFTERNOON_COST_HAND = rule(
    "altered.day.afternoon.cost-hand", OBLIGATION, "card_played", fr=at(35, "Les phases / après-midi")
)

AFTERNOON_COST_RESERVE = rule(
    "altered.day.afternoon.cost-reserve", OBLIGATION, "card_played", fr=at(35, "Les phases / après-midi")
)

AFTERNOON_PASS_FREE = rule(
    "altered.day.afternoon.pass-free", PERMISSION, "player_passed", fr=at(36, "Les phases / après-midi")
)

AFTERNOON_CONTINUE_ALONE = rule(
    "altered.day.afternoon.continue-alone",
    PROCEDURE,
    "card_played player_passed",
    derived=True,
    fr=at(6, "Les phases / après-midi", 23),
)

DUSK_AT_DUSK_FIRST = rule(
    "altered.day.dusk.at-dusk-first",
    TIMING,
    "reaction_played expedition_totals expedition_advanced daily_effect_started",
    fr=at(39, "Les phases / crépuscule"),
)

DUSK_COMPARE_TYPES = rule(
    "altered.day.dusk.compare-types", PROCEDURE, "expedition_totals", fr=at(40, "Les phases / crépuscule")
)

DUSK_ONE_SPACE = rule("altered.day.dusk.one-space", LIMIT, "expedition_advanced", fr=at(41, "Les phases / crépuscule"))

DUSK_ONCE = rule("altered.day.dusk.once", LIMIT, "expedition_advanced", fr=at(41, "Les phases / crépuscule"))

DUSK_TUMULT_FLIP = rule(
    "altered.day.dusk.tumult-flip", OBLIGATION, "tumult_revealed", fr=at(42, "Les phases / crépuscule")
)

DUSK_TUMULT_EFFECT = rule(
    "altered.day.dusk.tumult-effect", OBLIGATION, "tumult_effect_resolved", fr=at(42, "Les phases / crépuscule")
)
