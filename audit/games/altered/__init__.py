"""Altered: a day of five phases, reactions that wait in Limbo, two to four players."""

from audit.games.altered.game import RULESET

__all__ = ["RULESET"]
