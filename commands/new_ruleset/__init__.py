"""The command that writes a new game: `template/` is a whole small game, copied and renamed."""

from commands.new_ruleset.command import new_ruleset

__all__ = ["new_ruleset"]
