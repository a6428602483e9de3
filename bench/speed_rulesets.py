"""How fast each ruleset is, beside Compile: an audit of another game shall cost no more for an event.

    python -m bench.speed_rulesets [--pool 45] [--events 20000]

By processor time, every game in turn within one round, the best of three rounds. Ratios are what to look at: all
figures are of one run.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from audit.auditor import Auditor
from audit.ruleset import ruleset, rulesets
from bench.speed import TIMES, Work, audited, read, rebuilt, repeated, written
from replays.log import Log, open_log
from replays.simulate import POLICIES, simulated

FIRST = "compile"
"""The game the others are measured by."""

POOL = 45
EVENTS = 20_000

WORK: dict[str, Work] = {"reading": read, "rebuilding": rebuilt, "auditing": audited}


def games(folder: Path, name: str, pool: int) -> list[Path]:
    """Random games of one ruleset, under every policy."""
    game, policies = ruleset(name), list(POLICIES)
    made = (simulated(game, seed, policies[seed % len(policies)]) for seed in range(pool))
    return [written(folder, f"{name}-{number}", *one) for number, one in enumerate(made)]


def taken(work: Work, paths: Sequence[Path]) -> tuple[int, float]:
    """How many events, and the processor seconds they took."""
    gc.collect()
    start = time.process_time()
    events = sum(map(work, paths))
    return events, time.process_time() - start


def judged(logs: Sequence[Log]) -> tuple[int, float]:
    """The same of judging alone: the events are read and the games begun before the time is taken."""
    prepared = [(Auditor(log.ruleset, log.header), list(log)) for log in logs]
    gc.collect()
    start = time.process_time()
    for auditor, events in prepared:
        for event in events:
            auditor.judge(event)
    return sum(len(events) for _, events in prepared), time.process_time() - start


def judging_rates(logs: dict[str, list[Path]], times: int = TIMES) -> dict[str, float]:
    """Events a second once a game is under way, the best of so many rounds, all games taking turns."""
    best = dict.fromkeys(logs, 0.0)
    for _ in range(times):
        for name, paths in logs.items():
            events, seconds = judged([open_log(path) for path in paths])
            best[name] = max(best[name], events / seconds)
    return best


def rates(work: Work, logs: dict[str, list[Path]], times: int = TIMES) -> dict[str, float]:
    """Events a second of each ruleset, the best of so many rounds, all games taking turns."""
    best = dict.fromkeys(logs, 0.0)
    for _ in range(times):
        for name, paths in logs.items():
            events, seconds = taken(work, paths)
            best[name] = max(best[name], events / seconds)
    return best


def report(pool: int = POOL, events: int = EVENTS) -> Iterator[str]:
    """Reading, rebuilding and auditing of every ruleset, and how that compares with Compile."""
    names = sorted(rulesets(), key=lambda name: (name != FIRST, name))
    with tempfile.TemporaryDirectory() as place:
        pools = {name: games(Path(place), name, pool) for name in names}
        sizes = {name: sum(map(read, paths)) // len(paths) for name, paths in pools.items()}
        logs = {name: repeated(paths, events) for name, paths in pools.items()}
        found = {work: rates(WORK[work], logs) for work in WORK} | {"judging alone": judging_rates(logs)}
    yield f"{'events/s, and of Compile':26}" + "".join(f"{name:>24}" for name in names)
    yield f"{'events of a game':26}" + "".join(f"{sizes[name]:>16,}{'':8}" for name in names)
    for work, one in found.items():
        yield f"{work:26}" + "".join(f"{one[name]:>16,.0f}{one[name] / one[FIRST]:>6.2f} x" for name in names)


@click.command()
@click.option("--pool", default=POOL, show_default=True, help="So many different games of each ruleset.")
@click.option("--events", default=EVENTS, show_default=True, help="At least so many events of each ruleset.")
def main(pool: int, events: int) -> None:
    """Measure, and print the table."""
    for line in report(pool, events):
        click.echo(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
