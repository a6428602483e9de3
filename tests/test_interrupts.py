"""Control-C ends a command, also at a moment at which Python would pass over it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from commands.interrupts import Interrupted, notice_interrupts


@pytest.fixture(autouse=True)
def noticing() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    notice_interrupts()
    yield
    signal.signal(signal.SIGINT, before)


class InterruptedAtItsEnd:
    """Python prints what is raised in `__del__`, and goes on."""

    is_over = False

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)
        type(self).is_over = True


def test_an_interrupt_is_raised_at_once() -> None:
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_at_the_end_of_an_object_comes_after_it() -> None:
    InterruptedAtItsEnd()
    assert InterruptedAtItsEnd.is_over
    with pytest.raises(Interrupted):
        time.sleep(60)


def test_what_was_to_be_ignored_is_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    notice_interrupts()
    signal.raise_signal(signal.SIGINT)
