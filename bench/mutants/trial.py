"""Tries changes: each in a process of its own, with the shipped tests, until one of them fails.

The files of the project are never touched. The tests run in a copy without what may be kept beside the project.
There a change is applied in one of two ways. A change in the body of a function replaces the code of that function
after all tests have been collected, which takes a moment. Any other change, and one of a function that runs while the
project is imported, is made while the project is imported anew, and the tests are collected anew.

Where the tests notice nothing and the function runs during the import as well, the change is tried in both ways.

A test that never runs the changed function cannot notice the change: which test runs what is found out beforehand.
"""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import json
import os
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from bench.mutants.baseline import QUIET, Baseline, Mutant, files_of
from bench.mutants.processes import Result, each_in_a_process, silence

CPU_OF_A_TEST = 5.0
"""A test that takes so many seconds of the processor, and ten times what it takes without a change, does not end."""
MEMORY = 2 << 30
"""So much more memory may a change take."""

# Running tests until one fails


class DoesNotEnd(BaseException):
    """A test took too long."""


def _too_long(number: int, frame: object) -> None:
    raise DoesNotEnd


class FirstFailure:
    """Notes the first test that fails or cannot be collected; no test runs without end or takes all memory."""

    def __init__(self, known: Baseline, order: Sequence[str] = ()) -> None:
        self.known, self.order = known, order
        self.by: str | None = None
        signal.signal(signal.SIGVTALRM, _too_long)
        size = int(Path("/proc/self/statm").read_text("utf-8").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_OF_A_TEST + 10 * self.known.seconds.get(item.nodeid, 1.0))
        try:
            return (yield)
        except DoesNotEnd:
            self.by = self.by or item.nodeid
            return True  # type: ignore[return-value]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = ordered(items, self.known, self.order)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.by = self.by or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and report.nodeid not in self.known.failed:
            self.by = self.by or report.nodeid

    def result(self) -> Result:
        """What the tests noticed."""
        return {"killed": self.by is not None, "by": self.by}


def ordered(items: Sequence[pytest.Item], known: Baseline, order: Sequence[str]) -> list[pytest.Item]:
    """The tests asked for in their order, all of them where no order is given; none that fails anyway."""
    named = {item.nodeid: item for item in items if item.nodeid not in known.failed}
    return [named[test] for test in order if test in named] if order else list(named.values())


# Changes applied while the project is imported


class Changed(importlib.machinery.SourceFileLoader):
    """Loads one module with a change."""

    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType | None:
        if self.mutant.edit is None:
            return super().get_code(fullname)
        return compile(self.mutant.edit.of(Path(self.path).read_text("utf-8")), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if self.mutant.card:
            _declare(module, self.mutant)


def _declare(cards: ModuleType, mutant: Mutant) -> None:
    """The cards with a change in what one of them declares, before anybody has looked at them."""
    from bench.mutants.declared import changed

    name = Path(mutant.path).stem
    cards.PROTOCOLS[name] = changed(cards.PROTOCOLS[name], mutant.card, mutant.number)
    cards.CARDS.update({card.id: card for card in cards.PROTOCOLS[name].cards})


class Finder(importlib.abc.MetaPathFinder):
    """Finds the changed module, and leaves all others to be found as ever."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec and spec.origin:
            spec.loader = Changed(fullname, spec.origin, self.mutant)
        return spec


def anew(known: Baseline, mutant: Mutant) -> Result:
    """The project imported with the change, and its tests run: the likeliest to notice, then all others."""
    sys.meta_path.insert(0, Finder(mutant))
    tests = known.tests(mutant)
    files = [file for file in mutant.tests if file not in known.failed]
    rounds = (
        [(files[:1], []), (files[1:], [])]
        if not tests
        else [(files_of(tests[:40]), tests[:40]), (files_of(tests), tests)]
    )
    if mutant.noticed:
        rounds.insert(0, (files_of([mutant.noticed]), [mutant.noticed]))
    for some, order in rounds:
        watch = FirstFailure(known, order)
        code = pytest.main([*QUIET, "-x", *some], plugins=[watch]) if some else 0
        if watch.by or code not in (0, 5):
            return {"killed": True, "by": watch.by or f"pytest ends with {code}"}
    return {"killed": False, "by": None}


# Changes applied to a function that is there


class Server:
    """Collects the tests once; every change is tried in a copy of that process."""

    def __init__(self, mutants: Sequence[Mutant], known: Baseline, jobs: int, pipe: int) -> None:
        self.mutants, self.known, self.jobs, self.pipe = mutants, known, jobs, pipe
        self.noticed: dict[str, list[str]] = defaultdict(list)
        """Tests that noticed a change in the same function or module before."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.freeze()
        for number, result in each_in_a_process(range(len(self.mutants)), self.jobs, partial(self._try, session)):
            mutant = self.mutants[number]
            if "::" in (result["by"] or ""):
                for place in (f"{mutant.module}.{mutant.where}", mutant.module):
                    self.noticed[place] = [result["by"], *(t for t in self.noticed[place] if t != result["by"])][:8]
            os.write(self.pipe, json.dumps([number, result]).encode() + b"\n")
        return True

    def _try(self, session: pytest.Session, number: int) -> Result:
        mutant = self.mutants[number]
        order = self._order(session, mutant)
        if not order or not replaced(mutant):
            return {"killed": False, "by": None, "anew": True}
        items = ordered(session.items, self.known, order)
        watch = FirstFailure(self.known)
        session.config.pluginmanager.register(watch)
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if watch.by:
                break
        left = not watch.by and self.known.runs_at_import(mutant)
        return watch.result() | ({"anew": True} if left else {})

    def _order(self, session: pytest.Session, mutant: Mutant) -> list[str]:
        tests = self.known.tests(mutant)
        if not self.known.runs:
            named = [item.nodeid for item in session.items if mutant.asks(item.nodeid)]
            tests = [test for file in mutant.tests for test in named if test.partition("::")[0] == file]
        before = [*self.noticed[f"{mutant.module}.{mutant.where}"], *self.noticed[mutant.module]]
        able = set(tests)
        first = [test for test in [mutant.noticed, *before] if test in able]
        return list(dict.fromkeys([*first, *tests]))


def replaced(mutant: Mutant) -> bool:
    """Whether the code of the changed function could be put in the place of the old one."""
    assert mutant.edit
    module = sys.modules.get(mutant.module)
    if module is None or module.__file__ is None:
        return False
    names = mutant.where.split(".")
    for number in range(1, len(names) + 1):
        function = _function(module, names[:number])
        if isinstance(function, FunctionType):
            new = compile(mutant.edit.of(Path(module.__file__).read_text("utf-8")), module.__file__, "exec")
            code = _code(new, function.__code__)
            if code is None or code.co_freevars != function.__code__.co_freevars:
                return False
            function.__code__ = code
            return True
    return False


def _function(module: ModuleType, names: Sequence[str]) -> object:
    """The function of that name, without what was wrapped around it; what it remembers is forgotten."""
    found: Any = module
    for name in names:
        found = vars(found).get(name) if hasattr(found, "__dict__") else None
    for inner in ("fget", "func", "__func__"):
        found = getattr(found, inner, found) if not isinstance(found, FunctionType) else found
    if hasattr(found, "cache_clear"):
        found.cache_clear()
    return getattr(found, "__wrapped__", found)


def _code(code: CodeType, old: CodeType) -> CodeType | None:
    """The code of a function in that of its module, by its name and the line on which it begins."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if (constant.co_qualname, constant.co_firstlineno) == (old.co_qualname, old.co_firstlineno):
                return constant
            if found := _code(constant, old):
                return found
    return None


def in_place(mutants: Sequence[Mutant], known: Baseline, jobs: int) -> Iterator[tuple[Mutant, Result]]:
    """The changes of functions tried with the tests collected once."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        silence()
        files = [test for mutant in mutants for test in mutant.tests if test not in known.failed]
        pytest.main([*QUIET, *dict.fromkeys(files)], plugins=[Server(mutants, known, jobs, writing)])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        for line in lines:
            number, result = json.loads(line)
            yield mutants[number], result
    os.waitpid(pid, 0)


def tried(mutants: Sequence[Mutant], known: Baseline, jobs: int) -> Iterator[tuple[Mutant, Result]]:
    """What the tests notice of each change; where it could not be tried in place it is tried anew."""
    quick = [mutant for mutant in mutants if mutant.in_body]
    left = [mutant for mutant in mutants if not mutant.in_body]
    for mutant, result in in_place(quick, known, jobs) if quick else ():
        if result.get("anew"):
            left.append(mutant)
        else:
            yield mutant, result
    yield from each_in_a_process(left, jobs, partial(anew, known))
