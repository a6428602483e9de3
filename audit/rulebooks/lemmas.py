"""The dictionary form of a word, where a lemmatiser is installed; otherwise nothing."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast


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
