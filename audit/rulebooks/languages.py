"""Which language a document is in, and the dictionary form of a word, where the optional programs are installed."""

from __future__ import annotations

import importlib
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from msgspec import Struct

from audit.rulebooks.errors import NoLanguageError, UnknownLanguageError, WrongLanguageError

CANDIDATES = ("de", "en", "es", "fr", "it", "pl", "pt")
SURE = 0.8
"""From here on the detector is believed against what was said."""

SAMPLE = 20_000
"""How many characters the detector reads."""


class Detected(Struct, frozen=True):
    """A language and how sure the detector is of it, from 0 to 1."""

    language: str
    confidence: float


class _Value(Protocol):
    value: float
    language: object


class _Detector(Protocol):
    def compute_language_confidence_values(self, text: str) -> list[_Value]: ...


def detected(text: str) -> Detected | None:
    """The language of a text; nothing when the detector is not installed."""
    detector = _detector()
    if detector is None:
        return None
    best = detector.compute_language_confidence_values(text[:SAMPLE])[0]
    code = str(getattr(getattr(best.language, "iso_code_639_1", None), "name", "")).lower()
    return Detected(code, best.value)


def settle_language(text: str, said: str, name: str) -> tuple[str, Detected | None]:
    """The language to go by; raises `WrongLanguageError` when the text plainly speaks another,
    `NoLanguageError` where no such language is known, `UnknownLanguageError` where none was said and none shows."""
    if said and not _is_language(said):
        raise NoLanguageError(name, said)
    found = detected(text)
    if not said:
        if found is None or found.confidence < SURE:
            raise UnknownLanguageError(name)
        return found.language, found
    if found and said in CANDIDATES and found.language != said and found.confidence >= SURE:
        raise WrongLanguageError(name, said, found.language, found.confidence)
    return said, found


def _is_language(code: str) -> bool:
    from babel import Locale, UnknownLocaleError

    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return False
    return True


@cache
def _detector() -> _Detector | None:
    try:
        library = importlib.import_module("lingua")
    except ImportError:
        return None
    codes = [library.IsoCode639_1.from_str(code) for code in CANDIDATES]
    builder = library.LanguageDetectorBuilder.from_iso_codes_639_1(*codes)
    return cast(_Detector, builder.build())


class _Simplemma(Protocol):
    def lemmatize(self, token: str, lang: str) -> str: ...


class _Morfeusz(Protocol):
    def analyse(self, text: str) -> list[tuple[int, int, tuple[str, str, str, list[str], list[str]]]]: ...


_ENDINGS = (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("ing", ""), ("ed", ""),
            ("es", ""), ("e", ""), ("s", ""))  # fmt: skip
_SHORTEST = 3
"""Letters that an ending leaves."""
_IRREGULAR = {"drew": "draw", "drawn": "draw", "took": "take", "taken": "take"}


@cache
def lemma(word: str, language: str) -> str:
    """The lemma of a word in lower case; empty if no lemmatiser for the language is installed."""
    if language == "pl":
        return _polish(word.casefold())
    if language == "en":
        return _english(word.casefold())
    tool = _simplemma()
    return tool.lemmatize(word, lang=language).casefold() if tool else ""


def _english(word: str) -> str:
    """The stem of an English word, which has few endings: a dictionary takes a fifth of a second to load."""
    word = _IRREGULAR.get(word, word)
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            stem = word[: -len(ending)] + instead
            return stem[:-1] if stem[-1:] == stem[-2:-1] and stem[-1:] not in "ls" else stem
    return word


def _polish(word: str) -> str:
    tool = _morfeusz()
    if tool is None:
        return ""
    readings = [reading[2][1].split(":")[0] for reading in tool.analyse(word)]
    return readings[0].casefold() if len(set(readings)) == 1 else ""


@cache
def _simplemma() -> _Simplemma | None:
    try:
        return cast(_Simplemma, import_module("simplemma"))
    except ImportError:
        return None


@cache
def _morfeusz() -> _Morfeusz | None:
    try:
        return cast(_Morfeusz, import_module("morfeusz2").Morfeusz())
    except ImportError:
        return None
