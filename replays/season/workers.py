"""Work shared among processes: results in order, in constant memory, and nothing lost when a process dies."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 8
"""So many items for each process are begun before the first of them is handed on."""
IN_HAND = 4
"""So many items a process has at once, so that it need not wait for the next one."""
SMALL = 4096
"""Bytes of an item, at most, that is given to a process before it is done with another."""
CHANCES = 2
"""So often an item is tried that kills the process it is given to."""
MOST = 500
"""So many processes are started at most, whatever is asked for."""
FILES = 4
"""A process takes two open files; twice as many are left for whatever else is opened."""
STOPPED = 5.0
"""Seconds in which a process has to end when it is told to."""
COPIES = sys.platform == "linux"
"""Whether processes are copies of this one, where that is safe; else they load everything themselves."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""By these a command is stopped."""


class Lost(Struct, frozen=True):
    """What stands for the result of an item that killed the processes it was given to."""


class WorkError(Exception):
    """The work itself failed, which is a mistake of this program: what was raised in the process."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_processes() -> int:
    """How many processes may run at once: so many that their open files are few beside what the system allows."""
    try:
        import resource
    except ImportError:  # on Windows no more can be waited for
        return 30
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if allowed == resource.RLIM_INFINITY else max(1, min(MOST, allowed // FILES))


def nothing_known(item: object) -> None:
    """No result is known beforehand."""


def nothing_to_prepare() -> None:
    """The work needs nothing that could be loaded beforehand."""


def alone(
    work: Callable[[T], R], items: Iterable[T], known: Callable[[T], R | None] = nothing_known
) -> Iterator[tuple[T, R | Lost]]:
    """The results in order, made in this process; none is made that is known already."""
    for item in items:
        found = known(item)
        yield item, work(item) if found is None else found


def side_by_side(
    work: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
    known: Callable[[T], R | None] = nothing_known,
    prepare: Callable[[], object] = nothing_to_prepare,
) -> Iterator[tuple[T, R | Lost]]:
    """The results in order, made by so many processes. They end with this iterator, however it ends.

    `work` and the items are sent to other processes. An item is given to another process where the first one dies.
    `prepare` is called before the first process starts, where processes are copies of this one: what it loads is loaded
    once.
    """
    with _Crew(work, jobs, known, prepare) as crew:
        yield from crew.results(items)


class _Worker(Generic[T, R]):
    """A process, and what it was given, the item that it works on first."""

    def __init__(self, context: BaseContext, work: Callable[[T], R]) -> None:
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, work), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        other.close()
        self.given: deque[tuple[int, T]] = deque()

    def give(self, given: tuple[int, T], data: bytes) -> None:
        self.given.append(given)
        with suppress(OSError):  # a dead process is found by its sentinel
            self.pipe.send_bytes(data)

    def answer(self) -> tuple[bool, R | str] | None:
        """What it says, None where it is dead."""
        try:
            answer: tuple[bool, R | str] | None = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None
        return answer

    def end(self) -> None:
        self.process.terminate()
        self.process.join(STOPPED)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


class _Crew(Generic[T, R]):
    """The processes that share the work."""

    def __init__(
        self, work: Callable[[T], R], jobs: int, known: Callable[[T], R | None], prepare: Callable[[], object]
    ) -> None:
        self._known = known
        self._prepare = prepare
        self._begun = 0
        self._hire: Callable[[], _Worker[T, R]] = partial(_Worker, get_context("fork" if COPIES else "spawn"), work)
        self._jobs = max(1, min(jobs, most_processes()))
        self._workers: list[_Worker[T, R]] = []
        self._deaths: dict[int, int] = {}
        self._again: deque[tuple[int, T]] = deque()
        self._done: dict[int, tuple[T, R | Lost]] = {}

    def __enter__(self) -> _Crew[T, R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()

    def results(self, items: Iterable[T]) -> Iterator[tuple[T, R | Lost]]:
        """The results in the order of the items."""
        coming, place = enumerate(items), 0
        while True:
            self._hand_out(coming, place + AHEAD * self._jobs)
            if place not in self._done:
                if not any(worker.given for worker in self._workers):
                    return
                self._listen()
            while place in self._done:
                yield self._done.pop(place)
                place += 1

    def _hand_out(self, coming: Iterator[tuple[int, T]], until: int) -> None:
        """Give every process something to do, as far as items may be begun."""
        while self._has_room():
            given = self._again.popleft() if self._again else self._next(coming, until)
            if given is None:
                return
            worker, data = self._free(), pickle.dumps(given[1])
            if worker.given and len(data) > SMALL:  # it would fill the pipe, and both would wait for each other
                self._again.appendleft(given)
                return
            worker.give(given, data)

    def _has_room(self) -> bool:
        """Whether a process may be given more, or another one started."""
        return len(self._workers) < self._jobs or any(len(worker.given) < IN_HAND for worker in self._workers)

    def _next(self, coming: Iterator[tuple[int, T]], until: int) -> tuple[int, T] | None:
        """The next item whose result is not known."""
        while self._begun < until and (given := next(coming, None)):
            self._begun += 1
            found = self._known(given[1])
            if found is None:
                return given
            self._done[given[0]] = (given[1], found)
        return None

    def _free(self) -> _Worker[T, R]:
        """The process with the least to do: a new one, as long as all have something and more may be started."""
        least = min(self._workers, key=lambda worker: len(worker.given), default=None)
        if least is None or (least.given and len(self._workers) < self._jobs):
            if not self._workers and COPIES:
                self._prepare()
            with _undisturbed():
                least = self._hire()
                self._workers.append(least)
        return least

    def _listen(self) -> None:
        busy = [worker for worker in self._workers if worker.given]
        ready = wait([*(worker.pipe for worker in busy), *(worker.process.sentinel for worker in busy)])
        for worker in busy:
            if worker.pipe in ready or worker.process.sentinel in ready:
                self._take(worker)

    def _take(self, worker: _Worker[T, R]) -> None:
        answer = worker.answer()
        if answer is None:
            self._bury(worker)
            return
        number, item = worker.given.popleft()
        is_good, said = answer
        if not is_good:
            raise WorkError(str(said))
        self._done[number] = (item, said)  # type: ignore[assignment]

    def _bury(self, worker: _Worker[T, R]) -> None:
        number, item = worker.given.popleft()
        self._again.extendleft(reversed(worker.given))
        worker.end()
        self._workers.remove(worker)
        self._deaths[number] = self._deaths.get(number, 0) + 1
        if self._deaths[number] < CHANCES:
            self._again.append((number, item))
        else:
            self._done[number] = (item, Lost())


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals wait until a process has begun and is known: it begins with what this process does about signals."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, work: Callable[[T], R]) -> None:
    """Work on what comes until nobody sends any more. Whoever stops us stops the process that we work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    parent = parent_process()
    assert parent is not None
    while pipe in wait([pipe, parent.sentinel]):
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(_answer(work, item))


def _answer(work: Callable[[T], R], item: T) -> tuple[bool, R | str]:
    try:
        return True, work(item)
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
