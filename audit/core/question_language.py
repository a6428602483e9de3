"""Telling a question in a language in which none is answered from one in a language that is."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from audit.core.card_names import folded, small_words
from audit.core.catalogue import LANGUAGES
from audit.core.lexicon import folded_words
from audit.core.package_files import package_folder

_BY_LETTER = 2
"""A letter that only one language writes speaks for it as much as so many words."""


def is_in_another_language(question: str) -> bool:
    """Whether a question is in a language in which none is answered. Where words and letters tie, it is not."""
    said, letters = folded_words(question), frozenset(question.casefold())
    answered, others = _languages()
    ours = max(one.weight_of(said, letters) for one in answered)
    return max(one.weight_of(said, letters) for one in others) > ours


class _ToldApart(Struct, frozen=True):
    """How a language is told from others: its words, folded, and letters that only this one writes."""

    words: frozenset[str]
    letters: frozenset[str]

    def weight_of(self, said: Sequence[str], letters: frozenset[str]) -> int:
        """How much of a question speaks for this language."""
        return sum(word in self.words for word in said) + _BY_LETTER * bool(self.letters & letters)


@cache
def _languages() -> tuple[Sequence[_ToldApart], Sequence[_ToldApart]]:
    """The languages in which questions are answered, and some others."""
    told = tomllib.loads(package_folder("audit.core").joinpath("text", "told_apart.toml").read_text("utf-8"))

    def made(part: str, language: str, more: frozenset[str] = frozenset()) -> _ToldApart:
        letters = frozenset(told["letters"].get(language, ""))
        return _ToldApart(more.union(map(folded, told[part][language].split())), letters)

    answered = [made("answered", language, small_words(language)) for language in LANGUAGES]
    return answered, [made("others", language) for language in told["others"]]
