"""Free for All: four players, each for themselves."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, Topic, at

rule = Topic("free-for-all")

PLAYERS = rule("altered.ffa.players", DEFINITION, "game_configured", fr=at((86, 87), "Free for All", 116))

SETUP = rule("altered.ffa.setup", PROCEDURE, "board_placed seated first_player_drawn", fr=at((88, 89), "Free for All"))

SETUP_SEATING_FREE = rule("altered.ffa.setup.seating-free", PERMISSION, "seated", fr=at(89, "Free for All"))

VICTORY = rule(
    "altered.ffa.victory", DEFINITION, "meeting_detected winner_declared", fr=at(91, "Free for All / victoire")
)

VICTORY_FURTHER = rule(
    "altered.ffa.victory.further", PROCEDURE, "meeting_detected winner_declared", fr=at(92, "Free for All / victoire")
)

VICTORY_ARENA = rule(
    "altered.ffa.victory.arena", PROCEDURE, "tiebreak_started winner_declared", fr=at(92, "Free for All / victoire")
)

TIEBREAK_EXTRA_DAY = rule(
    "altered.ffa.tiebreak.extra-day",
    PROCEDURE,
    "tiebreak_started day_started",
    fr=at((93, 94), "Free for All / départage"),
)

TIEBREAK_LEAVE = rule("altered.ffa.tiebreak.leave", OBLIGATION, "player_left", fr=at(95, "Free for All / départage"))

TIEBREAK_KEEP_POSITIONS = rule(
    "altered.ffa.tiebreak.keep-positions", PROCEDURE, "tiebreak_started", fr=at(95, "Free for All / départage")
)

TIEBREAK_REFACE = rule(
    "altered.ffa.tiebreak.reface", PROCEDURE, "expeditions_faced", fr=at(96, "Free for All / départage")
)

TIEBREAK_TOTALS = rule("altered.ffa.tiebreak.totals", PROCEDURE, "arena_totals", fr=at(97, "Free for All / départage"))

TIEBREAK_TYPE_WON = rule(
    "altered.ffa.tiebreak.type-won", PROCEDURE, "arena_totals winner_declared", fr=at(98, "Free for All / départage")
)

TIEBREAK_WINNER = rule(
    "altered.ffa.tiebreak.winner", PROCEDURE, "winner_declared", fr=at(99, "Free for All / départage")
)

TIEBREAK_AGAIN = rule(
    "altered.ffa.tiebreak.again",
    PROCEDURE,
    "tiebreak_started player_left winner_declared",
    fr=at(100, "Free for All / départage"),
)

TIEBREAK_EXAMPLE = rule(
    "altered.ffa.tiebreak.example",
    PROCEDURE,
    "arena_totals winner_declared",
    fr=at((101, 102), "Free for All / départage"),
)

FIRST_PLAYER_EFFECTS = rule(
    "altered.ffa.first-player-effects",
    DEFINITION,
    "first_player_effect_used",
    fr=at((103, 104), "Free for All / autres règles"),
)

HAND_SECRET = rule(
    "altered.ffa.hand-secret", PROHIBITION, "hand_shown", fr=at((105, 106), "Free for All / autres règles")
)

COMMUNICATION = rule(
    "altered.ffa.communication",
    OBLIGATION,
    "communication_agreed",
    checkable=False,
    fr=at(107, "Free for All / autres règles"),
)

TARGET_ANY = rule(
    "altered.ffa.target-any", DEFINITION, "target_chosen", fr=at((108, 109), "Free for All / autres règles")
)

TARGET_OPPONENT = rule(
    "altered.ffa.target-opponent", DEFINITION, "target_chosen", fr=at(110, "Free for All / autres règles")
)

YOUR_OPPONENT = rule(
    "altered.ffa.your-opponent", DEFINITION, "target_chosen", fr=at(111, "Free for All / autres règles")
)
