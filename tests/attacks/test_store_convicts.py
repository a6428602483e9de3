"""Somebody changes the database behind our back: the first event that is not as it was appended is named."""

from __future__ import annotations

import io
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_game import resolve

from replays.store.recorded import encode
from replays.store.store import Store
from replays.trust.keys import data_folder

HEADER = b'{"log": "audit/1", "ruleset": "small", "game": "g%d"}\n'


def line(seq: int) -> bytes:
    return b'{"seq": %d, "type": "laid", "player": "A", "card": "oak-%d", "pile": 1}\n' % (seq, seq)


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


def opened(url: str) -> Store:
    return Store(url, resolve=resolve)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Two games: one imported with three events and appended to twice, one imported."""
    with opened(url) as store:
        game = store.import_log(io.BytesIO(HEADER % 1 + line(1) + line(2) + line(3)), by="import").game
        store.append(game, line(4) + line(5), expected=3, by="token 1")
        store.append(game, line(6), expected=5, by="token 2")
        store.import_log(io.BytesIO(HEADER % 2 + line(1)), by="import")
        yield store


class Intruder:
    """Has the whole database, and no key."""

    def __init__(self, url: str) -> None:
        self.is_postgres = url.startswith("postgres")
        self.events = "audit_events" if self.is_postgres else "stored_events"
        self._url = url
        if self.is_postgres:
            self.do(f"ALTER TABLE {self.events} DISABLE TRIGGER USER")
            self.do("ALTER TABLE audit_appends DISABLE TRIGGER USER")
        else:
            self.guards = [(n, s) for n, s in self.do("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")]
            for name, _ in self.guards:
                self.do(f"DROP TRIGGER {name}")

    def leave(self) -> None:
        """Put everything back that would be missed at once."""
        if self.is_postgres:
            self.do(f"ALTER TABLE {self.events} ENABLE TRIGGER USER")
            self.do("ALTER TABLE audit_appends ENABLE TRIGGER USER")
        else:
            for _, sql in self.guards:
                self.do(str(sql))

    def do(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        if self.is_postgres:
            import psycopg

            with psycopg.connect(self._url, autocommit=True) as connection:
                cursor = connection.execute(sql.replace("?", "%s").encode(), values)
                return cursor.fetchall() if cursor.description else []
        with sqlite3.connect(self._url) as connection:
            found = connection.execute(sql, values).fetchall()
        connection.close()
        return found

    def write(self, game: str, number: int, body: bytes) -> None:
        self.do(f"UPDATE {self.events} SET state = ? WHERE originator_id = ? AND originator_version = ?",
                encode("laid", body), game, number)  # fmt: skip

    def shift(self, game: str, number: int, by: int) -> None:
        """Move every line from that number on up or down."""
        where = "originator_id = ? AND originator_version >= ?"
        step = f"UPDATE {self.events} SET originator_version = "
        self.do(f"{step} originator_version + 1000 WHERE {where}", game, number)
        self.do(f"{step} originator_version - {1000 - by} WHERE {where}", game, 1000)


def test_nothing_is_wrong_with_what_nobody_touched(store: Store) -> None:
    found = store.verify()
    assert (found.exit_code, found.bad, found.games, found.events, found.appends) == (0, (), 2, 7, 4)
    assert any("the end" in each for each in found.unpinned)
    assert not any("the end" in each for each in store.verify(found.head).unpinned)


def altered(intruder: Intruder, game: str) -> None:
    intruder.write(game, 4, line(3).replace(b"oak-3", b"oak-9"))


def respaced(intruder: Intruder, game: str) -> None:
    intruder.write(game, 4, line(3).replace(b": ", b":"))


def missing(intruder: Intruder, game: str) -> None:
    intruder.do(f"DELETE FROM {intruder.events} WHERE originator_id = ? AND originator_version = 4", game)


def missing_and_closed_up(intruder: Intruder, game: str) -> None:
    missing(intruder, game)
    intruder.shift(game, 5, -1)


def inserted_between(intruder: Intruder, game: str) -> None:
    intruder.shift(game, 4, 1)
    columns = "originator_id, originator_version, topic, state"
    intruder.do(f"INSERT INTO {intruder.events} ({columns}) VALUES (?, 4, 'audit:Recorded', ?)", game,
                encode("laid", line(3).replace(b"oak-3", b"oak-9")))  # fmt: skip


def inserted_at_the_end(intruder: Intruder, game: str) -> None:
    columns = "originator_id, originator_version, topic, state"
    intruder.do(f"INSERT INTO {intruder.events} ({columns}) VALUES (?, 8, 'audit:Recorded', ?)", game,
                encode("laid", line(7)))  # fmt: skip


def end_cut_off(intruder: Intruder, game: str) -> None:
    intruder.do(f"DELETE FROM {intruder.events} WHERE originator_id = ? AND originator_version = 7", game)


def of_another_kind(intruder: Intruder, game: str) -> None:
    intruder.do(f"UPDATE {intruder.events} SET state = ? WHERE originator_id = ? AND originator_version = 4",
                encode("pile_taken", line(3)), game)  # fmt: skip


def no_bytes_of_ours(intruder: Intruder, game: str) -> None:
    intruder.do(f"UPDATE {intruder.events} SET state = ? WHERE originator_id = ? AND originator_version = 4",
                b"\xc1", game)  # fmt: skip


def with_its_append_too(intruder: Intruder, game: str) -> None:
    """The line and what was written down of it are changed together."""
    from hashlib import sha256

    changed = line(6).replace(b"oak-6", b"oak-9")
    intruder.write(game, 7, changed)
    intruder.do("UPDATE audit_appends SET lines = ? WHERE game = ? AND last = 7",
                sha256(changed).hexdigest()[:16], game)  # fmt: skip


def by_somebody_else(intruder: Intruder, game: str) -> None:
    intruder.do("UPDATE audit_appends SET who = 'token 9' WHERE game = ? AND last = 7", game)


def an_append_and_its_lines_gone(intruder: Intruder, game: str) -> None:
    end_cut_off(intruder, game)
    intruder.do("DELETE FROM audit_appends WHERE game = ? AND last = 7", game)


Act = Callable[[Intruder, str], None]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("act", "number", "kind"),
    [
        (altered, 4, "altered"), (respaced, 4, "altered"), (missing, 4, "missing"),
        (missing_and_closed_up, 4, "missing"), (inserted_between, 4, "inserted"), (inserted_at_the_end, 8, "inserted"),
        (end_cut_off, 7, "missing"), (of_another_kind, 4, "altered"), (no_bytes_of_ours, 4, "altered"),
        (with_its_append_too, 7, "forged"), (by_somebody_else, 7, "forged"),
        (an_append_and_its_lines_gone, 1, "missing"),
    ],
)  # fmt: skip
def test_the_first_event_that_is_not_as_it_was_appended_is_named(
    store: Store, url: str, act: Act, number: int, kind: str
) -> None:
    game = store.find("g1")
    intruder = Intruder(url)
    act(intruder, game)
    intruder.leave()
    found = store.verify()
    assert found.exit_code == 1
    assert (found.bad[0].line, found.bad[0].kind) == (number, kind), found.bad
    other = store.find("g2")
    assert found.bad[0].game == (other if act is an_append_and_its_lines_gone else game)


@pytest.mark.sampled(2)
def test_a_whole_game_that_is_gone_is_missed(store: Store, url: str) -> None:
    game = store.find("g1")
    intruder = Intruder(url)
    intruder.do(f"DELETE FROM {intruder.events} WHERE originator_id = ?", game)
    intruder.leave()
    (bad,) = store.verify().bad
    assert (bad.game, bad.line, bad.kind) == (game, 1, "missing")


@pytest.mark.sampled(2)
def test_an_end_that_was_cut_off_with_its_appends_is_missed_by_whoever_kept_the_head(store: Store, url: str) -> None:
    kept = store.verify().head
    other = store.find("g2")
    intruder = Intruder(url)
    intruder.do(f"DELETE FROM {intruder.events} WHERE originator_id = ?", other)
    intruder.do("DELETE FROM audit_appends WHERE game = ?", other)
    intruder.leave()
    assert store.verify().exit_code == 0
    assert any("the end" in each for each in store.verify().unpinned)
    assert [bad.kind for bad in store.verify(kept).bad] == ["missing"]


@pytest.mark.sampled(2)
def test_appends_that_were_made_anew_without_the_key_do_not_pass(store: Store, url: str) -> None:
    """The intruder writes the last row again, with a true hash of everything and no signature."""
    intruder = Intruder(url)
    intruder.do("UPDATE audit_appends SET key = '', signature = '' WHERE place = 4")
    intruder.leave()
    found = store.verify()
    assert (found.exit_code, found.unspoken) == (1, 1)


@pytest.mark.sampled(2)
def test_a_key_that_is_not_known_here_does_not_pass(store: Store) -> None:
    for file in (data_folder() / "keys").iterdir():
        file.unlink()
    found = store.verify()
    assert (found.exit_code, found.unspoken, found.bad) == (1, 4, ())


def test_what_is_stored_is_refused_to_be_changed_or_deleted(store: Store, url: str) -> None:
    tables = ("audit_events" if url.startswith("postgres") else "stored_events", "audit_appends")
    for table in tables:
        column = "state" if table != "audit_appends" else "who"
        statements = [f"DELETE FROM {table}", f"UPDATE {table} SET {column} = {column}"]
        if url.startswith("postgres"):
            statements.append(f"TRUNCATE {table}")
        else:
            statements.append(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
        for statement in statements:
            with pytest.raises(Exception, match="never changed or deleted"):
                store._tables.do(statement)
    assert store.verify().exit_code == 0


def test_guards_that_are_gone_are_missed(store: Store, url: str) -> None:
    Intruder(url)
    (bad,) = store.verify().bad
    assert "triggers" in bad.detail


@pytest.mark.sampled(2)
def test_a_store_from_before_appends_were_written_down_says_so_and_goes_on(store: Store, url: str) -> None:
    game = store.find("g1")
    intruder = Intruder(url)
    intruder.do("DELETE FROM audit_appends")
    intruder.leave()
    found = store.verify()
    assert (found.exit_code, found.bad) == (1, ())
    assert sum("before appends" in each for each in found.unpinned) == 2
    store.append(game, line(7), expected=6)
    assert sum("before appends" in each for each in store.verify().unpinned) == 1
    ((first, last),) = store._tables.read("SELECT first, last FROM audit_appends")
    assert (first, last) == (1, 8)


@pytest.mark.sampled(2)
def test_the_head_of_a_games_chain_is_the_one_a_seal_has(store: Store) -> None:
    game = store.find("g1")
    ((head,),) = store._tables.read("SELECT head FROM audit_appends WHERE game = ? AND last = 7", (game,))
    assert head == store.head(game) == store.seal(game).head


def test_the_database_and_its_folder_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    (folder / "games.db").touch(mode=0o644)
    with opened(str(folder / "games.db")) as store:
        store.import_log(io.BytesIO(HEADER % 1 + line(1)))
        for path in folder.rglob("*"):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or path.suffix == ".pub", path
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with opened(str(tmp_path / "elsewhere" / "games.db")):
        assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o700
