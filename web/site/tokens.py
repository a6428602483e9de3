"""Tokens: made by `audit token`, shown once, and kept as hashes in the data folder.

They are rows of a small database of their own, so that programs which make and revoke tokens at the same time lose
none of them, and so that pages which need no games can be answered while the database of games is away.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

import msgspec
from msgspec import Struct

from audit.core.errors import AuditError
from replays.files import owners_file, owners_folder
from replays.trust.keys import data_folder

PREFIX = "audit"
MAX_DAYS = 36_500
LAYOUT = 1


class Role(StrEnum):
    """What the holder of a token may do."""

    VIEWER = "viewer"
    """Read what is public, and the game that the token names."""
    PLAYER = "player"
    """That, and see the game that the token names from one seat."""
    SCOREKEEPER = "scorekeeper"
    """Read what is public, and append to games."""
    JUDGE = "judge"
    """Read everything, append, fetch files to publish, and rule."""
    HEAD_JUDGE = "head-judge"
    """All that a judge may, and rule on appeals."""
    PUBLISHER = "publisher"
    """Read what is public, and fetch files to publish."""


JUDGES = (Role.JUDGE, Role.HEAD_JUDGE)


class Token(Struct, frozen=True):
    """A token as it is kept: whose it is and a hash of its secret. `game`, where it is named, is all it reaches."""

    id: str
    name: str
    role: Role
    hash: str
    made: str
    game: str = ""
    seat: str = ""
    expires: str = ""

    def reaches(self, game: str) -> bool:
        """Whether its role holds for a game."""
        return self.game in ("", game)

    @property
    def is_over(self) -> bool:
        """Its time is up."""
        return bool(self.expires) and datetime.now(UTC).isoformat(timespec="seconds") >= self.expires


class TokenError(AuditError):
    """A token that cannot be made, found or read."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"token {name}: {reason}")
        self.name = name
        self.reason = reason


def make_token(name: str, role: str, *, game: str = "", seat: str = "", days: int | None = None) -> str:
    """Make a token for somebody and return it: it is told this once. Raises `TokenError`.

    `game` is the id of the only game it reaches, `seat` the seat of a player, `days` how long it holds.
    """
    given = _role(name, role, game, seat)
    if not name or len(name) > 64 or not name.isprintable():
        raise TokenError(name[:64], "a name has 1 to 64 printable characters")
    if days is not None and not 0 < days <= MAX_DAYS:
        raise TokenError(name, f"a token holds for 1 to {MAX_DAYS} days")
    id, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    until = (now + timedelta(days=days)).isoformat(timespec="seconds") if days else ""
    made = Token(id, name, given, _hash(secret), now.isoformat(timespec="seconds"), game, seat, until)
    with _opened(name) as connection:
        _add(connection, made)
    return f"{PREFIX}.{id}.{secret}"


def _role(name: str, role: str, game: str, seat: str) -> Role:
    try:
        given = Role(role)
    except ValueError:
        raise TokenError(name, f"no role is called {role!r}; there are {', '.join(Role)}") from None
    if (given is Role.PLAYER) != bool(seat) or (seat and not game):
        raise TokenError(name, "a player's token names a game and a seat, and no other token names a seat")
    return given


def tokens() -> Sequence[Token]:
    """Every token that holds, the oldest first."""
    if not _is_kept():
        return ()
    with _opened("") as connection:
        return _found(connection, "revoked = '' ORDER BY place")


def revoke(name: str) -> Token:
    """Take back the token of that name or id, for good; raises `TokenError`."""
    with _opened(name) as connection:
        connection.execute("BEGIN IMMEDIATE")
        found = _found(connection, "revoked = '' AND (name = ? OR id = ?) ORDER BY place LIMIT 1", name, name)
        if not found:
            raise TokenError(name, "there is none of that name")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute("UPDATE tokens SET revoked = ? WHERE id = ?", (now, found[0].id))
        connection.execute("COMMIT")
    return found[0]


def token_of(text: str) -> Token | None:
    """The token that somebody shows, if it is one that holds."""
    prefix, _, rest = text.partition(".")
    id, _, secret = rest.partition(".")
    if prefix != PREFIX or not secret or not _is_kept():
        return None
    with _opened(id[:16]) as connection:
        found = _found(connection, "revoked = '' AND id = ?", id.replace("\0", ""))
    if not found or not compare_digest(found[0].hash, _hash(secret)) or found[0].is_over:
        return None
    return found[0]


def is_still_good(token: Token) -> bool:
    """Whether a token that was shown still holds."""
    with _opened(token.name) as connection:
        found = _found(connection, "revoked = '' AND id = ?", token.id)
    return bool(found) and not token.is_over


def _hash(secret: str) -> str:
    """The secret has 256 bits of chance in it, so that a plain hash is enough."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


_SHAPE = (
    "CREATE TABLE IF NOT EXISTS tokens (place INTEGER PRIMARY KEY AUTOINCREMENT, id text UNIQUE, name text, role text, "
    "hash text, made text, game text, seat text, expires text, revoked text DEFAULT '')",
    "CREATE UNIQUE INDEX IF NOT EXISTS tokens_name ON tokens (name) WHERE revoked = ''",
)
_COLUMNS = "id, name, role, hash, made, game, seat, expires"


def _path() -> Path:
    return data_folder() / "tokens.db"


def _is_kept() -> bool:
    return _path().exists() or _earlier().exists()


def _earlier() -> Path:
    """Where tokens were kept before: as JSON. They are taken over once."""
    return data_folder() / "tokens.json"


@contextmanager
def _opened(name: str) -> Iterator[sqlite3.Connection]:
    path = _path()
    try:
        if not path.exists():
            owners_folder(path.parent)
            owners_file(path)
        with closing(sqlite3.connect(path, timeout=10, isolation_level=None)) as connection:
            if connection.execute("PRAGMA user_version").fetchone() != (LAYOUT,) or _earlier().exists():
                _prepare(connection)
            yield connection
    except sqlite3.IntegrityError:
        raise TokenError(name, "there is one of that name already") from None
    except (OSError, sqlite3.Error) as error:
        raise TokenError(str(path), f"the tokens cannot be read or written: {error}") from None


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for shape in (*_SHAPE, f"PRAGMA user_version = {LAYOUT}"):
        connection.execute(shape)
    try:
        before = msgspec.json.decode(_earlier().read_bytes(), type=tuple[Token, ...])
    except FileNotFoundError:
        before = ()
    except msgspec.MsgspecError as error:
        raise TokenError(str(_earlier()), f"the list of tokens cannot be read: {error}") from None
    for each in before:
        if not connection.execute("SELECT 1 FROM tokens WHERE id = ?", (each.id,)).fetchone():
            _add(connection, each)
    connection.execute("COMMIT")
    if before:
        _earlier().unlink(missing_ok=True)


def _add(connection: sqlite3.Connection, made: Token) -> None:
    values = [str(getattr(made, column)) for column in _COLUMNS.split(", ")]
    connection.execute(f"INSERT INTO tokens ({_COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)


def _found(connection: sqlite3.Connection, where: str, *values: str) -> tuple[Token, ...]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM tokens WHERE {where}", values).fetchall()
    names = _COLUMNS.split(", ")
    return tuple(msgspec.convert(dict(zip(names, row, strict=True)), Token) for row in rows)
