"""The address of the database, its errors, and the interface (`Tables`) that SQLite and PostgreSQL implement."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from eventsourcing.persistence import PersistenceError, RecordConflictError, Tracking
from msgspec import Struct

from audit.errors import AuditError
from replays.seals.keys import data_folder

POSTGRES = ("postgresql://", "postgres://")
LOCK_TIMEOUT = 5
"""Seconds to wait for another program that is writing."""

Row = tuple[object, ...]
Statement = tuple[str, Sequence[Row]]
"""An SQL statement with `?` for its values, and the rows of values it is carried out with."""


SEALS = "CREATE TABLE IF NOT EXISTS game_seals (game text PRIMARY KEY, said text NOT NULL)"
KEEP_SEAL = "INSERT INTO game_seals (game, said) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET said = excluded.said"


class StoreError(AuditError):
    """The store cannot be opened, read or written; what was acknowledged before is untouched."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(f"{store}: {reason}")
        self.store = store
        self.reason = reason


class Tables(Protocol):
    """The tables beside the stored events, in the database's own dialect."""

    def max_tracking_id(self, application_name: str) -> int | None:
        """How far a projection of that name has come."""

    def remake(self, tables: Sequence[str], shapes: Sequence[str], tracked: str) -> None:
        """Make tables anew and empty, the search's own among them, and the tracking with them, all at once."""

    def write(self, statements: Sequence[Statement], tracking: Tracking) -> None:
        """Carry out statements and move the tracking on, all or nothing."""

    def read(self, statement: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""

    def states(self, game: str, after: int, limit: int | None) -> list[bytes]:
        """Stored bytes of a game, from after that version on."""

    def version(self, game: str) -> int:
        """The last version of a game, 0 where there is none."""

    def news(self, after: int) -> list[tuple[str, int, int]]:
        """The games with notifications after that one, each with the first and the last of them, in that order."""

    def last(self) -> int:
        """The last notification of the store, 0 where there is none."""

    def seal(self, game: str) -> str | None:
        """The seal that is kept of a game."""

    def keep_seal(self, game: str, text: str) -> None:
        """Keep a seal of a game, in place of an earlier one."""

    def matches(self) -> str:
        """The condition that a game has the words of a query."""

    def words(self, tokens: Sequence[str]) -> str:
        """The words of a game, as the search keeps them."""

    def query(self, alternatives: Sequence[str]) -> str:
        """The query for all these words, or for words that begin with them."""


class Address(Struct, frozen=True):
    """Where the store is. `name` is safe to show: it never has a password."""

    name: str
    url: str
    is_postgres: bool


def address(url: str | Path | None = None) -> Address:
    """The store of a URL or file; without, that of `AUDIT_DATABASE_URL`, else `games.db` in the data folder."""
    given = str(url or os.environ.get("AUDIT_DATABASE_URL") or data_folder() / "games.db")
    if given.startswith(POSTGRES):
        return Address(_without_password(given), given, True)
    path = given.removeprefix("sqlite:///")
    if "://" in path and not path.startswith("file:"):
        raise StoreError(path.split("://")[0], "expected a file or an address that begins with postgresql://")
    return Address(path, path, False)


@contextmanager
def guarded(name: str) -> Iterator[None]:
    """Turns what a database says into one clear line. Conflicts pass through: they are no trouble of the database."""
    try:
        yield
    except RecordConflictError:
        raise
    except (PersistenceError, sqlite3.Error, OSError) as problem:
        raise StoreError(name, _reason(str(problem))) from problem


def _reason(said: str) -> str:
    text = said.strip().split("\n")[0] or "the database gave no reason"
    meanings = (meaning for sign, meaning in _SIGNS.items() if sign in text)
    return next(meanings, f"the database says: {text}")


_SIGNS = {
    "database is locked": "locked by another program; try again when it has finished",
    "lock timeout": "locked by another program; try again when it has finished",
    "readonly database": "read-only; nothing was written",
    "read-only": "read-only; nothing was written",
    "disk is full": "the disk is full; nothing was written",
    "No space left on device": "the disk is full; nothing was written",
    "disk I/O error": "the disk is full or failing; nothing was written",
    "unable to open database file": "cannot be opened: no such folder, or no permission",
    "not a database": "not a database",
    "malformed": "damaged",
    "couldn't get a connection": "no connection to the server",
}


def _without_password(url: str) -> str:
    scheme, rest = url.split("://", 1)
    account, at, place = rest.rpartition("@")
    return f"{scheme}://{account.split(':')[0]}{at}{place}"
