"""Takes a question apart: of which things, states and deeds it speaks, in whatever words and language.

A game lists them with the words of players (`text/<language>/concepts.toml`), for each of its rules of which of them a
question speaks that it answers (`asked_about.toml`), and words for what no rules speak of (`elsewhere.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from typing import cast

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, words
from audit.core.files import package_folder
from audit.core.names import card_texts, cards_in, families, numbered_names, small_words
from audit.core.typography import folded

_WORD = re.compile(r"[^\W_]+")
SHORTEST, _SPELT_ALIKE = 6, 88
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

        near = extractOne(word, self._spelt, scorer=ratio, score_cutoff=_SPELT_ALIKE)
        return near[0] if near else word

    def _begun_by(self, word: str) -> Iterator[tuple[int, Words, str]]:
        for rest, thing in self._whole.get(word, ()):
            yield len(word), rest, thing
        for end in range(1, min(len(word), self._longest) + 1):
            for rest, thing in self._beginnings.get(word[:end], ()):
                yield end, rest, thing


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


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
_MOST_MISSPELT = 12
"""So many misspelt words are read in a question."""
_LONGEST_PHRASE = 8
"""No phrase for a concept has more words."""
_EQUAL_WITHIN = 5
"""A number said again so soon is compared with the first."""
_KEPT, _KEPT_WORDS = 8, 4096
"""So many questions, and so many words, are kept as they were read."""
_DESCRIBED, _NEARLY, _MOST_DESCRIBED = 0.6, 0.75, 3
"""How much of what a card does has to be asked about where its number is not said, and how many such cards are told."""


class Fit(Struct, frozen=True):
    """How well a rule answers, from 0 to about 1; how many telling concepts it shares, and whether it lacks none.

    `words` are what these concepts are called in the language of the question.
    """

    score: float
    shared: int
    is_whole: bool
    words: tuple[str, ...]


class _Read(Struct, frozen=True):
    """A question in one language: its concepts, and its phrases for what no rules speak of with the kind of each."""

    concepts: frozenset[str]
    strange: Mapping[str, str]

    @property
    def number(self) -> int:
        """How many things were read in it."""
        return len(self.concepts) + len(self.strange)

    def with_concepts(self, more: Mapping[str, str]) -> _Read:
        """The same with the concept that each of these brings with it."""
        return _Read(self.concepts | {more[one] for one in self.concepts & {*more}}, self.strange)


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
        self._of_equal = cast(Mapping[str, str], table["equal_numbers"])
        self._spread = Counter(concept for ways in self._asked.values() for concept in frozenset().union(*ways))
        self._weights = {way: self.weight(way) for ways in self._asked.values() for way in ways}
        self._weak = frozenset(table["elsewhere"]["weak"].split())
        self._things = frozenset(table["elsewhere"]["things"].split())
        self._lexicons = {language: Lexicon(words(package, language, "concepts")) for language in LANGUAGES}
        self._elsewhere = {language: self._words_elsewhere(language, table["names"]) for language in LANGUAGES}
        self._read = lru_cache(maxsize=_KEPT)(self._read_anew)
        self.knows = lru_cache(maxsize=_KEPT_WORDS)(self._knows)

    def _words_elsewhere(self, language: str, names: Mapping[str, str]) -> Lexicon:
        """The words of that language for what no rules speak of, and names that are the same in every language."""
        table = words(self._package, language, "elsewhere")
        return Lexicon({kind: f"{said} {names.get(kind, '')}" for kind, said in table.items()})

    def of(self, text: str) -> dict[str, frozenset[str]]:
        """The concepts of a text, read in each language that it may be in."""
        return {language: read.concepts for language, read in self._read(text).items()}

    def _read_anew(self, text: str) -> dict[str, _Read]:
        said = self._without_card_numbers(folded_words(text))
        misspelt = [word for word in said if len(word) >= SHORTEST and not self.knows(word)][:_MOST_MISSPELT]
        found = {language: self._read_in(language, said, misspelt) for language in LANGUAGES}
        if len(self._named(text, _CARD, *self._of_two)) > 1:
            found = {language: read.with_concepts(self._of_two) for language, read in found.items()}
        small = {language: sum(word in small_words(language) for word in said) for language in found}
        sure = {language: small[language] + read.number / 2 for language, read in found.items()}
        return {language: read for language, read in found.items() if sure[language] >= _LIKELY * max(sure.values())}

    def _read_in(self, language: str, said: Words, misspelt: Words) -> _Read:
        """Words for what no rules speak of are not read as concepts, unless a longer phrase of these has them."""
        lexicon, strange, left = self._lexicons[language], {}, list(said)
        told = [lexicon.longest(said, at) for at in range(len(said))]
        for at in range(len(said)):
            phrase = self._elsewhere[language].longest(left, at)
            if phrase.size > told[at].size and phrase.words >= _words_around(told, at):
                end = at + phrase.words
                strange[" ".join(said[at:end])] = phrase.thing
                left[at:end] = [""] * phrase.words
        read = _Read(lexicon.of(left, misspelt), strange)
        return read.with_concepts(self._of_equal) if _has_equal_numbers(left) else read

    def fits(self, question: str) -> dict[str, Fit]:
        """How well each rule answers, by its id; none where the question is about something else."""
        found: dict[str, Fit] = {}
        for language, read in self._read(question).items():
            asked, strange = read.concepts, frozenset(read.strange.values())
            in_all = self.weight(asked | strange)
            for id, ways in self._asked.items():
                for fit in (self._fit(asked, in_all, way, language) for way in ways if not asked.isdisjoint(way)):
                    if fit.score > found.get(id, NO_FIT).score:
                        found[id] = fit
        return found

    def strangeness(self, question: str) -> int:
        """How many things that no rules know a question names. Weak signs count where nothing of the game is told."""
        return max(self._strangeness(read) for read in self._read(question).values())

    def _strangeness(self, read: _Read) -> int:
        is_of_the_game = not read.concepts.isdisjoint(self._things)
        return sum(not (is_of_the_game and kind in self._weak) for kind in read.strange.values())

    def cards(self, question: str) -> tuple[str, ...]:
        """The cards of which a question speaks: by name, by a name that is badly misspelt, or by what they do.

        A question that speaks of what no rules speak of means a card only where it is named outright.
        """
        named = cards_in(self._package, question) or self._misspelt(question)
        if self.strangeness(question):
            return tuple(card for card in named if self._is_spelt_right(card, question))
        return named or self._described(question)

    def _is_spelt_right(self, card: str, question: str) -> bool:
        family, _, _ = card.rpartition("-")
        return any(families(self._package).get(word) == family for word in folded_words(question))

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
        return any(word in small_words(language) or lexicon.of([word]) for language, lexicon in self._lexicons.items())

    def _without_card_numbers(self, said: Words) -> Words:
        """The number of a card is no number of which a question speaks."""
        known = families(self._package)
        return [word for before, word in pairwise(["", *said]) if not (word.isdecimal() and before in known)]

    def _knows(self, word: str) -> bool:
        """Whether a word, folded, is a small one, the name of a family of cards, or one for a concept or a thing."""
        if word in families(self._package) or self._is_ordinary(word):
            return True
        return any(lexicon.of([word]) for lexicon in self._elsewhere.values())

    def _described(self, question: str) -> tuple[str, ...]:
        """The cards of a family that is named that do what the question says, the likeliest first."""
        named = self._named(question, _CARD)
        likely: dict[str, float] = {}
        for language, asked in self.of(question).items() if named else ():
            texts = card_texts(self._package, language)
            for card in (one for one in texts if one.rsplit("-", 1)[0] in named):
                does = self._lexicons[language].of(folded_words(" ".join(texts[card].values())))
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


def _has_equal_numbers(said: Words) -> bool:
    """Whether a number is told of one and soon after of another: `10 against 10`, `10 and he has 10 too`."""
    large = [(at, word) for at, word in enumerate(said) if word.isdecimal() and len(word) > 1]
    return any(one == other and next_at - at <= _EQUAL_WITHIN for (at, one), (next_at, other) in pairwise(large))


def _words_around(told: Sequence[Phrase], at: int) -> int:
    """Of how many words the longest phrase is that begins before a word and has it."""
    before = range(max(0, at - _LONGEST_PHRASE), at)
    return max((told[start].words for start in before if start + told[start].words > at), default=0)


@cache
def concepts_of(package: str) -> Concepts | None:
    """The concepts of a game; none where it lists none."""
    return Concepts(package) if (package_folder(package) / "asked_about.toml").is_file() else None


def cards_asked(package: str, question: str) -> tuple[str, ...]:
    """The cards of which a question speaks, by their ids."""
    concepts = concepts_of(package)
    return concepts.cards(question) if concepts else cards_in(package, question)
