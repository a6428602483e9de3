"""Changes one thing at a time in the rules and the cards, and says how many of the changes the shipped tests notice.

    python -m bench.mutants [--sample 300] [--seed 1] [--only cards] [--jobs 2]

For each group: changes tried, noticed, in percent. Then every change that no test noticed, and why it is no fault
where `mutants_explained.toml` says so. Ends with exit code 1 where less than 95 of 100 are noticed.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from bench.mutants.groups import GROUPS
from bench.mutants.population import sample
from bench.mutants.processes import Result, copied, enter
from bench.mutants.trial import Baseline, Mutant, baseline, tried

EXPLAINED = Path(__file__).resolve().parent.parent / "mutants_explained.toml"
ENOUGH = 0.95

Tried = list[tuple[Mutant, Result]]


def explanations() -> dict[str, str]:
    """Why a change is no fault, by its name."""
    if not EXPLAINED.is_file():
        return {}
    entries = tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
    return {f"{entry['at']}: {what}": entry["why"] for entry in entries for what in entry["changes"]}


def table(found: Tried) -> Iterator[str]:
    """How many were tried and noticed, a line each group."""
    yield f"{'group':<10}{'mutants':>9}{'killed':>9}{'percent':>10}"
    names = dict.fromkeys(mutant.group for mutant, _ in found)
    for name in (*names, "all"):
        results = [result for mutant, result in found if name in (mutant.group, "all")]
        killed = sum(result["killed"] for result in results)
        yield f"{name:<10}{len(results):>9}{killed:>9}{killed / max(1, len(results)):>10.1%}"


def survivors(found: Tried) -> Iterator[str]:
    """Every change that no test noticed, with the reason why it is no fault, if one is known."""
    known = explanations()
    for mutant, result in sorted(found, key=lambda one: (one[0].path, one[0].line)):
        if not result["killed"]:
            place = f"{mutant.path}:{mutant.line}" if mutant.line else mutant.path
            why = known.get(mutant.name)
            yield f"{place} {mutant.where}: {mutant.what}" + (f"\n    no fault: {why}" if why else "")


def killers(found: Tried) -> Iterator[str]:
    """Which files of tests noticed how many changes first."""
    by = Counter(str(result["by"]).partition("::")[0] for _, result in found if result["killed"])
    yield from (f"{number:>6} {file}" for file, number in by.most_common())


def enough(found: Sequence[tuple[Mutant, Result]]) -> bool:
    """Whether at least 95 of 100 were noticed."""
    return sum(result["killed"] for _, result in found) >= ENOUGH * len(found)


@click.command()
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
    cache: Path | None,     file: Path | None,
) -> None:  # fmt: skip
    """Change one thing at a time, and print how many of the changes the tests notice."""
    groups = [group for group in GROUPS if group.name in only or not only]
    chosen = [mutant for mutant in sample(groups, None if match else number, seed) if match in mutant.name]
    chosen = [_without(mutant, without) for mutant in chosen]
    with tempfile.TemporaryDirectory() as folder:
        file = file.resolve() if file else None
        enter(copied(Path(folder)))
        known = _known(chosen, jobs, cache)
        for test in sorted(known.failed):
            click.echo(f"fails without any change, and is not asked: {test}")
        found = []
        for mutant, result in tried(chosen, known, jobs):
            found.append((mutant, result))
            if file:
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(f"{json.dumps([mutant.group, mutant.name, mutant.line, result])}\n")
        os.chdir("/")
    for part in (table(found), killers(found), survivors(found)):
        click.echo("\n".join([*part, ""]))
    raise SystemExit(not enough(found))


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
