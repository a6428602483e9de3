"""Compile: two players, three lines, a stack of interrupting texts and cards on their way."""

from audit.games.compile.game import RULESET

__all__ = ["RULESET"]
