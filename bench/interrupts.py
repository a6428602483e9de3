"""How a command ends that is interrupted while it starts: `python -m bench.interrupts [--times 200] [--within 0.3]`.

`audit check` of a log is sent SIGINT after a random time. It should end with 130, or with its own exit code if it was
done. Any other end is counted as wrong, and the exit code is then 1. Until Python has loaded the small module that
begins the command, nothing of ours can answer: Python ends by the signal itself, for which a shell says 130, or with a
traceback of its own start. These ends are told apart, and so is what starting takes.
"""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click

from commands.interrupts import INTERRUPTED

SAMPLE = Path(__file__).parent.parent / "replays" / "samples" / "dispute.jsonl"
SCRIPT = Path(sys.executable).with_name("audit")
FOUND = 1
"""The exit code of `audit check` for this log, which has a finding."""


class End(NamedTuple):
    """How a command ended: its exit code, and what it printed."""

    code: int
    said: str

    @property
    def is_before_ours(self) -> bool:
        """Whether Python was still starting, and the command had not begun."""
        has_begun = re.search(r'cli_start\.py", line \d+, in main', self.said)
        return not has_begun and (self.code == -signal.SIGINT or "Traceback" in self.said)

    def __str__(self) -> str:
        if self.is_before_ours:
            return "while Python was starting"
        return f"exit code {self.code}{', with a traceback' * self.is_wrong}"

    @property
    def is_wrong(self) -> bool:
        """Whether the command had begun and ended otherwise than it should."""
        return not self.is_before_ours and (self.code not in (FOUND, INTERRUPTED) or "Traceback" in self.said)


def ended(seconds: float) -> End:
    """How a command ends that is interrupted after so long."""
    with subprocess.Popen([SCRIPT, "check", SAMPLE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as command:
        time.sleep(seconds)
        command.send_signal(signal.SIGINT)
        _, said = command.communicate()
    return End(command.returncode, said.decode())


def starting(times: int = 20) -> float:
    """Seconds that Python takes to start and end, the median of several."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        found.append(time.perf_counter() - began)
    return sorted(found)[times // 2]


@click.command()
@click.option("--times", default=200, show_default=True)
@click.option("--within", default=0.3, show_default=True)
def main(times: int, within: float) -> None:
    """Interrupt the command, and print how often it ended in which way, and when it was interrupted."""
    click.echo(f"Python alone starts and ends in {1000 * starting():.0f} ms")
    dice, ends = random.Random(22), dict[str, list[float]]()
    wrong = 0
    for _ in range(times):
        after = dice.uniform(0, within)
        end = ended(after)
        wrong += end.is_wrong
        ends.setdefault(str(end), []).append(1000 * after)
    for told, spans in sorted(ends.items(), key=lambda item: -len(item[1])):
        click.echo(f"{len(spans):4} times {told}, interrupted after {min(spans):.0f} to {max(spans):.0f} ms")
    click.echo(f"{wrong} of {times} ended wrongly")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
