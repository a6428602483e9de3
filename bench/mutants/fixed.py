"""A fixed sample, each change with the test that noticed it, so that it is tried in seconds.

Changes have no line numbers. One whose place is not there any more is passed over; when many are, draw anew:

    python -m bench.mutants --sample 40 --seed 14 --fix
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench.mutants.groups import GROUPS
from bench.mutants.population import mutants
from bench.mutants.processes import Result
from bench.mutants.report import Tried
from bench.mutants.trial import Baseline, Mutant, tried

FILE = Path(__file__).resolve().parent.parent / "mutants_sample.jsonl"


def write(found: Tried, file: Path = FILE) -> None:
    """Keep these changes and the tests that noticed them."""
    rows = sorted([mutant.group, mutant.name, result["by"] or ""] for mutant, result in found)
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


def read(file: Path = FILE) -> tuple[list[Mutant], list[str]]:
    """The changes of the sample that can still be made, and the names of the others."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    there = {mutant.name: mutant for group in GROUPS for mutant in mutants(group)}
    found = [replace(there[name], noticed=test) for _, name, test in rows if name in there]
    return found, [name for _, name, _ in rows if name not in there]


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
