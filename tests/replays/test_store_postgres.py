"""What only PostgreSQL has: a server that may be away, locks of its own, texts without NUL, games of any length."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from small_game import HEADER, game, line, resolve

from audit.core.catalogue import rule
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.store.database import StoreError
from replays.store.store import Store

pytestmark = pytest.mark.postgres

RULES = tuple(rule(f"lay.rule-{number}", "permission") for number in range(4))


def annotate(ruleset: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
    """Every step cites four rules."""
    for index, event in enumerate(events, 1):
        yield Step(index, event.seq, event, Verdict.LEGAL, RULES, (), None, None)


def opened(url: str, lock_timeout: int = 5) -> Store:
    return Store(url, resolve=resolve, annotate=annotate, lock_timeout=lock_timeout)


def test_a_game_of_any_length_goes_in_at_once_and_is_shown(postgres: str) -> None:
    with opened(postgres) as store:
        id = store.import_log(io.BytesIO(game(20_000))).game
        assert store.export(id) == game(20_000)
        assert store.follow() == 1
        assert store.shown.weights("small") == dict.fromkeys((each.id for each in RULES), (1, 20_000))


def test_two_machines_share_one_database(postgres: str, tmp_path: Path) -> None:
    with opened(postgres) as one, opened(postgres) as other:
        id = one.import_log(io.BytesIO(game(3))).game
        other.append(id, line(4), expected=3)
        assert one.export(id) == game(4)
        assert other.follow() == 1
        assert one.shown.games("g1").total == 1


def test_whoever_listens_is_told_of_new_events(postgres: str) -> None:
    with opened(postgres) as store:
        id = store.import_log(io.BytesIO(game(3))).game
        with store._games.recorder.subscribe(gt=store.position()) as news:
            store.append(id, line(4), expected=3)
            assert next(news).originator_version == 5


def test_a_server_that_is_not_there_is_named_at_once_and_without_the_password() -> None:
    with pytest.raises(StoreError, match="no connection to the server") as caught:
        opened("postgresql://ada:secret@127.0.0.1:1/games")
    assert "secret" not in str(caught.value)
    assert "postgresql://ada@127.0.0.1:1/games" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_address_that_cannot_be_read_is_named(postgres: str) -> None:
    with pytest.raises(StoreError, match="not an address of a server"):
        opened("postgresql://ada@db/games?colour=red")
    with pytest.raises(StoreError, match=r"no connection to the server: .*does not exist"):
        opened(postgres.replace("/games_", "/nowhere_"))


def test_a_table_locked_by_others_is_waited_for_and_then_named(postgres: str) -> None:
    import psycopg

    with opened(postgres, lock_timeout=1) as store:
        id = store.import_log(io.BytesIO(game(3))).game
        with psycopg.connect(postgres) as other:
            other.execute("LOCK TABLE audit_events IN EXCLUSIVE MODE")
            with pytest.raises(StoreError, match="locked by another program"):
                store.append(id, line(4), expected=3)
            assert store.export(id) == game(3)
        assert store.append(id, line(4), expected=3) == 4


def test_a_server_that_only_reads_is_read_and_named_when_written_to(postgres: str) -> None:
    with opened(postgres) as store:
        id = store.import_log(io.BytesIO(game(3))).game
        store.follow()
        store.import_log(io.BytesIO(HEADER.replace(b"g1", b"g2")))
    with opened(f"{postgres}&options=-cdefault_transaction_read_only%3Don") as store:
        assert store.export(id) == game(3)
        assert store.shown.games().total == 1
        assert store.follow() == 0
        with pytest.raises(StoreError, match="read-only; nothing was written"):
            store.append(id, line(4), expected=3)


def test_a_nul_in_a_text_is_stored_as_written_and_shown_as_well_as_may_be(postgres: str) -> None:
    data = HEADER.replace(b"}", b', "players": [{"seat": "A", "name": "A\\u0000da"}, {"seat": "B"}]}') + line(1)
    with opened(postgres) as store:
        id = store.import_log(io.BytesIO(data)).game
        assert store.export(id) == data
        assert store.follow() == 1
        row = store.shown.game(id)
        assert row is not None
        assert row.header.players[0].name == "A\0da"


@pytest.fixture
def small_disk(postgres_server: str) -> Iterator[Path]:
    """A disk of 16 megabytes on which the server may keep tables; skipped where none can be mounted."""
    import psycopg

    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs the right to mount a small disk")
    with psycopg.connect(postgres_server) as connection:
        ((folder,),) = connection.execute("SHOW data_directory").fetchall()
    owner = Path(str(folder)).stat()
    place = Path(tempfile.mkdtemp(prefix="small-disk-"))  # the server may not come through the tests' own folder
    options = f"size=16m,mode=0700,uid={owner.st_uid},gid={owner.st_gid}"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=False).returncode:
        place.rmdir()
        pytest.skip("no small disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
    place.rmdir()


@pytest.fixture
def on_small_disk(postgres_server: str, small_disk: Path) -> Iterator[str]:
    """The address of an empty database that lies on that disk."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'".encode())
        connection.execute("CREATE DATABASE games_on_small_disk TABLESPACE small")
        yield postgres_server.replace("/postgres?", "/games_on_small_disk?")
        connection.execute("DROP DATABASE games_on_small_disk WITH (FORCE)")
        connection.execute("DROP TABLESPACE small")


@pytest.mark.prove
def test_a_full_disk_is_named_and_leaves_everything_as_it_was(on_small_disk: str, small_disk: Path) -> None:
    import psycopg

    spare = small_disk / "spare"
    spare.write_bytes(bytes(1_000_000))  # tidying up needs some room itself

    lines, random = game(80_000).splitlines()[1:], Random(1)  # with notes that cannot be packed much smaller
    big = HEADER.replace(b"g1", b"big") + b"".join(
        line[:-1] + b',"note":"' + random.randbytes(150).hex().encode() + b'"}\n' for line in lines
    )
    with opened(on_small_disk) as store:
        id = store.import_log(io.BytesIO(game(100))).game
        with pytest.raises(StoreError, match="the disk is full; nothing was written"):
            store.import_log(io.BytesIO(big))
        assert store.export(id) == game(100)
        assert [found for found, _, _ in store._tables.news(0)] == [id]
        spare.unlink()
        with psycopg.connect(on_small_disk, autocommit=True) as connection:
            connection.execute("VACUUM audit_events")  # else what was taken back fills the disk for a while
        assert store.append(id, line(101), expected=100) == 101
        assert store.follow() == 1


def test_a_disk_that_fills_up_while_events_are_written_takes_none_of_them(postgres: str) -> None:
    """Where no disk can be filled, the server itself says so after some of the rows."""
    import psycopg

    with opened(postgres) as store, psycopg.connect(postgres, autocommit=True) as connection:
        id = store.import_log(io.BytesIO(game(3))).game
        connection.execute(FULL)
        with pytest.raises(StoreError, match="the disk is full; nothing was written"):
            store.append(id, b"".join(map(line, range(4, 10))), expected=3)
        connection.execute("DROP TRIGGER full_disk ON audit_events")
        assert store.export(id) == game(3)
        assert store.append(id, line(4), expected=3) == 4


FULL = b"""
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.originator_version > 7 THEN
        RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION full_disk()
"""
