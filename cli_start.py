"""Starts the command `audit`. Control-C ends it from the first moment on, also while its modules are being loaded."""

from __future__ import annotations

import atexit
import gc

from commands.interrupts import end_at_interrupts, ignore_interrupts_at_the_end

NEW_OBJECTS = 50_000
"""After so many new objects Python looks for garbage. By itself it does so after 700, seventy times in a start."""


def main() -> None:
    """The console command. Nothing else is loaded before an interrupt is answered."""
    end_at_interrupts()
    ignore_interrupts_at_the_end()
    collect_less_garbage()
    from cli import main as carry_out

    carry_out()


def collect_less_garbage() -> None:
    """What a start loads stays until the end, and then goes with the process: it is looked through neither time."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)


if __name__ == "__main__":
    main()
