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
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click
import msgspec

from bench.mutants.baseline import Baseline, Mutant, baseline
from bench.mutants.groups import GROUPS, ROOT
from bench.mutants.processes import Result, copied, enter, noticed_before
from bench.mutants.report import explanations, is_enough, killers, survivors, table
from bench.mutants.sample import read, retried, sample, write
from bench.mutants.trial import tried


@click.command()
@click.option("--fix", is_flag=True, help="Keep these as the fixed sample.")
@click.option("--fixed", "fixed_sample", is_flag=True, help="The fixed sample, each with the test that noticed it.")
@click.option("--sample", "number", type=int, help="So many, drawn by lot, the same number of each group.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", multiple=True, type=click.Choice([group.name for group in GROUPS]))
@click.option("--jobs", default=os.cpu_count() or 1, show_default="one for each processor")
@click.option("--match", default="", help="Only changes whose place or description has this text.")
@click.option("--without", multiple=True, help="Leave out a file of tests.")
@click.option("--with", "asked", multiple=True, help="Ask only this file of tests.")
@click.option(
    "--known",
    "kept",
    type=click.Path(path_type=Path),
    default=ROOT / "build" / "mutants",
    help="The folder that keeps what each file of tests does without a change (build/mutants).",
)
@click.option("--stale", is_flag=True, help="Take what is kept there although something beside the tests has changed.")
@click.option(
    "--json",
    "file",
    type=click.Path(path_type=Path),
    help="Add every result to this file, a line each, as it comes. What it has as noticed is not tried again.",
)
def main(
    number: int | None, seed: int, only: tuple[str, ...], jobs: int, match: str, without: tuple[str, ...],
    asked: tuple[str, ...], kept: Path, stale: bool, file: Path | None, fix: bool, fixed_sample: bool,
) -> None:  # fmt: skip
    """Change one thing at a time, and print how many of the changes the tests notice."""
    groups = [group for group in GROUPS if group.name in only or not only]
    chosen, gone = read() if fixed_sample else (sample(groups, number, seed, match), [])
    names = {group.name for group in groups}
    chosen = [mutant for mutant in chosen if mutant.group in names and match in mutant.name]
    chosen = [_asking(mutant, asked, without) for mutant in chosen]
    for name in gone:
        click.echo(f"not there any more: {name}")
    before = noticed_before(file)
    found = [(mutant, before[mutant.name]) for mutant in chosen if mutant.name in before]
    left = [mutant for mutant in chosen if mutant.name not in before]
    known = partial(baseline, left, jobs, kept.resolve(), stale=stale)
    found += _all(left, jobs, Baseline if fixed_sample else known, file, fixed_sample) if left else ()
    why = explanations()
    for part in (table(found, why), killers(found), survivors(found, why)):
        click.echo("\n".join([*part, ""]))
    if fix:
        write(found)
    raise SystemExit(not is_enough(found, why))


def _all(
    chosen: list[Mutant], jobs: int, watched: Callable[[], Baseline], file: Path | None, fixed_sample: bool
) -> Iterator[tuple[Mutant, Result]]:
    """Every change with what the tests noticed of it, written down as it comes."""
    here, output = Path.cwd(), file.resolve() if file else None
    with tempfile.TemporaryDirectory() as folder:
        enter(copied(Path(folder)))
        known = watched()
        for test in sorted(known.failed):
            click.echo(f"fails without any change, and is not asked: {test}")
        for mutant, result in retried(chosen, jobs) if fixed_sample else tried(chosen, known, jobs):
            if output:
                with output.open("a", encoding="utf-8") as lines:
                    lines.write(f"{json.dumps([mutant.group, mutant.name, mutant.line, result])}\n")
            yield mutant, result
        os.chdir(here)


def _asking(mutant: Mutant, only: tuple[str, ...], without: tuple[str, ...]) -> Mutant:
    """The change with fewer files of tests to ask."""
    return msgspec.structs.replace(mutant, tests=tuple(test for test in only or mutant.tests if test not in without))


if __name__ == "__main__":
    main()
