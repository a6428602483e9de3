"""Vectors of sentences, encoded once and kept in one file on disk.

A sentence that is kept is never encoded again, whichever document or edition it comes from: a new edition costs its
new sentences alone. Several processes may use the file at once.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

FILE = "sentences.sqlite"
"""The name of the file in its folder."""

Vector = Sequence[float]

_TABLE = "CREATE TABLE IF NOT EXISTS sentences (mark BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"


class Encoder(Protocol):
    """Gives a vector for each text; many at once are far quicker than one by one."""

    def encode(self, texts: list[str]) -> Sequence[Vector]: ...


class SentenceVectors:
    """The vectors of any sentences, from the file in a folder or from the encoder."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        self._folder = folder
        self._encoder = encoder

    def of(self, sentences: Sequence[str]) -> list[Vector]:
        """A vector for each sentence; where the file cannot be used, all are encoded and none is kept."""
        marks = [blake2b(text.encode(), digest_size=12).digest() for text in sentences]
        by_mark = dict(zip(marks, sentences, strict=True))
        found: dict[bytes, Vector] = {}
        with suppress(sqlite3.Error, OSError), self._opened() as file:
            found = {mark: vector for mark in by_mark for vector in _kept(file, mark)}
        missing = [mark for mark in by_mark if mark not in found]
        if missing:
            new = self._encoder.encode([by_mark[mark] for mark in missing])
            found |= {mark: array("f", vector) for mark, vector in zip(missing, new, strict=True)}
            rows = [(mark, array("f", found[mark]).tobytes()) for mark in missing]
            with suppress(sqlite3.Error, OSError), self._opened() as file, file:
                file.executemany("INSERT OR IGNORE INTO sentences VALUES (?, ?)", rows)
        return [found[mark] for mark in marks]

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._folder / FILE)) as file:
            file.execute(_TABLE)
            yield file


def _kept(file: sqlite3.Connection, mark: bytes) -> Iterator[Vector]:
    for (kept,) in file.execute("SELECT vector FROM sentences WHERE mark = ?", (mark,)):
        vector = array("f")
        vector.frombytes(kept)
        yield vector
