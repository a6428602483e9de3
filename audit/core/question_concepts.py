"""Takes a question apart: of which things, states and deeds it speaks, in whatever words and language.

A game lists them with the words of players (`text/<language>/concepts.toml`), and for each of its rules of which of
them a question speaks that it answers (`asked_about.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from typing import cast

from msgspec import Struct

from audit.core.card_names import card_texts, cards_in, families, folded, numbered_names
from audit.core.catalogue import LANGUAGES, words
from audit.core.package_files import package_folder

ELSEWHERE = "elsewhere"
"""The concept of what no rules speak of: prices, other games, the weather."""
_WORD = re.compile(r"[^\W_]+")
_STRONG = 0.6
"""From this weight on a concept says of what a question speaks."""
_LIKELY = 0.75
"""A question is read in each language of which it has nearly as many words as of the likeliest."""
_OF_QUESTION, _OF_ALL = 0.35, 1.0
"""How much it counts that little else is asked, and that much is shared."""
_HIGHEST = 2.5
"""About the fit of a rule with which nothing is wanting."""

_CARD = "card"
"""The concept of a card."""
_SHORTEST, _ALIKE = 5, 65
"""How long a misspelt name of a card is, and how much alike, in per cent, where a number follows it."""
_SHORTEST_WORD, _ALIKE_WORD, _MOST_MISSPELT = 6, 88, 12
"""How long another misspelt word is, and how much alike, in per cent; and so many are read in a question."""
_DESCRIBED, _NEARLY, _MOST_DESCRIBED = 0.6, 0.75, 3
"""How much of what a card does has to be asked about where its number is not said, and how many such cards are told."""

Words = Sequence[str]


class Fit(Struct, frozen=True):
    """How well a rule answers, from 0 to about 1; how many telling concepts it shares, and whether it lacks none.

    `words` are what these concepts are called in the language of the question.
    """

    score: float
    shared: int
    is_whole: bool
    words: tuple[str, ...]


NO_FIT = Fit(0.0, 0, False, ())


class Concepts:
    """The concepts of a game, and its rules and cards by them."""

    def __init__(self, package: str) -> None:
        """`package` has `asked_about.toml`."""
        self._package = package
        table = tomllib.loads((package_folder(package) / "asked_about.toml").read_text("utf-8"))
        asked = cast(Mapping[str, Sequence[str]], table["asked"])
        self._asked = {id: [frozenset(way.split()) for way in ways] for id, ways in asked.items()}
        self._given = cast(Mapping[str, float], table["weight"])
        self._of_two = cast(Mapping[str, str], table["two_families"])
        self._spread = Counter(concept for ways in self._asked.values() for concept in frozenset().union(*ways))
        self._weights = {way: self.weight(way) for ways in self._asked.values() for way in ways}
        self._names = _Lexicon(table.get("names", {}))
        self._lexicons = {language: _Lexicon(words(package, language, "concepts")) for language in LANGUAGES}

    def of(self, text: str) -> dict[str, frozenset[str]]:
        """The concepts of a text, read in each language that it may be in."""
        said = self._without_card_numbers([folded(word) for word in _WORD.findall(text.casefold())])
        misspelt = [word for word in said if len(word) >= _SHORTEST_WORD and not self.knows(word)][:_MOST_MISSPELT]
        found = {language: lexicon.of(said, misspelt) for language, lexicon in self._lexicons.items()}
        if len(self._named(text, _CARD, *self._of_two)) > 1:
            found = {
                language: some | {self._of_two[one] for one in some & {*self._of_two}}
                for language, some in found.items()
            }
        small = {language: sum(word in _small(language) for word in said) for language in found}
        sure = {language: number + len(found[language]) / 2 for language, number in small.items()}
        return {language: some for language, some in found.items() if sure[language] >= _LIKELY * max(sure.values())}

    def fits(self, question: str) -> dict[str, Fit]:
        """How well each rule answers, by its id; none where the question is about something else."""
        found: dict[str, Fit] = {}
        for language, asked in self.of(question).items():
            in_all = self.weight(asked)
            for id, ways in self._asked.items():
                for fit in (self._fit(asked, in_all, way, language) for way in ways if not asked.isdisjoint(way)):
                    if fit.score > found.get(id, NO_FIT).score:
                        found[id] = fit
        return found

    def is_elsewhere(self, question: str) -> bool:
        """Whether the question speaks of something of which no rules speak."""
        said = [folded(word) for word in _WORD.findall(question.casefold())]
        return bool(self._names.of(said)) or any(ELSEWHERE in asked for asked in self.of(question).values())

    def cards(self, question: str) -> tuple[str, ...]:
        """The cards of which a question speaks: by name, by a name that is badly misspelt, or by what they do."""
        return cards_in(self._package, question) or self._misspelt(question) or self._described(question)

    def _misspelt(self, question: str) -> tuple[str, ...]:
        from rapidfuzz.fuzz import ratio
        from rapidfuzz.process import extractOne

        for name, number in numbered_names(question):
            if len(name) >= _SHORTEST and not self._is_ordinary(name):
                near = extractOne(name, families(self._package).keys(), scorer=ratio, score_cutoff=_ALIKE)
                card = f"{families(self._package)[near[0]]}-{number}" if near else ""
                if card in card_texts(self._package, LANGUAGES[0]):
                    return (card,)
        return ()

    def _is_ordinary(self, word: str) -> bool:
        return any(word in _small(language) or lexicon.of([word]) for language, lexicon in self._lexicons.items())

    def _without_card_numbers(self, said: Words) -> Words:
        """The number of a card is no number of which a question speaks."""
        known = families(self._package)
        return [word for before, word in pairwise(["", *said]) if not (word.isdecimal() and before in known)]

    def knows(self, word: str) -> bool:
        """Whether a word, folded, is a small one, the name of a family of cards, or one for a concept."""
        return word in families(self._package) or self._is_ordinary(word)

    def _described(self, question: str) -> tuple[str, ...]:
        """The cards of a family that is named that do what the question says, the likeliest first."""
        named = self._named(question, _CARD)
        likely: dict[str, float] = {}
        for language, asked in self.of(question).items() if named else ():
            texts = card_texts(self._package, language)
            for card in (one for one in texts if one.rsplit("-", 1)[0] in named):
                does = self._lexicons[language].of([folded(w) for w in _WORD.findall(" ".join(texts[card].values()))])
                shared = self.weight(asked & does) / self.weight(does) ** 0.5 if does else 0.0
                likely[card] = max(likely.get(card, 0.0), shared)
        enough = max(_DESCRIBED, _NEARLY * max(likely.values(), default=0.0))
        best = sorted((card for card in likely if likely[card] >= enough), key=lambda card: -likely[card])
        return tuple(best[:_MOST_DESCRIBED])

    def _named(self, question: str, *beside: str) -> frozenset[str]:
        """The families of cards that are written as names or stand beside a word for one of these concepts."""
        said = _WORD.findall(question)
        found = (self._family(said, at, word, frozenset(beside)) for at, word in enumerate(said))
        return frozenset(filter(None, found))

    def _family(self, said: Words, at: int, word: str, beside: frozenset[str]) -> str:
        family = families(self._package).get(folded(word), "")
        others = [folded(other) for other in (*said[max(0, at - 1) : at], *said[at + 1 : at + 2])] if family else []
        is_beside = any(beside & lexicon.of([other]) for lexicon in self._lexicons.values() for other in others)
        return family if is_beside or (at and word[0].isupper()) else ""

    def _fit(self, asked: frozenset[str], in_all: float, way: frozenset[str], language: str) -> Fit:
        """`in_all` is the weight of all that is asked."""
        shared = asked & way
        weight = self.weight(shared)
        of_way, of_question = weight / self._weights[way], weight / in_all
        score = of_way * of_question**_OF_QUESTION * weight**_OF_ALL / _HIGHEST
        telling = sum(self._given.get(one, 1.0) >= _STRONG for one in shared)
        called = tuple(self._lexicons[language].called[one] for one in sorted(shared))
        return Fit(score, telling, shared == way, called)

    def weight(self, concepts: frozenset[str]) -> float:
        """How much these concepts say: the more, the fewer rules have them."""
        number = len(self._asked)
        return sum(log(1 + number / (self._spread[one] + 0.5)) * self._given.get(one, 1.0) for one in concepts)


class _Lexicon:
    """The words of one language by the concepts that they stand for."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._whole: dict[str, list[tuple[Words, str]]] = {}
        self._beginnings: dict[str, list[tuple[Words, str]]] = {}
        self.called = {concept: said.split()[0].rstrip("*").replace("_", " ") for concept, said in table.items()}
        for concept, said in table.items():
            for phrase in said.split():
                first, *rest = phrase.split("_")
                place = self._beginnings if first.endswith("*") else self._whole
                place.setdefault(first.rstrip("*"), []).append((rest, concept))
        self._spelt = [word for word in (*self._whole, *self._beginnings) if len(word) >= _SHORTEST_WORD]
        self._longest = max(map(len, self._beginnings), default=0)

    def of(self, said: Words, misspelt: Words = ()) -> frozenset[str]:
        """The concepts of which these words speak. One that is misspelt is read as the word that it nearly is."""
        said = [self._nearest(word) if word in misspelt else word for word in said]
        return frozenset(
            concept
            for at, word in enumerate(said)
            for rest, concept in self._begun_by(word)
            if len(said) - at > len(rest) and all(map(_fits, rest, said[at + 1 :]))
        )

    def _nearest(self, word: str) -> str:
        from rapidfuzz.fuzz import ratio
        from rapidfuzz.process import extractOne

        near = extractOne(word, self._spelt, scorer=ratio, score_cutoff=_ALIKE_WORD)
        return near[0] if near else word

    def _begun_by(self, word: str) -> Iterator[tuple[Words, str]]:
        yield from self._whole.get(word, ())
        for end in range(1, min(len(word), self._longest) + 1):
            yield from self._beginnings.get(word[:end], ())


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


@cache
def _small(language: str) -> frozenset[str]:
    return frozenset(folded(word) for word in words("audit.core", language, "search")["stop"].split())


@cache
def concepts_of(package: str) -> Concepts | None:
    """The concepts of a game; none where it lists none."""
    return Concepts(package) if (package_folder(package) / "asked_about.toml").is_file() else None


def cards_asked(package: str, question: str) -> tuple[str, ...]:
    """The cards of which a question speaks, by their ids."""
    concepts = concepts_of(package)
    return concepts.cards(question) if concepts else cards_in(package, question)
