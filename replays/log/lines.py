"""Reads the lines of a file in blocks: memory stays constant however long the file or a line is."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from replays.errors import whole_file_error
from replays.files import is_given_pipe

BLOCK = 1 << 17
"""Bytes read at once. For a larger block the system prepares new memory each time, which takes longer than reading."""
MAX_LINE_BYTES = 1 << 20
"""Bytes in a line, at most. A longer one is cut to this and ends in a NUL, which no record can hold."""

BLANK = b"\xef\xbb\xbf \t\r\n"
"""What may stand before the first line that says something: white space, and the mark of UTF-8."""
STDIN = "-"
STREAM = "a path or a stream of bytes"

T = TypeVar("T")


class Lines:
    """A source of lines: a path, which can be read again and again, or a stream, which is read once."""

    def __init__(self, source: str | Path | BinaryIO) -> None:
        """`-` is standard input. Raises `LogError` where there is no such file or what is given is no source."""
        self.name = _name(source)
        self.unfinished = False
        """After reading: the last line has no end of line."""
        self._path: Path | None = None
        self._stream: BinaryIO | None = None
        self._head: list[bytes] = []
        self._is_spent = False
        if not isinstance(source, (str, Path)):
            if not hasattr(source, "read"):
                raise whole_file_error(self.name, STREAM, type(source).__name__)
            self._stream = source
        elif str(source) == STDIN:
            self._stream = sys.stdin.buffer
        elif stat.S_ISFIFO(mode := _mode(path := Path(source))) and is_given_pipe(path):
            self._stream = self._open(path)
        elif mode and not stat.S_ISREG(mode):
            raise whole_file_error(self.name, "a plain file", _kind(mode))
        else:
            self._path = path

    @property
    def path(self) -> Path | None:
        """Where the lines come from, or None for a stream."""
        return self._path

    def head(self) -> bytes:
        """The beginning of the source, with its first line that is not blank unless that is too long."""
        if self._path:
            with self._open(self._path) as file:
                return b"".join(_beginning(lambda: self._guarded(lambda: file.readline(MAX_LINE_BYTES + 2)), []))
        stream = cast(BinaryIO, self._stream)
        self._head = list(_beginning(lambda: self._read(stream), self._head))
        return b"".join(self._head)

    def batches(self) -> Iterator[list[bytes]]:
        """All lines without their ends, in lists, from the first line of the source."""
        return (block.split(b"\n") for block in self.blocks())

    def blocks(self) -> Iterator[bytes]:
        """All lines as text: so many whole lines as are at hand, without the end of the last of them."""
        self.unfinished = False
        if self._path:
            with self._open(self._path) as file:
                yield from self._cut(file, [])
        elif self._is_spent:
            raise whole_file_error(self.name, "a file, which can be read twice", "a stream that has been read")
        else:
            self._is_spent = True
            head, self._head = self._head, []
            yield from self._cut(cast(BinaryIO, self._stream), head)

    def _cut(self, file: BinaryIO, read: list[bytes]) -> Iterator[bytes]:
        rest = b""
        while block := read.pop(0) if read else self._read(file):
            first, last = block.find(b"\n"), block.rfind(b"\n")
            if first < 0:
                rest = _joined(rest, block)
                continue
            yield _joined(rest, block[:first]) + block[first:last] if rest else block[:last]
            rest = block[last + 1 :]
        if rest:
            self.unfinished = True
            yield rest

    def _read(self, file: BinaryIO) -> bytes:
        read = self._guarded(lambda: _some(file))
        if not isinstance(read, bytes):
            raise whole_file_error(self.name, STREAM, f"a stream of {type(read).__name__}")
        return read

    def _open(self, path: Path) -> BinaryIO:
        return self._guarded(lambda: path.open("rb"))

    def _guarded(self, act: Callable[[], T]) -> T:
        try:
            return act()
        except (OSError, ValueError) as problem:
            raise whole_file_error(self.name, "a readable file", _reason(problem)) from None


def _beginning(read: Callable[[], bytes], known: list[bytes]) -> Iterator[bytes]:
    """What is known and what is read, until a line that is not blank has come to its end."""
    yield from known
    said = b"".join(known)
    while b"\n" not in said.lstrip(BLANK) and len(said) <= MAX_LINE_BYTES and (more := read()):
        yield more
        said += more


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory"
    return "a named pipe, which - reads" if stat.S_ISFIFO(mode) else "a device or socket"


def _mode(path: Path) -> int:
    """What kind of file it is; 0 where that cannot be told, which opening it will say."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _some(file: BinaryIO) -> bytes:
    """A block, or less of it from a pipe that has no more just now: its reader need not wait."""
    return file.read1(BLOCK) if isinstance(file, BufferedReader) else file.read(BLOCK)


def _joined(rest: bytes, more: bytes) -> bytes:
    if len(rest) > MAX_LINE_BYTES:
        return rest
    line = rest + more
    return line if len(line) <= MAX_LINE_BYTES else line[:MAX_LINE_BYTES] + b"\0"


def _name(source: str | Path | BinaryIO) -> str:
    if isinstance(source, (str, Path)):
        return "standard input" if str(source) == STDIN else str(source)
    return str(getattr(source, "name", "input"))


def _reason(problem: Exception) -> str:
    if isinstance(problem, FileNotFoundError):
        return "no such file"
    return (problem.strerror or str(problem)) if isinstance(problem, OSError) else str(problem)
