"""Finding the rule that answers a question, in any of the four languages.

An entry is found by exact words, by stems, in spite of spelling mistakes, by words that mean the same
(`text/<language>/search.toml`), by words in which it is asked for (`asked.toml`), by the things, states and deeds of
which a question speaks (`audit.core.question_concepts`) and, with the sentence encoder, by meaning. Each find says why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from heapq import nlargest
from importlib import import_module
from itertools import chain, pairwise
from math import log
from typing import cast

from msgspec import Struct
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from audit.core.catalogue import LANGUAGES, Catalogue, Rule, words
from audit.core.errors import UnknownRuleError
from audit.core.question_concepts import NO_FIT, Fit, cards_asked, concepts_of
from audit.core.sentences import has_file
from audit.core.typography import folded

MOST = 10
"""So many entries are found at most."""

EXACT, STEM, SPELLING, SYNONYM, MEANING = "exact", "stem", "spelling", "synonym", "meaning"

_STEMMERS = {"en": "english", "fr": "french", "it": "italian", "pl": "polish"}
_WORD = re.compile(r"[^\W_]+")
_WEIGHTS = {EXACT: 1.0, STEM: 0.9, SPELLING: 0.7, SYNONYM: 0.8}
_SHORTEST_MISSPELT = 4
_ALIKE = 78
_SATURATION, _LENGTH = 1.0, 0.3
_ASKED = 0.5
"""How much a word counts by which players ask for an entry, beside one of its statement."""
_NUMBER = re.compile(r"\d")
_OF_A_CARD, _OF_THESE_CARDS, _OF_OTHER_CARDS = 0.85, 1.2, 0.2
_BESIDE_CARDS = 0.3
"""How much the concepts of a question count that names cards: entries about these go first."""
_BY_MEANING = 2.0
_LIKE = 0.2
"""Less likeness of meaning than this says nothing."""
_ENOUGH, _READ_FIRST = 0.3, 3
"""One of so many first entries has to speak of so much of a question. `bench/unanswerable.toml` tries it."""
_CONCEPTS, _ONE_CONCEPT = 2, 0.2
"""So many concepts in common are an answer; one alone, if an entry speaks of so much of the question besides."""
_STRANGE, _FEWEST_STRANGE = 0.4, 2
"""A question is strange if this share of its words, and so many of them, are in no entry and concept."""
_CLEAR = 3
"""A strange question is answered by a rule that shares so many concepts, and one more for each strange thing."""
_NEARLY = 0.6
"""From this weight on a misspelt word is taken for the one that is known."""

Scorer = Callable[[str], Mapping[str, float]]


class Match(Struct, frozen=True):
    """Why an entry was found: a word of the question, the word of the entry, and how they are alike."""

    word: str
    found: str
    by: str


class Found(Struct, frozen=True):
    """An entry with how well it answers, from 0 to 1 and above, and why it was found."""

    rule: Rule
    score: float
    why: tuple[Match, ...]


class _Term(Struct, frozen=True):
    """A stem looked for: its weight, the word of the question, and how it came from it."""

    stem: str
    weight: float
    word: str
    by: str

    @property
    def is_sure(self) -> bool:
        """Whether the word was meant, or is so nearly it that it must have been."""
        return self.by != SPELLING or self.weight >= _NEARLY


def found_json(found: Found) -> dict[str, object]:
    """How well an entry answers and why, for a program."""
    return {"score": found.score, "why": [{"word": one.word, "found": one.found, "by": one.by} for one in found.why]}


def why_words(found: Found) -> str:
    """Why an entry was found, for a reader: the words it has, and what stands in it for other words of the question."""
    return " · ".join(dict.fromkeys(_why_word(one) for one in found.why))


def _why_word(match: Match) -> str:
    if match.by == MEANING:
        return f"≈ {match.found}"
    return match.found if match.by == EXACT else f"{match.word} → {match.found}"


class RuleSearch:
    """The entries of a catalogue, ready to be searched. Made once; a search takes a few milliseconds."""

    def __init__(self, catalogue: Catalogue, meaning: Scorer | None = None) -> None:
        """`meaning` gives for a question how alike each entry's meaning is, by id from 0 to 1."""
        self.catalogue = catalogue
        self.meaning = meaning
        self.languages = [_Language(catalogue, language) for language in LANGUAGES]
        self.concepts = concepts_of(catalogue.package)

    def find(self, question: str, most: int = MOST) -> list[Found]:
        """The entries that answer best, the best first."""
        named = _named(self.catalogue, question)
        if named:
            return [Found(named, 1.0, (Match(question.strip(), named.id, EXACT),))]
        fits = self.concepts.fits(question) if self.concepts else {}
        if self._is_about_something_else(question, fits):
            return []
        by_language = [language.scores(question) for language in self.languages]
        best = max((score for found in by_language for score in found.values()), default=0.0) or 1.0
        likeness = self.meaning(question) if self.meaning else {}
        about = frozenset(cards_asked(self.catalogue.package, question))
        scores = {
            rule: max(found.get(rule.id, 0.0) for found in by_language) / best * _fitting(rule, question, about)
            + fits.get(rule.id, NO_FIT).score * (_BESIDE_CARDS if about else 1.0)
            + _by_meaning(likeness.get(rule.id, 0.0))
            for rule in self.catalogue.entries
        }
        if not any(map(_by_meaning, likeness.values())) and not self._is_spoken_of(question, scores, fits):
            return []
        order = sorted((rule for rule, score in scores.items() if score), key=lambda rule: -scores[rule])[:most]
        return [
            Found(rule, round(scores[rule], 4), self._why(rule, question, by_language, likeness, fits))
            for rule in order
        ]

    def _is_about_something_else(self, question: str, fits: Mapping[str, Fit]) -> bool:
        """Whether it is strange, and no rule answers it clearly: the stranger it is, the more a rule has to share."""
        if not self.concepts:
            return False
        unknown = all(language.is_strange(question, self.concepts.knows) for language in self.languages)
        strangeness = self.concepts.strangeness(question) + unknown
        clearest = max((fit.shared + fit.is_whole for fit in fits.values()), default=0)
        return 0 < strangeness > clearest - _CLEAR

    def _is_spoken_of(self, question: str, scores: Mapping[Rule, float], fits: Mapping[str, Fit]) -> bool:
        """Whether the entries that fit best speak of enough of the question to be an answer."""
        best = nlargest(_READ_FIRST, scores, key=scores.__getitem__)
        by_concepts = [fits.get(rule.id, NO_FIT) for rule in best]
        if any(fit.shared >= _CONCEPTS for fit in by_concepts):
            return True
        enough = _ONE_CONCEPT if any(fit.is_whole for fit in by_concepts) else _ENOUGH
        return any(one.share(question, rule.id) >= enough for rule in best for one in self.languages)

    def _why(
        self,
        rule: Rule,
        question: str,
        by_language: Sequence[Mapping[str, float]],
        likeness: Mapping[str, float],
        fits: Mapping[str, Fit],
    ) -> tuple[Match, ...]:
        at = max(range(len(by_language)), key=lambda number: by_language[number].get(rule.id, 0.0))
        by_words = self.languages[at].why(rule.id, question) if rule.id in by_language[at] else ()
        if not by_words:
            by_words = tuple(Match("", word, MEANING) for word in fits.get(rule.id, NO_FIT).words)
        alike = likeness.get(rule.id, 0.0)
        return (*by_words, Match("", f"{alike:.2f}", MEANING)) if _by_meaning(alike) else by_words


def _named(catalogue: Catalogue, question: str) -> Rule | None:
    """The entry whose id or number this is."""
    try:
        return catalogue[question.strip().casefold()]
    except UnknownRuleError:
        return None


def _fitting(rule: Rule, question: str, about: frozenset[str]) -> float:
    """An entry about other cards than those in question goes last; if none is named, general rules go first."""
    if rule.cards and about:
        return _OF_THESE_CARDS if about.intersection(rule.cards) else _OF_OTHER_CARDS
    return _OF_A_CARD if rule.cards and not _NUMBER.search(question) else 1.0


def _by_meaning(alike: float) -> float:
    """What likeness of meaning adds to a score."""
    return _BY_MEANING * max(0.0, alike - _LIKE)


class _Language:
    """The entries in one language: their stems, and how much each stem tells."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self.language = language
        self.stem = _stemmer(language)
        self.stop, self.synonyms = _vocabulary(catalogue.package, language, self.stem)
        has_asked = has_file(catalogue.package, language, "asked")
        self.asked = words(catalogue.package, language, "asked") if has_asked else {}
        """By entry the words in which players ask for it and which its statement does not have."""
        self.texts = {rule.id: self._text(catalogue, rule) for rule in catalogue.entries}
        self.counts = {id: self._counted(id, text) for id, text in self.texts.items()}
        self.mean = sum(sum(count.values()) for count in self.counts.values()) / max(1, len(self.counts))
        self.spread = Counter(stem for count in self.counts.values() for stem in count)

    def _text(self, catalogue: Catalogue, rule: Rule) -> str:
        """What an entry is searched by: its statement, the names of its cards, in English its id as well."""
        names = " ".join(_card_names(catalogue.package, self.language, rule))
        spoken = rule.id if self.language == "en" else ""
        return f"{spoken} {names} {_statement(catalogue, rule, self.language)}"

    def _counted(self, id: str, text: str) -> Mapping[str, float]:
        """How often an entry has each stem. A word in which it is asked for counts for a part."""
        asked = dict.fromkeys(map(self.stem, _words(self.asked.get(id, ""))), _ASKED)
        return {**asked, **Counter(self._stems(text))}

    def _stems(self, text: str) -> Iterator[str]:
        """The stems of a text, and each pair of them as they follow one another."""
        single = [self.stem(word) for word in _words(text) if folded(word) not in self.stop]
        yield from single
        yield from (f"{one} {other}" for one, other in pairwise(single))

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The words of all entries, folded, each with its stem."""
        texts = chain(self.texts.values(), self.asked.values())
        return {folded(word): self.stem(word) for text in texts for word in _words(text)}

    def scores(self, question: str) -> dict[str, float]:
        """How well each entry answers, by id; entries without a match are left out."""
        terms = list(self._terms(question))
        wanted = sum({term.word: self._tells(term.stem) for term in terms if " " not in term.stem}.values()) or 1.0
        found = ((id, self._score(count, terms, wanted)) for id, count in self.counts.items())
        return {id: score for id, score in found if score}

    def _terms(self, question: str) -> Iterator[_Term]:
        """What the words and the pairs of words of a question stand for; one that is said often stands for no more."""
        asked = [word for word in _words(question) if folded(word) not in self.stop]
        stems = [self.stem(word) for word in asked]
        for word, stem in dict(zip(asked, stems, strict=True)).items():
            yield from self._of_word(word, stem)
        for one, other in dict.fromkeys(pairwise(stems)):
            yield _Term(f"{one} {other}", 0.5, "", STEM)

    def _of_word(self, word: str, stem: str) -> Iterator[_Term]:
        """What a word of the question stands for: itself, the nearest known word, words that mean the same."""
        meant = stem
        if stem in self.spread:
            yield _Term(stem, _WEIGHTS[EXACT if folded(word) in self.known else STEM], word, STEM)
        elif stem not in self.synonyms and len(word) >= _SHORTEST_MISSPELT:
            near = extract(folded(word), self.known.keys(), scorer=ratio, limit=1, score_cutoff=_ALIKE)
            for like, alike, _ in near:
                meant = self.known[like]
                yield _Term(meant, _WEIGHTS[SPELLING] * alike / 100, word, SPELLING)
        for same in self.synonyms.get(meant, ()):
            yield _Term(same, _WEIGHTS[SYNONYM], word, SYNONYM)

    def _score(self, count: Mapping[str, float], terms: Iterable[_Term], wanted: float) -> float:
        """Okapi BM25, times the share of the question that the entry speaks of."""
        length = 1 - _LENGTH + _LENGTH * sum(count.values()) / self.mean
        best: dict[str, float] = {}
        told: dict[str, float] = {}
        for term in terms:
            if number := count.get(term.stem, 0):
                tells = self._tells(term.stem)
                gain = term.weight * tells * number * (1 + _SATURATION) / (number + _SATURATION * length)
                best[term.word or term.stem] = max(best.get(term.word or term.stem, 0.0), gain)
                if term.word:
                    told[term.word] = max(told.get(term.word, 0.0), term.weight * tells)
        return sum(best.values()) * (0.4 + 0.6 * min(1.0, sum(told.values()) / wanted))

    def _tells(self, stem: str) -> float:
        """How much a stem tells: much if few entries have it."""
        number = self.spread[stem]
        return log(1 + (len(self.counts) - number + 0.5) / (number + 0.5))

    def share(self, question: str, id: str) -> float:
        """How much of the question an entry speaks of, from 0 to 1. A word that no entry has tells most."""
        count = self.counts[id]
        unknown = log(1 + (len(self.counts) + 0.5) / 0.5)
        wanted = told = 0.0
        said = Counter(word for word in _words(question) if folded(word) not in self.stop)
        for word, times in said.items():
            terms = list(self._of_word(word, self.stem(word)))
            known = (self._tells(term.stem) for term in terms if term.is_sure)
            tells = max(known, default=unknown)
            fitting = (term for term in terms if term.stem in count)
            told += times * max((term.weight * min(tells, self._tells(term.stem)) for term in fitting), default=0.0)
            wanted += times * tells
        return told / wanted if wanted else 0.0

    def is_strange(self, question: str, knows: Callable[[str], bool]) -> bool:
        """Whether most of the longer words of a question are neither those of an entry, nor nearly, nor known."""
        said = {word for word in _words(question) if len(word) >= _SHORTEST_MISSPELT and folded(word) not in self.stop}
        strange = [
            word
            for word in said
            if not knows(folded(word)) and not any(term.is_sure for term in self._of_word(word, self.stem(word)))
        ]
        return len(strange) >= max(_FEWEST_STRANGE, _STRANGE * len(said))

    def why(self, id: str, question: str) -> tuple[Match, ...]:
        """The words by which an entry answers a question."""
        surface: dict[str, str] = {}
        for word in _words(f"{self.texts[id]} {self.asked.get(id, '')}"):
            surface.setdefault(self.stem(word), word)
        hits = (term for term in self._terms(question) if term.stem in surface)
        return tuple({term.word: _match(term, surface[term.stem]) for term in hits}.values())


def _match(term: _Term, found: str) -> Match:
    is_same = folded(term.word) == folded(found)
    return Match(term.word, found, EXACT if is_same else term.by)


def _statement(catalogue: Catalogue, rule: Rule, language: str) -> str:
    """The statement; empty where the game has none in that language."""
    try:
        return catalogue.statement(rule, language)
    except (KeyError, FileNotFoundError):
        return ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stemmer(language: str) -> Callable[[str], str]:
    name = _STEMMERS[language]
    module = import_module(f"snowballstemmer.{name}_stemmer")  # it takes a while to load, and few readers search
    stemmer = getattr(module, f"{name.title()}Stemmer")()
    return cache(lambda word: folded(cast(str, stemmer.stemWord(word))))


def _vocabulary(
    package: str, language: str, stem: Callable[[str], str]
) -> tuple[frozenset[str], Mapping[str, tuple[str, ...]]]:
    """Words that say nothing, folded; and for a stem the stems that mean the same, those of the game included."""
    stop: set[str] = set()
    same: dict[str, tuple[str, ...]] = {}
    for place in ("audit.core", package):
        if not has_file(place, language, "search"):
            continue
        for word, means in words(place, language, "search").items():
            if word == "stop":
                stop.update(folded(one) for one in means.split())
            else:
                stems = tuple(stem(one) for one in _words(means))
                for said in _words(word):
                    same[stem(said)] = (*same.get(stem(said), ()), *stems)
    return frozenset(stop), same


def _card_names(package: str, language: str, rule: Rule) -> Iterator[str]:
    """The names of the cards of an entry, word by word as they are called in that language."""
    names = words(package, language, "names") if has_file(package, language, "names") else {}
    called = {key.partition(".")[2]: name for key, name in names.items() if isinstance(name, str)}
    for card in rule.cards:
        family, _, number = card.rpartition("-")
        yield f"{called.get(family, family)} {number} {card}"
