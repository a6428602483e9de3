"""What the table asks of people and machines: `python -m bench.table`.

Prints the characters of a decision over the sample games, the keys it takes by hand and in `audit record`, the bytes of
the line of a position, the time of a question on a server and on the static site, and the taps of a decision.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from audit.core.auditor import audit
from bench import table_taps, table_worker
from bench.score_sheets import main as print_characters
from bench.typing_keys import keys_of_log
from replays.judging.positions import line_at
from replays.log.reader import open_log
from web import create_app

SAMPLES = Path(__file__).resolve().parent.parent / "replays" / "samples"
GAME = SAMPLES / "dispute.jsonl"
QUESTIONS = 20
MOST_KEYS = 14
"""What a decision may take at the median."""


def position_lines() -> Iterator[str]:
    """The position after every step of the sample that is disputed."""
    log = open_log(GAME)
    for step in audit(log.ruleset, log.header, log):
        yield line_at(log.header, step.state)


def print_keys() -> None:
    """The keys of a decision, for each game over its samples: by hand, and with completion."""
    cut: dict[str, list[int]] = {}
    found: dict[str, list[int]] = {}
    for path in sorted(SAMPLES.glob("*.jsonl")):
        name = open_log(path).header.ruleset
        for _, characters, keys in keys_of_log(path):
            cut.setdefault(name, []).append(characters)
            found.setdefault(name, []).append(keys)
    _print_all("typed by hand, names cut short, Enter counted", cut)
    _print_all("typed in the one field with completion, every key counted", found)


def _print_all(how: str, taken: Mapping[str, Sequence[int]]) -> None:
    for name, keys in taken.items():
        longest = sorted(keys)[len(keys) * 9 // 10]
        print(
            f"{name}: {how}: median {median(keys):g} keys a decision (at most {MOST_KEYS}), nine in ten up to {longest}"
        )


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
    print("written out in full, as on a score sheet:")
    print_characters([str(path) for path in sorted(SAMPLES.glob("*.jsonl"))])
    print_keys()
    lines = list(islice(position_lines(), 200))
    print(f"a position: median {median(len(line.encode()) for line in lines):g} bytes")
    print(f"a question, on a server: {milliseconds(lines[0]):.0f} ms, best of {QUESTIONS}")
    table_taps.main(sorted(SAMPLES.glob("*.jsonl")))
    table_worker.main()


if __name__ == "__main__":
    main()
