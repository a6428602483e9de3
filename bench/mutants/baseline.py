"""A change, and what the tests come to without any: which fail anyway, how long each takes, which functions it runs."""

from __future__ import annotations

import cProfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import CodeType

import msgspec
import pytest

from bench.mutants.edits import Edit
from bench.mutants.groups import FOLDERS, GROUPS, module_of
from bench.mutants.processes import Result, each_in_a_process, remembered

CPU_OF_A_MUTANT = 30.0
"""No more tests are asked about a change than take so many seconds of the processor without it, the quickest first."""
QUIET = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler", "-q", "--no-header", "--tb=no")


class Mutant(msgspec.Struct, frozen=True):
    """One change: of a file, or of what a card declares, with the tests that are asked."""

    group: str
    path: str
    what: str
    line: int = 0
    where: str = ""
    edit: Edit | None = None
    card: str = ""
    number: int = 0
    tests: tuple[str, ...] = ()
    """Files of tests, the quick ones first."""
    noticed: str = ""
    """The test that noticed it before, if one did: it is asked first."""

    @property
    def module(self) -> str:
        """The module that is changed; for what a card declares, the one that knows all cards."""
        return "audit.games.compile.cards" if self.card else module_of(Path(self.path))

    def asks(self, test: str) -> bool:
        """Whether a test is asked about this change."""
        return next(group for group in GROUPS if group.name == self.group).asks(test)

    @property
    def name(self) -> str:
        """Where it is and what was changed, without the line."""
        return f"{self.path} {self.where}: {self.what}"

    @property
    def in_body(self) -> bool:
        """Whether only the body of a function is changed."""
        return self.edit is not None and self.edit.in_body


Tried = Sequence[tuple[Mutant, Result]]
"""Changes, and what the tests noticed of each."""


class Baseline(msgspec.Struct):
    """What the tests come to without a change: which fail anyway, how long each takes, which function it runs."""

    failed: set[str] = set()
    seconds: dict[str, float] = {}
    runs: dict[str, list[int]] = {}
    """The tests that run a function, by its file and name: their numbers among those that have been timed."""
    at_import: set[str] = set()
    """The functions that run while games are imported or tests collected: what they make then stays as it is."""

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that can notice a change, the quickest first.

        After those that run the function come the others of their files: what a fixture or a cache keeps for them was
        made for the first of them alone.
        """
        if mutant.card or not self.runs:
            return []
        if mutant.in_body and not self.runs_at_import(mutant):
            found = {number for place in _places(mutant) for number in self.runs.get(place, ())}
        else:
            near = [tests for place, tests in self.runs.items() if place.startswith(f"{mutant.path}:")]
            found = {number for tests in near for number in tests}
        named = list(self.seconds)
        able = {named[number] for number in found if named[number].partition("::")[0] in mutant.tests}
        if not found:  # a file without functions, such as that of the cards: its values were made during the import
            folders = set(Path(mutant.path).parent.parts)
            beside = {file for file in mutant.tests if folders.intersection(Path(file).parent.parts)}
            able = {test for test in named if test.partition("::")[0] in beside}
        files = set(files_of(list(able)))
        asked = [test for test in named if test.partition("::")[0] in files and mutant.asks(test)]
        asked.sort(key=lambda test: (test not in able, self.seconds[test]))
        spent = accumulate(map(self.seconds.__getitem__, asked))
        return [test for test, seconds in zip(asked, spent, strict=True) if seconds <= CPU_OF_A_MUTANT]

    def runs_at_import(self, mutant: Mutant) -> bool:
        """Whether what the changed function makes may have been made during the import."""
        return f"{mutant.path}:{mutant.where}" in self.at_import


def _places(mutant: Mutant) -> Iterator[str]:
    names = mutant.where.split(".")
    yield from (f"{mutant.path}:{'.'.join(names[:number])}" for number in range(1, len(names) + 1))


def files_of(tests: Sequence[str]) -> list[str]:
    """The files these tests are in."""
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


class Watch:
    """Notes of each test whether it fails, how long it takes, and which functions of the project it runs.

    It notes as well which functions run while the tests are collected.
    """

    def __init__(self) -> None:
        self.collecting: set[str] = set()
        self.failed: dict[str, None] = {}
        self.seconds: dict[str, float] = {}
        self.runs: dict[str, list[int]] = defaultdict(list)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        profile, start = cProfile.Profile(subcalls=False, builtins=False), time.process_time()
        profile.enable()
        try:
            return (yield)
        finally:
            profile.disable()
            self.seconds[item.nodeid] = time.process_time() - start
            for place in profiled(profile):
                self.runs[place].append(len(self.seconds) - 1)

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        profile = cProfile.Profile(subcalls=False, builtins=False)
        with profile:
            found = yield
        self.collecting = profiled(profile)
        return found

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if any(group.asks(item.nodeid) for group in GROUPS)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = None


def profiled(profile: cProfile.Profile) -> set[str]:
    """The functions of the project that were run, by file and name."""
    tree = f"{Path.cwd()}/"
    changed = tuple(f"{tree}{folder}/" for folder in FOLDERS)
    return {
        f"{code.co_filename.removeprefix(tree)}:{code.co_qualname.replace('.<locals>', '')}"
        for code in (entry.code for entry in profile.getstats())
        if isinstance(code, CodeType) and code.co_filename.startswith(changed)
    }


def baseline(mutants: Sequence[Mutant], jobs: int, kept: Path, *, stale: bool = False) -> Baseline:
    """What the tests of these changes come to without any of them; what is in the folder `kept` is not run again."""
    known = Baseline(set(), {}, defaultdict(list))
    for _, found in each_in_a_process(["audit.core.ruleset"], 1, _imported):
        known.at_import.update(found["functions"])
    files = dict.fromkeys(test for mutant in mutants for test in mutant.tests)
    for found in remembered(files, jobs, _watched, kept, stale=stale):
        first = len(known.seconds)
        known.failed.update(found["failed"])
        known.seconds.update(found["seconds"])
        known.at_import.update(found["collecting"])
        for place, tests in found["runs"].items():
            known.runs[place] += [first + number for number in tests]
    return known


def _imported(module: str) -> Result:
    """The functions that run while all games are imported."""
    profile = cProfile.Profile(subcalls=False, builtins=False)
    with profile:
        games = import_module(module)
        for name in games.rulesets():
            games.ruleset(name)
    return {"functions": sorted(profiled(profile))}


def _watched(file: str) -> Result:
    watch = Watch()
    pytest.main([*QUIET, file], plugins=[watch])
    return {
        "failed": list(watch.failed),
        "seconds": watch.seconds,
        "runs": watch.runs,
        "collecting": sorted(watch.collecting),
    }
