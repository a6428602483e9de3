"""Control-C ends a command, also at a moment at which Python would pass over it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.interrupts import Interrupted, notice_interrupts

ROOT = Path(__file__).resolve().parent.parent


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


STARTING = """
import signal, sys

class Interrupting:
    @staticmethod
    def find_spec(name, *more):
        if name == {name!r}:
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.{before})
sys.meta_path.insert(0, Interrupting)
sys.argv[1:] = ["--version"]
from cli_start import main
main()
"""


def started(name: str, before: str = "default_int_handler") -> subprocess.CompletedProcess[str]:
    """The command, interrupted when it loads the module of that name."""
    program = STARTING.format(name=name, before=before)
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.every("name", ["cli", "click", "msgspec", "audit.core.errors", "commands.common"])
def test_a_command_that_is_interrupted_while_it_is_loaded_ends_at_once_and_says_nothing(name: str) -> None:
    done = started(name)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_little_is_loaded_before_an_interrupt_is_answered() -> None:
    """Python by itself, without what an installed package adds to its start, loads none of these."""
    names = {"cli", "click", "msgspec", "pathlib", "typing"}
    program = f"import sys, cli_start; print(sorted({names} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_command_that_was_not_interrupted_says_what_it_has_to_say() -> None:
    assert started("no such module").stdout.startswith("audit, version ")
    assert started("click", "SIG_IGN").stdout.startswith("audit, version ")


def test_an_interrupt_while_python_ends_changes_nothing() -> None:
    program = """
import atexit, signal
from commands.interrupts import end_at_interrupts, ignore_interrupts_at_the_end
end_at_interrupts()
ignore_interrupts_at_the_end()
class Last:
    def __del__(self, act=signal.raise_signal, number=signal.SIGINT):
        act(number)
last = Last()
raise SystemExit(1)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_what_was_to_be_ignored_is_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    notice_interrupts()
    signal.raise_signal(signal.SIGINT)
