"""How a command ends that is interrupted while it starts: `python -m bench.interrupts [--times 200] [--within 0.3]`.

`audit check` of a log is sent SIGINT after a random time. It should end with 130, or with its own exit code if it was
done; a traceback, or the end by the signal itself (-2), is counted as wrong. Before Python has begun to run the
command, nothing can answer: what that takes is told first.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import click

SAMPLE = Path(__file__).parent.parent / "replays" / "samples" / "dispute.jsonl"
SCRIPT = Path(sys.executable).with_name("audit")


def ended(seconds: float) -> tuple[int, bool]:
    """The exit code of a command that is interrupted after so long, and whether it printed a traceback."""
    with subprocess.Popen([SCRIPT, "check", SAMPLE], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as command:
        time.sleep(seconds)
        command.send_signal(signal.SIGINT)
        _, said = command.communicate()
    return command.returncode, b"Traceback" in said


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
    dice, counts = random.Random(22), Counter[tuple[int, bool]]()
    spans: dict[tuple[int, bool], list[float]] = {}
    for _ in range(times):
        after = dice.uniform(0, within)
        way = ended(after)
        counts[way] += 1
        spans.setdefault(way, []).append(1000 * after)
    for (code, is_traced), count in counts.most_common():
        said, span = ", with a traceback" if is_traced else "", spans[code, is_traced]
        click.echo(f"{count:4} times exit code {code}{said}, interrupted after {min(span):.0f} to {max(span):.0f} ms")


if __name__ == "__main__":
    main()
