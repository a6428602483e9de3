"""Printing what `audit check` finds, of one log or of a season."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

import click

from commands.common import CLEAN, FINDINGS, UNREADABLE, Misuse, emit, opened, put, say
from commands.interrupts import comes_later

if TYPE_CHECKING:
    from collections.abc import Iterator

    from replays.judging.report import Report
    from replays.season.judging import Asked, Judged
    from replays.season.season import Share
    from replays.season.sources import Source
    from replays.season.statistics import Statistics
    from replays.store.store import Store

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
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")


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


def is_many(path: str) -> bool:
    """Whether a path stands for many logs: a folder, or an archive."""
    return Path(path).is_dir() or path.lower().endswith(ARCHIVES)


class Reporting:
    """Prints reports in one format as they come, and knows how the command has to end."""

    def __init__(self, form: str, language: str) -> None:
        self._form = form
        self._language = language
        self._kept: list[Report] = []
        self._has_findings = False
        self._is_unreadable = False

    @property
    def exit_code(self) -> int:
        """2 where a log could not be read, 1 where there are findings, else 0."""
        return UNREADABLE if self._is_unreadable else FINDINGS if self._has_findings else CLEAN

    def one(self, path: str, asked: Asked) -> None:
        """Report of one log."""
        from replays.error_words import error_lines
        from replays.errors import LogError
        from replays.judging.report import check as judged

        try:
            log = opened(path, asked.edition)
            named = self._form == "json"
            found = judged(log, language=asked.language, reading=asked.reading, complete=asked.complete, versions=named)
            self._print(found)
        except LogError as error:
            self._trouble(tuple(error_lines(error, self._language)))
        self._end()

    def season(self, paths: tuple[str, ...], stored: bool, asked: Asked, share: Share, kept: Path | None) -> None:
        """Report of many logs, in order, and of all together."""
        from replays.season.cache import Cache
        from replays.season.season import judged_season
        from replays.season.statistics import Statistics

        found = Statistics()
        with stopping_cleanly(), opened_store(stored) as store, Cache(kept) as cache:
            coming = judged_season(asked, sources(paths, store), cache, share)
            for judged in with_progress(coming, "audit check"):
                self._take(judged, found)
        self._end()
        self._sum_up(found)

    def _take(self, judged: Judged, found: Statistics) -> None:
        if judged.report is None or judged.facts is None:
            found.unreadable += 1
            self._trouble(judged.trouble)
            return
        found.add(judged.facts)
        self._print(judged.report)

    def _print(self, report: Report) -> None:
        self._has_findings |= bool(report.findings)
        if self._form == "json":
            emit(report.json())
        elif self._form == "text":
            from replays.terminal.reports import text

            say(*text(report, self._language))
        else:
            self._kept.append(report)

    def _trouble(self, lines: tuple[str, ...]) -> None:
        self._is_unreadable = True
        say(*lines, err=True)

    def _end(self) -> None:
        if self._form in ("sarif", "junit"):
            from replays.terminal.reports import junit, sarif

            put((sarif if self._form == "sarif" else junit)(self._kept, self._language))

    def _sum_up(self, found: Statistics) -> None:
        from replays.season.statistics import summary_json
        from replays.terminal.season import summary_lines

        if self._form == "json":
            emit({"summary": summary_json(found)})
        elif self._form == "text":
            say("", *summary_lines(found, self._language))


def opened_store(wanted: bool) -> Store | nullcontext[None]:
    """The store, where it is wanted."""
    if not wanted:
        return nullcontext()
    from replays.store.store import Store

    return Store()


def sources(paths: tuple[str, ...], store: Store | None) -> Iterator[Source]:
    """The logs at those paths, then the games of the store."""
    from replays.season.sources import NoLogError, logs_at, stored

    try:
        yield from logs_at(paths)
    except NoLogError as error:
        raise Misuse("no_game", place=error.place) from None
    if store is not None:
        yield from stored(store)
