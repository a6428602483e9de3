"""Comparing readings and editions over many games: each game by itself, as plain values for other processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.errors import LogError
from replays.season.question import lost
from replays.season.readings import ReadingChange, logged_changes
from replays.season.reaudit import Reaudited, StoredGame, reaudited_game
from replays.season.sources import Source

if TYPE_CHECKING:
    from replays.season.changed_passages import PassageChange


class Changed(Struct, frozen=True, omit_defaults=True):
    """What each switch alone changes in a game: the event from which it does. Or the trouble with it, line by line."""

    name: str
    ruleset: str = ""
    title: str = ""
    since: Mapping[str, int] = {}
    trouble: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[ReadingChange, ...]:
        """The switches that change this game."""
        title = self.title or self.name
        return tuple(ReadingChange(switch, self.name, title, seq) for switch, seq in self.since.items())


class Switching(Struct, frozen=True, tag="switches"):
    """The question what each switch alone changes in a game."""

    @property
    def kind(self) -> type[Changed]:
        """The switches, each with an event."""
        return Changed

    def answer(self, source: Source) -> Changed:
        """The game judged once for each switch."""
        try:
            log = source.open()
            log.start()
            since = {change.switch: change.seq for change in logged_changes(log)}
            return Changed(source.name, log.header.ruleset, log.header.game, since)
        except LogError as error:
            return Changed(source.name, trouble=tuple(error.lines()))
        except (AuditError, OSError) as error:
            return Changed(source.name, trouble=(str(error),))

    def to_keep(self, answer: Changed) -> Changed | None:
        """The switches without the file. What could not be judged is tried again."""
        return None if answer.trouble else replace(answer, name="")

    def named(self, answer: Changed, source: Source) -> Changed:
        """The switches that change the game in this file."""
        return replace(answer, name=source.name)

    def lost(self, source: Source) -> Changed:
        """Nothing but the trouble."""
        return Changed(source.name, trouble=(lost(source),))


class Reauditing(Struct, frozen=True, tag="reaudit"):
    """The question what another reading says of a stored game, and which of its events cite these rules."""

    after: str | None
    rules: tuple[str, ...]
    language: str

    @property
    def kind(self) -> type[Reaudited]:
        """The verdicts that change."""
        return Reaudited

    def answer(self, source: Source) -> Reaudited:
        """The game judged by its own reading, and by the other one."""
        return reaudited_game(game_of(source), after=self.after, rules=self.rules, language=self.language)

    def to_keep(self, answer: Reaudited) -> Reaudited | None:
        """What changes, without the id of the game. What could not be judged is tried again."""
        return None if answer.trouble else replace(answer, id="")

    def named(self, answer: Reaudited, source: Source) -> Reaudited:
        """What changes in this game."""
        return replace(answer, id=source.game)

    def lost(self, source: Source) -> Reaudited:
        """Nothing but the trouble."""
        readings = ("", self.after or "")
        return Reaudited(id=source.game, game=source.name, ruleset="", readings=readings, trouble=lost(source))


def game_of(source: Source) -> StoredGame:
    """A stored game with all its events; raises `LogError` and `StoreError`."""
    log = source.open()
    return StoredGame(source.game, log.header, log.ruleset, tuple(log))


def reauditing(after: str | None, passages: Iterable[PassageChange], language: str) -> Reauditing:
    """The question by the reading after, and the rules whose passages changed."""
    return Reauditing(after, tuple(sorted({change.rule for change in passages})), language)
