"""All changes there are, a sample of them drawn by lot, and a fixed one: changes that a test noticed, with that test.

Changes have no line numbers. One of the fixed sample whose place is not there any more is passed over; when many are,
draw anew:

    python -m bench.mutants --sample 40 --seed 14 --fix
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

from msgspec.structs import replace

from bench.mutants.baseline import Baseline, Mutant, Tried
from bench.mutants.edits import edits
from bench.mutants.groups import GROUPS, ROOT, Group, topics
from bench.mutants.processes import Result
from bench.mutants.trial import tried


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
