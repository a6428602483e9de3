"""A text that was not written as a score sheet becomes one: a record of choices, or a chat."""

from __future__ import annotations

from pathlib import Path

from audit.core.model import Header
from replays.errors import LogError, Problem, whole_file_error
from replays.files import read_whole
from replays.importing.chat import import_chat
from replays.importing.choices import header_of_record, import_choices
from replays.importing.clauses import Imported, TableNames, header_told
from replays.importing.questions import Asker

MAX_BYTES = 2_000_000
MAX_LINES = 50_000
GAME = "game "


def import_sheet(data: bytes, name: str, asker: Asker, players: str = "", usual_face: str = "") -> Imported:
    """The score sheet of a source. `players` is the first line of a sheet, where the source does not begin with it.

    Raises `LogError` for what is no text, is too large, or does not say who plays what.
    """
    lines = list(enumerate(_text(data, name).splitlines(), 1))
    lines = [(row, line) for row, line in lines if line.strip()]
    if len(lines) > MAX_LINES:
        raise whole_file_error(name, f"at most {MAX_LINES:,} lines", f"{len(lines):,}")
    first = lines[0][1].strip() if lines else ""
    is_record = first.startswith("{")
    header: Header | None = header_told(players, "the players") if players else None
    if header is None and is_record:
        header, lines = header_of_record(first, name), lines[1:]
    elif first.startswith(GAME):
        header, lines = header or header_told(first, name), lines[1:]
    if header is None:
        expected = "game, then the players and their protocols first (or apart, as the players)"
        raise LogError(name, (Problem(1, "column 1", expected, first[:40] or "nothing"),))
    table = TableNames(header, asker, usual_face)
    return (import_choices if is_record else import_chat)(lines, table)


def read_source(path: Path) -> bytes:
    """The bytes of a source; raises `LogError` and `UnreadableFileError` where it cannot be read."""
    try:
        return read_whole(path, MAX_BYTES)
    except OSError as error:
        raise whole_file_error(str(path), "a file", error.strerror or "none") from None


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise whole_file_error(name, f"at most {MAX_BYTES // 1_000_000} MB", "more")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise whole_file_error(name, "text in UTF-8", "something else") from None
