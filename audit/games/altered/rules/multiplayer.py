"""What the modes for more than two players have in common."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, LIMIT, at

rule = partial(catalogue.rule, topic="multiplayer")

CONSTRUCTED = rule("altered.mp.constructed", DEFINITION, events=("deck_registered",), fr=at(113, "Multiplayer"))

MODES = rule("altered.mp.modes", DEFINITION, events=("game_configured",), fr=at((114, 116), "Multiplayer"))

RACE_NEIGHBOURS = rule(
    "altered.mp.race-neighbours", LIMIT, events=("expeditions_faced", "expedition_totals"), fr=at(116, "Multiplayer")
)

WIN = rule("altered.mp.win", DEFINITION, events=("meeting_detected", "winner_declared"), fr=at(117, "Multiplayer", 115))
