"""Tokens for the API: made by `audit token`, shown once, and kept as hashes in the data folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

import msgspec
from msgspec import Struct

from audit.errors import AuditError
from replays.seals.keys import data_folder

PREFIX = "audit"


class Role(StrEnum):
    """What the holder of a token may do."""

    VIEWER = "viewer"
    """Read what is public."""
    SCOREKEEPER = "scorekeeper"
    """That, and append to games."""
    JUDGE = "judge"
    """Read everything, append, and fetch files to publish."""
    PUBLISHER = "publisher"
    """Read what is public, and fetch files to publish."""


class Token(Struct, frozen=True):
    """A token as it is kept: whose it is and a hash of its secret."""

    id: str
    name: str
    role: Role
    hash: str
    made: str


class TokenError(AuditError):
    """A token that cannot be made, found or read."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"token {name}: {reason}")
        self.name = name
        self.reason = reason


def make_token(name: str, role: str) -> str:
    """Make a token for somebody and return it: it is told this once. Raises `TokenError`."""
    try:
        given = Role(role)
    except ValueError:
        raise TokenError(name, f"no role is called {role!r}; there are {', '.join(Role)}") from None
    if not name or len(name) > 64 or not name.isprintable():
        raise TokenError(name[:64], "a name has 1 to 64 printable characters")
    kept = tokens()
    if any(token.name == name for token in kept):
        raise TokenError(name, "there is one of that name already")
    id, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    _write((*kept, Token(id, name, given, _hash(secret), made)))
    return f"{PREFIX}.{id}.{secret}"


def tokens() -> Sequence[Token]:
    """Every token there is, the oldest first."""
    try:
        return msgspec.json.decode(_path().read_bytes(), type=tuple[Token, ...])
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError) as error:
        raise TokenError(str(_path()), f"the list of tokens cannot be read: {error}") from None


def revoke(name: str) -> Token:
    """Take back the token of that name or id; raises `TokenError`."""
    kept = tokens()
    found = next((token for token in kept if name in (token.name, token.id)), None)
    if found is None:
        raise TokenError(name, "there is none of that name")
    _write(tuple(token for token in kept if token is not found))
    return found


def token_of(text: str) -> Token | None:
    """The token that somebody shows, if it is one."""
    prefix, _, rest = text.partition(".")
    id, _, secret = rest.partition(".")
    found = next((token for token in tokens() if token.id == id), None)
    if prefix != PREFIX or not found or not compare_digest(found.hash, _hash(secret)):
        return None
    return found


def _hash(secret: str) -> str:
    """The secret has 256 bits of chance in it, so that a plain hash is enough."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _path() -> Path:
    return data_folder() / "tokens.json"


def _write(kept: Sequence[Token]) -> None:
    path = _path()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "wb") as opened:
            opened.write(msgspec.json.encode(kept))
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise TokenError(str(path), f"cannot be written: {error.strerror}") from None
