"""The words of questions: their forms, endings and slips, and what they stand for in the languages of the rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache

from rapidfuzz.fuzz import ratio

from audit.core.catalogue import LANGUAGES, words
from audit.core.names import small_words
from audit.core.ruleset import Ruleset
from audit.core.sentences import has_file
from audit.core.typography import folded

TOKEN = re.compile(r"[^\W\d_]+|\d+")
_PLACE = re.compile(r"\{\w+\}")
_PLAYER = r"(\S+(?: \d+)?)"
MISSPELT, SHORTEST_MISSPELT = 80, 5
"""How much alike, in per cent, two words are of which one is misspelt, and how long they are at least."""
BEGUN, SHORTEST_BEGIN, LONGEST_END = 0.5, 3, 3
"""Two forms of a word begin alike: so much of the longer, or all of the shorter but for an ending."""
FEW_TYPES = 3
"""A word that stands in the sentences of more types of events does not tell which is meant."""
ORDINAL = "ordinal_"
NAME_ENDINGS = frozenset(["a", "e", "y", "i", "o", "u", "ie", "zie", "owi", "em", "iem", "im", "s"])
"""How Polish and English names end in a sentence."""
SEAT, CARD = "\u0001seat:", "\u0001card:"
"""What stands before a seat and a card among the words of a question or sentence."""


def says_the_same(asked: str, said: str, others: Mapping[str, frozenset[str]], *, may_slip: bool) -> bool:
    """Whether two words of a question and a sentence mean the same: forms of one word, or other words for it."""
    if asked.startswith((SEAT, CARD)) or said.startswith((SEAT, CARD)) or asked.isdecimal() or said.isdecimal():
        return False
    if asked in others.get(said, ()) or _is_inflected(said, asked):
        return True
    return may_slip and _is_misspelt(said, asked)


@lru_cache(maxsize=32_768)
def _is_inflected(word: str, other: str) -> bool:
    """Whether two words begin alike, as the forms of one word do."""
    short, long = sorted((word, other), key=len)
    if len(short) > 1 and long.startswith(short) and len(long) - len(short) <= LONGEST_END:
        return True
    begin = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return begin >= max(SHORTEST_BEGIN, BEGUN * len(long))


def is_ended(name: str, word: str) -> bool:
    """Whether a word is a name with one of the endings of names."""
    stem = name[:-1] if name.endswith("a") else name
    return len(stem) > 1 and word.startswith(stem) and word.removeprefix(stem) in NAME_ENDINGS


def _is_misspelt(word: str, other: str) -> bool:
    return min(len(word), len(other)) >= SHORTEST_MISSPELT and ratio(word, other) >= MISSPELT


def is_name(word: str, other: str, *, is_typed: bool, may_slip: bool) -> bool:
    """Whether a word of a name is that one; where people type it, with an ending, and with a slip where one may be."""
    if word == other:
        return True
    if not is_typed or word.isdecimal() or other.isdecimal() or min(len(word), len(other)) < SHORTEST_BEGIN:
        return False
    return is_ended(word, other) or (may_slip and _is_misspelt(word, other))


@cache
def asking_words(language: str) -> frozenset[str]:
    """The words of a language by which one asks."""
    return _listed(language, "asks")


@cache
def words_beside(language: str) -> frozenset[str]:
    """The words of a language that say nothing of an event by themselves."""
    return asking_words(language) | _listed(language, "beside") | small_words(language)


def _listed(language: str, name: str) -> frozenset[str]:
    return frozenset(TOKEN.findall(folded(words("audit.core", language, "asking")[name])))


def has_question_mark(line: str) -> bool:
    """Whether a line is a question by its last sign."""
    return line.rstrip().endswith("?")


def asks(word: str) -> bool:
    """Whether one asks by that word, in any language."""
    return any(folded(word) in asking_words(language) for language in LANGUAGES)


def asks_of_the_moment(line: str, seats: Collection[str]) -> bool:
    """Whether a question is what a player may do now, or whose turn it is, in any language: it speaks of no event.

    The line calls players by their seats, or by words such as "she".
    """
    asked = _moments().fullmatch(" ".join(TOKEN.findall(folded(line))))
    who = next(filter(None, asked.groups()), "").replace(" ", "") if asked else ""
    is_player = not who or who in map(folded, seats) or any(who in words_beside(one) for one in LANGUAGES)
    return asked is not None and is_player


@cache
def _moments() -> re.Pattern[str]:
    said = (one for language in LANGUAGES for one in words("audit.core", language, "asking")["moment"].split("|"))
    parts = (re.findall(rf"\*|{TOKEN.pattern}", folded(one)) for one in said)
    return re.compile("|".join(" ".join(part.replace("*", _PLAYER) for part in some) for some in parts))


@cache
def number_words() -> Mapping[str, str]:
    """Numbers and ordinals that are written in letters, and say nothing else in any language."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for number, said in words("audit.core", language, "numbers").items():
            found.update({folded(word): number for word in said.split()})
        for key, said in words("audit.core", language, "asking").items():
            if key.startswith(ORDINAL):
                found.update({folded(word): key.removeprefix(ORDINAL) for word in said.split()})
    return {word: number for word, number in found.items() if not any(word in words_beside(one) for one in LANGUAGES)}


@cache
def telling_words(game: Ruleset[object], language: str) -> frozenset[str]:
    """The words by which the sentences of a few types of events are told from all others, such as their verbs."""
    types: dict[str, set[str]] = {}
    for kind, word in _words_said(game, language):
        if kind in game.rules.types:
            types.setdefault(word, set()).add(kind)
    return frozenset(
        word for word, kinds in types.items() if len(kinds) <= FEW_TYPES and word not in words_beside(language)
    )


@cache
def event_words(game: Ruleset[object], language: str) -> frozenset[str]:
    """All words of the sentences about events, and those that people use for them."""
    return frozenset(word for _, word in _words_said(game, language)).union(*other_words(game, language).values())


def _words_said(game: Ruleset[object], language: str) -> Iterator[tuple[str, str]]:
    """Each word of the sentences of a game, and what its sentence is about."""
    for key, told in words(game.catalogue.package, language, "sentences").items():
        for form in [told] if isinstance(told, str) else told.values():
            yield from ((key.partition(".")[0], word) for word in TOKEN.findall(folded(_PLACE.sub(" ", form))))


@cache
def other_words(game: Ruleset[object], language: str) -> Mapping[str, frozenset[str]]:
    """Other words that people use for a word of the sentences of a game."""
    package = game.catalogue.package
    if not has_file(package, language, "asking"):
        return {}
    told = words(package, language, "asking")
    return {folded(word): frozenset(map(folded, said.split())) for word, said in told.items()}
