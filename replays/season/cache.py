"""Judgements that are kept from one run to the next, so that only what changed is judged again.

A judgement is found by a fingerprint of the log, of this program and of the question: a report, what a switch changes,
what another reading says. The file is this user's own: it is trusted as much as this program is. What is damaged in it
is dropped, and the game is judged again.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec
import platformdirs

from audit.core.ruleset import added_rulesets
from replays.files import owners_file, owners_folder
from replays.judging.versions import engine, fingerprint
from replays.season.judging import Question
from replays.season.sources import Source

A = TypeVar("A")

SHAPE = "CREATE TABLE IF NOT EXISTS judged (key text PRIMARY KEY, program text, said blob, hash text) WITHOUT ROWID"
FILE = "judgements.db"
BATCH = 200
"""So many judgements are written at once."""

_encode = msgspec.msgpack.Encoder().encode


def cache_file() -> Path:
    """Where judgements are kept: in the folder `AUDIT_CACHE_DIR`, or in what the system provides for caches."""
    folder = os.environ.get("AUDIT_CACHE_DIR") or platformdirs.user_cache_path("audit", appauthor=False)
    return Path(folder) / FILE


def program() -> str:
    """The fingerprint of everything that a judgement rests on besides the log: this program and every game's rules.

    The rules of its own games are part of the program.
    """
    said = [engine(), *map(fingerprint, added_rulesets())]
    return sha256(_encode(said)).hexdigest()


class Cache:
    """A file of judgements. One that cannot be used is as good as an empty one."""

    def __init__(self, file: Path | None) -> None:
        """No file: nothing is kept."""
        self._file = file
        self._program = program() if file else ""
        self._new: dict[str, bytes] = {}
        self._database = self._opened() if file else None

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write()
        if self._database:
            self._database.close()

    def key(self, question: Question[A], source: Source) -> str:
        """By what an answer is found; empty where it cannot be kept."""
        with suppress(OSError):
            if self._database and (known := source.fingerprint()):
                return sha256(_encode((self._program, known, question))).hexdigest()
        return ""

    def find(self, key: str, question: Question[A], source: Source) -> A | None:
        """The answer under that key, told of this log; None where there is none, or a damaged one."""
        if not key or not self._database:
            return None
        try:
            row = self._database.execute("SELECT said, hash FROM judged WHERE key = ?", (key,)).fetchone()
            if row is None or sha256(key.encode() + row[0]).hexdigest() != row[1]:
                return None
            return question.named(msgspec.msgpack.decode(row[0], type=question.kind), source)
        except (sqlite3.Error, msgspec.MsgspecError, TypeError):
            return None

    def keep(self, key: str, question: Question[A], answer: A) -> None:
        """Keep an answer that is to be kept."""
        if key and (kept := question.to_keep(answer)) is not None:
            self._new[key] = _encode(kept)
            if len(self._new) >= BATCH:
                self._write()

    def _opened(self) -> sqlite3.Connection | None:
        assert self._file is not None
        for _ in range(2):
            try:
                owners_folder(self._file.parent)
                owners_file(self._file)
                database = sqlite3.connect(self._file, isolation_level=None, timeout=2)
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = OFF")
                database.execute(SHAPE)
                database.execute("DELETE FROM judged WHERE program <> ?", (self._program,))
                return database
            except sqlite3.OperationalError:
                return None  # locked by another, or not ours to write
            except sqlite3.DatabaseError:
                self._drop()
            except OSError:
                return None
        return None

    def _drop(self) -> None:
        assert self._file is not None
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self._file}{ending}").unlink()

    def _write(self) -> None:
        rows = [(key, self._program, said, sha256(key.encode() + said).hexdigest()) for key, said in self._new.items()]
        self._new.clear()
        if rows and self._database:
            with suppress(sqlite3.Error):
                self._database.execute("BEGIN")
                self._database.executemany("INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?)", rows)
                self._database.execute("COMMIT")
