"""Reads a file that a translator sends back, and reports where it differs from the loaded rulebooks.

Nothing is taken over here; `returning.take_over` makes new editions of what was changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.sentences import sentence
from audit.rulebooks.errors import NothingToCompareError
from audit.rulebooks.exports import Entry, ExchangeError, entries
from audit.rulebooks.exports.csv import narrow_encoding, read_csv, separator_of, widened
from audit.rulebooks.exports.po import read_statements
from audit.rulebooks.exports.tbx import read_tbx
from audit.rulebooks.exports.tmx import read_tmx
from audit.rulebooks.exports.xliff import read_xliff
from audit.rulebooks.matrix import is_of_a_pair
from audit.rulebooks.terms import TermBase
from replays.files import open_plain
from replays.rulebooks.own_words import BETWEEN, own_statements
from replays.rulebooks.translation_qa import TranslationQA

MAX_BYTES = 20_000_000
"""The most bytes read of a translator's file."""

NO_LANGUAGE = "no-language"
"""The code of a PO file whose language somebody has to choose."""

_START = 4096
_PO_LANGUAGE = re.compile(rb'(?:"|\\n)Language:[ \t]*([A-Za-z]{2,3})\b')
_XLIFF_SOURCE = re.compile(r"(?:srcLang|source-language)\s*=\s*[\"']([A-Za-z-]+)")
_MARKS = (("tmx", "<tmx"), ("xliff", "<xliff"), ("tbx", "<tbx"), ("po", "msgid"))
_LANGUAGES = ("en", "fr", "it", "pl")


class UnknownExchangeError(AuditError):
    """A file is in none of the formats that translators exchange, or cannot be read at all."""

    def __init__(self, name: str, code: str, **places: object) -> None:
        """`code` is a key of the language files `exchange.toml`, `places` what stands in its places."""
        said = sentence("replays", "en", code, places, "exchange")
        advice = " with --lang, such as --lang it" if code == NO_LANGUAGE else ""
        super().__init__(f"{name}: {said}{advice}")
        self.name = name
        self.code = code
        self.places = places

    def said(self, language: str) -> str:
        """What is wrong, in words."""
        return f"{self.name}: {sentence('replays', language, self.code, self.places, 'exchange')}"


class ChangeStatus(StrEnum):
    """How a unit of the file stands to what is loaded."""

    SAME = "same"
    CHANGED = "changed"
    NEW = "new"
    """The file has a unit or a language of it that is not loaded."""
    GONE = "gone"
    """Loaded, and not in the file, though the file has that language."""

    def said(self, language: str) -> str:
        """The same in words."""
        return sentence("replays", language, f"state.{self}", {}, "exchange")


class ExchangeChange(Struct, frozen=True):
    """One text of one unit: what is loaded and what the file says."""

    id: str
    language: str
    state: ChangeStatus
    before: str = ""
    after: str = ""


class Exchange(Struct, frozen=True):
    """A file compared with what is loaded: its format, and all its units in the order in which they are loaded."""

    name: str
    format: str
    changes: tuple[ExchangeChange, ...]

    def counts(self) -> Counter[ChangeStatus]:
        """How many texts stand how."""
        return Counter(change.state for change in self.changes)


def compared_file(path: Path, qa: TranslationQA, language: str = "") -> Exchange:
    """What a translator's file says against the loaded rulebooks; raises `UnknownExchangeError`, `ExchangeError` or
    `NothingToCompareError`."""
    try:
        with open_plain(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnknownExchangeError(path.name, "unreadable", why=error.strerror or error) from None
    return compared(data, path.name, qa, language)


def compared(data: bytes, name: str, qa: TranslationQA, language: str = "") -> Exchange:
    """The same from bytes; `language` is that of a PO file whose header does not say it."""
    form = format_of(data, name)
    if form != "po" and not qa.is_translated:
        raise NothingToCompareError(qa.game, list(qa.catalogue.documents))
    if form == "tbx":
        return Exchange(name, form, tuple(_against(_terms(qa.base), _terms(read_tbx(data)))))
    if form == "po":
        return Exchange(name, form, tuple(_against(_own(qa), [*_statements(data, name, language)])))
    there = _READERS[form](data)
    if not any(entry.texts for entry in there):
        raise UnknownExchangeError(name, "no-text", format=form.upper())
    loaded = entries(qa.exchanged())
    if form == "csv" and (encoding := narrow_encoding(data)):
        there = _widened(loaded, there, encoding)
    return Exchange(name, form, tuple(_against(_exported(form, loaded, data), there)))


def format_of(data: bytes, name: str) -> str:
    """tbx, tmx, xliff, po or csv, by what is in the file; raises `UnknownExchangeError`."""
    if len(data) > MAX_BYTES:
        raise UnknownExchangeError(name, "too-large", limit=MAX_BYTES // 1_000_000)
    if not data.strip():
        raise UnknownExchangeError(name, "empty")
    start = _beginning(data)
    for form, mark in _MARKS:
        if mark in start:
            return form
    if separator_of(start):
        return "csv"
    raise UnknownExchangeError(name, "no-format")


def _beginning(data: bytes) -> str:
    """The beginning of a file as text, as far as it is one."""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data[:_START].decode("utf-16" if is_wide else "utf-8", "ignore")


def exchange_lines(found: Exchange, language: str = "en") -> Iterator[str]:
    """For a terminal: the counts, then every text that is not the same, old above new."""
    counts = found.counts()
    told = ", ".join(f"{counts[state]} {state.said(language)}" for state in ChangeStatus)
    yield f"{found.name}: {found.format}, {told}"
    for change in found.changes:
        if change.state is not ChangeStatus.SAME:
            yield f"{change.state.said(language)}  {change.id}  [{change.language}]"
            yield from (f"  {mark} {text}" for mark, text in (("-", change.before), ("+", change.after)) if text)


class ExchangeTold(TypedDict):
    """A translator's file against what is loaded: how many texts stand how, and all of them."""

    name: str
    format: str
    counts: Mapping[ChangeStatus, int]
    units: Sequence[ExchangeChange]


def exchange_json(found: Exchange) -> ExchangeTold:
    """For programs: format, counts, and all texts with their state."""
    counts = found.counts()
    return {
        "name": found.name, "format": found.format, "counts": {state: counts[state] for state in ChangeStatus},
        "units": msgspec.to_builtins(found.changes),
    }  # fmt: skip


def _against(before: Sequence[Entry], after: Sequence[Entry]) -> Iterator[ExchangeChange]:
    """Every text of both, those that are loaded first; a language the file does not have is not missed in it.

    Nor is a unit of two languages of which the file has one.
    """
    given = {entry.id: entry for entry in after}
    spoken = {language for entry in after for language in entry.texts}
    for entry in before:
        if is_of_a_pair(entry.id) and entry.id not in given and not entry.texts.keys() <= spoken:
            continue
        there: Mapping[str, str] = given[entry.id].texts if entry.id in given else {}
        for language in dict.fromkeys([*entry.texts, *there]):
            if language in spoken:
                yield _change(entry.id, language, entry.texts.get(language, ""), there.get(language, ""))
    known = {entry.id for entry in before}
    for entry in after:
        if entry.id not in known:
            yield from (_change(entry.id, language, "", text) for language, text in entry.texts.items())


def _change(id: str, language: str, before: str, after: str) -> ExchangeChange:
    if before == after:
        return ExchangeChange(id, language, ChangeStatus.SAME, before, after)
    state = ChangeStatus.NEW if not before else ChangeStatus.GONE if not after else ChangeStatus.CHANGED
    return ExchangeChange(id, language, state, before, after)


def _exported(form: str, found: Sequence[Entry], data: bytes) -> Sequence[Entry]:
    """The units that such a file has when it is written: XLIFF has those of its source language only."""
    source = _XLIFF_SOURCE.search(_beginning(data)) if form == "xliff" else None
    return [entry for entry in found if source[1] in entry.texts] if source else found


def _widened(loaded: Iterable[Entry], found: Iterable[Entry], encoding: str) -> list[Entry]:
    """The units of a table with the letters that its encoding does not have, as the loaded documents have them."""
    known = {entry.id: entry.texts for entry in loaded}
    return [
        replace(
            entry,
            texts={
                code: widened(before, text, encoding) if (before := known.get(entry.id, {}).get(code, "")) else text
                for code, text in entry.texts.items()
            },
        )
        for entry in found
    ]


def _terms(base: TermBase) -> list[Entry]:
    """Each concept as a unit: the preferred term and the admitted ones."""
    return [
        Entry(id, (), {code: BETWEEN.join(said) for code in _LANGUAGES if (said := base.words(id, code))})
        for id in base.concepts
    ]


def _own(qa: TranslationQA) -> list[Entry]:
    """The statements of the catalogue in each language it has them in."""
    statements = {code: own_statements(qa.game, qa.catalogue, code) for code in _LANGUAGES}
    return [
        Entry(rule.id, (rule.id,), {code: said[rule.id] for code, said in statements.items()}) for rule in qa.catalogue
    ]


def _statements(data: bytes, name: str, language: str) -> Iterable[Entry]:
    code = language or _language_of(data)
    if not code:
        raise UnknownExchangeError(name, NO_LANGUAGE)
    return [Entry(rule, (rule,), {code: text}) for rule, text in read_statements(data).items()]


def _language_of(data: bytes) -> str:
    """The language that the header of a PO file says; comments and the name of a team say none."""
    found = _PO_LANGUAGE.search(data[:_START])
    return found[1].decode().lower() if found else ""


_READERS: Mapping[str, Callable[[bytes], list[Entry]]] = {"tmx": read_tmx, "xliff": read_xliff, "csv": read_csv}

__all__ = [
    "ChangeStatus",
    "Exchange",
    "ExchangeChange",
    "ExchangeError",
    "UnknownExchangeError",
    "compared",
    "compared_file",
    "exchange_json",
    "exchange_lines",
    "format_of",
]  # fmt: skip
