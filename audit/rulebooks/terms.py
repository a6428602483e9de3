"""The term base of a ruleset: one concept, its term in each language, and where the terms stand in a text.

Inflected forms are found by the forms listed with a term. A term without a list is found by its lemma, where a
lemmatiser is installed (simplemma for French and Italian, Morfeusz for Polish, both in the extra `rulebooks`).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.files import package_folder
from audit.rulebooks.checks.markers import MarkerMatch, Phrases
from audit.rulebooks.languages import lemma

PART_OF_TURN = "part of the turn"
"""The family of the phases: a list of them has an order."""
TERM = "term"


class TermError(AuditError):
    """A term base cannot be read: which entry, and what is wrong with it."""

    def __init__(self, concept: str, why: str) -> None:
        super().__init__(f"term base, {concept or 'file'}: {why}")
        self.concept = concept
        self.why = why


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The word of one language: the preferred term, others beside it, forms to look for, words never to use."""

    term: str
    also: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class Concept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"source": "from"}):
    """One thing of the game, or an action. `family` is the set of concepts that a slip would confuse with it."""

    en: str
    family: str = ""
    action: bool = False
    source: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    fr: Term | None = None
    it: Term | None = None
    pl: Term | None = None

    def term(self, language: str) -> Term | None:
        """Its term in a language; English has its working term."""
        if language == "en":
            return Term(self.en)
        found = getattr(self, language, None)
        return found if isinstance(found, Term) else None


class TermBase:
    """All concepts by id, in the order of the file."""

    def __init__(self, concepts: Mapping[str, Concept]) -> None:
        """`concepts` by id."""
        self.concepts = dict(concepts)
        self._phrases: dict[str, Phrases] = {}
        self._lemmas: dict[str, dict[str, str]] = {}
        self._found: dict[tuple[str, str], tuple[MarkerMatch, ...]] = {}

    def __len__(self) -> int:
        return len(self.concepts)

    def __getitem__(self, id: str) -> Concept:
        return self.concepts[id]

    def family(self, id: str) -> str:
        """The family of a concept; a concept without one is a family of its own."""
        return self.concepts[id].family or id

    def marks(self, text: str, language: str) -> tuple[MarkerMatch, ...]:
        """Where terms stand in a text; `marker` is the concept's id."""
        if (text, language) not in self._found:
            self._found[text, language] = self._marks(text, language)
        return self._found[text, language]

    def _marks(self, text: str, language: str) -> tuple[MarkerMatch, ...]:
        if language not in self._phrases:
            self._phrases[language] = Phrases(TERM, self._listed(language))
        found = list(self._phrases[language].found(text))
        return tuple(sorted([*found, *self._by_lemma(text, language, found)]))

    def words(self, id: str, language: str) -> tuple[str, ...]:
        """The preferred term of a concept and the others found beside it."""
        term = self.concepts[id].term(language)
        return (term.term, *term.also) if term else ()

    def with_words(self, language: str, words: Mapping[str, Sequence[str]]) -> TermBase:
        """The same base with other words in a language, by concept: the preferred term, then those beside it."""
        changed = {id: said for id, said in words.items() if said and tuple(said) != self.words(id, language)}
        made = {id: _reworded(self.concepts[id], language, said) for id, said in changed.items()}
        return TermBase({**self.concepts, **made}) if made else self

    def _listed(self, language: str) -> Iterable[tuple[str, str]]:
        for id, concept in self.concepts.items():
            if term := concept.term(language):
                yield from ((id, form) for form in term.forms or (term.term, *term.also))

    def _by_lemma(self, text: str, language: str, taken: Iterable[MarkerMatch]) -> Iterable[MarkerMatch]:
        known = self._single_words(language)
        if not known:
            return
        spans = [(mark.start, mark.end) for mark in taken]
        for match in re.finditer(r"\w+", text):
            if any(start < match.end() and match.start() < end for start, end in spans):
                continue
            word = match.group()
            concept = known.get(lemma(word, language)) if word[0].islower() else None
            if concept:
                yield MarkerMatch(match.start(), match.end(), TERM, concept, word)

    def _unlisted(self, id: str, language: str) -> tuple[str, ...]:
        term = self.concepts[id].term(language)
        return self.words(id, language) if term and not term.forms else ()

    def _single_words(self, language: str) -> dict[str, str]:
        """Lemma to concept for terms of one word; a lemma that two concepts share says nothing."""
        if language not in self._lemmas:
            pairs = [
                (lemma(words[0], language), id)
                for id in self.concepts
                if (words := self._unlisted(id, language)) and re.fullmatch(r"[^\W\d_A-Z]+", words[0])
            ]
            counts = Counter(key for key, _ in pairs)
            self._lemmas[language] = {key: id for key, id in pairs if key and counts[key] == 1}
        return self._lemmas[language]


def _reworded(concept: Concept, language: str, said: Sequence[str]) -> Concept:
    before = concept.term(language) or Term("")
    if language == "en":
        return replace(concept, en=said[0])
    forms = tuple(dict.fromkeys((*before.forms, *said))) if before.forms else ()
    return replace(concept, **{language: replace(before, term=said[0], also=tuple(said[1:]), forms=forms)})


def has_terms(package: str) -> bool:
    """Whether a ruleset has a term base."""
    return package_folder(package).joinpath("terms.toml").is_file()


@cache
def term_base(package: str) -> TermBase:
    """The term base of a ruleset, from its `terms.toml`; an empty one where it has none."""
    return parse_terms(package_folder(package).joinpath("terms.toml").read_text("utf-8") if has_terms(package) else "")


def parse_terms(text: str) -> TermBase:
    """A term base from TOML; raises `TermError` with the entry that cannot be read."""
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TermError("", str(error)) from None
    concepts = {}
    for id, entry in read.items():
        try:
            concepts[id] = msgspec.convert(entry, Concept)
        except msgspec.ValidationError as error:
            raise TermError(id, str(error)) from None
    return TermBase(concepts)
