"""Judges the games of a store in several processes, for its lists and searches. One process writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from replays.season.sources import opened_store
from replays.season.workers import Lost, cores, side_by_side
from replays.store.database import Statement, StoreError
from replays.store.projections import Spread
from replays.store.store import Store

FEW = 4
"""So many games are judged at once by this process alone."""


def spread(store: Store, jobs: int = 0) -> Spread | None:
    """What judges the games of that store in so many processes; None where there is one core only."""
    count = jobs or cores()
    if count < 2 or ":memory:" in store.place.url:
        return None
    return lambda games: _shown(store, games, count)


def _shown(store: Store, games: Mapping[str, int], jobs: int) -> Iterator[list[Statement]]:
    if len(games) <= FEW:
        yield from (store.shown.statements(game, place) for game, place in games.items())
        return
    for (game, _), found in side_by_side(partial(_statements, store.place.url), games.items(), jobs):
        if isinstance(found, Lost):
            raise StoreError(store.place.name, f"game {game}: two processes that judged it died")
        yield found


def _statements(url: str, game: tuple[str, int]) -> list[Statement]:
    return opened_store(url).shown.statements(*game)
