"""The Lord of the Rings: The Card Game, one encounter card being revealed, steps 1 to 12 with response windows."""

from audit.games.lotr_reveal.game import RULESET

__all__ = ["RULESET"]
