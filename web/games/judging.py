"""Judges the games that came in since: for a moment while a reader waits, the rest while nobody does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from audit.core.errors import AuditError

PATIENCE = 0.3
"""Seconds for which a reader waits while games are judged."""
JUDGING = "judging what came in"
"""The thread that judges while nobody waits."""
A_WHILE = 5.0
"""Seconds of judging after which it is asked again what has come in."""


class Judging:
    """What a library does before it answers. `catch_up` judges for so many seconds, and returns how many are left."""

    def __init__(self, catch_up: Callable[[float], int]) -> None:
        self._catch_up = catch_up
        self._lock = Lock()

    def keep_up(self) -> None:
        """Judge for a moment; whatever is left is judged while nobody waits. Where somebody judges already, go on."""
        if self._lock.acquire(blocking=False):
            left = 0
            try:
                left = self._catch_up(PATIENCE)
            finally:
                if left:
                    Thread(target=self._judge_the_rest, name=JUDGING, daemon=True).start()
                else:
                    self._lock.release()

    def _judge_the_rest(self) -> None:
        try:
            with suppress(AuditError):
                while self._catch_up(A_WHILE):
                    pass
        finally:
            self._lock.release()
