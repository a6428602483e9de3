"""Work shared among machines by Dask: results in order, games of a worker that is lost judged again by another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread
from typing import TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from audit.core.errors import AuditError
from replays.judging.versions import engine
from replays.season.season import Share
from replays.season.sources import Source
from replays.season.workers import Lost, nothing_known

R = TypeVar("R")

AHEAD = 4
"""So many tasks for each thread of a worker are sent before the result of the first is handed on."""
GAMES = 32
BYTES = 2 << 20
"""A task has at most so many games, and no more when it has so many bytes: each task costs the scheduler some 3 ms."""
GROWTH = 8
"""The first tasks are of one game, so that every worker has one; each thread is sent so many games before they grow."""
SCHEMES = ("tcp", "tls", "ws", "wss")
PATIENCE = 30
"""Seconds in which the scheduler has to answer, and a first worker has to come."""
GRACE = 5
"""Seconds in which the library has to say that the scheduler did not answer."""


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
        with self.held() as share:
            yield from share(work, sources, known)

    @contextmanager
    def held(self) -> Iterator[Share]:
        """The same for work that comes bit by bit: the scheduler is spoken to from here on; raises `ClusterError`."""
        client = self._client()
        with client:  # type: ignore[attr-defined]
            yield partial(self._results, client, self._threads(client))

    def _client(self) -> object:
        """What the scheduler is spoken to by; raises `ClusterError`."""
        if not _is_address(self.address):
            raise ClusterError(self.address, "no address of a scheduler; one is tcp://10.0.0.5:8786")
        try:
            from distributed import Security
        except ImportError:
            raise ClusterError(self.address, "needs the package distributed: install audit[cluster]") from None
        if self.address.startswith(("tls:", "wss:")) and not Security().get_connection_args("client")["ssl_context"]:  # type: ignore[no-untyped-call]
            raise ClusterError(self.address, "Dask's configuration names no certificates for TLS")
        if (client := _connected(self.address)) is None:
            raise ClusterError(self.address, "no scheduler answers there")
        return client

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
        sources: Iterable[Source],
        known: Callable[[Source], R | None] = nothing_known,
    ) -> Iterator[tuple[Source, R | Lost]]:
        begun: deque[tuple[list[tuple[Source, R | None]], object]] = deque()
        coming, count = iter(sources), 0
        while True:
            while len(begun) < AHEAD * threads and (task := gathered(coming, known, 1 + count // (GROWTH * threads))):
                unknown = [source for source, found in task if found is None]
                begun.append((task, self._submitted(client, work, unknown)))
                count += len(unknown)
            if not begun:
                return
            task, future = begun.popleft()
            results = self._all_results(client, work, task, future)
            for source, found in task:
                yield source, next(results) if found is None else found

    @staticmethod
    def _submitted(client: object, work: Callable[[Source], R], sources: Sequence[Source]) -> object:
        if not sources:
            return None
        return client.submit(each, work, [sent(source) for source in sources], pure=False)  # type: ignore[attr-defined]

    def _all_results(
        self, client: object, work: Callable[[Source], R], task: Sequence[tuple[Source, R | None]], future: object
    ) -> Iterator[R | Lost]:
        """The results of a task. Of one that ends its workers, each game is tried by itself, to find out which does."""
        unknown = [source for source, found in task if found is None]
        results: Sequence[R] | Lost = self._result(future) if unknown else ()
        if not isinstance(results, Lost):
            yield from results
        elif len(unknown) == 1:
            yield results
        else:
            for alone in [self._submitted(client, work, [source]) for source in unknown]:
                found: Sequence[R] | Lost = self._result(alone)
                yield found if isinstance(found, Lost) else found[0]

    def _result(self, future: object) -> Sequence[R] | Lost:
        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            result: Sequence[R] = future.result()  # type: ignore[attr-defined]
        except KilledWorker:
            return Lost()
        except (CancelledError, CommClosedError):
            raise ClusterError(self.address, "the scheduler is there no more; what was judged is kept") from None
        except (OSError, TimeoutError) as error:
            raise ClusterError(self.address, str(error)) from None
        return result


def _is_address(text: str) -> bool:
    """Whether a scheduler can be called at that address. The library would look for one for a minute all the same."""
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        return parts.scheme in SCHEMES and bool(parts.hostname) and parts.port is not None
    except ValueError:
        return False


def _connected(address: str) -> object | None:
    """The client of a scheduler; None where none answers.

    The library may wait for ever for something else that listens there, so a thread waits, and we for the thread.
    """
    from distributed import Client

    found: list[object] = []

    def connect() -> None:
        with suppress(OSError, ValueError, TimeoutError, MemoryError):  # any length may be read
            found.append(Client(address, timeout=PATIENCE, set_as_default=False))  # type: ignore[no-untyped-call]

    thread = Thread(target=connect, name="cluster", daemon=True)
    thread.start()
    thread.join(PATIENCE + GRACE)
    return found[0] if found else None


def each(work: Callable[[Source], R], sources: Sequence[Source]) -> list[R]:
    """The results of a task."""
    return [work(source) for source in sources]


def gathered(
    coming: Iterator[Source], known: Callable[[Source], R | None], games: int
) -> list[tuple[Source, R | None]]:
    """The games of a task, at most so many of which nothing is known yet, with what is known of the others."""
    task: list[tuple[Source, R | None]] = []
    unknown = size = 0
    while unknown < min(games, GAMES) and size < BYTES and len(task) < GAMES:
        if (source := next(coming, None)) is None:
            break
        found = known(source)
        task.append((source, found))
        unknown += found is None
        size += source.size if found is None else 0
    return task


def sent(source: Source) -> Source:
    """What a worker on another machine needs: the bytes, or the id of a game in a database that it can reach."""
    if source.game and source.store.startswith(("postgres://", "postgresql://")):
        return Source(source.name, game=source.game, size=source.size, head=source.head)
    try:
        return source.carried()
    except OSError as error:
        return Source(source.name, trouble=str(error))
