"""A season judged by a real Dask scheduler with two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from replays.season.cache import Cache
from replays.season.judging import Asked, Judged
from replays.season.season import Cores, judged_season
from replays.season.sources import Source, logs_at

pytest.importorskip("distributed", reason="needs distributed (audit[cluster])")

from replays.season.cluster import Cluster, ClusterError

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "replays" / "samples"
pytestmark = pytest.mark.slow


def started(stack: ExitStack, *command: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    stack.callback(done.wait)
    stack.callback(done.kill)
    return done


def until(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """The line by which a process says that it is ready."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found
    raise AssertionError("it ended before it was ready")


@pytest.fixture
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler, and its two workers."""
    with ExitStack() as stack:
        scheduler = started(stack, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                            "--no-dashboard")  # fmt: skip
        address = until(scheduler, r"Scheduler at:\s+(tcp://\S+)")[1]
        workers = [
            started(stack, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            for _ in range(2)
        ]
        for worker in workers:
            until(worker, "Registered to:")
        yield address, workers


def season(folder: Path, games: int) -> list[Source]:
    for number in range(games):
        name = ("clean", "dispute", "lotr-journey")[number % 3]
        (folder / f"{number:03}.jsonl").write_bytes((SAMPLES / f"{name}.jsonl").read_bytes())
    return list(logs_at([str(folder)]))


def shown(found: list[Judged]) -> list[object]:
    return [(each.name, each.trouble, each.report and each.report.json()) for each in found]


def test_a_worker_that_is_killed_loses_no_game(
    cluster: tuple[str, list[subprocess.Popen[str]]], tmp_path: Path
) -> None:
    address, workers = cluster
    sources = season(tmp_path, 60)
    with Cache(None) as cache:
        wanted = list(judged_season(Asked(), sources, cache, Cores(1)))
        found: list[Judged] = []
        for judged in judged_season(Asked(), sources, cache, Cluster(address)):
            found.append(judged)
            if len(found) == 10:
                workers[0].send_signal(signal.SIGKILL)
    assert shown(found) == shown(wanted)


def test_workers_of_another_version_are_refused(
    cluster: tuple[str, list[subprocess.Popen[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.season.cluster.Cluster._own", staticmethod(lambda: "another"))
    with Cache(None) as cache, pytest.raises(ClusterError, match="has version"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster(cluster[0])))


def test_an_address_where_nobody_listens_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.season.cluster.PATIENCE", 1)
    with Cache(None) as cache, pytest.raises(ClusterError, match="no scheduler"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster("tcp://127.0.0.1:1")))
