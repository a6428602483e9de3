"""Judges the games of a store in several processes, or on a cluster, for its lists and searches. One process writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from replays.season.season import Share
from replays.season.sources import Source, opened_store
from replays.season.workers import Lost, cores, side_by_side
from replays.store.database import Statement, StoreError
from replays.store.projections import Game, Spread
from replays.store.store import Store

FEW = 4
"""So many games are judged at once by this process alone."""

PART = 50
"""Games whose places are sent with a task."""


def spread(store: Store, jobs: int = 0, cluster: Share | None = None) -> Spread | None:
    """What judges the games of that store in so many processes, or on a cluster; None where there is one core only."""
    if cluster is not None:
        return lambda games: _shown_on(cluster, store, games)
    count = jobs or cores()
    if count < 2 or ":memory:" in store.place.url:
        return None
    return lambda games: _shown(store, games, count)


def _shown(store: Store, games: Mapping[str, int], jobs: int) -> Iterator[list[Statement]]:
    if len(games) <= FEW:
        yield from (store.projections.statements(game, place) for game, place in games.items())
        return
    for (game, _), found in side_by_side(partial(_statements, store.place.url), games.items(), jobs):
        if isinstance(found, Lost):
            raise StoreError(store.place.name, f"game {game}: two processes that judged it died")
        yield found


def _shown_on(cluster: Share, store: Store, games: Mapping[str, int]) -> Iterator[Sequence[Statement]]:
    for some in _in_parts(games):
        sources = (Source(game, game=game, store=store.place.url) for game in some)
        for source, found in cluster(partial(statements_of, some), sources):
            if isinstance(found, Lost):
                raise StoreError(store.place.name, f"game {source.name}: the workers that judged it died")
            yield found


def _in_parts(games: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """So many games at a time that their places are not much to send along with every task."""
    each = iter(games.items())
    while some := dict(islice(each, PART)):
        yield some


def statements_of(places: Mapping[str, int], source: Source) -> list[Statement]:
    """What shows a game that was sent along with its bytes, or one of a database that this process reaches."""
    place = places[source.name]
    if source.game:
        return opened_store(source.store).projections.statements(source.game, place)

    def read(game: str) -> Game:
        log = source.open()
        return log.header, log.ruleset, log

    return opened_store(":memory:").projections.reading(read).statements(source.name, place)


def _statements(url: str, game: tuple[str, int]) -> list[Statement]:
    return opened_store(url).projections.statements(*game)
