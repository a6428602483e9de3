"""Judges the games of a season: on all cores where it pays, and again only where something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from replays.files import ENDING
from replays.season.cache import Cache
from replays.season.judging import Asked, Judged, Judging, Question
from replays.season.sources import Source
from replays.season.workers import Lost, alone, cores, nothing_known, side_by_side

A = TypeVar("A")
R = TypeVar("R")

WORTH_IT = 600_000
"""Bytes of logs from which on several processes pay: judging them takes longer than starting the processes."""
LOOKED_AT = 1_000
"""So many logs are looked at to find out whether it pays."""
OPENED = 12
"""So many logs at most are opened before processes start, so that their games are loaded once for all processes."""
SAMPLES = Path(__file__).parents[1] / "samples"


class Share(Protocol):
    """A way to share work: among processes here, or among machines."""

    def __call__(
        self, work: Callable[[Source], R], sources: Iterable[Source], known: Callable[[Source], R | None] = ...
    ) -> Iterator[tuple[Source, R | Lost]]:
        """The results in order; none is made that is known already."""


class Cores(Struct, frozen=True):
    """Shares work among processes on this machine: so many, or with 0 as many as there are cores, where that pays."""

    jobs: int = 0

    def __call__(
        self,
        work: Callable[[Source], R],
        sources: Iterable[Source],
        known: Callable[[Source], R | None] = nothing_known,
    ) -> Iterator[tuple[Source, R | Lost]]:
        """The results in order."""
        jobs, coming = self.jobs or cores(), iter(sources)
        if jobs < 2:
            return alone(work, coming, known)
        looked_at, pays = _whether_it_pays(coming)
        rest = chain(looked_at, coming)
        if not pays:
            return alone(work, rest, known)
        return side_by_side(work, rest, jobs, known, partial(_load, work, looked_at))


def _load(work: Callable[[Source], object], sources: list[Source]) -> None:
    """Load the games of the first logs, by working on a sample of each: no log of a stranger can end this process.

    A store is opened by each process for itself.
    """
    games: set[str] = set()
    for source in sources[:OPENED]:
        with suppress(Exception):  # whatever is wrong is told by who works on the log
            if source.path and (name := source.open().header.ruleset) not in games:
                games.add(name)
                work(_samples()[name])


@cache
def _samples() -> dict[str, Source]:
    """A short sample of each game that has any."""
    files = sorted(SAMPLES.glob(f"*{ENDING}"), key=lambda file: -file.stat().st_size)
    logs = [Source(file.name, str(file)) for file in files]
    return {log.open().header.ruleset: log for log in logs}


def _whether_it_pays(coming: Iterator[Source]) -> tuple[list[Source], bool]:
    looked_at: list[Source] = []
    size = 0
    for source in islice(coming, LOOKED_AT):
        looked_at.append(source)
        size += source.size
        if len(looked_at) > 1 and size >= WORTH_IT:
            return looked_at, True
    return looked_at, len(looked_at) == LOOKED_AT


def answered(question: Question[A], sources: Iterable[Source], cache: Cache, share: Share) -> Iterator[A]:
    """The answer of every game, in order. Games whose answer is kept are not judged again."""
    keys: dict[str, str] = {}

    def known(source: Source) -> A | None:
        key = cache.key(question, source)
        found = cache.find(key, question, source)
        if found is None and key:
            keys[source.name] = key
        return found

    for source, result in share(question.answer, sources, known):
        # a worker of a cluster may know a stored game by its bytes alone
        said = question.lost(source) if isinstance(result, Lost) else question.named(result, source)
        key = keys.pop(source.name, "")
        if key and key == cache.key(question, source):  # the file is still the one that was looked up
            cache.keep(key, question, said)
        yield said


def judged_season(asked: Asked, sources: Iterable[Source], cache: Cache, share: Share) -> Iterator[Judged]:
    """Every game judged, in order. Those whose judgement is kept are not judged again."""
    return answered(Judging(asked), sources, cache, share)
