"""What the modes for more than two players have in common."""

from audit.catalogue import DEFINITION, LIMIT, at, rule

CONSTRUCTED = rule(
    "altered.mp.constructed",
    DEFINITION,
    topic="multiplayer",
    events=("deck_registered",),
    fr=at(113, "Multiplayer"),
)

MODES = rule(
    "altered.mp.modes",
    DEFINITION,
    topic="multiplayer",
    events=("game_configured",),
    fr=at((114, 116), "Multiplayer"),
)

RACE_NEIGHBOURS = rule(
    "altered.mp.race-neighbours",
    LIMIT,
    topic="multiplayer",
    events=("expeditions_faced", "expedition_totals"),
    fr=at(116, "Multiplayer"),
)

WIN = rule(
    "altered.mp.win",
    DEFINITION,
    topic="multiplayer",
    events=("meeting_detected", "winner_declared"),
    fr=at(117, "Multiplayer", 115),
)
