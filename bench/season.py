"""A season measured: cores, what is not judged again, the room of the store, and how the cost grows.

    python -m bench.season [--games 90] [--pictures]

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
from collections.abc import Callable, Iterator, Sequence
from math import log10
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from msgspec import Struct

from audit.core.ruleset import ruleset, rulesets
from bench.speed import memory
from replays.generating.simulate import simulated
from replays.log.writer import write_log
from replays.season.cache import Cache
from replays.season.comparing import Reauditing, Switching
from replays.season.judging import Asked, Judging, Question
from replays.season.season import Cores, Share, answered, judged_season
from replays.season.sources import logs_at
from replays.season.workers import cores
from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.season.plots import ticks, without_scripts

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
T = TypeVar("T")
FAR = (1_000_000, 10_000_000, 100_000_000)
"""Numbers of events for which the model tells the cost."""
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


def judged(folder: Path, share: Share, first: int | None = None) -> int:
    """Judge the season, or its first games; how many events were judged."""
    paths = [str(path) for path in sorted(folder.glob("*.jsonl"))[:first]]
    with Cache(None) as cache:
        found = judged_season(Asked(), logs_at(paths), cache, share)
        return sum(each.facts.events for each in found if each.facts)


def sharing(folder: Path, events: int) -> Iterator[str]:
    """One process, and all cores."""
    alone, cpu, _ = timed(lambda: judged(folder, Cores(1)))
    yield f"  one process          {alone:7.2f} s  {events / cpu:10,.0f} events/s of processor time"
    many, used, _ = timed(lambda: judged(folder, Cores(0)))
    yield f"  {cores()} processes          {many:7.2f} s  {alone / many:10.2f} times one process, by the clock"
    yield f"                                  {used / cpu:10.2f} times the processor time of one process"


def again(folder: Path, kept: Path) -> Iterator[str]:
    """The first run and the second, of `check`, `compare` and `store reaudit`."""
    questions: dict[str, Question[Any]] = {
        "check": Judging(Asked()), "compare": Switching(), "store reaudit": Reauditing("standard", (), "en"),
    }  # fmt: skip
    for name, question in questions.items():
        _, first, _ = timed(lambda: asked(question, folder, kept))  # noqa: B023
        _, second, _ = timed(lambda: asked(question, folder, kept))  # noqa: B023
        yield f"  {name:13}        first run {first:7.2f} s, second run {second:7.2f} s: {second / first:.1%} of it"


def asked(question: Question[Any], folder: Path, kept: Path) -> int:
    """Ask every game of the season; how many games there are."""
    with Cache(kept) as cache:
        return sum(1 for _ in answered(question, logs_at([str(folder)]), cache, Cores(1)))


def stored(folder: Path, place: Path, events: int) -> Iterator[str]:
    """The store: import, room, reading back, and the page of statistics."""
    logs = sorted(folder.glob("*.jsonl"))
    room = sum(path.stat().st_size for path in logs)
    with Store(place) as store:
        _, importing, _ = timed(lambda: list(store.import_logs(logs)))
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


def growth(folder: Path, games: int, pictures: Path | None) -> Iterator[str]:
    """Processor time an event and the memory of a process, at parts of the season, and what follows for more events."""
    yield "     games       events   µs an event   memory"
    costs = []
    for part in PARTS:
        cost = measured(folder, games // part)
        costs.append(cost)
        yield f"  {cost.games:8,} {cost.events:12,} {cost.each:13.2f} {cost.memory:5} MB"
    model = fitted(costs)
    yield f"  model: {model.start:.2f} s and {1e6 * model.slope:.2f} µs an event; measured within {model.off:.1%} of it"
    for events in FAR:
        yield f"  {'':8} {events:12,} {model.each(events):13.2f}        {model.seconds(events):,.0f} s"
    if pictures:
        draw(costs, model, pictures)


def measured(folder: Path, games: int) -> Cost:
    """What the first games of the season cost a process of their own, the best of two."""
    command = [sys.executable, "-m", "bench.season", "--judge", str(folder), "--games", str(games)]
    done = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)]
    return min((msgspec.json.decode(said, type=Cost) for said in done), key=lambda cost: cost.seconds)


def cost(folder: Path, games: int) -> Cost:
    """What the first games of the season cost this process."""
    _, cpu, events = timed(lambda: judged(folder, Cores(1), first=games))
    return Cost(games, events, cpu, int(memory()))


def starting() -> Iterator[str]:
    """`audit check` of one log, and Python that does nothing."""
    sample = Path(__file__).parent.parent / "replays" / "samples" / "dispute.jsonl"
    bare = min(timed(lambda: _run("-c", "pass"))[1] for _ in range(7))
    check = min(timed(lambda: _run("-m", "cli", "check", str(sample)))[1] for _ in range(7))
    yield f"  audit check of one log {check:.3f} s of processor time; Python alone {bare:.3f} s"


def _run(*arguments: str) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], env=env, stdout=subprocess.DEVNULL, check=False)


def table(games: int, pictures: Path | None) -> Iterator[str]:
    """Everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "season"
        folder.mkdir()
        events = season(folder, games)
        room = sum(path.stat().st_size for path in folder.iterdir())
        yield json.dumps({"games": games, "events": events, "bytes": room, "cores": cores()})
        for title, lines in (
            ("Starting", starting()), ("Cores", sharing(folder, events)),
            ("Only what changed", again(folder, Path(name) / "kept.db")),
            ("The store", stored(folder, Path(name) / "games.db", events)), ("Growth", growth(folder, games, pictures)),
        ):  # fmt: skip
            yield title
            yield from lines


@click.command()
@click.option("--games", type=click.IntRange(8), default=90, show_default=True)
@click.option("--judge", type=click.Path(path_type=Path), help="Judge games of this folder alone, and print the cost.")
@click.option("--pictures", is_flag=True, help="Draw the growth into docs/pictures.")
def main(games: int, judge: Path | None, pictures: bool) -> None:
    """Measure a season, and print the table."""
    if judge:
        click.echo(msgspec.json.encode(cost(judge, games)))
        return
    for line in table(games, PICTURES if pictures else None):
        click.echo(line)
        sys.stdout.flush()


class Cost(Struct, frozen=True):
    """What a number of events cost: seconds of processor time, and megabytes of memory."""

    games: int
    events: int
    seconds: float
    memory: int

    @property
    def each(self) -> float:
        """Microseconds an event."""
        return 1e6 * self.seconds / self.events


class Model(Struct, frozen=True):
    """The line through the costs, by least squares: seconds at the start, and seconds for every event."""

    start: float
    slope: float
    off: float
    """The largest part by which a measured cost lies off the line."""

    def seconds(self, events: int) -> float:
        """Processor time for so many events."""
        return self.start + self.slope * events

    def each(self, events: int) -> float:
        """Microseconds an event."""
        return 1e6 * self.seconds(events) / events


def fitted(costs: Sequence[Cost]) -> Model:
    """The model of measured costs, each weighed by its share: small seasons count as much as large ones."""
    weights = [1 / cost.seconds**2 for cost in costs]
    whole = sum(weights)
    x = sum(w * cost.events for w, cost in zip(weights, costs, strict=True)) / whole
    y = sum(w * cost.seconds for w, cost in zip(weights, costs, strict=True)) / whole
    above = sum(w * (cost.events - x) * (cost.seconds - y) for w, cost in zip(weights, costs, strict=True))
    slope = above / sum(w * (cost.events - x) ** 2 for w, cost in zip(weights, costs, strict=True))
    line = Model(y - slope * x, slope, 0)
    off = max(abs(line.seconds(cost.events) / cost.seconds - 1) for cost in costs)
    return Model(line.start, line.slope, off)


def draw(costs: Sequence[Cost], model: Model, folder: Path) -> None:
    """Write `season-cost.svg` and `season-memory.svg`."""
    last = max(cost.events for cost in costs)
    ahead = [(last, model.each(last)), *((events, model.each(events)) for events in FAR if events > last)]
    measured = [(cost.events, cost.each) for cost in costs]
    top = 1.5 * max(each for _, each in measured)
    _written(folder / "season-cost.svg", "µs of processor time an event", top, {"measured": measured, "model": ahead})
    memory = [(cost.events, float(cost.memory)) for cost in costs]
    _written(folder / "season-memory.svg", "MB of memory", 1.5 * max(mb for _, mb in memory), {"measured": memory})


def _written(path: Path, title: str, top: float, curves: dict[str, list[tuple[int, float]]]) -> None:
    import pygal
    from pygal.style import Style

    style = Style(
        background="white", plot_background="white", foreground="#555555", foreground_strong="#333333",
        foreground_subtle="#dddddd", colors=("#3b7dbd", "#c0562f"), font_family="sans-serif", label_font_size=12,
        major_label_font_size=12, title_font_size=14, legend_font_size=12,
    )  # fmt: skip
    points = [at for curve in curves.values() for at, _ in curve]
    powers = range(int(log10(min(points))), 1 + round(log10(max(points)) + 0.49))
    chart = pygal.XY(
        style=style, width=720, height=300, js=[], no_prefix=True, explicit_size=True, title=title, range=(0, top),
        xrange=(powers[0], powers[-1]), legend_at_bottom=True, show_legend=len(curves) > 1, x_title="events",
    )  # fmt: skip
    chart.x_labels = [{"value": power, "label": f"{10 ** (power % 3)}{' kMG'[power // 3].strip()}"} for power in powers]
    chart.y_labels = ticks(int(top))
    for name, curve in curves.items():
        chart.add(name, [(log10(at), value) for at, value in curve])
    path.write_bytes(without_scripts(chart.render(is_unicode=False, disable_xml_declaration=True)) + b"\n")


if __name__ == "__main__":
    main()
