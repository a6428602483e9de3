"""Being stopped by a signal, at a moment at which it counts."""

from __future__ import annotations

import atexit
import io
import os
import signal
import sys
from _thread import interrupt_main

TYPE_CHECKING = False  # that of `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130
"""The exit code of a command that was interrupted from the keyboard."""
SOON = 0.01
"""Seconds after which a signal comes again."""


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Control-C.

    After a plain `KeyboardInterrupt` in code that was made at run time, Python gives no exit code but kills itself.
    """


def notice_interrupts() -> None:
    """From now on Control-C ends the command, whatever is being done; unless it was to be ignored."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _end):
        signal.signal(signal.SIGINT, _interrupt)


def end_at_interrupts() -> None:
    """The command has done nothing yet, or is done and says no more: Control-C ends it at once."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _interrupt):
        signal.signal(signal.SIGINT, _end)


def ignore_interrupts_at_the_end() -> None:
    """When all is done and Python takes itself apart, Control-C no longer changes how the command has ended."""
    atexit.register(_ignore)  # what is registered first is done last


def _ignore() -> None:
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def comes_later(number: int, frame: FrameType | None) -> bool:
    """Whether what is raised here would reach nobody. Then the signal comes again in a moment."""
    while frame is not None:
        if _is_deaf(frame):
            _send_again(signal.Signals(number))
            return True
        frame = frame.f_back
    return False


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not comes_later(number, frame):
        raise Interrupted


def _send_again(number: signal.Signals) -> None:
    """From a thread: a signal that this thread sends itself would be answered here and now."""
    from threading import Timer, main_thread

    receiver = main_thread().ident
    if sys.platform == "win32" or receiver is None:
        again = Timer(SOON, interrupt_main, (number,))
    else:
        again = Timer(SOON, signal.pthread_kill, (receiver, number))
    again.daemon = True
    again.start()


def _is_deaf(frame: FrameType) -> bool:
    """Whether Python prints what is raised there, and goes on: at the end of an object or the import of a module.

    An iterator that is given up ends its processes in the same way.
    """
    name, file = frame.f_code.co_name, frame.f_code.co_filename
    if name == "__exit__":
        return file.endswith("workers.py")
    return name == "__del__" or (name == "cb" and "importlib" in file)


STREAMS = ("stdin", "stdout", "stderr")


def prepare_streams() -> None:
    """Open what was closed, so that reading and writing it is an error and no other file takes its place.

    A letter that the output does not have is shown as a question mark.
    """
    for number, name in enumerate(STREAMS):
        _keep_open(number)
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _keep_open(number: int) -> None:
    """A descriptor that was closed is opened the wrong way round: whoever uses it is told."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)


def give_up_output(number: int = 1) -> None:
    """Nobody reads on, or the disk is full: what is still to be written goes nowhere, also at the very end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def has_every_letter() -> bool:
    """Whether the output can show any text."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
