"""Checks on names: a card or protocol misspelt or left in another language, and a word that is forbidden for a term."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache

from audit.core.catalogue import LANGUAGES
from audit.core.catalogue import words as table
from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import TermBase

ALIKE = 0.75
"""From this likeness on a word is taken for a misspelling of a name."""
_NUMBERED = re.compile(r"\b([^\W\d_]{2,}) \d{1,2}\b")
_PROTOCOL = "protocol."


def misnamed(side: Side, package: str) -> Iterator[Difference]:
    """A word with a number that is no name of a card in this language, though nearly one or one of another language."""
    known = _names(package, side.language)
    for match in _NUMBERED.finditer(side.text):
        word = match[1]
        if word[0].isupper() and known and _bare(word) not in known and (name := _meant(word, package, side.language)):
            data = (("word", word), ("name", name))
            yield Difference(Kind.REFERENCE, "misnamed", Severity.MISLEADS, data, (match.span(1),))


def forbidden(side: Side, base: TermBase) -> Iterator[Difference]:
    """A word that the term base forbids for a concept."""
    for concept in base.concepts.values():
        term = concept.term(side.language)
        for word in term.never if term else ():
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", side.text, re.IGNORECASE):
                data = (("concept", concept.en), ("word", match[0]), ("term", term.term if term else ""))
                yield Difference(Kind.VARIANT, "forbidden", Severity.MISLEADS, data, (match.span(),))


def _meant(word: str, package: str, language: str) -> str:
    """The name in this language that a word is nearly, or that it is in another language; empty if there is none."""
    for other in LANGUAGES:
        if key := _names(package, other).get(_bare(word)):
            return _shown(package, language).get(key, "")
    known = _names(package, language)
    best = max(known, key=lambda name: _likeness(name, _bare(word)))
    return _shown(package, language)[known[best]] if _likeness(best, _bare(word)) >= ALIKE else ""


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _bare(word: str) -> str:
    """Without case and accents, which capitals often lack."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.casefold()) if letter.isalpha())


@cache
def _names(package: str, language: str) -> Mapping[str, str]:
    """The names of the protocols, bare, with their keys; none for a game or language without such names."""
    return {_bare(name): key for key, name in _shown(package, language).items()}


@cache
def _shown(package: str, language: str) -> Mapping[str, str]:
    try:
        listed = table(package, language, "names")
    except FileNotFoundError:
        return {}
    return {key: name for key, name in listed.items() if key.startswith(_PROTOCOL)}
