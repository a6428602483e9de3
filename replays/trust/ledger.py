"""A ledger is a list of JSON lines that only grows. Whoever adds to it names the version that they have seen.

The version is the number of lines. The first line is the header: its first key says what kind of ledger it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from audit.core.errors import AuditError
from audit.core.writing import alone_in, append_whole
from replays.errors import LogError, Problem, UnwritableError
from replays.files import UnreadableFileError, read_whole
from replays.log.canonical import canonical_object
from replays.log.lines import MAX_LINE_BYTES
from replays.log.strict_json import NotARecordError, parse

MAX_BYTES = 64_000_000
"""The most bytes that a ledger in a file has."""

T = TypeVar("T")


class LedgerConflictError(AuditError):
    """Somebody else has added to a ledger: the version that was expected, and the one that there is."""

    def __init__(self, name: str, expected: int, found: int) -> None:
        super().__init__(f"{name}: expected version {expected}, found version {found}; nothing was written")
        self.name = name
        self.expected = expected
        self.found = found


class UnknownLedgerError(AuditError):
    """There is no ledger of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no {name}")
        self.name = name


class Ledger(Protocol):
    """Lines that only grow."""

    name: str

    def lines(self) -> list[bytes]:
        """Every line with its end; none where nothing was written yet."""

    def append(self, lines: Sequence[bytes], expected: int, by: str) -> None:
        """Add lines to a ledger of so many; raises `LedgerConflictError`. `by` is whose word they are."""


class FileLedger:
    """A ledger in a file of its own."""

    def __init__(self, path: Path, name: str = "") -> None:
        """`name` is how messages call it, where its readers are not told of the path."""
        self.path = path
        self.name = name or str(path)

    def lines(self) -> list[bytes]:
        """Every line; raises `LogError` where the file cannot be read."""
        try:
            data = read_whole(self.path, MAX_BYTES)
        except FileNotFoundError:
            return []
        except UnreadableFileError as problem:
            raise misread(self.name, 0, "a file of lines", problem.reason) from None
        except OSError as problem:
            raise misread(self.name, 0, "a readable file", problem.strerror or str(problem)) from None
        return lines_of(data, self.name)

    def append(self, lines: Sequence[bytes], expected: int, by: str = "") -> None:
        """Add lines at the end of the file, all of them or none, while nobody else does; its folder is made first."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.path.parent):
                found = len(self.lines())
                if found != expected:
                    raise LedgerConflictError(self.name, expected, found)
                append_whole(self.path, b"".join(lines))
        except OSError as problem:
            raise UnwritableError(self.name, problem.strerror or str(problem)) from None


def misread(name: str, line: int, expected: str, found: str, field: str = "") -> LogError:
    """The error of a ledger that cannot be read: one clear line."""
    return LogError(name, (Problem(line, field, expected, found),))


def lines_of(data: bytes, name: str) -> list[bytes]:
    """The lines of a file, each with its end; raises `LogError` where the last is cut short."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else []
    if data and (not lines or not data.endswith(b"\n")):
        raise misread(name, len(lines), "lines that end in LF", "one that does not")
    return lines


def line_with(value: dict[str, object]) -> bytes:
    """A value as a line: canonical JSON, so that the same value is the same bytes. Raises `LogError`."""
    try:
        line = canonical_object(value) + b"\n"
    except NotARecordError as problem:
        raise misread("the entry", 0, problem.expected, problem.found) from None
    if len(line) > MAX_LINE_BYTES:
        raise misread("the entry", 0, f"at most {MAX_LINE_BYTES:,} bytes", f"{len(line):,}")
    return line


def read_line(line: bytes, kind: type[T], name: str, number: int) -> T:
    """The value of a line; raises `LogError` with the field that is wrong."""
    try:
        return msgspec.convert(parse(line.removesuffix(b"\n")), kind)
    except NotARecordError as problem:
        raise misread(name, number, problem.expected, problem.found) from None
    except msgspec.ValidationError as problem:
        said, _, field = str(problem).partition(" - at `$")
        raise misread(name, number, "what the entry may hold", said, field.strip("`.")) from None
