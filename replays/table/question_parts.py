"""The parts of what is asked: people tell what lies on the table, and ask in one clause of several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, words
from audit.core.typography import folded
from replays.table.question_words import TOKEN, asks

MAX_PARTS = 8
"""No more clauses of a question are looked at."""
_SENTENCE = re.compile(r"[^.!?;:]+[.!?;:]*")


class Clause(Struct, frozen=True):
    """One part of a question, and all the rest, which tells of whom and what it speaks."""

    text: str
    rest: str = ""


def clauses(question: str) -> Iterator[Clause]:
    """The question as a whole; then its clauses that ask: the last of a sentence with a question mark comes first."""
    said = _fillers().sub(" ", question)
    yield Clause(said)
    asking: list[tuple[bool, int, str]] = []
    parts = [(part, sentence) for sentence in _SENTENCE.findall(said) for part in _breaks().split(sentence)]
    for number, (part, sentence) in enumerate(parts[-MAX_PARTS:]):
        is_asked = sentence.rstrip().endswith("?")
        if is_asked or any(map(asks, TOKEN.findall(part))):
            asking.append((is_asked, number, part))
    for _, number, part in sorted(asking, reverse=True) if len(parts) > 1 else ():
        others = [one for at, (one, _) in enumerate(parts[-MAX_PARTS:]) if at != number]
        if not any(turns(folded(word)) for word in TOKEN.findall(part)):
            yield Clause(part, " ".join(others))


def turns(word: str) -> bool:
    """Whether a word turns what is asked into something else in any language: `not`, `after`, `which`."""
    return word in _turning()


@cache
def _turning() -> frozenset[str]:
    told = (words("audit.core", language, "asking")["turning"] for language in LANGUAGES)
    return frozenset(word for each in told for word in TOKEN.findall(folded(str(each))))


@cache
def _breaks() -> re.Pattern[str]:
    """Where one clause ends and another begins: at a comma, or before a word such as `but`, in any language."""
    return re.compile(rf",\s|\b(?:{_any('breaks')})\b", re.IGNORECASE)


@cache
def _fillers() -> re.Pattern[str]:
    """Words that say nothing: `after all`, `by the way`."""
    return re.compile(rf"\b(?:{_any('fillers')})\b", re.IGNORECASE)


def _any(name: str) -> str:
    listed = [words("audit.core", language, "asking")[name] for language in LANGUAGES]
    return "|".join(re.escape(one.strip()) for each in listed for one in str(each).split("|"))
