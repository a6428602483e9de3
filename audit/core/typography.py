"""How a language sets its signs; texts without accents or control characters. Language files have plain spaces.

French has a space before `;`, `:`, `!` and `?` and inside « ». No line is broken at it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

NO_BREAK = "\N{NO-BREAK SPACE}"
READ_NOT_SHOWN = frozenset({"asked", "card_nicknames", "card_texts", "concepts", "elsewhere", "search"})
"""Files whose words are looked for in what players write, and shown to nobody."""
_BLANK = re.compile("[ \u00a0\u202f](?=[;:!?»])|(?<=«)[ \u00a0\u202f]")
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
"""Letters that are no letter with an accent, and that people type without one all the same."""

W = TypeVar("W", bound=object)


def typeset(language: str, text: str) -> str:
    """A text with the spaces that its language has before and after signs."""
    return _BLANK.sub(NO_BREAK, text) if language == "fr" else text


def typeset_words(language: str, table: Mapping[str, W]) -> dict[str, W]:
    """The words of a language file, with their plural forms, set so."""
    return {key: _typeset(language, said) for key, said in table.items()} if language == "fr" else dict(table)


def _typeset(language: str, said: W) -> W:
    if isinstance(said, str):
        return typeset(language, said)  # type: ignore[return-value]
    if isinstance(said, dict):
        return {form: _typeset(language, each) for form, each in said.items()}  # type: ignore[return-value]
    return said


def colon(language: str) -> str:
    """A colon, with what the language sets before it."""
    return f"{NO_BREAK}:" if language == "fr" else ":"


def labelled(language: str, label: str, text: object) -> str:
    """A text behind its label."""
    return f"{label}{colon(language)} {text}"


def heading(language: str, label: str) -> str:
    """What stands over a list."""
    return f"{label}{colon(language)}"


@lru_cache(maxsize=20_000)
def folded(text: str) -> str:
    """A text as people type it who have neither capitals nor accents."""
    return without_accents(text.casefold())


def says_the_same(told: str, other: str) -> bool:
    """Whether two people wrote down the same sentence: capitals, accents, blanks and its full stop do not matter."""
    return told == other or _bare(told) == _bare(other)


def _bare(text: str) -> str:
    return " ".join(folded(text).rstrip(" .!").split())


def without_accents(text: str) -> str:
    """A text as somebody writes it whose keyboard has no accents."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join([letter for letter in plain if not unicodedata.combining(letter)])


_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def sanitize_text(text: str) -> str:
    """The text with a replacement character for each control character and each character that XML forbids.

    A log may call its players what it likes: nothing in it can drive a terminal, turn a line round or break a file.
    """
    return _UNSAFE.sub("\ufffd", text)
