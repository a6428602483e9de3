"""Starts the command `audit`. Control-C ends it from the first moment on, also while its modules are being loaded."""

from __future__ import annotations

from importlib import import_module

from commands.interrupts import end_at_interrupts, ignore_interrupts_at_the_end


def main() -> None:
    """The console command. Nothing else is loaded before an interrupt is answered."""
    end_at_interrupts()
    ignore_interrupts_at_the_end()
    import_module("cli").main()  # the command line is above this package, and is loaded by its name


if __name__ == "__main__":
    main()
