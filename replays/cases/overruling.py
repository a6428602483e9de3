"""What a ruling means for many games: each game by itself, as plain values for other processes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.cases.consequences import Consequence, Reach, consequence
from replays.season.comparing import game_of
from replays.season.judging import lost
from replays.season.sources import Source


class Overruled(Struct, frozen=True, omit_defaults=True):
    """What a ruling would judge otherwise in a game, None where nothing; or the trouble with the game."""

    consequence: Consequence | None = None
    trouble: str = ""


class Overruling(Struct, frozen=True, tag="ruling"):
    """The question what a ruling would judge otherwise in a stored game of its ruleset."""

    ruling: Reach
    language: str

    @property
    def kind(self) -> type[Overruled]:
        """The events that the ruling reaches, and how far the game stands."""
        return Overruled

    def answer(self, source: Source) -> Overruled:
        """The game judged, and the ruling held against its steps."""
        try:
            return Overruled(consequence(self.ruling, game_of(source), self.language))
        except AuditError as error:
            return Overruled(trouble=f"{source.name}: {error}")

    def to_keep(self, answer: Overruled) -> Overruled | None:
        """The answer without the id of the game. What could not be judged is tried again."""
        return None if answer.trouble else _with_id(answer, "")

    def named(self, answer: Overruled, source: Source) -> Overruled:
        """What the ruling means for this game."""
        return _with_id(answer, source.game)

    def lost(self, source: Source) -> Overruled:
        """Nothing but the trouble."""
        return Overruled(trouble=lost(source))


def _with_id(answer: Overruled, id: str) -> Overruled:
    return replace(answer, consequence=answer.consequence and replace(answer.consequence, id=id))
