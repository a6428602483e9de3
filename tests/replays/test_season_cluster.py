"""A season judged by a real Dask scheduler with two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from cli import audit
from replays.season.cache import Cache
from replays.season.comparing import Reauditing, Switching
from replays.season.judging import A, Asked, Judged, Judging, Question
from replays.season.season import Cores, Share, answered, judged_season
from replays.season.showing import spread
from replays.season.sources import Source, logs_at, stored
from replays.store.store import Store
from tests.serving import read_on

pytest.importorskip("distributed", reason="needs distributed (audit[cluster])")

from distributed import KilledWorker

from replays.season.cluster import BYTES, GAMES, Cluster, ClusterError, gathered
from replays.season.workers import Lost

R = TypeVar("R")
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
            read_on(process.stderr)
            return found
    raise AssertionError("it ended before it was ready")


class Running:
    """A scheduler and its workers: as many as were asked for; what was killed is replaced."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.workers: list[subprocess.Popen[str]] = []
        self.start()

    def start(self) -> None:
        self.scheduler = started(self.stack, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                                 "--no-dashboard")  # fmt: skip
        self.address = until(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")[1]

    def with_workers(self, count: int) -> Running:
        if self.scheduler.poll() is not None:
            self.workers = []
            self.start()
        command = ("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        kept = [worker for worker in self.workers if worker.poll() is None]
        new = [started(self.stack, *command) for _ in range(count - len(kept))]
        for worker in new:
            until(worker, "Registered to:")
        self.workers = [*kept, *new]
        return self

    def kill_a_worker(self) -> None:
        self.workers[0].send_signal(signal.SIGKILL)
        self.workers[0].wait()


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with ExitStack() as stack:
        yield Running(stack)


@pytest.fixture
def cluster(running: Running) -> Running:
    """A scheduler with two workers."""
    return running.with_workers(2)


def season(folder: Path, games: int) -> list[Source]:
    for number in range(games):
        name = ("clean", "dispute", "lotr-journey")[number % 3]
        (folder / f"{number:03}.jsonl").write_bytes((SAMPLES / f"{name}.jsonl").read_bytes())
    return list(logs_at([str(folder)]))


def shown(found: list[Judged]) -> list[object]:
    return [(each.name, each.trouble, each.report and each.report.json()) for each in found]


def test_a_cluster_shows_the_stored_games_as_one_process_does(cluster: Running, tmp_path: Path) -> None:
    shown = []
    for share in (None, Cluster(cluster.address)):
        with Store(tmp_path / f"{share is None}.db") as store:
            for name in ("altered-duel", "clean", "dispute", "hidden", "lotr-journey"):
                store.import_log(SAMPLES / f"{name}.jsonl")
            store.follow(spread(store, 1, share))
            rows = [replace(row, id="") for row in store.shown.games().rows]
            facts = [*store.shown.facts()]
            shown.append((rows, facts, store.shown.weights("compile"), store.shown.games("plague").total))
    assert shown[0] == shown[1]


@pytest.mark.prove
@pytest.mark.parametrize("question", [Switching(), Reauditing("pl", (), "en")])
def test_a_cluster_compares_stored_games_as_one_process_does_and_keeps_what_it_said(
    cluster: Running, tmp_path: Path, question: Question[A]
) -> None:
    def asked(share: Share, kept: Path | None) -> list[A]:
        with Cache(kept) as cache:
            return list(answered(question, stored(store, "compile"), cache, share))

    def nobody(work: object, sources: Iterable[Source], known: Callable[[Source], R | None]) -> Iterator[object]:
        yield from ((source, known(source) or Lost()) for source in sources)

    with Store(tmp_path / "games.db") as store:
        for name in ("dispute", "kept-by-hand"):
            store.import_log(SAMPLES / f"{name}.jsonl")
        wanted = asked(Cores(1), None)
        assert asked(Cluster(cluster.address), tmp_path / "kept.db") == wanted
        assert asked(nobody, tmp_path / "kept.db") == wanted  # type: ignore[arg-type]


def test_workers_of_another_version_are_refused(
    cluster: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.season.cluster.Cluster._own", staticmethod(lambda: "another"))
    with Cache(None) as cache, pytest.raises(ClusterError, match="has version"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster(cluster.address)))


def test_a_worker_that_is_killed_loses_no_game(cluster: Running, tmp_path: Path) -> None:
    sources = season(tmp_path, 21)
    with Cache(None) as cache:
        wanted = list(judged_season(Asked(), sources, cache, Cores(1)))
        found: list[Judged] = []
        for judged in judged_season(Asked(), sources, cache, Cluster(cluster.address)):
            found.append(judged)
            if len(found) == 10:
                cluster.kill_a_worker()
    assert shown(found) == shown(wanted)


def test_a_scheduler_that_is_killed_is_said_and_what_was_judged_is_kept(running: Running, tmp_path: Path) -> None:
    sources, found = season(tmp_path, 100), list[Judged]()
    own = running.with_workers(1)

    def judge(cache: Cache) -> None:
        for judged in judged_season(Asked(), sources, cache, Cluster(own.address)):
            found.append(judged)
            if len(found) == 10:
                own.scheduler.send_signal(signal.SIGKILL)

    with Cache(tmp_path / "kept.db") as cache, pytest.raises(ClusterError, match="no more"):
        judge(cache)
    with Cache(tmp_path / "kept.db") as cache:
        asked = Judging(Asked())
        assert all(cache.find(cache.key(asked, source), asked, source) for source in sources[: len(found)])


def test_an_address_where_nobody_listens_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.season.cluster.PATIENCE", 1)
    with Cache(None) as cache, pytest.raises(ClusterError, match="no scheduler"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster("tcp://127.0.0.1:1")))


@pytest.mark.parametrize(
    "address", ["", "x", "tcp://", "tcp://here", "tcp://here:x", "tcp://here:99999", "http://here:80", "tcp://[x:1"]
)
def test_what_is_no_address_is_said_at_once(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.season.cluster._connected", lambda address: pytest.fail("it was called"))
    with Cache(None) as cache, pytest.raises(ClusterError, match="no address of a scheduler"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster(address)))


def test_tls_without_certificates_is_said(tmp_path: Path) -> None:
    with Cache(None) as cache, pytest.raises(ClusterError, match="no certificates"):
        list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster("tls://127.0.0.1:1")))


@pytest.mark.parametrize("said", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n" + 100 * b"x"])
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_another_program_that_listens_there_is_not_waited_for(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.season.cluster.PATIENCE", 1)
    monkeypatch.setattr("replays.season.cluster.GRACE", 1)
    with socket.create_server(("127.0.0.1", 0)) as other, Cache(None) as cache:
        threading.Thread(target=lambda: other.accept()[0].sendall(said), daemon=True).start()
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(ClusterError, match="no scheduler"):
            list(judged_season(Asked(), season(tmp_path, 2), cache, Cluster(address)))


# How games are put together as tasks


def numbered(count: int, size: int = 10) -> Iterator[Source]:
    return (Source(f"{number}", data=b"", size=size) for number in range(count))


def length(source: Source) -> int:
    return len(source.name)


def test_a_task_has_no_more_games_and_bytes_than_asked_for() -> None:
    def unknown(source: Source) -> None:
        return None

    assert len(gathered(numbered(100), unknown, 1)) == 1
    assert len(gathered(numbered(100), unknown, 7)) == 7
    assert len(gathered(numbered(100), unknown, 1_000)) == GAMES
    assert len(gathered(numbered(100, BYTES), unknown, 20)) == 1
    assert len(gathered(numbered(3), unknown, 20)) == 3
    assert gathered(numbered(0), unknown, 20) == []


def test_a_game_that_is_known_is_sent_to_nobody_and_keeps_its_place() -> None:
    task = gathered(numbered(9), lambda source: 7 if source.name < "4" else None, 2)
    assert [(source.name, found) for source, found in task] == [
        ("0", 7), ("1", 7), ("2", 7), ("3", 7), ("4", None), ("5", None),
    ]  # fmt: skip


class Workers:
    """Carry out tasks; those with a game of that name end the workers that have them."""

    def __init__(self, deadly: str) -> None:
        self.deadly = deadly
        self.tasks: list[list[str]] = []

    def submit(self, act: object, work: object, sources: list[Source], *, pure: bool) -> Task:
        self.tasks.append([source.name for source in sources])
        return Task(self.deadly in self.tasks[-1], lambda: act(work, sources))  # type: ignore[operator]


class Task:
    def __init__(self, is_deadly: bool, act: Callable[[], object]) -> None:
        self.is_deadly, self.act = is_deadly, act

    def result(self) -> object:
        if self.is_deadly:
            raise KilledWorker("task", None, 3)  # type: ignore[no-untyped-call]
        return self.act()


@pytest.mark.every("count", [1, 2, 5, 100, 500])
def test_the_game_that_ends_its_workers_is_found_and_no_other_is_lost(count: int) -> None:
    deadly = str(count // 2)
    workers = Workers(deadly)
    found = list(Cluster("here")._results(workers, 2, length, numbered(count), lambda source: None))
    assert [source.name for source, _ in found] == [str(number) for number in range(count)]
    assert [source.name for source, result in found if isinstance(result, Lost)] == [deadly]
    assert all(result == len(source.name) for source, result in found if not isinstance(result, Lost))


def test_the_first_tasks_are_small_so_that_every_worker_has_one_and_the_later_ones_are_large() -> None:
    workers = Workers("none")
    list(Cluster("here")._results(workers, 2, length, numbered(1_000), lambda source: None))
    sizes = [len(names) for names in workers.tasks]
    assert sizes[:8] == [1] * 8
    assert max(sizes) == GAMES
    assert len(sizes) < 100


def test_nothing_is_stored_where_the_cluster_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    for command in (["import", str(SAMPLES / "clean.jsonl")], ["rebuild"]):
        done = CliRunner().invoke(audit, ["store", *command, "--cluster", "nowhere"])
        assert isinstance(done.exception, ClusterError)
    with Store(tmp_path / "games.db") as store:
        assert store.heads() == {}
