"""Tables of what scans of a language get wrong."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable
from functools import cache, cached_property

import msgspec
from msgspec import Struct

from audit.core.package_files import package_folder

Known = Callable[[str], bool]


class Letter(Struct, frozen=True, forbid_unknown_fields=True):
    """Letters read as others: what is read, what may have stood there, and how unlikely that is."""

    read: str
    shown: tuple[str, ...]
    cost: float


class Context(Struct, frozen=True, forbid_unknown_fields=True):
    """A word that is right by itself and wrong beside its neighbour, in small letters."""

    word: str
    shown: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class SignRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern in a line as read, what it is replaced by, and the name of the rule."""

    pattern: str
    shown: str
    by: str


class LetterTable(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """What is known of scans in one language."""

    impossible: str
    mark: tuple[SignRule, ...]
    letter: tuple[Letter, ...]
    context: tuple[Context, ...]
    word: dict[str, str]
    keep: tuple[str, ...] = ()
    language: str = ""
    analyser: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Word forms that rulebooks use, in small letters."""
        path = package_folder("audit.rulebooks.scans").joinpath(f"{self.language}-words.txt")
        return frozenset(path.read_text("utf-8").split())

    @cached_property
    def letters(self) -> dict[str, tuple[tuple[str, float], ...]]:
        """Each reading with what may have stood there."""
        return {
            entry.read: tuple((shown, entry.cost) for shown in entry.shown) for entry in self.letter
        }  # fmt: skip

    @cached_property
    def known(self) -> Known:
        """Whether the dictionary has a word form; with none installed, whether the word list has it."""
        lookup = _dictionary(self.analyser)
        return lambda word: word in self.words or lookup(word)


@cache
def table(language: str) -> LetterTable:
    """The table of a language; raises `FileNotFoundError` when there is none."""
    path = package_folder("audit.rulebooks.scans").joinpath(f"{language}.toml")
    return msgspec.convert({"language": language, **tomllib.loads(path.read_text("utf-8"))}, LetterTable)


def _dictionary(name: str) -> Known:
    if name != "morfeusz2":
        return lambda word: False
    try:
        analyser = importlib.import_module(name).Morfeusz(generate=False)
    except ImportError:
        return lambda word: False

    @cache
    def known(word: str) -> bool:
        found = analyser.analyse(word)
        whole = {(start, end) for start, end, _ in found} == {(0, 1)}
        return whole and any(reading[2] != "ign" for _, _, reading in found)

    return known
