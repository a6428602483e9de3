"""A season measured: cores and machines, what is not judged again, the room of the store, and how the cost grows.

    python -m bench.season [--games 90]

Everything is of one run, so compare the ratios. What two processes do at once is measured by the clock, everything
else by processor time.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import click

from audit.ruleset import ruleset, rulesets
from replays.generating.simulate import simulated
from replays.log.writer import write_log
from replays.season.cache import Cache
from replays.season.judging import Asked
from replays.season.season import Cores, Share, judged_season
from replays.season.sources import logs_at
from replays.season.workers import cores
from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary

T = TypeVar("T")
PARTS = (8, 4, 2, 1)
"""The growth is shown at these parts of the season."""


def season(folder: Path, games: int) -> int:
    """Simulated games of all rulesets by turns; how many events they have."""
    names, events = rulesets(), 0
    for number in range(games):
        header, played = simulated(ruleset(names[number % len(names)]), number, "uniform", [])
        write_log(folder / f"{number:06}.jsonl", header, played)
        events += len(played)
    return events


def timed(act: Callable[[], T]) -> tuple[float, float, T]:
    """Seconds by the clock, seconds of this process and its children, and the result."""
    clock, cpu = time.perf_counter(), _cpu()
    result = act()
    return time.perf_counter() - clock, _cpu() - cpu, result


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def judged(folder: Path, share: Share, kept: Path | None = None, first: int | None = None) -> int:
    """Judge the season, or its first games; how many events were judged."""
    paths = [str(path) for path in sorted(folder.glob("*.jsonl"))[:first]]
    with Cache(kept) as cache:
        found = judged_season(Asked(), logs_at(paths), cache, share)
        return sum(each.facts.events for each in found if each.facts)


def sharing(folder: Path, events: int) -> Iterator[str]:
    """One process, all cores, Dask."""
    alone, cpu, _ = timed(lambda: judged(folder, Cores(1)))
    yield f"  one process          {alone:7.2f} s  {events / cpu:10,.0f} events/s of processor time"
    many, used, _ = timed(lambda: judged(folder, Cores(0)))
    yield f"  {cores()} processes          {many:7.2f} s  {alone / many:10.2f} times one process, by the clock"
    yield f"                                  {used / cpu:10.2f} times the processor time of one process"
    if find_spec("distributed") is None:
        yield "  Dask                 not installed (audit[cluster])"
        return
    from distributed import LocalCluster

    from replays.season.cluster import Cluster

    with LocalCluster(n_workers=cores(), threads_per_worker=1, dashboard_address=None) as local:  # type: ignore[no-untyped-call]
        share = Cluster(local.scheduler_address)
        judged(folder, share, first=4)
        dask, _, _ = timed(lambda: judged(folder, share))
    yield f"  {cores()} workers of Dask    {dask:7.2f} s  {dask / many:10.2f} times as long as {cores()} processes"


def again(folder: Path, kept: Path) -> Iterator[str]:
    """The first run and the second."""
    _, first, _ = timed(lambda: judged(folder, Cores(1), kept))
    _, second, _ = timed(lambda: judged(folder, Cores(1), kept))
    yield f"  first run {first:7.2f} s, second run {second:7.2f} s: {second / first:.1%} of it"


def stored(folder: Path, place: Path, events: int) -> Iterator[str]:
    """The store: import, room, reading back, and the page of statistics."""
    logs = sorted(folder.glob("*.jsonl"))
    room = sum(path.stat().st_size for path in logs)
    with Store(place) as store:
        _, importing, _ = timed(lambda: [store.import_log(path) for path in logs])
        _, showing, _ = timed(store.follow)
        ids = [row.id for row in store.shown.every_game()]
        _, reading, count = timed(lambda: sum(1 for id in ids for _ in store.events(id)))
        client = create_app(StoreLibrary(store)).test_client()
        page, _, _ = timed(lambda: client.get("/stats"))
        once_more, _, _ = timed(lambda: client.get("/stats?by=player"))
    yield f"  import               {importing:7.2f} s  {events / importing:10,.0f} events/s"
    yield f"  judging for lists    {showing:7.2f} s  {events / showing:10,.0f} events/s"
    yield f"  reading back         {reading:7.2f} s  {count / reading:10,.0f} events/s"
    yield f"  room                 {place.stat().st_size / room:7.2f} times the logs"
    yield f"  /stats               {page:7.2f} s  the first time, {once_more:.2f} s with another heading"


def growth(folder: Path, games: int) -> Iterator[str]:
    """Processor time an event, and the memory of this process, at parts of the season."""
    yield "     games       events   µs an event   memory"
    for part in PARTS:
        _, cpu, events = timed(lambda part=part: judged(folder, Cores(1), first=games // part))  # type: ignore[misc]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        yield f"  {games // part:8,} {events:12,} {1e6 * cpu / events:13.2f} {memory:5} MB"


def starting() -> Iterator[str]:
    """`audit check` of one log, and Python that does nothing."""
    sample = Path(__file__).parent.parent / "replays" / "samples" / "dispute.jsonl"
    bare = min(timed(lambda: _run("-c", "pass"))[1] for _ in range(7))
    check = min(timed(lambda: _run("-m", "cli", "check", str(sample)))[1] for _ in range(7))
    yield f"  audit check of one log {check:.3f} s of processor time; Python alone {bare:.3f} s"


def _run(*arguments: str) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], env=env, stdout=subprocess.DEVNULL, check=False)


def table(games: int) -> Iterator[str]:
    """Everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "season"
        folder.mkdir()
        events = season(folder, games)
        room = sum(path.stat().st_size for path in folder.iterdir())
        yield json.dumps({"games": games, "events": events, "bytes": room, "cores": cores()})
        for title, lines in (
            ("Starting", starting()), ("Cores and machines", sharing(folder, events)),
            ("Only what changed", again(folder, Path(name) / "kept.db")),
            ("The store", stored(folder, Path(name) / "games.db", events)), ("Growth", growth(folder, games)),
        ):  # fmt: skip
            yield title
            yield from lines


@click.command()
@click.option("--games", default=90, show_default=True)
def main(games: int) -> None:
    """Measure a season, and print the table."""
    for line in table(games):
        click.echo(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
