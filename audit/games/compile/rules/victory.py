"""How the game is won."""

from audit.core.catalogue import DEFINITION, at, rule

THREE_COMPILED = rule(
    "victory.three-compiled",
    DEFINITION,
    "compiled game_won",
    terms="compile compiled-side protocol-card",
    it=at(75, "Vittoria", 25),
    pl=at((112, 113), "Zwycięstwo", 5),
)
