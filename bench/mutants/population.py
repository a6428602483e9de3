"""All changes there are, and a sample of them drawn by lot, so many of each group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from msgspec.structs import replace

from bench.mutants.edits import edits
from bench.mutants.groups import GROUPS, ROOT, Group, topics
from bench.mutants.trial import Mutant


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
    from bench.mutants.declared import declared, protocol_of

    tests = group.test_files()
    return [
        Mutant(group.name, f"audit/games/compile/cards/{protocol_of(one.card)}.py", one.what, where=one.card,
               card=one.card, number=one.number, tests=tests)
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
