"""Work shared among machines by Dask: results in order, games of a worker that is lost judged again by another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from audit.errors import AuditError
from replays.annotating.versions import engine
from replays.season.sources import Source
from replays.season.workers import Lost, nothing_known

R = TypeVar("R")

AHEAD = 8
"""So many games for each thread of a worker are sent before the first of them is handed on."""
PATIENCE = 30
"""Seconds in which the scheduler has to answer, and a first worker has to come."""


class ClusterError(AuditError):
    """The cluster cannot be used: where it is, and why."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"cluster {address}: {reason}")
        self.address = address


class Cluster(Struct, frozen=True):
    """Shares work among the workers of a Dask scheduler. Work and games are sent as plain values.

    To do a task twice does no harm: it reads, and returns. Games of the store on PostgreSQL are read by the workers,
    each with the `AUDIT_DATABASE_URL` of its own; all other games are sent along.
    """

    address: str

    def __call__(
        self,
        work: Callable[[Source], R],
        sources: Iterable[Source],
        known: Callable[[Source], R | None] = nothing_known,
    ) -> Iterator[tuple[Source, R | Lost]]:
        """The results in order; raises `ClusterError`."""
        try:
            from distributed import Client
        except ImportError:
            raise ClusterError(self.address, "needs the package distributed: install audit[cluster]") from None
        try:
            client = Client(self.address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TimeoutError):
            raise ClusterError(self.address, "no scheduler answers there") from None
        with client:
            threads = self._threads(client)
            yield from self._results(client, threads, work, iter(sources), known)

    @staticmethod
    def _own() -> str:
        return engine()

    def _threads(self, client: object) -> int:
        """How many games are judged at once; raises `ClusterError` where a worker is of another version."""
        try:
            client.wait_for_workers(1, timeout=PATIENCE)  # type: ignore[attr-defined]
            versions = client.run(engine)  # type: ignore[attr-defined]
        except (OSError, TimeoutError):
            raise ClusterError(self.address, "no worker is there") from None
        except ImportError:
            raise ClusterError(self.address, "audit is not installed on every worker") from None
        others = {worker: version for worker, version in versions.items() if version != self._own()}
        for worker, version in others.items():
            raise ClusterError(self.address, f"worker {worker} has version {version}, this program is {self._own()}")
        return sum(client.nthreads().values())  # type: ignore[attr-defined]

    def _results(
        self,
        client: object,
        threads: int,
        work: Callable[[Source], R],
        coming: Iterator[Source],
        known: Callable[[Source], R | None],
    ) -> Iterator[tuple[Source, R | Lost]]:
        begun: deque[tuple[Source, R | None, object]] = deque()
        while True:
            while len(begun) < AHEAD * threads and (source := next(coming, None)) is not None:
                found = known(source)
                future = client.submit(work, sent(source), pure=False) if found is None else None  # type: ignore[attr-defined]
                begun.append((source, found, future))
            if not begun:
                return
            source, found, future = begun.popleft()
            yield source, self._result(future) if found is None else found

    def _result(self, future: object) -> R | Lost:
        from distributed import KilledWorker

        try:
            result: R = future.result()  # type: ignore[attr-defined]
        except KilledWorker:
            return Lost()
        except (OSError, TimeoutError) as error:
            raise ClusterError(self.address, str(error)) from None
        return result


def sent(source: Source) -> Source:
    """What a worker on another machine needs: the bytes, or the id of a game in a database that it can reach."""
    if source.game and source.store.startswith(("postgres://", "postgresql://")):
        return Source(source.name, game=source.game, size=source.size, head=source.head)
    try:
        return source.carried()
    except OSError as error:
        return Source(source.name, trouble=str(error))
