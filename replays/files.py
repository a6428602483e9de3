"""Files of their owner alone, files read whole, logs of a folder, and a cache of what takes long to make.

What is read whole is never a device, a pipe or a file without end.
"""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import BinaryIO, TypeVar

from audit.core.errors import AuditError

OWNER_ONLY_FILE, OWNER_ONLY_FOLDER = 0o600, 0o700

MAX_BYTES = 256_000_000
"""More than any file that is kept here, and less than fills the memory."""


PIPES = ("/dev/fd", "/dev/stdin", "/proc/self/fd")
"""Where the pipes of this process are, as a shell gives them to a command: `<(…)`, /dev/stdin."""
ENDING = ".jsonl"
SHEET_ENDING = ".txt"
"""How the names of logs and of score sheets end."""
LEDGERS = (".notes.jsonl", ".case.jsonl")
"""How the names of files of notes and of cases end."""


class UnreadableFileError(AuditError):
    """A file that is not read: no plain file, or a longer one than is expected."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


def owners_folder(folder: Path) -> None:
    """Make a folder for its owner only, with the folders above it; raises `OSError`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=OWNER_ONLY_FOLDER, exist_ok=True)


def owners_file(file: Path) -> None:
    """Make an empty file for its owner only, or take the rights of others from one that is there."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY_FILE))
        return
    close_to_others(file)


def close_to_others(place: Path) -> None:
    """Take the rights of others from a file or folder of ours; leave one that belongs to somebody else as it is."""
    with suppress(OSError):
        mode = stat.S_IMODE(place.stat().st_mode)
        if mode & 0o077:
            place.chmod(mode & 0o700)


def is_given_pipe(path: str | Path) -> bool:
    """Whether that is a pipe of this process, as a shell gives it to a command."""
    return any(map(Path(path).is_relative_to, PIPES)) and stat.S_ISFIFO(os.stat(path).st_mode)


def open_plain(path: str | Path) -> BinaryIO:
    """A plain file, or a pipe that was given to this process; raises `UnreadableFileError` and `OSError`.

    It is opened without waiting, so that a pipe nobody writes to does not hold the reader up.
    """
    if is_given_pipe(path):
        return open(path, "rb")
    opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise UnreadableFileError(str(path), "not a plain file")
    return os.fdopen(opened, "rb")


def read_whole(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """The bytes of a plain file of at most so many bytes; raises `UnreadableFileError` and `OSError`."""
    with open_plain(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnreadableFileError(str(path), f"longer than {most:,} bytes")
    return data


def is_log(name: str) -> bool:
    """Whether a file of that name is a log."""
    return name.endswith(ENDING) and not name.endswith(LEDGERS)


def logs_in(folder: Path) -> list[Path]:
    """The logs of a folder, by name."""
    return sorted(path for path in folder.glob(f"*{ENDING}") if is_log(path.name))


def logs_below(folder: Path) -> list[Path]:
    """The logs of a folder and of the folders in it, by name; what begins with a dot is left out."""
    return [path for path in _below(folder, ENDING) if is_log(path.name)]


def sheets_below(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it that may be score sheets, by name; none that begins with a dot."""
    return _below(folder, SHEET_ENDING)


def _below(folder: Path, ending: str) -> list[Path]:
    found = folder.rglob(f"*{ending}")
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def sheets_in(folder: Path) -> list[Path]:
    """The files of a folder that may be score sheets, by name."""
    return sorted(folder.glob(f"*{SHEET_ENDING}"))


T = TypeVar("T")
CACHE_SIZE = 64
"""How many values are kept, where nobody says it."""


class Cache:
    """Cache of the values last asked for, each computed once; safe to share between threads."""

    def __init__(self, size: int = CACHE_SIZE) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of that key, made now if it is not kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]  # type: ignore[return-value]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value
