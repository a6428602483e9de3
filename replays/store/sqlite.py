"""The store on SQLite: one file, in write-ahead mode."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from eventsourcing.persistence import RecordConflictError, StoredEvent, Tracking
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore, SQLiteTrackingRecorder

from replays.files import close_to_others, owners_file, owners_folder
from replays.store import appends, sharing
from replays.store.database import KEEP_SEAL, SEALS, Address, Row, Statement
from replays.store.recorded import RecordedMapper
from replays.trust.keys import data_folder

T = TypeVar("T")

EVENTS = "stored_events"


def environment(address: Address, lock_timeout: int) -> dict[str, str]:
    """The settings of the event store."""
    return {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "APPLICATION_RECORDER_TOPIC": "replays.store.sqlite:SqliteEvents",
        "SQLITE_DBNAME": address.url,
        "SQLITE_LOCK_TIMEOUT": str(lock_timeout),
        "CREATE_TABLE": "n" if _exists(address) else "y",
    }


def keep_private(address: Address) -> None:
    """Make the file of a store for its owner only, and the data folder too; raises `OSError`."""
    if address.url.startswith("file:") or ":memory:" in address.url:
        return
    path = Path(address.url)
    owners_folder(path.parent)
    if path.parent == data_folder():
        close_to_others(path.parent)
    if path.parent.is_dir() and not path.is_dir() and (path.exists() or os.access(path.parent, os.W_OK)):
        owners_file(path)


def retry_while_locked(act: Callable[[], T], seconds: int) -> T:
    """Call `act`, again and again for so many seconds while another program locks the database or makes its tables."""
    until = time.monotonic() + seconds
    while True:
        try:
            return act()
        except Exception as problem:
            is_passing = "locked" in str(problem) or isinstance(problem, RecordConflictError)
            if not is_passing or time.monotonic() > until:
                raise
            time.sleep(0.02)


class ReadConnection:
    """A connection of one thread of one process, closed with it."""

    def __init__(self, name: str) -> None:
        self.process = os.getpid()
        self.connection = sqlite3.connect(name, uri=True, isolation_level=None, check_same_thread=False)

    def __del__(self) -> None:
        if hasattr(self, "connection") and self.process == os.getpid():
            self.connection.close()


class ConnectionPerThread(threading.local):
    """One read connection for each thread."""

    def __init__(self) -> None:
        self._reader: ReadConnection | None = None

    def connection(self, name: str) -> sqlite3.Connection:
        """The connection of this thread, made when it first asks."""
        if self._reader is None or self._reader.process != os.getpid():
            self._reader = ReadConnection(name)
        return self._reader.connection


class SqliteEvents(SQLiteApplicationRecorder):
    """The stored events. Each append leaves its row in the chain; the database refuses to change either."""

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], drafts: Sequence[appends.Draft] = (), **_: object
    ) -> Sequence[int] | None:
        found = super()._insert_events(c, stored_events)
        if drafts:
            appends.add(partial(_rows, c), EVENTS, drafts, partial(self._earlier, c))
        return found

    def _earlier(self, c: SQLiteCursor, draft: appends.Draft) -> list[bytes]:
        states = _rows(c, f"{_STATES} AND originator_version < ? ORDER BY 1", (draft.game, 0, draft.first))
        return list(RecordedMapper().bodies(draft.game, 0, [bytes(state) for _, state in states]))  # type: ignore[call-overload]


_GUARDED = (EVENTS, appends.TABLE)
_STATES = f"SELECT originator_version, state FROM {EVENTS} WHERE originator_id = ? AND originator_version > ?"


def _guards(table: str) -> list[str]:
    """Triggers by which a row is never changed, deleted or replaced."""
    refuse = f"SELECT RAISE(ABORT, '{table} is never changed or deleted')"
    key = "originator_id = NEW.originator_id AND originator_version = NEW.originator_version"
    there = f"EXISTS (SELECT 1 FROM {table} WHERE {key if table == EVENTS else 'place = NEW.place'})"
    return [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_update BEFORE UPDATE ON {table} BEGIN {refuse}; END",
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_delete BEFORE DELETE ON {table} BEGIN {refuse}; END",
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} WHEN {there} BEGIN {refuse}; END",
    ]


def _rows(cursor: SQLiteCursor, statement: str, values: Sequence[object]) -> list[Row]:
    cursor.sqlite_cursor.row_factory = None
    cursor.execute(statement, values)
    return list(cursor.fetchall())


class SqliteTables(SQLiteTrackingRecorder):
    """The tables beside the stored events."""

    events = EVENTS
    forget_words = (
        "DELETE FROM shown_words WHERE rowid IN (SELECT shown_words.rowid FROM shown_games CROSS JOIN shown_words "
        "WHERE shown_games.id = ? AND shown_words.game = shown_games.id)"
    )
    """The words are no index: to look for a game that is not shown takes longer with every game that is."""

    def __init__(self, datastore: SQLiteDatastore, **more: object) -> None:
        super().__init__(datastore, **more)
        self._own = ConnectionPerThread()
        self._statement_of_states = f"SELECT state FROM {EVENTS} WHERE originator_id = ? AND originator_version > ?"

    def construct_create_table_statements(self) -> list[str]:
        """The tables beside the events, and what keeps events from being changed; the one looked for by others last."""
        guards = [guard for table in _GUARDED for guard in _guards(table)]
        own = [*appends.SHAPE, *guards, sharing.SHAPES["sqlite"], sharing.INDEX]
        return [*super().construct_create_table_statements(), *own]

    def remake(self, tables: Sequence[str], shapes: Sequence[str], tracked: str) -> None:
        """Make tables anew and empty, the search's own among them, and the tracking with them, all at once."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("DELETE FROM tracking WHERE application_name = ?", (tracked,))
            for table in (*tables, "shown_words"):
                cursor.execute(f"DROP TABLE IF EXISTS {table}")
            for shape in (*shapes, _SEARCH):
                cursor.execute(shape)
            self._insert_tracking(cursor, Tracking(tracked, 0))

    def write(self, statements: Sequence[Statement], tracking: Tracking | None = None) -> None:
        """Carry out statements and move the tracking on, if that is given, all or nothing."""
        with self.datastore.transaction(commit=True) as cursor:
            if tracking:
                self._insert_tracking(cursor, tracking)
            for sql, rows in statements:
                cursor.executemany(sql, rows)

    def read(self, statement: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""
        with self.datastore.transaction(commit=False) as cursor:
            return _rows(cursor, statement, values)

    def do(self, statement: str, values: Row = ()) -> None:
        """Carry out a statement that changes something beside the stored events."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(statement, values)

    def has_guards(self) -> bool:
        """Whether the database still refuses to change and delete what is stored."""
        wanted = {" ".join(guard.replace("IF NOT EXISTS ", "").split()) for t in _GUARDED for guard in _guards(t)}
        found = self.read("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
        return wanted <= {" ".join(str(sql).split()) for (sql,) in found}

    def states(self, game: str, after: int, limit: int | None) -> list[bytes]:
        """Stored bytes of a game, from after that version on."""
        sql = f"{self._statement_of_states} ORDER BY originator_version LIMIT ?"
        with self.datastore.transaction(commit=False) as cursor:
            cursor.sqlite_cursor.row_factory = None
            cursor.execute(sql, (game, after, -1 if limit is None else limit))
            return [state for (state,) in cursor.fetchall()]

    def version(self, game: str) -> int:
        """The last version of a game, 0 where there is none."""
        return self._number(f"SELECT MAX(originator_version) FROM {EVENTS} WHERE originator_id = ?", (game,))

    def news(self, after: int) -> list[tuple[str, int, int]]:
        """The games with notifications after that one, each with the first and the last of them, in that order."""
        rows = self.read(
            f"SELECT originator_id, MIN(rowid), MAX(rowid) FROM {EVENTS} WHERE rowid > ? "
            "AND instr(originator_id, ':') = 0 GROUP BY originator_id ORDER BY 2",
            (after,),
        )
        return [(str(game), int(str(first)), int(str(last))) for game, first, last in rows]

    def last(self) -> int:
        """The last notification of the store, 0 where there is none."""
        return self._number(f"SELECT MAX(rowid) FROM {EVENTS}")

    def seal(self, game: str) -> str | None:
        """The seal that is kept of a game."""
        if not self.read("SELECT 1 FROM sqlite_master WHERE name = 'game_seals'"):
            return None
        rows = self.read("SELECT said FROM game_seals WHERE game = ?", (game,))
        return str(rows[0][0]) if rows else None

    def keep_seal(self, game: str, text: str) -> None:
        """Keep a seal of a game, in place of an earlier one."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(SEALS)
            cursor.execute(KEEP_SEAL, (game, text))

    def matches(self, known: str) -> str:
        """The condition that a game has the words of a query; the query says which words it means."""
        return "id IN (SELECT game FROM shown_words WHERE shown_words MATCH ?)"

    def words(self, tokens: Sequence[str]) -> str:
        """The words of a game, as the search keeps them."""
        return " ".join(tokens)

    def query(self, alternatives: Sequence[str], known: str) -> str:
        """All of these words, or words that begin with them."""
        asked = " AND ".join(f'"{word}"*' for word in alternatives)
        return f"{known} : ({asked})"

    def _number(self, statement: str, values: Row = ()) -> int:
        """A number that is asked for again and again: by a connection of this thread's own, without a transaction."""
        if self.datastore.pool.is_sqlite_memory_mode:
            ((found,),) = self.read(statement, values)
        else:
            ((found,),) = self._own.connection(self.datastore.pool.db_name).execute(statement, values)
        return found if isinstance(found, int) else 0


_SEARCH = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS shown_words "
    "USING fts5(game UNINDEXED, judged, told, tokenize = \"unicode61 tokenchars '_'\")"
)


def _exists(address: Address) -> bool:
    """Whether the tables are there, so that a store that may only be read is not written to."""
    if address.url.startswith("file:"):
        place = address.url
    elif Path(address.url).is_file():
        place = f"{Path(address.url).absolute().as_uri()}?mode=ro"
    else:
        return False
    newest = "tracking" if _is_read_only(address.url) else sharing.TABLE
    with sqlite3.connect(place, uri=True) as connection:
        found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (newest,)).fetchone()
    connection.close()
    return found is not None


def _is_read_only(url: str) -> bool:
    return not url.startswith("file:") and not os.access(url, os.W_OK)
