"""All measurements, one after the other: trust first, then speed.

    make bench, or python -m bench [--games 45] [--events 1000000]

Each has a command of its own: bench.mistakes, bench.handwritten, bench.told_less, bench.records, bench.perft,
bench.fuzz, bench.speed, bench.web.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from audit.core.ruleset import rulesets
from bench import fuzz, handwritten, mistakes, perft, records, speed, told_less, web

SEED = 1


def tables(games: int, events: int) -> Iterator[tuple[str, Iterator[str]]]:
    """Every table with its title, each made when its turn comes."""
    for name in rulesets():
        found = mistakes.measure(name, mistakes.at_random(name, games, SEED), SEED)
        yield f"Mistakes, planted (python -m bench.mistakes --ruleset {name})", mistakes.lines(*found)
    yield "Hand-entered logs and hidden cards (python -m bench.handwritten)", handwritten.table(games, SEED)
    yield "Mistakes, told completely and in choices only (python -m bench.told_less)", told_less.table(games, SEED)
    for name in rulesets():
        yield f"Records by people (python -m bench.records --ruleset {name})", records.table(name, games // 15, SEED)
    yield "Legal continuations (python -m bench.perft)", perft.lines(3)
    yield "Hostile megabytes (python -m bench.fuzz)", fuzz.table(SEED)
    yield "Speed (python -m bench.speed)", speed.report(events)
    yield "The viewer (python -m bench.web)", web.table()


@click.command()
@click.option("--games", default=45, show_default=True)
@click.option("--events", default=1_000_000, show_default=True)
def main(games: int, events: int) -> None:
    """Measure everything, and print the tables."""
    for title, lines in tables(games, events):
        click.echo(f"\n{title}\n")
        for line in lines:
            click.echo(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
