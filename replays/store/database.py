"""The address of the database, its errors, and the interface (`Tables`) that SQLite and PostgreSQL implement."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from eventsourcing.persistence import PersistenceError, RecordConflictError, Tracking
from msgspec import Struct

from audit.core.errors import AuditError
from replays.trust.keys import data_folder

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


class DatabaseAwayError(StoreError):
    """The server of the database does not answer. It is asked again after a moment."""


class Breaker:
    """Keeps from asking again at once a database that did not answer, so that nobody waits for it meanwhile."""

    PAUSE = 1.0
    """Seconds for which nobody asks."""

    def __init__(self) -> None:
        self._until = 0.0

    def check(self, name: str) -> None:
        """Raises `DatabaseAwayError` while nobody is to ask."""
        if time.monotonic() < self._until:
            raise DatabaseAwayError(name, "the database does not answer")

    def trip(self) -> None:
        """It did not answer."""
        self._until = time.monotonic() + self.PAUSE


class Tables(Protocol):
    """The tables beside the stored events, in the database's own dialect."""

    events: str
    """The name of the table of the stored events."""
    forget_words: str
    """The statement that deletes the words of a game; quick where the game is not shown yet."""

    def max_tracking_id(self, application_name: str) -> int | None:
        """How far a projection of that name has come."""

    def remake(self, tables: Sequence[str], shapes: Sequence[str], tracked: str) -> None:
        """Make tables anew and empty, the search's own among them, and the tracking with them, all at once."""

    def write(self, statements: Sequence[Statement], tracking: Tracking | None = None) -> None:
        """Carry out statements and move the tracking on, if that is given, all or nothing."""

    def read(self, statement: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""

    def do(self, statement: str, values: Row = ()) -> None:
        """Carry out a statement that changes something beside the stored events."""

    def has_guards(self) -> bool:
        """Whether the database still refuses to change and delete what is stored."""

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

    def matches(self, known: str) -> str:
        """The condition that a game has the words of a query, as `judged` or as `told` to the public."""

    def words(self, tokens: Sequence[str]) -> str:
        """The words of a game, as the search keeps them."""

    def query(self, alternatives: Sequence[str], known: str) -> str:
        """The query for all these words, or for words that begin with them."""


class Address(Struct, frozen=True):
    """Where the store is. `name` is safe to show: it never has a password."""

    name: str
    url: str
    is_postgres: bool

    def __repr__(self) -> str:
        return f"Address({self.name!r})"


def address(url: str | Path | None = None) -> Address:
    """The store of a URL or file; without, that of `AUDIT_DATABASE_URL`, else `games.db` in the data folder."""
    given = str(url or os.environ.get("AUDIT_DATABASE_URL") or data_folder() / "games.db")
    if given.startswith(POSTGRES):
        return Address(_without_password(given), given, True)
    path = given.removeprefix("sqlite:///")
    if not isinstance(url, Path) and not path.startswith("file:") and _SECRETIVE.search(path):
        raise StoreError("the address of the store", "expected a file or an address that begins with postgresql://")
    return Address(path, path, False)


_SECRETIVE = re.compile(r"://|:[^/\\]*@|password", re.IGNORECASE)
"""Signs that a text is an address with a password in it, and no file: then it is not repeated."""


@contextmanager
def guarded(name: str, breaker: Breaker | None = None) -> Iterator[None]:
    """Turns what a database says into one clear line. Conflicts pass through: they are no trouble of the database.

    With a `breaker`, a database that does not answer is not asked again for a moment.
    """
    if breaker:
        breaker.check(name)
    try:
        yield
    except RecordConflictError:
        raise
    except (PersistenceError, sqlite3.Error, OSError, UnicodeError) as problem:
        said = str(problem)
        if breaker and any(sign in said for sign in AWAY):
            breaker.trip()
            raise DatabaseAwayError(name, _reason(said)) from None
        raise StoreError(name, _reason(said)) from problem


def trouble_of(problem: Exception) -> StoreError | None:
    """What a database said that no caller has guarded against, as one clear line; None of anything else."""
    is_said = isinstance(problem, PersistenceError | sqlite3.Error)
    return StoreError("the store", _reason(str(problem))) if is_said else None


NO_ANSWER = "no answer in time"
AWAY = (
    NO_ANSWER, "couldn't get a connection", "server closed the connection", "connection is closed",
    "connection is lost", "terminating connection", "shutting down", "starting up", "in recovery mode",
    "Connection refused", "pool is closed", "connection to server", "the connection is bad", "Connection reset",
    "Broken pipe", "consuming input failed",
)  # fmt: skip
"""What is said where no server of a database answers."""


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
    "not decode": "damaged",
    "codec can't decode": "damaged",
    "changed or deleted": "what is stored is never changed or deleted; nothing was written",
    **dict.fromkeys(AWAY, "no connection to the server"),
}


_PLAIN = re.compile(
    r"(?P<scheme>postgres(?:ql)?)://(?P<user>[\w.-]*)(?::[^/?#@\s]*)?(?P<at>@?)(?P<place>[\w.:,\[\]-]*(?:/[\w.-]*)?)(?:\?.*)?"
)


def _without_password(url: str) -> str:
    """An address as it may be shown. Of one that is written in an unusual way nothing is, for fear of its password."""
    found = _PLAIN.fullmatch(url)
    return f"{found['scheme']}://{found['user']}{found['at']}{found['place']}" if found else "postgresql"
