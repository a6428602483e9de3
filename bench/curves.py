"""How the cost of a season grows, as curves: measured up to here, and by a model beyond."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from pathlib import Path

from msgspec import Struct

from web.season.plots import ticks, without_scripts

FAR = (1_000_000, 10_000_000, 100_000_000)
"""Numbers of events for which the model tells the cost."""


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
