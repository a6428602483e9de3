"""The words by which a game is found: without case and accents, each with every run of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from audit.core.typography import folded

MOST_PARTS = 8
LONG = 60
"""Letters of a text that is not remembered: rules, cards and names are shorter and come again in many games."""
_PART = re.compile(r"[^\W_]+")


def tokens(said: Iterable[str]) -> set[str]:
    """Every word of these texts, and every run of its parts."""
    found: set[str] = set()
    for text in said:
        found.update(_tokens_of_short(text) if len(text) <= LONG else _tokens_of(text))
    return found


def with_more(words: Sequence[str], others: set[str]) -> list[str]:
    """Sorted words and some others, sorted, each once."""
    return sorted([*words, *others.difference(words)]) if others else list(words)


def whole(word: str) -> Iterator[str]:
    """A word somebody asks for, as one token; nothing where it has no letter."""
    if parts := _PART.findall(folded(word))[:MOST_PARTS]:
        yield "_".join(parts)


def texts(value: object) -> set[str]:
    """Every text in plain values; what stands under a free (`x-`) key is left out."""
    found: set[str] = set()
    _add_texts(value, found)
    return found


def texts_of_both(one: Mapping[str, object], other: Mapping[str, object]) -> tuple[set[str], set[str]]:
    """Every text in each of two mappings; what is the same object in both is looked at once."""
    parts = {key: texts({key: value}) for key, value in one.items()}
    beside = (parts[key] if value is one.get(key, parts) else texts({key: value}) for key, value in other.items())
    return set().union(*parts.values()), set().union(*beside)


def _add_texts(value: object, found: set[str]) -> None:
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, (list, tuple)):  # to ask for an abstract class takes several times as long
        _add_each(value, found)
    elif isinstance(value, (dict, Mapping)):
        _add_each([inner for key, inner in value.items() if not str(key).startswith("x-")], found)
    elif isinstance(value, Sequence):
        _add_each(value, found)


def _add_each(values: Sequence[object], found: set[str]) -> None:
    found.update([inner for inner in values if type(inner) is str])
    for inner in values:
        if type(inner) is not str and type(inner) is not int:
            _add_texts(inner, found)


def _parts(word: str) -> tuple[str, ...]:
    """A word and every run of its parts: `face-up` is found in `play.face-up-needs-protocol`."""
    parts = _PART.findall(folded(word))[:MOST_PARTS]
    ends = range(1, len(parts) + 1)
    return tuple("_".join(parts[start:end]) for start in range(len(parts)) for end in ends if end > start)


def _tokens_of(text: str) -> frozenset[str]:
    return frozenset(part for word in text.split() for part in _parts(word))


_tokens_of_short = lru_cache(maxsize=20_000)(_tokens_of)
