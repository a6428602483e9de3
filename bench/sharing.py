"""A season judged by plain processes and on a Dask cluster of this machine, in turns: what the cluster costs beyond.

    python -m bench.sharing FOLDER [--games 1000] [--rounds 5]

The scheduler and the workers are processes of their own, as on several machines, and stand before the clock begins.
Processor time is that of all processes: of this one, of its children, and of the cluster. Both kinds judge the same
games in each round, and take turns at being first. The load of the machine is told with each round, because the clock
depends on it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import click
import psutil
from msgspec import Struct

from bench.season import judged
from replays.season.cluster import Cluster
from replays.season.season import Cores, Share
from replays.season.workers import cores


class Spent(Struct, frozen=True):
    """What judging the season took: seconds by the clock, and of processor time."""

    clock: float
    cpu: float


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """The address of a scheduler with so many workers, and all their processes."""
    with tempfile.TemporaryDirectory() as name:
        told = Path(name) / "scheduler.json"
        started = [_dask("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))]
        try:
            for _ in range(workers):
                started.append(_dask("worker", "--scheduler-file", str(told), "--nthreads", "1", "--no-dashboard"))
            yield _address(told), [psutil.Process(each.pid) for each in started]
        finally:
            for each in reversed(started):
                each.terminate()
                each.wait()


def _dask(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _address(told: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if told.exists() and told.stat().st_size:
            return str(json.loads(told.read_text())["address"])
        time.sleep(0.1)
    raise SystemExit("no scheduler came up")


def cpu(processes: list[psutil.Process]) -> float:
    """Processor time so far of these processes and their children, and of this process and those it has waited for."""
    own = os.times()
    running = [one for each in processes for one in (each, *each.children(recursive=True))]
    return sum(own[:4]) + float(sum(one.cpu_times().user + one.cpu_times().system for one in running))


def spent(folder: Path, share: Share, games: int, processes: list[psutil.Process]) -> Spent:
    """Judge the first games of the season, and tell what it took."""
    clock, used = time.perf_counter(), cpu(processes)
    judged(folder, share, first=games)
    return Spent(time.perf_counter() - clock, cpu(processes) - used)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--games", default=1_000, show_default=True)
@click.option("--rounds", default=5, show_default=True)
def main(folder: Path, games: int, rounds: int) -> None:
    """Judge the season by turns, and print each round and the medians."""
    ratios: list[Spent] = []
    with cluster(cores()) as (address, processes):
        kinds: list[tuple[str, Share]] = [("processes", Cores(0)), ("Dask", Cluster(address))]
        judged(folder, Cluster(address), first=40 * cores())
        click.echo("round   load    processes: clock      cpu   Dask: clock      cpu    Dask by processes: clock   cpu")
        for number in range(rounds):
            measure = partial(spent, folder, games=games, processes=processes)
            load = os.getloadavg()[0]
            found = {name: measure(share) for name, share in kinds[:: 1 if number % 2 else -1]}
            plain, dask = found["processes"], found["Dask"]
            ratios.append(Spent(dask.clock / plain.clock, dask.cpu / plain.cpu))
            click.echo(
                f"{number + 1:5} {load:6.1f} {plain.clock:15.2f} s {plain.cpu:7.2f} s"
                f" {dask.clock:11.2f} s {dask.cpu:7.2f} s {ratios[-1].clock:20.2f} {ratios[-1].cpu:10.2f}"
            )
    clock, used = median(each.clock for each in ratios), median(each.cpu for each in ratios)
    click.echo(f"median: {clock:.2f} times as long as {cores()} processes, {used:.2f} times their processor time")


if __name__ == "__main__":
    main()
