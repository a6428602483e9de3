"""Example Game: two players lay cards on three piles."""

from example_game.game import RULESET

__all__ = ["RULESET"]
