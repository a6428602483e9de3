"""Changes one thing at a time in the rules and the cards, and says how many of the changes the shipped tests notice.

    python -m bench.mutants [--sample 300] [--seed 1] [--only cards] [--jobs 2]

For each group: changes tried, noticed, in percent. Then every change that no test noticed, and why it is no fault
where `mutants_explained.toml` says so. Ends with exit code 1 where less than 95 of 100 are noticed, those that are
no faults left out.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from bench.mutants import fixed
from bench.mutants.groups import GROUPS
from bench.mutants.population import sample
from bench.mutants.processes import Result, copied, enter
from bench.mutants.report import explanations, is_enough, killers, survivors, table
from bench.mutants.trial import Baseline, Mutant, baseline, tried


@click.command()
@click.option("--fix", is_flag=True, help="Keep these as the fixed sample.")
@click.option("--fixed", "fixed_sample", is_flag=True, help="The fixed sample, each with the test that noticed it.")
@click.option("--sample", "number", type=int, help="So many, drawn by lot, the same number of each group.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", multiple=True, type=click.Choice([group.name for group in GROUPS]))
@click.option("--jobs", default=os.cpu_count() or 1, show_default="one for each processor")
@click.option("--match", default="", help="Only changes whose place or description has this text.")
@click.option("--without", multiple=True, help="Leave out a file of tests.")
@click.option("--known", "cache", type=click.Path(path_type=Path), help="Keep what the tests do without a change here.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="Add every result to this file, a line each, as it comes."
)
def main(
    number: int | None, seed: int, only: tuple[str, ...], jobs: int, match: str, without: tuple[str, ...],
    cache: Path | None, file: Path | None, fix: bool, fixed_sample: bool,
) -> None:  # fmt: skip
    """Change one thing at a time, and print how many of the changes the tests notice."""
    groups = [group for group in GROUPS if group.name in only or not only]
    chosen, gone = fixed.read() if fixed_sample else (sample(groups, None if match else number, seed), [])
    chosen = [_without(mutant, without) for mutant in chosen if match in mutant.name]
    for name in gone:
        click.echo(f"not there any more: {name}")
    found = list(_all(chosen, jobs, cache, file, fixed_sample))
    why = explanations()
    for part in (table(found, why), killers(found), survivors(found, why)):
        click.echo("\n".join([*part, ""]))
    if fix:
        fixed.write(found)
    raise SystemExit(not is_enough(found, why))


def _all(
    chosen: list[Mutant], jobs: int, cache: Path | None, file: Path | None, fixed_sample: bool
) -> Iterator[tuple[Mutant, Result]]:
    """Every change with what the tests noticed of it, written down as it comes."""
    here, output = Path.cwd(), file.resolve() if file else None
    with tempfile.TemporaryDirectory() as folder:
        enter(copied(Path(folder)))
        known = Baseline() if fixed_sample else _known(chosen, jobs, cache)
        for test in sorted(known.failed):
            click.echo(f"fails without any change, and is not asked: {test}")
        for mutant, result in fixed.retried(chosen, jobs) if fixed_sample else tried(chosen, known, jobs):
            if output:
                with output.open("a", encoding="utf-8") as lines:
                    lines.write(f"{json.dumps([mutant.group, mutant.name, mutant.line, result])}\n")
            yield mutant, result
        os.chdir(here)


def _known(mutants: list[Mutant], jobs: int, file: Path | None) -> Baseline:
    """What the tests do without a change, from the file if it is there."""
    if file and file.is_file():
        return msgspec.json.decode(file.read_bytes(), type=Baseline)
    known = baseline(mutants, jobs)
    if file:
        file.write_bytes(msgspec.json.encode(known))
    return known


def _without(mutant: Mutant, files: tuple[str, ...]) -> Mutant:
    return msgspec.structs.replace(mutant, tests=tuple(test for test in mutant.tests if test not in files))


if __name__ == "__main__":
    main()
