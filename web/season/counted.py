"""The statistics of the games that a reader may know of, kept until a game changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, cast, runtime_checkable

from flask import current_app

from replays.cache import Cache
from replays.judging.facts import Facts
from replays.season.statistics import Filters, Statistics, statistics
from web.games.address import library
from web.site.reader import PUBLIC, reader

KEY = "audit.statistics"


@runtime_checkable
class Counting(Protocol):
    """A library that keeps what statistics need."""

    def facts(self, audience: str) -> Iterable[Facts]:
        """What is kept of every game; to others than the judges, of those that are public."""


def audience() -> str:
    """For whom the games are counted."""
    return "judge" if reader().is_judge else PUBLIC


def facts() -> tuple[Facts, ...]:
    """What is kept of every game that stands in this reader's list."""
    games, who = library(), audience()
    if not isinstance(games.inner, Counting):
        return ()
    inner = games.inner
    kept = cast(Cache, current_app.extensions[KEY])
    return kept.get((who, games.state()), lambda: tuple(inner.facts(who)))


def counted(filters: Filters) -> Statistics:
    """The games that the filters let through, with as much of them as this reader may know."""
    kept = cast(Cache, current_app.extensions[KEY])
    key = (audience(), library().state(), filters)
    return kept.get(key, lambda: statistics(facts(), filters, told=audience() == PUBLIC))


def chosen_facts(filters: Filters) -> list[Facts]:
    """The games themselves, for an export."""
    return [one for one in facts() if filters.let_through(one)]
