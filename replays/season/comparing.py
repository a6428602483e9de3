"""Comparing readings and editions over many games: each game by itself, as plain values for other processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from msgspec import Struct

from audit.errors import AuditError
from replays.comparing.compare import ReadingChange, logged_changes
from replays.comparing.reaudit import PassageChange, Reaudited, StoredGame, reaudited
from replays.errors import LogError
from replays.season.season import Share, lost
from replays.season.sources import Source
from replays.season.workers import Lost

T = TypeVar("T")


class Changed(Struct, frozen=True):
    """What each switch alone changes in a game, or the trouble with it, line by line."""

    ruleset: str = ""
    changes: tuple[ReadingChange, ...] = ()
    trouble: tuple[str, ...] = ()


def changed(source: Source) -> Changed:
    """What each switch alone changes in a game."""
    try:
        log = source.open()
        log.start()
        return Changed(log.header.ruleset, logged_changes(log))
    except LogError as error:
        return Changed(trouble=tuple(error.lines()))
    except (AuditError, OSError) as error:
        return Changed(trouble=(str(error),))


def changes(sources: Iterable[Source], share: Share) -> Iterator[Changed]:
    """The same for every game, in order."""
    for source, found in share(changed, sources):
        yield Changed(trouble=(lost(source),)) if isinstance(found, Lost) else found


def reaudited_source(
    after: str | None, passages: tuple[PassageChange, ...], language: str, source: Source
) -> Reaudited:
    """One stored game judged again."""
    log = source.open()
    game = StoredGame(source.game, log.header, log.ruleset, tuple(log))
    (found,) = reaudited((game,), after=after, passages=passages, language=language)
    return found


def reaudited_season(
    sources: Iterable[Source], share: Share, *, after: str | None, passages: Iterable[PassageChange], language: str
) -> Iterator[Reaudited]:
    """Every stored game judged again, in order."""
    work: Callable[[Source], Reaudited] = partial(reaudited_source, after, tuple(passages), language)
    for source, found in share(work, sources):
        if isinstance(found, Lost):
            readings = ("", after or "")
            found = Reaudited(id=source.game, game=source.name, ruleset="", readings=readings, trouble=lost(source))
        yield found
