"""CSV: linked passages as a table that a spreadsheet opens; UTF-8 with a byte order mark."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from audit.rulebooks.exports.entries import Entry, ExchangeError
from audit.rulebooks.exports.tmx import note_from
from audit.rulebooks.report import defused

_FIXED = ("id", "rules", "notes")
_MARK = "\ufeff"
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
    """The units of a table; raises `ExchangeError` if it is not UTF-8 or has no column `id`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ExchangeError("CSV", "it is not UTF-8") from None
    rows = csv.DictReader(io.StringIO(text))
    if "id" not in (rows.fieldnames or ()):
        raise ExchangeError("CSV", "it has no column “id”")
    return [_entry({key: _plain(value or "") for key, value in row.items() if key}) for row in rows]


def _entry(row: dict[str, str]) -> Entry:
    texts = {key: value for key, value in row.items() if key not in _FIXED and value}
    notes = tuple(note_from(line) for line in row.get("notes", "").split("\n") if line)
    return Entry(row["id"], tuple(row.get("rules", "").split()), texts, notes)


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith(_GUARDED) else cell
