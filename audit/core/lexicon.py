"""The words of one language, by what they stand for: single words, beginnings (`draw*`) and phrases (`top_card`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from audit.core.card_names import folded

_WORD = re.compile(r"[^\W_]+")
SHORTEST, _ALIKE = 6, 88
"""How long a misspelt word is at least, and how much alike, in per cent."""

Words = Sequence[str]


class Phrase(Struct, frozen=True):
    """What is said for a thing: how many words, and how many letters of the first of them tell it."""

    thing: str
    words: int
    letters: int

    @property
    def size(self) -> tuple[int, int]:
        """The larger of two says more exactly what is meant: by more words, or by more letters of a word."""
        return self.words, self.letters


NO_PHRASE = Phrase("", 0, 0)


def folded_words(text: str) -> list[str]:
    """The words of a text, without accents, in lower case."""
    return [folded(word) for word in _WORD.findall(text.casefold())]


class Lexicon:
    """Words and phrases by the thing that they stand for."""

    def __init__(self, table: Mapping[str, str]) -> None:
        """`table` has for each thing its words, as in `concepts.toml`."""
        self._whole: dict[str, list[tuple[Words, str]]] = {}
        self._beginnings: dict[str, list[tuple[Words, str]]] = {}
        self.called = {thing: said.split()[0].rstrip("*").replace("_", " ") for thing, said in table.items()}
        for thing, said in table.items():
            for phrase in said.split():
                first, *rest = phrase.split("_")
                place = self._beginnings if first.endswith("*") else self._whole
                place.setdefault(first.rstrip("*"), []).append((rest, thing))
        self._spelt = [word for word in (*self._whole, *self._beginnings) if len(word) >= SHORTEST]
        self._longest = max(map(len, self._beginnings), default=0)

    def of(self, said: Words, misspelt: Collection[str] = ()) -> frozenset[str]:
        """The things of which these words speak. One that is misspelt is read as the word that it nearly is."""
        said = [self._nearest(word) if word in misspelt else word for word in said]
        return frozenset(phrase.thing for at in range(len(said)) for phrase in self._from(said, at))

    def longest(self, said: Words, at: int) -> Phrase:
        """The phrase of most words, and of most letters, that is said from that word on."""
        return max(self._from(said, at), key=lambda phrase: phrase.size, default=NO_PHRASE)

    def _from(self, said: Words, at: int) -> Iterator[Phrase]:
        for letters, rest, thing in self._begun_by(said[at]):
            if len(said) - at > len(rest) and all(map(_fits, rest, said[at + 1 :])):
                yield Phrase(thing, 1 + len(rest), letters)

    def _nearest(self, word: str) -> str:
        from rapidfuzz.fuzz import ratio  # loaded late: few questions have a misspelt word
        from rapidfuzz.process import extractOne

        near = extractOne(word, self._spelt, scorer=ratio, score_cutoff=_ALIKE)
        return near[0] if near else word

    def _begun_by(self, word: str) -> Iterator[tuple[int, Words, str]]:
        for rest, thing in self._whole.get(word, ()):
            yield len(word), rest, thing
        for end in range(1, min(len(word), self._longest) + 1):
            for rest, thing in self._beginnings.get(word[:end], ()):
                yield end, rest, thing


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern
