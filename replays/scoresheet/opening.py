"""Opens a log to be judged. A score sheet is read as the log that it stands for; what reads it is loaded only then."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from replays.errors import whole_file_error
from replays.judging.replay import with_edition
from replays.log.lines import BLANK, Lines
from replays.log.reader import Log, open_log

_SHEET = (b"game ", b"#")
"""How a score sheet begins: with its players, or with a comment."""
MAX_HEAD = 4096
"""Bytes that are read to see whether a text is a score sheet."""


def is_sheet(head: bytes) -> bool:
    """Whether a file that begins so is read as a score sheet."""
    return head.lstrip(BLANK).startswith(_SHEET)


def is_sheet_alone(head: bytes) -> bool:
    """Whether a text that begins so is a score sheet where nobody says so: no note, and no chat.

    Its first line that is no comment says who plays, and behind it is no line of a chat: `[20:01] Ada: …`.
    """
    said = (line for line in head.lstrip(BLANK).splitlines() if line.strip() and not line.lstrip().startswith(b"#"))
    return is_sheet(next(said, b"")) and not next(said, b"").lstrip().startswith(b"[")


def sheet_or_log(source: str | Path | BinaryIO) -> Log:
    """The log of a path, of `-` or of a stream; that of a score sheet is read once. Raises `LogError`."""
    lines = Lines(source)
    return _of_sheet(lines) if is_sheet(lines.head()) else open_log(lines)


def opened(source: str | Path | BinaryIO, edition: str | None = None) -> Log:
    """The log of a path, of `-` or of a stream, with its setup checked, judged by that edition if any.

    A log that is made of a score sheet is read once. Raises `LogError` where neither can be read.
    """
    log = sheet_or_log(source)
    log.header = with_edition(log.header, edition)
    log.start()
    return log


def _of_sheet(lines: Lines) -> Log:
    from replays.log.writer import line_of
    from replays.scoresheet.sheet import read_any_sheet

    try:
        text = b"\n".join(lines.blocks()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise whole_file_error(lines.name, "text in UTF-8", "something else") from None
    header, events = read_any_sheet(text, lines.name)
    log = BytesIO("\n".join([line_of(header), *map(line_of, events), ""]).encode())
    log.name = lines.name
    return open_log(log)
