"""What the tests noticed, in lines: a table by group, the tests that noticed, and every change that nothing noticed."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.mutants.baseline import Mutant
from bench.mutants.processes import Result

EXPLAINED = Path(__file__).resolve().parent.parent / "mutants_explained.toml"
ENOUGH = 0.95

Tried = Sequence[tuple[Mutant, Result]]


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
