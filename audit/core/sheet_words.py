"""The words of the short forms of a score sheet in each language: `sheet.…` of `text/<language>/names.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from audit.core.card_names import folded
from audit.core.catalogue import LANGUAGES, words

PREFIX = "sheet."


def sheet_word_in(package: str, word: str, language: str) -> str:
    """A word of a short form as it is typed in a language; the word itself where that language has none."""
    return words(package, language, "names").get(f"{PREFIX}{word}", word)


def sheet_word_meant(package: str, word: str) -> str:
    """The word of a short form that a word of any language means; the word itself where it means none or several."""
    return _meanings(package).get(folded(word), word)


@cache
def _meanings(package: str) -> Mapping[str, str]:
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for key, said in words(package, language, "names").items():
            if key.startswith(PREFIX):
                found.setdefault(folded(said), set()).add(key.removeprefix(PREFIX))
    return {said: meant.pop() for said, meant in found.items() if len(meant) == 1}
