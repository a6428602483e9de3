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
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random

import click
import msgspec
from msgspec.structs import replace

from bench.mutants.baseline import Baseline, Mutant, Tried, baseline
from bench.mutants.edits import edits
from bench.mutants.groups import GROUPS, ROOT, Group, topics
from bench.mutants.processes import Result, copied, enter, noticed_before
from bench.mutants.trial import tried

EXPLAINED = ROOT / "bench" / "mutants_explained.toml"
ENOUGH = 0.95


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


def explanations(file: Path = EXPLAINED) -> dict[str, str]:
    """Why a change is no fault, by its name."""
    entries = tomllib.loads(file.read_text("utf-8")).get("mutant", []) if file.is_file() else []
    return {f"{entry['at']}: {what}": entry["why"] for entry in entries for what in entry["changes"]}


def table(found: Tried, known: Mapping[str, str]) -> Iterator[str]:
    """How many were tried, noticed, and explained, a line each group. Those explained are not counted in percent."""
    yield f"{'group':<10}{'mutants':>9}{'killed':>9}{'explained':>11}{'percent':>10}"
    for name in (*dict.fromkeys(mutant.group for mutant, _ in found), "all"):
        some = [one for one in found if name in (one[0].group, "all")]
        killed, explained = _killed(some), _explained(some, known)
        yield f"{name:<10}{len(some):>9}{killed:>9}{explained:>11}{_share(killed, len(some) - explained):>10.1%}"


def survivors(found: Tried, known: Mapping[str, str]) -> Iterator[str]:
    """Every change that no test noticed, with the reason why it is no fault, if one is known."""
    for mutant, result in sorted(found, key=lambda one: (one[0].path, one[0].line)):
        if not result["killed"]:
            place = f"{mutant.path}:{mutant.line}" if mutant.line else mutant.path
            why = f" – no fault: {known[mutant.name]}" if mutant.name in known else ""
            yield f"{place} {mutant.where}: {mutant.what}{why}"


def killers(found: Tried) -> Iterator[str]:
    """Which files of tests noticed how many changes first."""
    by = Counter(str(result["by"]).partition("::")[0] for _, result in found if result["killed"])
    yield from (f"{number:>6} {file}" for file, number in by.most_common())


def is_enough(found: Tried, known: Mapping[str, str]) -> bool:
    """Whether at least 95 of 100 were noticed of those that are faults."""
    return _share(_killed(found), len(found) - _explained(found, known)) >= ENOUGH


def _killed(found: Tried) -> int:
    return sum(result["killed"] for _, result in found)


def _explained(found: Tried, known: Mapping[str, str]) -> int:
    return sum(not result["killed"] and mutant.name in known for mutant, result in found)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


@cache
def mutants(group: Group) -> list[Mutant]:
    """Every change of a group. A change made twice in one function has a number from its second time on."""
    found = [*_of_code(group), *(_of_cards(group) if group.name == "cards" else ())]
    times: dict[str, int] = defaultdict(int)
    named = []
    for mutant in found:
        times[mutant.name] += 1
        again = f" ({times[mutant.name]})" if times[mutant.name] > 1 else ""
        named.append(replace(mutant, what=mutant.what + again))
    return named


def _of_code(group: Group) -> list[Mutant]:
    tests = group.test_files()
    return [
        Mutant(group.name, str(path), edit.what, edit.line, edit.where, edit, tests=_asked(tests, path))
        for path in group.sources()
        for edit in edits((ROOT / path).read_text("utf-8"), topics(path))
    ]


def _asked(tests: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The tests of a file: those of the faster way to replay compare it with the rules, and only notice its own."""
    return tests if "fast_replay" in path.parts else tuple(test for test in tests if "fast_replay" not in test)


def _of_cards(group: Group) -> list[Mutant]:
    from bench.mutants.declared import declared, file_of

    tests = group.test_files()
    return [
        Mutant(group.name, file_of(one.card), one.what, where=one.card, card=one.card, number=one.number, tests=tests)
        for one in declared()
    ]  # fmt: skip


def sample(groups: Sequence[Group] = GROUPS, number: int | None = None, seed: int = 1, match: str = "") -> list[Mutant]:
    """So many changes of the groups whose names have this text, the same for the same seed; all without a number."""
    random = Random(seed)
    matching = [[mutant for mutant in mutants(group) if match in mutant.name] for group in groups]
    there = [found for found in matching if found]
    chosen: list[Mutant] = []
    for left, found in zip(range(len(there), 0, -1), there, strict=True):
        share = len(found) if number is None else min(len(found), (number - len(chosen)) // left)
        chosen += random.sample(found, share)
    return chosen


FILE = Path(__file__).resolve().parent.parent / "mutants_sample.jsonl"


def write(found: Tried, file: Path = FILE) -> None:
    """Keep these changes and the tests that noticed them."""
    rows = sorted([mutant.group, mutant.name, result["by"] or ""] for mutant, result in found)
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


def read(file: Path = FILE) -> tuple[list[Mutant], list[str]]:
    """The changes of the sample that can still be made, and the names of the others."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    there = {(group.name, mutant.name): mutant for group in GROUPS for mutant in mutants(group)}
    found = [replace(there[group, name], noticed=test) for group, name, test in rows if (group, name) in there]
    return found, [name for group, name, _ in rows if (group, name) not in there]


def retried(sample: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, Result]]:
    """Each change with the test that noticed it before; all tests where it does not notice it any more.

    What no test noticed before is not tried again.
    """
    yield from ((mutant, {"killed": False, "by": None}) for mutant in sample if not mutant.noticed)
    tests = list(dict.fromkeys(mutant.noticed for mutant in sample))
    runs: dict[str, list[int]] = {}
    for mutant in sample:
        runs.setdefault(f"{mutant.path}:{mutant.where}", []).append(tests.index(mutant.noticed))
    known = Baseline(set(), dict.fromkeys(tests, 1.0), runs)
    again = []
    for mutant, result in tried([_alone(mutant) for mutant in sample if mutant.noticed], known, jobs):
        if result["killed"]:
            yield mutant, result
        else:
            again.append(next(one for one in sample if one.name == mutant.name))
    yield from tried(again, Baseline(), jobs)


def _alone(mutant: Mutant) -> Mutant:
    return replace(mutant, tests=(mutant.noticed.partition("::")[0],))


if __name__ == "__main__":
    main()
