"""Restores scanned words by what scans of a language get wrong: each word alone, then with its neighbours."""

from __future__ import annotations

import heapq
import importlib
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import msgspec
from msgspec import Struct

from audit.core.files import package_folder
from audit.rulebooks.passages import Correction, Line

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


MAX_TRIED = 4000
MAX_CHANGED = 5.0
PREFER_LISTED = 2.0

_TOKEN = re.compile(r"\S+")
_CORE = re.compile(r"^([^\w$¢]*)(.*?)([^\w$¢]*)$")


@dataclass
class _Word:
    """One word in the making: its line, where it begins there, and its form between punctuation."""

    line: int
    lead: str
    read: str
    tail: str
    shown: str
    by: str = ""


def restored(raw: Sequence[str], table: LetterTable) -> list[Line]:
    """The lines with marks and words restored, each with its corrections in order."""
    marked = [_marked(number, text, table) for number, text in enumerate(raw, 1)]
    words = [list(_words(number, text)) for number, (text, _) in enumerate(marked, 1)]
    every = [word for line in words for word in line]
    likeliest = {read: best(read, table) for read in {word.read for word in every}}
    for word in every:
        word.shown, word.by = likeliest[word.read]
    _by_neighbours(every, table)
    return [
        Line(number, read, _shown(text, line), (*changes, *_corrections(line)))
        for number, (read, (text, changes), line) in enumerate(zip(raw, marked, words, strict=True), 1)
    ]  # fmt: skip


def best(read: str, table: LetterTable) -> tuple[str, str]:
    """The likeliest true form of one word and the rule that gave it, empty when nothing changed."""
    small = read.casefold()
    if small in table.word:
        return _cased(table.word[small], read), "word list"
    if not any(letter.isalpha() or letter in table.impossible for letter in read) or read in table.keep:
        return read, ""
    if small in table.words or (table.known(read) and not set(small) & set(table.impossible)):
        return read, ""
    found = min(_candidates(small, table), key=lambda entry: entry[1], default=None)
    return (_cased(found[0], read), "letters") if found else (read, "")


def _candidates(word: str, table: LetterTable) -> Iterator[tuple[str, float]]:
    """Known forms that could have been read as `word`, with their cost; a listed form is cheaper."""
    for shown, cost in _readings(word, table):
        if shown in table.words:
            yield shown, cost - PREFER_LISTED
        elif table.known(shown) or table.known(shown.capitalize()):
            yield shown, cost


def _readings(word: str, table: LetterTable) -> Iterator[tuple[str, float]]:
    """What may have stood on the paper, cheapest first."""
    heap = [(0.0, 0, "")]
    longest = max(map(len, table.letters))
    for _ in range(MAX_TRIED):
        if not heap:
            return
        cost, at, done = heapq.heappop(heap)
        if at == len(word):
            if not set(done) & set(table.impossible):
                yield done, cost
            continue
        heapq.heappush(heap, (cost, at + 1, done + word[at]))
        for length in range(1, min(longest, len(word) - at) + 1):
            for shown, extra in table.letters.get(word[at : at + length], ()):
                if cost + extra <= MAX_CHANGED:
                    heapq.heappush(heap, (cost + extra, at + length, done + shown))


def _by_neighbours(words: Sequence[_Word], table: LetterTable) -> None:
    rules: dict[str, list[Context]] = {}
    for entry in table.context:
        rules.setdefault(entry.word, []).append(entry)
    for index, word in enumerate(words):
        before = words[index - 1].shown.casefold() if index else ""
        after = words[index + 1].shown.casefold() if index + 1 < len(words) else ""
        for rule in rules.get(word.shown.casefold(), ()):
            if (not rule.before or before in rule.before) and (not rule.after or after in rule.after):
                word.shown, word.by = _cased(rule.shown, word.read), "neighbours"
                break


def _marked(number: int, text: str, table: LetterTable) -> tuple[str, tuple[Correction, ...]]:
    changes = []
    for mark in table.mark:
        for match in re.finditer(mark.pattern, text):
            changes.append(Correction(number, match.group().strip(), match.expand(mark.shown).strip(), mark.by))
        text = re.sub(mark.pattern, mark.shown, text)
    return text, tuple(changes)


def _words(number: int, text: str) -> Iterator[_Word]:
    for token in _TOKEN.findall(text):
        if match := _CORE.match(token):
            lead, core, tail = match.groups()
            yield _Word(number, lead, core, tail, core)


def _shown(text: str, words: Sequence[_Word]) -> str:
    whole = iter(words)
    return _TOKEN.sub(lambda _: _whole(next(whole)), text)


def _whole(word: _Word) -> str:
    return f"{word.lead}{word.shown}{word.tail}"


def _corrections(words: Sequence[_Word]) -> Iterator[Correction]:
    for word in words:
        if word.shown != word.read:
            yield Correction(word.line, word.read, word.shown, word.by)


def _cased(shown: str, read: str) -> str:
    if len(read) > 1 and read.isupper():
        return shown.upper()
    return shown[:1].upper() + shown[1:] if read[:1].isupper() else shown
