"""The store on PostgreSQL, for several machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import StoredEvent, Tracking
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresTrackingRecorder
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from replays.store.database import KEEP_SEAL, SEALS, Address, Row, Statement, StoreError

EVENTS = "audit_events"
_OPENING, _REMAKING = 5_160_411, 5_160_412
"""The numbers of the locks under which tables are made, so that several programs may start at once."""


def environment(address: Address, lock_timeout: int, has_tables: bool) -> dict[str, str]:
    """The settings of the event store; raises `StoreError` where the address cannot be read."""
    said = parameters(address)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "APPLICATION_RECORDER_TOPIC": "replays.store.postgres:PostgresEvents",
        "POSTGRES_DBNAME": said.get("dbname") or "postgres",
        "POSTGRES_HOST": said.get("host") or "localhost",
        "POSTGRES_PORT": said.get("port") or "5432",
        "POSTGRES_USER": said.get("user") or "postgres",
        "POSTGRES_PASSWORD": said.get("password") or "none",
        "POSTGRES_LOCK_TIMEOUT": str(lock_timeout),
        "POSTGRES_MAX_OVERFLOW": "9",
        "POSTGRES_PRE_PING": "y",
        "CREATE_TABLE": "n" if has_tables else "y",
    }


def parameters(address: Address) -> dict[str, str]:
    """The parameters of the address; raises `StoreError`."""
    try:
        return {name: str(value) for name, value in conninfo_to_dict(address.url).items() if value is not None}
    except psycopg.Error as problem:
        raise StoreError(address.name, f"not an address of a server: {str(problem).strip()}") from None


def complete(factory: object, address: Address) -> None:
    """Give the connections what the event store has no setting for (sslmode and the like)."""
    datastore = getattr(factory, "datastore", None)
    assert isinstance(datastore, PostgresDatastore)
    datastore.pool.kwargs = {**parameters(address), "connect_timeout": 5, "row_factory": dict_row}


@contextmanager
def exclusive_setup(address: Address) -> Iterator[bool]:
    """Whether there are tables; while they are made, others wait. Raises `StoreError` at once without a server."""
    parameters(address)
    try:
        with psycopg.connect(address.url, connect_timeout=5, autocommit=True) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (_OPENING,))
            found = connection.execute("SELECT to_regclass('audit_tracking')").fetchone()
            yield bool(found and found[0])
    except psycopg.OperationalError as problem:
        said = str(problem).strip().split("\n")[0]
        raise StoreError(address.name, f"no connection to the server: {said}") from None


class PostgresEvents(PostgresApplicationRecorder):
    """The stored events. Many at once go in by COPY: the pipeline of the original waits for ever on a long game."""

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: object) -> Sequence[int] | None:
        """Store events, all or nothing; raises `IntegrityError` where there is one of that version."""
        with self.datastore.transaction(commit=True) as cursor:
            self._lock_table(cursor)
            self._notify_channel(cursor)
            with cursor.copy(_COPY) as copy:
                copy.set_types(["text", "int8", "text", "bytea"])
                for each in stored_events:
                    copy.write_row((each.originator_id, each.originator_version, each.topic, each.state))
        return None


_COPY = f"COPY {EVENTS} (originator_id, originator_version, topic, state) FROM STDIN (FORMAT BINARY)".encode()


class PostgresTables(PostgresTrackingRecorder):
    """The tables beside the stored events."""

    def remake(self, tables: Sequence[str], shapes: Sequence[str], tracked: str) -> None:
        """Make tables anew and empty, the search's own among them, and the tracking with them, all at once."""
        forget = SQL("DELETE FROM {0} WHERE application_name = %s").format(Identifier(self.tracking_table_name))
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_REMAKING,))
            cursor.execute(forget, (tracked,))
            for table in (*tables, "shown_words"):
                cursor.execute(SQL("DROP TABLE IF EXISTS {0}").format(Identifier(table)))
            for shape in (*shapes, *_SEARCH):
                cursor.execute(shape.encode())
            self._insert_tracking(cursor, Tracking(tracked, 0))

    def write(self, statements: Sequence[Statement], tracking: Tracking) -> None:
        """Carry out statements and move the tracking on, all or nothing."""
        with self.datastore.transaction(commit=True) as cursor:
            self._insert_tracking(cursor, tracking)
            for sql, rows in statements:
                cursor.executemany(_own(sql), [tuple(map(_clean, row)) for row in rows])

    def read(self, statement: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""
        with self.datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(_own(statement), tuple(map(_clean, values)))
            return cursor.fetchall()

    def states(self, game: str, after: int, limit: int | None) -> list[bytes]:
        """Stored bytes of a game, from after that version on."""
        sql = f"SELECT state FROM {EVENTS} WHERE originator_id = %s AND originator_version > %s"
        with (
            self.datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(f"{sql} ORDER BY originator_version LIMIT %s".encode(), (game, after, limit))
            return [state for (state,) in cursor.fetchall()]

    def version(self, game: str) -> int:
        """The last version of a game, 0 where there is none."""
        ((found,),) = self.read(f"SELECT MAX(originator_version) FROM {EVENTS} WHERE originator_id = ?", (game,))
        return found if isinstance(found, int) else 0

    def news(self, after: int) -> list[tuple[str, int, int]]:
        """The games with notifications after that one, each with the first and the last of them, in that order."""
        rows = self.read(
            f"SELECT originator_id, MIN(notification_id), MAX(notification_id) FROM {EVENTS} WHERE notification_id > ? "
            "GROUP BY originator_id ORDER BY 2",
            (after,),
        )
        return [(str(game), int(str(first)), int(str(last))) for game, first, last in rows]

    def last(self) -> int:
        """The last notification of the store, 0 where there is none."""
        ((found,),) = self.read(f"SELECT MAX(notification_id) FROM {EVENTS}")
        return found if isinstance(found, int) else 0

    def seal(self, game: str) -> str | None:
        """The seal that is kept of a game."""
        if self.read("SELECT to_regclass('game_seals')") == [(None,)]:
            return None
        rows = self.read("SELECT said FROM game_seals WHERE game = ?", (game,))
        return str(rows[0][0]) if rows else None

    def keep_seal(self, game: str, text: str) -> None:
        """Keep a seal of a game, in place of an earlier one."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(b"SELECT pg_advisory_xact_lock(%s)", (_REMAKING,))
            cursor.execute(SEALS.encode())
            cursor.execute(_own(KEEP_SEAL), (game, text))

    def matches(self) -> str:
        """The condition that a game has the words of a query."""
        return "id IN (SELECT game FROM shown_words WHERE words @@ ?::tsquery)"

    def words(self, tokens: Sequence[str]) -> str:
        """The words of a game, as the search keeps them."""
        return " ".join(f"'{token}'" for token in tokens)

    def query(self, alternatives: Sequence[str]) -> str:
        """All of these words, or words that begin with them."""
        return " & ".join(f"'{word}':*" for word in alternatives)


_SEARCH = (
    "CREATE TABLE IF NOT EXISTS shown_words (game text PRIMARY KEY, words tsvector)",
    "CREATE INDEX IF NOT EXISTS shown_words_at ON shown_words USING gin (words)",
)


def _own(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


def _clean(value: object) -> object:
    """PostgreSQL has no NUL in a text; JSON has."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
