"""Ledgers in the store: lines of the same table as the games, in the same chain of appends.

So they are never changed or deleted, `audit store verify` covers them, and several machines may write them.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

from eventsourcing.persistence import RecordConflictError

from replays.log.strict_json import parse
from replays.store.store import Store
from replays.trust.ledger import LedgerConflictError, UnknownLedgerError, line_with

PIECE = 500_000
"""Bytes of a file in one line."""


class StoredLedger:
    """A ledger in the store; its id is its kind, a colon, and its name."""

    def __init__(self, store: Store, kind: str, id: str) -> None:
        self.store = store
        self.id = f"{kind}:{id}"
        self.name = f"{kind} {id}"

    def lines(self) -> list[bytes]:
        """Every line."""
        return [] if "\0" in self.id else self.store.bodies(self.id)

    def append(self, lines: Sequence[bytes], expected: int, by: str) -> None:
        """Add lines; raises `LedgerConflictError`."""
        found = self.store.ledger_version(self.id)
        if found == expected:
            with suppress(RecordConflictError):
                self.store.append_ledger(self.id, lines, expected, by)
                return
            found = self.store.ledger_version(self.id)
        raise LedgerConflictError(self.name, expected, found)


def keep_file(store: Store, data: bytes, by: str) -> str:
    """Keep a file under its SHA-256; one that is there already is kept once."""
    hash = sha256(data).hexdigest()
    pieces = [data[start : start + PIECE] for start in range(0, len(data), PIECE)] or [b""]
    lines = [line_with({"type": "piece", "data": b64encode(piece).decode()}) for piece in pieces]
    with suppress(LedgerConflictError):
        StoredLedger(store, "file", hash).append(lines, 0, by)
    return hash


def kept_file(store: Store, hash: str) -> bytes:
    """A file by its SHA-256; raises `UnknownLedgerError` where there is none, or where it is no longer what it was."""
    lines = StoredLedger(store, "file", hash).lines()
    data = b"".join(b64decode(str(parse(line.removesuffix(b"\n"))["data"])) for line in lines)
    if not lines or sha256(data).hexdigest() != hash:
        raise UnknownLedgerError(f"file {json.dumps(hash[:64])}")
    return data
