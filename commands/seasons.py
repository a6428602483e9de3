"""What commands over many games share: how the work is divided, what is kept, progress, and stopping."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

import click

from commands.interrupts import comes_later

if TYPE_CHECKING:
    from replays.season.season import Share

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

MANY = 50
"""Fewer are done before anybody asks how far they are."""
TERMINATED = 143
"""The exit code of a command that was told to end."""

jobs_option = click.option(
    "--jobs", type=click.IntRange(0), default=0, show_default="all cores", help="Judge in so many processes."
)
_cluster = click.option(
    "--cluster", metavar="ADDRESS", help="Judge on the workers of this Dask scheduler, such as tcp://10.0.0.5:8786."
)


def jobs_options(command: F) -> F:
    """How the work is divided: among processes, or among machines."""
    return jobs_option(_cluster(command))


def cache_options(command: F) -> F:
    """Where judgements are kept from one run to the next."""
    command = click.option(
        "--cache", "cache_path", type=click.Path(dir_okay=False, path_type=Path),
        help="Keep judgements in this file. Default: a file in your cache folder.",
    )(command)  # fmt: skip
    return click.option("--no-cache", is_flag=True, help="Judge everything, and keep nothing.")(command)


def sharing(jobs: int, cluster: str | None = None) -> Share:
    """How the work is divided."""
    from replays.season.season import Cores

    if cluster is None:
        return Cores(jobs)
    from replays.season.cluster import Cluster

    return Cluster(cluster)


@contextmanager
def on_cluster(address: str | None) -> Iterator[Share | None]:
    """The cluster at that address, spoken to until the end; None where none is named."""
    if address is None:
        yield None
        return
    from replays.season.cluster import Cluster

    with Cluster(address).held() as share:
        yield share


def kept_in(path: Path | None, no_cache: bool) -> Path | None:
    """The file in which judgements are kept; None where they are not."""
    from replays.season.cache import cache_file

    return None if no_cache else path or cache_file()


def with_progress(items: Iterable[T], label: str) -> Iterator[T]:
    """The items, with how many there were on standard error: on a terminal, where nothing else is printed."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    with click.progressbar(items, label=label, file=sys.stderr, show_pos=True) as progress:
        yield from progress


@contextmanager
def progress_of(count: int, label: str) -> Iterator[Callable[[int], object]]:
    """Hears how many more of so many are done, and shows on standard error how far that is: on a terminal, for many."""
    if count <= MANY or not sys.stderr.isatty():
        yield int
        return
    with click.progressbar(length=count, label=label, file=sys.stderr, show_pos=True) as bar:
        yield bar.update


@contextmanager
def stopping_cleanly() -> Iterator[None]:
    """Whoever ends this program by SIGTERM ends its processes too, and keeps what was done."""

    def stop(number: int, frame: FrameType | None) -> None:
        if not comes_later(number, frame):
            raise click.exceptions.Exit(TERMINATED)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
