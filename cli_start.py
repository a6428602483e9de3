"""Starts the command `audit`. Control-C ends it from the first moment on, also while its modules are being loaded."""

from __future__ import annotations

from commands.interrupts import end_at_interrupts, ignore_interrupts_at_the_end


def main() -> None:
    """The console command. Nothing else is loaded before an interrupt is answered."""
    end_at_interrupts()
    ignore_interrupts_at_the_end()
    from cli import main as carry_out

    carry_out()


if __name__ == "__main__":
    main()
