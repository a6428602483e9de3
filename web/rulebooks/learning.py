"""Link proposals by meaning, worked out beside the pages: no reader waits while sentences are encoded."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import Generic, TypeVar

Learned = TypeVar("Learned")
PATIENCE = 0.3
"""Seconds that a page waits for something that may be ready at once."""
KEPT = 32
"""Results that are kept."""


class _Work(Thread, Generic[Learned]):
    """One thing being worked out; `result` stays empty where that failed."""

    def __init__(self, make: Callable[[], Learned]) -> None:
        super().__init__(daemon=True)
        self._make = make
        self.result: Learned | None = None

    def run(self) -> None:
        self.result = self._make()


class Learning(Generic[Learned]):
    """What is worked out in the background, each thing once, by its key; safe to share between threads."""

    def __init__(self) -> None:
        self._works: dict[Hashable, _Work[Learned]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Learned]) -> tuple[Learned | None, bool]:
        """The result, or None; and whether it is still being worked out. The first call starts the work."""
        with self._lock:
            work = self._works.get(key)
            if work is None:
                work = self._works[key] = _Work(make)
                work.start()
                for old in [one for one, done in self._works.items() if not done.is_alive()][:-KEPT]:
                    del self._works[old]
        work.join(PATIENCE)
        return work.result, work.is_alive()
