"""CSV: linked passages as a table that a spreadsheet opens; UTF-8 with a byte order mark.

A spreadsheet saves it as its country does: with semicolons or tabs between the cells, in UTF-16, or in an encoding of
one byte a letter, which does not have the letters of all languages. All of these are read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from unicodedata import normalize

from audit.core.errors import AuditError
from audit.rulebooks.exports.entries import Entry, ExchangeError
from audit.rulebooks.exports.tmx import note_from
from audit.rulebooks.reading import decoded
from audit.rulebooks.report import defused

_FIXED = ("id", "rules", "notes")
_MARK = "\ufeff"
_SEPARATORS = (",", ";", "\t")
_TOLD = re.compile(r"\ufeff?\"?sep=.\"?\r?\n")
"""The first line of a table that only names the sign between its cells."""
_GUARDED = ("'=", "'+", "'-", "'@", "'\t", "'\r")


def write_csv(found: Iterable[Entry], languages: Sequence[str] = ("fr", "it", "pl")) -> bytes:
    """One row a unit; a cell that could be taken for a formula gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([*_FIXED[:2], *languages, _FIXED[2]])
    for entry in found:
        notes = "\n".join(f"{note.severity} {'-'.join(note.languages)}: {note.text}" for note in entry.notes)
        texts = [entry.texts.get(language, "") for language in languages]
        writer.writerow([defused(cell) for cell in (entry.id, " ".join(entry.rules), *texts, notes)])
    return (_MARK + out.getvalue()).encode()


def read_csv(data: bytes) -> list[Entry]:
    """The units of a table; raises `ExchangeError` if it is no text or has no column `id`."""
    text, _ = _text(data)
    separator = separator_of(text)
    if not separator:
        raise ExchangeError("CSV", "it has no column “id”")
    lines = io.StringIO(text, newline="")
    if _TOLD.match(text):
        lines.readline()
    rows = csv.DictReader(lines, delimiter=separator)
    return [_entry({key: _plain(value or "") for key, value in row.items() if key}) for row in rows]


def separator_of(text: str) -> str:
    """The sign between the cells of a table with a column `id`; empty where it is none."""
    head = _TOLD.sub("", text.removeprefix(_MARK)).lstrip("\r\n").split("\n", 1)[0].strip("\r")
    return next((sign for sign in _SEPARATORS if "id" in next(csv.reader([head], delimiter=sign), [])), "")


def narrow_encoding(data: bytes) -> str:
    """The encoding of one byte a letter that a table is in; empty for one that has all letters."""
    found = _text(data)[1]
    return found if found.startswith(("cp", "iso", "latin")) else ""


def widened(before: str, after: str, encoding: str) -> str:
    """A cell with the letters that its encoding does not have, as they were: what was not changed there is the same."""
    narrowed = max((_narrowed(before, encoding, plain) for plain in _PLAIN), key=lambda one: _likeness(one, after))
    parts = SequenceMatcher(None, narrowed, after, autojunk=False).get_opcodes()
    return "".join(before[a:b] if kind == "equal" else after[c:d] for kind, a, b, c, d in parts)


def _narrowed(text: str, encoding: str, plain: Callable[[str], str]) -> str:
    """The text as a spreadsheet writes it that has no other letters, each letter by one."""
    return "".join(letter if letter.encode(encoding, "ignore") else plain(letter) for letter in text)


def _unaccented(letter: str) -> str:
    found = normalize("NFKD", letter)[0]
    return found if found.isascii() else "?"


_PLAIN: tuple[Callable[[str], str], ...] = (lambda _: "?", _unaccented)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _text(data: bytes) -> tuple[str, str]:
    """The text of a table and its encoding; raises `ExchangeError` where it is none."""
    try:
        return decoded(data, "table.csv")[:2]
    except AuditError:
        raise ExchangeError("CSV", "it is no text in UTF-8, UTF-16 or an encoding of Windows") from None


def _entry(row: dict[str, str]) -> Entry:
    texts = {key: value for key, value in row.items() if key not in _FIXED and value}
    notes = tuple(note_from(line) for line in row.get("notes", "").split("\n") if line)
    return Entry(row["id"], tuple(row.get("rules", "").split()), texts, notes)


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith(_GUARDED) else cell
