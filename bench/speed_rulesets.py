"""How fast each ruleset is compared with Compile. The target: no game costs more for an event.

    python -m bench.speed_rulesets [--pool 45] [--events 20000]

The logs say everything, as those of `audit simulate` do; the last row is of logs that say no more than a scorekeeper
would type. By processor time, the best of some rounds in which all take turns. Ratios are what to look at: all figures
are of one run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from audit.core.ruleset import rulesets
from bench.speed import MORE, POOL, WORK, games, judging, logs_of, rate, repeated, taking_turns, typed

FIRST = "compile"
"""The game the others are measured by."""

EVENTS = 20_000

OURS = {name: {**WORK, **MORE}[name] for name in ("reading", "every position", "auditing")}


def report(pool: int = POOL, events: int = EVENTS) -> Iterator[str]:
    """Reading, rebuilding and auditing of every ruleset, and how that compares with Compile."""
    names = sorted(rulesets(), key=lambda name: (name != FIRST, name))
    pools = {name: games(name, pool) for name in names}
    sizes = {name: sum(len(log) for _, log in made) // len(made) for name, made in pools.items()}
    with tempfile.TemporaryDirectory() as place:
        logs = {name: repeated(logs_of(Path(place), name, made), events) for name, made in pools.items()}
        found = {
            name: taking_turns({game: partial(rate, work, paths) for game, paths in logs.items()})
            for name, work in OURS.items()
        }
    found["judging alone"] = taking_turns({name: partial(judging, pools[name]) for name in names})
    found["judging choices only"] = taking_turns({name: partial(judging, typed(name, pool)) for name in names}, 1)
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
