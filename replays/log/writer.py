"""Writes a log, whole or event by event at its end. A log is only ever appended to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

import msgspec

from audit.core.files import write_new
from audit.core.model import LOG_VERSION, Event, Header
from audit.core.ruleset import ruleset
from replays.errors import ChangedError, LogError, Problem, SequenceError, UnwritableError
from replays.log.reader import open_log
from replays.log.strict_reader import Resolve

BRANCH = "branch_of"
"""Where the `meta` of a branch says which game it left, and after which event."""
_ENVELOPE = ("id", "at", "note", "note_for", "because")


def line_of(value: Event | Header) -> str:
    """The line of an event or header as a log has it: seq, type, the event's own fields, then the rest."""
    said = msgspec.to_builtins(value)
    if isinstance(value, Event):
        last = {name: said.pop(name) for name in _ENVELOPE if name in said}
        said = {"seq": said.pop("seq"), **said, **last}
    return json.dumps(said, ensure_ascii=False)


def write_log(path: str | Path, header: Header, events: Iterable[Event]) -> int:
    """Write a new log, whole or not at all, and return how many events it has.

    Raises `SequenceError` where their seqs do not follow, and `UnwritableError` where the file exists.
    """
    lines = [line_of(header)]
    for event in events:
        if event.seq != len(lines):
            raise SequenceError(str(path), len(lines), event.seq)
        lines.append(line_of(event))
    try:
        write_new(Path(path), "".join(f"{line}\n" for line in lines).encode())
    except OSError as problem:
        raise UnwritableError(str(path), problem.strerror or str(problem)) from None
    return len(lines) - 1


class LogWriter:
    """Appends to a log on disk, new (with `header`) or old (without).

    Each event is one write at the end of the file; with `fsync` it is on the disk before `append` returns.
    """

    def __init__(
        self,
        path: str | Path,
        header: Header | None = None,
        *,
        resolve: Resolve = ruleset,
        fsync: bool = False,
        drop_torn: bool = False,
    ) -> None:
        """Raises `LogError` where the log there is has problems, a torn last line among them.

        With `drop_torn` a torn last line is cut off first: it was never part of the log.
        """
        self.path = Path(path)
        self.next = 1
        """The seq of the next event."""
        self._fsync = fsync
        self._cut, missing_end = (None, False) if header else self._read(resolve, drop_torn)
        self._file = self._open(os.O_CREAT | os.O_EXCL if header else 0)
        if self._cut is not None:
            os.ftruncate(self._file, self._cut)
        self._size = os.fstat(self._file).st_size
        if header:
            self._write(line_of(header) + "\n")
        elif missing_end:
            self._write("\n")

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, event: Event) -> None:
        """Add an event. Raises `SequenceError` where its seq does not follow, `ChangedError` where others write."""
        if event.seq != self.next:
            raise SequenceError(str(self.path), self.next, event.seq)
        self._write(line_of(event) + "\n")
        self.next += 1

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read(self, resolve: Resolve, drop_torn: bool) -> tuple[int | None, bool]:
        log = open_log(self.path, resolve=resolve)
        if log.header.log != LOG_VERSION or log.is_lifted:
            raise LogError(log.name, (Problem(1, "log", f'"{LOG_VERSION}" to append to', "an older version"),))
        for _ in log.batches():
            pass
        self.next = log.events + 1
        if log.torn is None:
            return None, not log.finished
        if not drop_torn:
            raise LogError(log.name, (Problem(log.torn.line, "", "a whole last line", "one cut short"),))
        return self.path.stat().st_size - len(log.torn.text), False

    def _open(self, more: int) -> int:
        try:
            return os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | more, 0o644)
        except OSError as problem:
            raise UnwritableError(str(self.path), problem.strerror or str(problem)) from None

    def _write(self, line: str) -> None:
        data = line.encode()
        if os.fstat(self._file).st_size != self._size:
            raise ChangedError(str(self.path))
        try:
            if os.write(self._file, data) != len(data):
                raise OSError("no space left on the device")
            if self._fsync:
                os.fsync(self._file)
        except OSError as problem:
            os.ftruncate(self._file, self._size)
            raise UnwritableError(str(self.path), problem.strerror or str(problem)) from None
        self._size += len(data)
