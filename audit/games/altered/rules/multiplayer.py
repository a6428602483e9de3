"""What the modes for more than two players have in common."""

from audit.core.catalogue import DEFINITION, LIMIT, Topic, at

rule = Topic("multiplayer")

CONSTRUCTED = rule("altered.mp.constructed", DEFINITION, "deck_registered", fr=at(113, "À plusieurs"))

MODES = rule("altered.mp.modes", DEFINITION, "game_configured", fr=at((114, 116), "À plusieurs"))

RACE_NEIGHBOURS = rule(
    "altered.mp.race-neighbours", LIMIT, "expeditions_faced expedition_totals", fr=at(116, "À plusieurs")
)

WIN = rule("altered.mp.win", DEFINITION, "meeting_detected winner_declared", fr=at(117, "À plusieurs", 115))
