"""What the table asks of people and machines: `python -m bench.table`.

Prints the characters of a typed decision over the sample games, the bytes of a position's line, and the time of a
question. Taps are counted by the browser tests of the page.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from audit.auditor import audit
from bench.score_sheets import main as print_characters
from replays.annotating.positions import line_at
from replays.log.reader import open_log
from web import create_app

SAMPLES = Path(__file__).resolve().parent.parent / "replays" / "samples"
GAME = SAMPLES / "dispute.jsonl"
QUESTIONS = 20


def position_lines() -> Iterator[str]:
    """The position after every step of the sample that is disputed."""
    log = open_log(GAME)
    for step in audit(log.ruleset, log.header, log):
        yield line_at(log.header, step.state)


def milliseconds(position: str) -> float:
    """How long a question about a position takes, in this process."""
    client = create_app(config={"AUDIT_VIEWPOINTS": "loopback"}).test_client()
    taken = []
    for _ in range(QUESTIONS):
        since = time.perf_counter()
        answer = client.post("/api/v1/ask", json={"position": position, "events": ["A refresh"]})
        taken.append(time.perf_counter() - since)
        assert answer.status_code == 200, answer.text
    return min(taken) * 1000


def main() -> None:
    """Print all of it."""
    print_characters([str(path) for path in sorted(SAMPLES.glob("*.jsonl"))])
    lines = list(islice(position_lines(), 200))
    print(f"a position: median {median(len(line.encode()) for line in lines):g} bytes")
    print(f"a question, on a server: {milliseconds(lines[0]):.0f} ms, best of {QUESTIONS}")


if __name__ == "__main__":
    main()
