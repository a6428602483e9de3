"""Restores scanned words: first each word alone, then those that depend on their neighbours."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.rulebooks.passages import Correction, Line
from audit.rulebooks.scans.tables import Context, Known, LetterTable

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
        elif _is_known(shown, table.known):
            yield shown, cost


def _is_known(word: str, known: Known) -> bool:
    return known(word) or known(word.capitalize())


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
