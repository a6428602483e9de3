"""How fast the viewer is served: gunicorn as `deploy/gunicorn.conf.py` has it, over a store made for the occasion.

    python -m bench.web [--seconds 5] [--clients 2] [--connections 8]

Server and clients share the machine: the clients' own work, and whatever else runs, is in every rate. What an answer
costs the server is therefore told too, where the system says it (Linux).
"""

from __future__ import annotations

import http.client
import io
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec import Struct

from audit.core.model import Event, Header
from audit.core.ruleset import ruleset
from bench.speed import long_game
from replays.generating.simulate import simulated
from replays.log.writer import line_of
from replays.store.store import Store

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "deploy" / "gunicorn.conf.py"
SHORT, LONG = 300, 20_000
PAGES = 300
"""So many times a page is fetched for its median."""

WAIT = 30.0
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")

STEPPING = """async () => {
  const times = [];
  while (audit.step < audit.last && times.length < 300) {
    if (!audit.steps.has(audit.step + 1)) await audit.steps.fetch(audit.step + 1);
    const start = performance.now();
    audit.go(audit.step + 1);
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""
"""What a step does in a browser until it could be painted: the drawing, the panel, the list, and their layout."""


class Served(Struct, frozen=True):
    """A server that answers, and the two games it has."""

    port: int
    process: int
    short: str
    long: str


class Fetched(Struct, frozen=True):
    """How long a page took, in milliseconds, and how large it was."""

    times: tuple[float, ...]
    size: int

    @property
    def median(self) -> float:
        """Half of them took no longer."""
        return statistics.median(self.times)

    @property
    def late(self) -> float:
        """Nineteen of twenty took no longer."""
        return sorted(self.times)[len(self.times) * 19 // 20]


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def filled(url: str) -> tuple[str, str]:
    """A store with a game of 300 events and one of 20,000; their ids."""
    header, events = simulated(ruleset("compile"), 1)
    with Store(url) as store:
        short = store.import_log(_log(header, events[:SHORT]))
        long = store.import_log(_log(*long_game(LONG)))
    return short.game, long.game


def _log(header: Header, events: Sequence[Event]) -> io.BytesIO:
    lines = [line_of(header), *map(line_of, events)]
    return io.BytesIO("".join(f"{line}\n" for line in lines).encode())


@contextmanager
def served(folder: Path, url: str, workers: int = 2) -> Iterator[Served]:
    """gunicorn over a store at that address, for as long as it is needed."""
    short, long = filled(url)
    port = free_port()
    settings = {"AUDIT_DATABASE_URL": url, "AUDIT_DATA_DIR": str(folder), "AUDIT_WORKERS": str(workers)}
    command = [sys.executable, "-m", "gunicorn", "--config", str(CONFIG), "--log-level", "warning", "web.wsgi:app"]
    server = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **settings, "AUDIT_BIND": f"127.0.0.1:{port}"}, stdout=subprocess.DEVNULL
    )
    try:
        _answers(port, server)
        yield Served(port, server.pid, short, long)
    finally:
        server.terminate()
        server.wait(WAIT)


def _answers(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + WAIT
    while time.monotonic() < until and server.poll() is None:
        try:
            one(port, "/about")
            return
        except OSError:
            time.sleep(0.05)
    raise click.ClickException("gunicorn does not answer")


def one(port: int, path: str) -> tuple[float, http.client.HTTPResponse, bytes]:
    """One request on a connection of its own: milliseconds, answer and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT * 4)
    start = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    spent = (time.perf_counter() - start) * 1000
    connection.close()
    return spent, answer, body


def fetched(port: int, paths: Sequence[str]) -> Fetched:
    """Pages one after the other on one connection, none of them known to the reader."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    times, size = [], 0
    for path in paths:
        start = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        size = max(size, len(answer.read()))
        times.append((time.perf_counter() - start) * 1000)
        if answer.status != 200:
            raise click.ClickException(f"{path}: {answer.status}")
    return Fetched(tuple(times), size)


def stepped(port: int, path: str) -> Sequence[float]:
    """Milliseconds of each of 300 steps in a browser, one after the other; none where there is no browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if not browser:
        return ()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--headless", "--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{port}{path}")
        page.wait_for_selector("body.lively")
        times: Sequence[float] = page.evaluate(STEPPING)
        chromium.close()
    return times


def _steps(port: int, path: str) -> Iterator[str]:
    """The figures of stepping, or that there is no browser here."""
    what, times = "a step in the browser", stepped(port, path)
    if not times:
        yield _row(what, "no Chromium", "under 16 ms")
        return
    found = Fetched(tuple(times), 0)
    yield _row(f"{what}, median", f"{found.median:.1f} ms", "under 16 ms")
    yield _row(f"{what}, nineteen of twenty", f"{found.late:.1f} ms")
    yield _row(f"{what}, slowest", f"{max(times):.1f} ms")


def asked_again(port: int, path: str, seconds: float, clients: int, connections: int) -> float:
    """How many 304 answers a second readers get."""
    tag = one(port, path)[1].headers["ETag"]
    lines = (f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Accept-Encoding: gzip", f"If-None-Match: {tag}", "", "")
    request = "\r\n".join(lines).encode()
    with ProcessPoolExecutor(clients) as pool:
        counts = pool.map(_asking, [port] * clients, [request] * clients, [seconds] * clients, [connections] * clients)
        return sum(counts) / seconds


def spent(process: int) -> float:
    """The processor seconds that the workers of a server have used; 0 if the system does not report them."""
    try:
        workers = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        stats = [Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split() for worker in workers]
    except OSError:
        return 0.0
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def _asking(port: int, request: bytes, seconds: float, connections: int) -> int:
    """One client: asks on all of its connections, then hears the answer of each; how many answers there were."""
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
    count, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        for line in lines:
            line.sendall(request)
        for line in lines:
            _hear(line)
        count += connections
    for line in lines:
        line.close()
    return count


def _hear(line: socket.socket) -> None:
    answer = line.recv(4096)
    while not answer.endswith(b"\r\n\r\n"):
        more = line.recv(4096)
        if not more:
            raise ConnectionError("the server hung up")
        answer += more
    if not answer.startswith(b"HTTP/1.1 304"):
        raise ConnectionError(answer[:80].decode("latin-1"))


def report(url: str, folder: Path, seconds: float, clients: int, connections: int) -> Iterator[str]:
    """The figures for one store, each beside what is wanted."""
    with served(folder, url) as server:
        path, long = f"/games/{server.short}", f"/games/{server.long}"
        first = one(server.port, path)[0]
        last = last_step(server.port, path)
        paths = [f"{path}?step={number * 7 % last}" for number in range(PAGES)]
        fetched(server.port, paths[:20])
        page = fetched(server.port, paths)
        yield _row(f"a game of {last} steps, first opened", f"{first:,.0f} ms")
        yield _row("any of its pages, median", f"{page.median:.1f} ms", "under 50 ms")
        yield _row("any of its pages, nineteen of twenty", f"{page.late:.1f} ms")
        yield _row("its largest page", f"{page.size / 1000:,.0f} kB", "200 kB or less")
        yield from _steps(server.port, f"{path}?step=0")
        for what, asked in (("the same page", f"{path}?step=42"), ("the list of games", "/")):
            before = spent(server.process)
            rate = asked_again(server.port, asked, seconds, clients, connections)
            yield _row(f"{what} asked for again (304)", f"{rate:,.0f} a second", "5,000 a second")
            if before:
                each = (spent(server.process) - before) / (rate * seconds) * 1e6
                yield _row("what each such answer costs the server", f"{each:,.0f} µs", "400 µs, for 5,000 a second")
        opened, _, body = one(server.port, long)
        last = last_step(server.port, long)
        yield _row(f"a game of {last:,} steps, first opened", f"{opened / 1000:,.1f} s", "opens")
        again = fetched(server.port, [f"{long}?step={number * 997}" for number in range(20)])
        yield _row("any of its pages, median", f"{again.median:,.0f} ms")
        yield _row("its page", f"{len(body) / 1000:,.0f} kB")
        yield from _steps(server.port, f"{long}?step={last // 2}")


def last_step(port: int, path: str) -> int:
    """The number of a game's last step, as its page has it."""
    found = re.search(rb'"last":(\d+)', one(port, path)[2])
    return int(found[1]) if found else 0


def _row(what: str, found: str, wanted: str = "") -> str:
    return f"  {what:<44} {found:>16}  {f'(wanted: {wanted})' if wanted else ''}".rstrip()


def table(seconds: float = 5.0, clients: int = 2, connections: int = 8) -> Iterator[str]:
    """All figures on SQLite, and on PostgreSQL where a server can be started."""
    from bench.store import server

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield f"SQLite, two workers, {clients} clients with {connections} connections each, {os.cpu_count()} cores"
        yield from report(str(folder / "games.db"), folder, seconds, clients, connections)
        with server(f"{name}/postgres") as url:
            if url:
                yield "PostgreSQL"
                yield from report(url, folder, seconds, clients, connections)


@click.command()
@click.option("--seconds", default=5.0, show_default=True, help="How long cached pages are asked for.")
@click.option("--clients", default=2, show_default=True, help="Processes that ask.")
@click.option("--connections", default=8, show_default=True, help="Connections of each.")
def main(seconds: float, clients: int, connections: int) -> None:
    """Measure the viewer, and print the figures."""
    for line in table(seconds, clients, connections):
        click.echo(line)


if __name__ == "__main__":
    main()
