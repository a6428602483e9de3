"""Carries out a piece of work in a process of its own, with limits on its time and memory.

For what strangers give us to read: a small file can ask for a very long calculation.
"""

from __future__ import annotations

import os
import pickle  # nosec B403: only between this program and its own child
import subprocess  # nosec B404: runs this very program
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, cast

from audit.core.errors import AuditError

T = TypeVar("T")

SECONDS = 8
"""Of a processor's time."""
WAIT = 60.0
"""Seconds until the child is given up, also where the machine has no time for it."""
MEMORY = 2_000_000_000
"""Bytes."""


class TooCostlyError(AuditError):
    """A piece of work that takes too long or too much memory."""

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(f"{what}: takes more than {seconds} s or {MEMORY // 1_000_000:,} MB; it was given up")
        self.what = what
        self.seconds = seconds


def limited(what: str, function: Callable[..., T], *args: object, seconds: int = SECONDS) -> T:
    """What the function gives, or the error it raises; raises `TooCostlyError`, which says what it was.

    The function has to be one that can be imported, and what it takes and gives has to be plain values.
    """
    if not has_processes():
        return function(*args)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", "from replays.limited import serve; serve()"]
    try:
        done = subprocess.run(  # nosec B603: our own command
            command, input=pickle.dumps((function, args, seconds)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=WAIT + seconds, env=environ, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TooCostlyError(what, seconds) from None
    if done.returncode or not done.stdout:
        raise TooCostlyError(what, seconds)
    error, value = pickle.loads(done.stdout)  # nosec B301: written by our own child
    if error is not None:
        raise error
    return cast(T, value)


def has_processes() -> bool:
    """Whether there are any: a browser has none, and stops a page that takes too long."""
    return sys.platform != "emscripten"


def serve() -> None:
    """The child: one piece of work from standard input, its outcome on standard output."""
    function, args, seconds = pickle.load(sys.stdin.buffer)  # nosec B301: written by our own parent
    _limit(seconds)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    outcome: tuple[Exception | None, object]
    try:
        outcome = (None, function(*args))
    except (AuditError, ValueError, OSError) as error:
        outcome = (error, None)
    answers.write(pickle.dumps(outcome))
    answers.flush()


def _limit(seconds: int) -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
