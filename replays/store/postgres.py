"""The store on PostgreSQL, for several machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLongError
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import psycopg
from eventsourcing.persistence import StoredEvent, Tracking
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresTrackingRecorder
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from replays.store import appends, sharing
from replays.store.database import KEEP_SEAL, NO_ANSWER, SEALS, Address, DatabaseAwayError, Row, Statement, StoreError
from replays.store.recorded import RecordedMapper

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
    except psycopg.Error:  # its words repeat parts of the address, a password among them
        raise StoreError(address.name, "not an address of a server") from None


class PatientConnection(psycopg.Connection[dict[str, object]]):
    """A connection that waits only so long for an answer, also of a server that is frozen."""

    patience: float = 30.0
    """Seconds; one that writes has more (`WRITING`)."""

    def wait(self, gen, interval: float = 0.1, timeout: float | None = None):  # type: ignore[no-untyped-def]
        """Wait for an answer; raises `OperationalError` where it does not come, and gives the connection up."""
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()
                raise psycopg.OperationalError(NO_ANSWER) from None
            raise


WRITING = 30.0
"""Seconds that a transaction waits which writes: others may be writing before it."""


def complete(factory: object, address: Address, patience: float) -> None:
    """Give the connections what the event store has no setting for (sslmode and the like), and their patience."""
    datastore = getattr(factory, "datastore", None)
    assert isinstance(datastore, PostgresDatastore)
    kind = type("ReadersConnection", (PatientConnection,), {"patience": patience})
    datastore.pool.connection_class = kind
    datastore.pool.timeout = patience
    datastore.pool.kwargs = {
        **parameters(address), "connect_timeout": 2, "tcp_user_timeout": int(1000 * patience), "row_factory": dict_row,
    }  # fmt: skip


@contextmanager
def exclusive_setup(address: Address, patience: float) -> Iterator[bool]:
    """Whether there are tables; while they are made, others wait. Raises `StoreError` at once without a server."""
    parameters(address)
    connection = _within(patience, lambda: psycopg.connect(address.url, connect_timeout=2, autocommit=True), address)
    with connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_OPENING,))
        found = connection.execute("SELECT to_regclass('game_sharing')").fetchone()
        yield bool(found and found[0])


T = TypeVar("T")


def _within(seconds: float, act: Callable[[], T], address: Address) -> T:
    """What `act` gives, if it does so in time; raises `StoreError`, in words that tell nothing of the address."""
    workers = ThreadPoolExecutor(1, thread_name_prefix="connecting")
    try:
        return workers.submit(act).result(seconds)
    except TooLongError:
        raise DatabaseAwayError(address.name, f"no connection to the server: {NO_ANSWER}") from None
    except psycopg.OperationalError as problem:
        said = str(problem)
        why = next((meaning for sign, meaning in _REFUSALS.items() if sign in said), "it does not answer")
        raise DatabaseAwayError(address.name, f"no connection to the server: {why}") from None
    finally:
        workers.shutdown(wait=False)


_REFUSALS = {
    "password authentication failed": "it does not accept the user and password",
    "no password supplied": "it asks for a password",
    "does not exist": "the user or the database does not exist",
    "resolve": "there is no host of that name",
    "translate host name": "there is no host of that name",
    "refused": "nobody listens there",
    "timeout": NO_ANSWER,
    "starting up": "it is starting",
    "shutting down": "it is shutting down",
}
"""What a server or the network says, and what we say of it."""


class PostgresEvents(PostgresApplicationRecorder):
    """The stored events. Many at once go in by COPY: the pipeline of the original waits for ever on a long game."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], drafts: Sequence[appends.Draft] = (), **_: object
    ) -> Sequence[int] | None:
        """Store events, all or nothing; raises `IntegrityError` where there is one of that version."""
        with self.datastore.transaction(commit=True) as cursor, _patiently(cursor):
            self._lock_table(cursor)
            self._notify_channel(cursor)
            with cursor.copy(_COPY) as copy:
                copy.set_types(["text", "int8", "text", "bytea"])
                for each in stored_events:
                    copy.write_row((each.originator_id, each.originator_version, each.topic, each.state))
            if drafts:
                appends.add(partial(_rows, cursor), EVENTS, drafts, partial(_earlier, cursor))
        return None


@contextmanager
def _patiently(cursor: psycopg.Cursor[dict[str, object]]) -> Iterator[None]:
    """Wait longer while something is written: for others who write, and for as long as it takes."""
    connection = cursor.connection
    before = getattr(connection, "patience", WRITING)
    vars(connection)["patience"] = max(WRITING, before)
    try:
        yield
    finally:
        vars(connection)["patience"] = before


def _earlier(cursor: psycopg.Cursor[dict[str, object]], draft: appends.Draft) -> list[bytes]:
    statement = f"SELECT originator_version, state FROM {EVENTS} WHERE originator_id = ? AND originator_version < ?"
    states = _rows(cursor, f"{statement} ORDER BY 1", (draft.game, draft.first))
    return list(RecordedMapper().bodies(draft.game, 0, [bytes(state) for _, state in states]))  # type: ignore[call-overload]


def _rows(cursor: psycopg.Cursor[dict[str, object]], statement: str, values: Sequence[object]) -> list[Row]:
    cursor.execute(_own(statement), tuple(map(_clean, values)))
    return [tuple(row.values()) for row in cursor.fetchall()] if cursor.description else []


_GUARDED = (EVENTS, appends.TABLE)
_REFUSE = (
    "CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION '% is never changed or deleted', TG_TABLE_NAME; END $$"
)


def _guards(table: str) -> list[str]:
    """Triggers by which a row is never changed or deleted, nor the table emptied."""
    made = []
    for name, what in (("row", "UPDATE OR DELETE"), ("table", "TRUNCATE")):
        each = "ROW" if name == "row" else "STATEMENT"
        made += [
            f"DROP TRIGGER IF EXISTS {table}_no_{name} ON {table}",
            f"CREATE TRIGGER {table}_no_{name} BEFORE {what} ON {table} FOR EACH {each} "
            "EXECUTE FUNCTION audit_refuse()",
        ]
    return made


_COPY = f"COPY {EVENTS} (originator_id, originator_version, topic, state) FROM STDIN (FORMAT BINARY)".encode()


class PostgresTables(PostgresTrackingRecorder):
    """The tables beside the stored events."""

    events = EVENTS
    forget_words = "DELETE FROM shown_words WHERE game = ?"

    def create_table(self) -> None:
        """The tables beside the events, and what keeps events from being changed; the one looked for by others last."""
        super().create_table()
        own = [_REFUSE, *appends.SHAPE]
        guards = [guard for table in _GUARDED for guard in _guards(table)]
        with self.datastore.transaction(commit=True) as cursor:
            for statement in (*own, *guards, sharing.SHAPES["postgres"], sharing.INDEX):
                cursor.execute(statement.encode())

    def remake(self, tables: Sequence[str], shapes: Sequence[str], tracked: str) -> None:
        """Make tables anew and empty, the search's own among them, and the tracking with them, all at once."""
        forget = SQL("DELETE FROM {0} WHERE application_name = %s").format(Identifier(self.tracking_table_name))
        with self.datastore.transaction(commit=True) as cursor, _patiently(cursor):
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_REMAKING,))
            cursor.execute(forget, (tracked,))
            for table in (*tables, "shown_words"):
                cursor.execute(SQL("DROP TABLE IF EXISTS {0}").format(Identifier(table)))
            for shape in (*shapes, *_SEARCH):
                cursor.execute(shape.encode())
            self._insert_tracking(cursor, Tracking(tracked, 0))

    def write(self, statements: Sequence[Statement], tracking: Tracking | None = None) -> None:
        """Carry out statements and move the tracking on, if that is given, all or nothing."""
        with self.datastore.transaction(commit=True) as cursor, _patiently(cursor):
            if tracking:
                self._insert_tracking(cursor, tracking)
            for sql, rows in statements:
                cursor.executemany(_own(sql), [tuple(map(_clean, row)) for row in rows])

    def read(self, statement: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""
        with self.datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(_own(statement), tuple(map(_clean, values)))
            return cursor.fetchall()

    def max_tracking_id(self, application_name: str) -> int | None:
        """How far a projection of that name has come; asked once, so that a server that is away is said at once."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            return self._max_tracking_id(application_name, cursor)

    def do(self, statement: str, values: Row = ()) -> None:
        """Carry out a statement that changes something beside the stored events."""
        with self.datastore.transaction(commit=True) as cursor, _patiently(cursor):
            cursor.execute(_own(statement), tuple(map(_clean, values)))

    def has_guards(self) -> bool:
        """Whether the database still refuses to change and delete what is stored."""
        found = self.read(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname = 'audit_refuse' AND t.tgenabled IN ('O', 'A')"
        )
        return {(table, f"{table}_no_{name}") for table in _GUARDED for name in ("row", "table")} <= set(found)

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
            "AND strpos(originator_id, ':') = 0 GROUP BY originator_id ORDER BY 2",
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

    def matches(self, known: str) -> str:
        """The condition that a game has the words of a query, as `judged` or as `told` to the public."""
        return f"id IN (SELECT game FROM shown_words WHERE {known} @@ ?::tsquery)"

    def words(self, tokens: Sequence[str]) -> str:
        """The words of a game, as the search keeps them."""
        return " ".join(f"'{token}'" for token in tokens)

    def query(self, alternatives: Sequence[str], known: str) -> str:
        """All of these words, or words that begin with them."""
        return " & ".join(f"'{word}':*" for word in alternatives)


_SEARCH = (
    "CREATE TABLE IF NOT EXISTS shown_words (game text PRIMARY KEY, judged tsvector, told tsvector)",
    "CREATE INDEX IF NOT EXISTS shown_words_judged ON shown_words USING gin (judged)",
    "CREATE INDEX IF NOT EXISTS shown_words_told ON shown_words USING gin (told)",
)


def _own(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


def _clean(value: object) -> object:
    """PostgreSQL has no NUL in a text; JSON has."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
