"""Tries changes: each in a process of its own, with the shipped tests, until one of them fails.

The files of the project are never touched. The tests run in a copy without what may be kept beside the project.
There a change is applied in one of two ways. A change in the body of a function replaces the code of that function
after all tests have been collected, which takes a moment. Any other change, and each that no test has noticed so, is
made while the project is imported anew, and the tests are collected anew.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from msgspec import Struct

import bench
from bench.mutants.edits import Edit
from bench.mutants.groups import ROOT, module_of

CPU_OF_A_TEST = 40.0
"""A test that takes longer than so many seconds of the processor, with a change, does not end."""
SECONDS_OF_A_MUTANT = 900.0
MEMORY = 2 << 30
"""So much more memory may a change take."""

THIRD_PARTY = ("hypothesis", "yaml", "msgspec", "babel", "flask", "click", "cryptography", "eventsourcing", "jsonschema")
LEFT_OUT = (".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".*_cache", ".schemathesis", "*.db")
QUIET = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler", "-q", "--no-header", "--tb=no")

OWN = ("audit", "tests", "replays", "web", "commands", "cli")
"""The packages of the project that are imported anew in the copy."""

Result = dict[str, Any]


class Mutant(Struct, frozen=True):
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

    @property
    def module(self) -> str:
        """The module that is changed; for what a card declares, the one that knows all cards."""
        return "audit.compile.cards" if self.card else module_of(Path(self.path))

    @property
    def name(self) -> str:
        """Where it is and what was changed, without the line."""
        return f"{self.path} {self.where}: {self.what}"


# The copy


def copied(folder: Path) -> Path:
    """A copy of the project, alone in its folder."""
    tree = folder / "project"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return tree


def enter(tree: Path) -> None:
    """From here on the project is imported from the copy; what does not belong to it is imported beforehand."""
    for name in THIRD_PARTY:
        import_module(name)
    os.chdir(tree)
    sys.path[:] = [str(tree), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in OWN or name == "bench.mutants.declared"]:
        del sys.modules[name]
    bench.__path__ = [str(tree / "bench")]


# Processes


def each_in_a_process(
    tasks: Iterable[Mutant | None], jobs: int, work: Callable[[Mutant | None], Result]
) -> Iterator[tuple[Mutant | None, Result]]:
    """What the work comes to for each task, done in a process of its own, as soon as it is done."""
    waiting, running = iter(tasks), dict[int, tuple[int, Mutant | None, float]]()
    more = True
    while more or running:
        while more and len(running) < jobs:
            task = next(waiting, DONE)
            more = task is not DONE
            if more:
                pipe, pid = _started(partial(work, task))  # type: ignore[arg-type]
                running[pipe] = (pid, task, time.monotonic())  # type: ignore[assignment]
        ready, _, _ = select.select(list(running), [], [], 1.0) if running else ([], [], [])
        for pipe in [*ready, *(p for p, (_, _, since) in running.items() if time.monotonic() - since > _limit())]:
            if pipe in running:
                pid, task, since = running.pop(pipe)
                yield task, {**_ended(pipe, pid, pipe in ready), "seconds": time.monotonic() - since}


DONE = Mutant("", "", "")


def _limit() -> float:
    return SECONDS_OF_A_MUTANT


def _started(work: Callable[[], Result]) -> tuple[int, int]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return reading, pid
    os.close(reading)
    os.setpgid(0, 0)
    try:
        silence()
        found = work()
    except BaseException as problem:
        found = {"killed": True, "by": f"{type(problem).__name__}: {problem}"[:200]}
    os.write(writing, json.dumps(found).encode())
    os._exit(0)


def _ended(pipe: int, pid: int, told: bool) -> Result:
    """What the process said; one that said nothing came to a bad end, and one that is late does not end."""
    data = os.read(pipe, 1 << 16) if told else b""
    os.close(pipe)
    if not told:
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(data) if data else {"killed": True, "by": "the process ended" if told else "it does not end"}


def silence() -> None:
    """Nothing more is printed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)


# Running tests until one fails


class DoesNotEnd(BaseException):
    """A test took too long."""


def _too_long(number: int, frame: object) -> None:
    raise DoesNotEnd


class FirstFailure:
    """Notes the first test that fails or cannot be collected; no test runs without end or takes all memory."""

    def __init__(self) -> None:
        self.by: str | None = None
        self.slowest: dict[str, float] = defaultdict(float)
        signal.signal(signal.SIGVTALRM, _too_long)
        size = int(Path("/proc/self/statm").read_text("utf-8").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_OF_A_TEST)
        try:
            return (yield)
        except DoesNotEnd:
            self.by = self.by or f"{item.nodeid} (does not end)"
            return True  # type: ignore[return-value]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.slowest[report.nodeid] += report.duration
        if report.failed:
            self.by = self.by or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.by = self.by or report.nodeid

    def result(self) -> Result:
        """What the tests noticed."""
        return {"killed": self.by is not None, "by": self.by}


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
    sys.modules[cards.__name__] = cards
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


def anew(mutant: Mutant | None, tests: Sequence[str] = ()) -> Result:
    """The project imported with the change, and its tests run: the quickest file first, then all others."""
    if mutant:
        sys.meta_path.insert(0, Finder(mutant))
    files = list(mutant.tests if mutant else tests)
    for some in (files[:1], files[1:]):
        watch = FirstFailure()
        code = pytest.main([*QUIET, "-x", *some], plugins=[watch]) if some else 0
        if watch.by or code not in (0, 5):
            return {"killed": True, "by": watch.by or f"pytest ends with {code}"}
    return {"killed": False, "by": None}


# Changes applied to a function that is there


class Server:
    """Collects the tests once; every change is tried in a copy of that process."""

    def __init__(self, mutants: Sequence[Mutant], jobs: int, pipe: int) -> None:
        self.mutants, self.jobs, self.pipe = mutants, jobs, pipe
        self.known: dict[str, list[str]] = defaultdict(list)
        """Tests that noticed a change in the same function or module before."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self._tell(-1, {"killed": True, "by": "the tests cannot be collected"})
            return True
        by_file: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            by_file[item.nodeid.partition("::")[0]].append(item)
        numbers = {id(mutant): number for number, mutant in enumerate(self.mutants)}
        for mutant, result in each_in_a_process(self.mutants, self.jobs, partial(self._try, session, by_file)):
            if mutant and result.get("by") and "::" in result["by"]:
                for place in (f"{mutant.module}.{mutant.where}", mutant.module):
                    self.known[place] = [result["by"], *(t for t in self.known[place] if t != result["by"])][:8]
            self._tell(numbers[id(mutant)], result)
        return True

    def _tell(self, number: int, result: Result) -> None:
        os.write(self.pipe, json.dumps([number, result]).encode() + b"\n")

    def _try(self, session: pytest.Session, by_file: dict[str, list[pytest.Item]], mutant: Mutant | None) -> Result:
        assert mutant
        if mutant.edit and not replaced(mutant):
            return {"killed": False, "by": None, "anew": True}
        known = [*self.known[f"{mutant.module}.{mutant.where}"], *self.known[mutant.module]]
        items = [item for file in mutant.tests for item in by_file[file]]
        first = [item for name in dict.fromkeys(known) for item in items if item.nodeid == name]
        order = [*first, *(item for item in items if item not in first)] if first else items
        watch = FirstFailure()
        session.config.pluginmanager.register(watch)
        for item, following in zip(order, [*order[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if watch.by:
                break
        return {**watch.result(), "anew": True, "slowest": sorted(watch.slowest.items(), key=lambda one: -one[1])[:8]}


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


def in_place(mutants: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, Result]]:
    """The changes of functions tried with the tests collected once."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        silence()
        files = list(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
        pytest.main([*QUIET, *files], plugins=[Server(mutants, jobs, writing)])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        for line in lines:
            number, result = json.loads(line)
            if number < 0:
                raise RuntimeError(result["by"])
            yield mutants[number], result
    os.waitpid(pid, 0)


def tried(mutants: Sequence[Mutant], jobs: int, *, twice: bool = True) -> Iterator[tuple[Mutant, Result]]:
    """What the tests notice of each change; one they did not notice in place is tried anew."""
    left = [mutant for mutant in mutants if not (mutant.edit and mutant.edit.in_body)]
    quick = [mutant for mutant in mutants if mutant.edit and mutant.edit.in_body]
    for mutant, result in in_place(quick, jobs) if quick else ():
        if not result["killed"] and (twice or "slowest" not in result):
            left.append(mutant)
        else:
            yield mutant, result
    for mutant, result in each_in_a_process(left, jobs, anew):
        assert mutant
        yield mutant, result
