"""Standard input and output as they may come: closed, full, or of an encoding without our letters."""

from __future__ import annotations

import io
import os
import sys

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
