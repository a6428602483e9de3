"""Work done in processes of its own, a few at a time, and the copy of the project they work in."""

from __future__ import annotations

import hashlib
import json
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import bench
from bench.mutants.groups import ROOT

T = TypeVar("T")
Result = dict[str, Any]

MAX_SECONDS = 900
"""No task runs longer, however busy the machine is."""

THIRD_PARTY = (
    "hypothesis",
    "yaml",
    "msgspec",
    "babel",
    "flask",
    "click",
    "cryptography",
    "eventsourcing",
    "jsonschema",
)
OWN = ("audit", "tests", "replays", "web", "commands", "cli")
"""The packages of the project that are imported anew in the copy."""
NOT_READ = (".pyc", ".so")
LEFT_OUT = (".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".*_cache", ".schemathesis", "*.db")


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


def each_in_a_process(tasks: Iterable[T], jobs: int, work: Callable[[T], Result]) -> Iterator[tuple[T, Result]]:
    """What the work comes to for each task, done in a process of its own, as soon as it is done."""
    waiting = list(tasks)[::-1]
    running: dict[int, tuple[int, T, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            task = waiting.pop()
            pipe, pid = _started(partial(work, task))
            running[pipe] = (pid, task, time.monotonic())
        ready = select.select(list(running), [], [], 1.0)[0]
        late = [pipe for pipe, (_, _, since) in running.items() if time.monotonic() - since > MAX_SECONDS]
        for pipe in {*ready, *late}:
            pid, task, _ = running.pop(pipe)
            yield task, _ended(pipe, pid, in_time=pipe in ready)


def remembered(
    files: Iterable[str], jobs: int, work: Callable[[str], Result], folder: Path, *, stale: bool
) -> Iterator[Result]:
    """What the work comes to for each file of tests; not done again where it is kept in the folder.

    With `stale` it is not done again either as long as the file of tests itself is the same. A file that comes to no
    end is left out with a word, and nothing is kept of it.
    """
    others = _fingerprint(path for path in _project() if not path.match("test_*.py"))
    places = {file: folder / f"{Path(file).stem}-{_fingerprint([Path(file)])}-{others}.json" for file in files}
    there = {file: known for file, place in places.items() if (known := _kept(place, stale=stale))}
    yield from (json.loads(place.read_bytes()) for place in there.values())
    for file, found in each_in_a_process([file for file in places if file not in there], jobs, work):
        if "by" in found:
            print(f"{file}: {found['by']}; it is not asked")
            continue
        folder.mkdir(parents=True, exist_ok=True)
        places[file].write_text(json.dumps(found), "utf-8")
        yield found


def noticed_before(file: Path | None) -> dict[str, Result]:
    """What a file of results has as noticed, by the name of the change."""
    lines = file.read_text("utf-8").splitlines() if file and file.is_file() else ()
    return {name: result for _, name, _, result in map(json.loads, lines) if result["killed"]}


def _kept(place: Path, *, stale: bool) -> Path | None:
    older = sorted(place.parent.glob(f"{place.name.rpartition('-')[0]}-*")) if stale else ()
    return place if place.is_file() else next(iter(older), None)


def _project() -> Iterator[Path]:
    found = (path for name in OWN for path in [*Path(name).rglob("*"), Path(f"{name}.py")])
    return (path for path in found if path.is_file() and path.suffix not in NOT_READ)


def _fingerprint(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(f"{path}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _started(work: Callable[[], Result]) -> tuple[int, int]:
    """The pipe that tells what the work comes to, and the process that does it."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return reading, pid
    os.close(reading)
    signal.alarm(MAX_SECONDS + 10)
    try:
        silence()
        found = work()
    except BaseException as problem:
        found = {"killed": True, "by": f"{type(problem).__name__}: {problem}"[:200]}
    data = json.dumps(found).encode()
    while data:
        data = data[os.write(writing, data) :]
    os._exit(0)


def _ended(pipe: int, pid: int, *, in_time: bool) -> Result:
    """What the process said; one that said nothing came to a bad end."""
    data = b"".join(iter(partial(os.read, pipe, 1 << 16), b"")) if in_time else b""
    os.close(pipe)
    if not in_time:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return json.loads(data) if data else {"killed": True, "by": "the process ended" if in_time else "it does not end"}


def silence() -> None:
    """Nothing more is printed."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
