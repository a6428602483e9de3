"""Two against two."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, Topic, at

rule = Topic("two-against-two")

PLAYERS = rule(
    "altered.2v2.players", DEFINITION, "game_configured team_formed", fr=at((128, 129), "2v2 / mise en place")
)

SETUP_SEATING = rule("altered.2v2.setup.seating", OBLIGATION, "team_formed seated", fr=at(131, "2v2 / mise en place"))

SETUP_FIRST_PLAYER = rule(
    "altered.2v2.setup.first-player", PROCEDURE, "first_player_drawn", fr=at(132, "2v2 / mise en place")
)

SETUP_REGIONS = rule("altered.2v2.setup.regions", PROCEDURE, "board_placed", fr=at(133, "2v2 / mise en place"))

SETUP_PILES = rule("altered.2v2.setup.piles", PROCEDURE, "board_placed", fr=at(134, "2v2 / mise en place"))

SETUP_PILE_1 = rule("altered.2v2.setup.pile-1", PROCEDURE, "board_placed", fr=at(135, "2v2 / mise en place"))

SETUP_PILE_2 = rule("altered.2v2.setup.pile-2", PROCEDURE, "board_placed", fr=at(135, "2v2 / mise en place"))

SETUP_PILE_3 = rule("altered.2v2.setup.pile-3", PROCEDURE, "board_placed", fr=at(135, "2v2 / mise en place"))

TURNS_CLOCKWISE = rule(
    "altered.2v2.turns-clockwise", PROCEDURE, "card_played player_passed", fr=at((136, 137), "2v2 / mise en place")
)

FACING = rule("altered.2v2.facing", DEFINITION, "expeditions_faced", fr=at(138, "2v2 / mise en place"))

CENTRE_FLIP = rule("altered.2v2.centre-flip", OBLIGATION, "tumult_revealed", fr=at(139, "2v2 / mise en place"))

CENTRE_ORIENT = rule("altered.2v2.centre-orient", OBLIGATION, "tumult_revealed", fr=at(139, "2v2 / mise en place"))

PATH = rule("altered.2v2.path", PROCEDURE, "expedition_advanced", fr=at(140, "2v2 / mise en place"))

VICTORY = rule(
    "altered.2v2.victory", DEFINITION, "meeting_detected winner_declared", fr=at((141, 142), "2v2 / victoire", 115)
)

VICTORY_TWO_FURTHER = rule(
    "altered.2v2.victory.two-further", PROCEDURE, "meeting_detected winner_declared", fr=at(143, "2v2 / victoire")
)

VICTORY_TWO_ARENA = rule(
    "altered.2v2.victory.two-arena", PROCEDURE, "tiebreak_started winner_declared", fr=at((143, 144), "2v2 / victoire")
)

VICTORY_TWO_ALLIED = rule(
    "altered.2v2.victory.two-allied", DEFINITION, "winner_declared", derived=True, fr=at(142, "2v2 / victoire")
)

VICTORY_THREE = rule("altered.2v2.victory.three", PROCEDURE, "winner_declared", fr=at(145, "2v2 / victoire"))

VICTORY_FOUR_FURTHER = rule(
    "altered.2v2.victory.four-further", PROCEDURE, "meeting_detected winner_declared", fr=at(146, "2v2 / victoire")
)

VICTORY_FOUR_ARENA = rule(
    "altered.2v2.victory.four-arena", PROCEDURE, "tiebreak_started winner_declared", fr=at((146, 147), "2v2 / victoire")
)

TIEBREAK_EXTRA_DAY = rule(
    "altered.2v2.tiebreak.extra-day", PROCEDURE, "tiebreak_started day_started", fr=at((148, 150), "2v2 / départage")
)

TIEBREAK_TEAM_TOTALS = rule(
    "altered.2v2.tiebreak.team-totals", PROCEDURE, "arena_totals", fr=at(150, "2v2 / départage")
)

TIEBREAK_WINNER = rule("altered.2v2.tiebreak.winner", PROCEDURE, "winner_declared", fr=at(150, "2v2 / départage"))

TIEBREAK_AGAIN = rule(
    "altered.2v2.tiebreak.again", PROCEDURE, "tiebreak_started winner_declared", fr=at((151, 152), "2v2 / départage")
)

FIRST_PLAYER_EFFECTS = rule(
    "altered.2v2.first-player-effects", DEFINITION, "first_player_effect_used", fr=at((153, 154), "2v2 / autres règles")
)

HAND_SECRET = rule("altered.2v2.hand-secret", PROHIBITION, "hand_shown", fr=at((155, 156), "2v2 / autres règles"))

COMMUNICATION = rule(
    "altered.2v2.communication", OBLIGATION, "communication_agreed", checkable=False, fr=at(157, "2v2 / autres règles")
)

NO_TEAMMATE_ZONE = rule("altered.2v2.no-teammate-zone", PROHIBITION, "card_played", fr=at(158, "2v2 / autres règles"))

TOKENS_BY_EFFECT = rule("altered.2v2.tokens-by-effect", PERMISSION, "token_created", fr=at(158, "2v2 / autres règles"))

TARGET_ANY = rule("altered.2v2.target-any", DEFINITION, "target_chosen", fr=at((159, 160), "2v2 / autres règles"))

YOUR_SIDE = rule("altered.2v2.your-side", DEFINITION, "target_chosen", fr=at(161, "2v2 / autres règles"))

TARGET_OPPONENT = rule("altered.2v2.target-opponent", DEFINITION, "target_chosen", fr=at(162, "2v2 / autres règles"))

YOUR_OPPONENT = rule("altered.2v2.your-opponent", DEFINITION, "target_chosen", fr=at(163, "2v2 / autres règles"))

SACRIFICE_OWN = rule("altered.2v2.sacrifice-own", PROHIBITION, "card_sacrificed", fr=at(164, "2v2 / autres règles"))
