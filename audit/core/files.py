"""Files that a package brings with it, and files that are kept: written whole or not at all.

`importlib.resources` finds them in archives as well, but to load it takes as long as thirty modules of ours.

What is written is on the disk when these return. Everything raises `OSError`, and then leaves what was there before.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def package_folder(package: str) -> Path:
    """The folder of that package."""
    return Path(import_module(package).__path__[0])


PATIENCE = 60.0
"""Seconds to wait for somebody else who writes in the same folder."""
_STEP = 0.01
_HAS_LOCKS = find_spec("fcntl") is not None
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other programs that ask for the same from writing in a folder meanwhile, where the system can.

    The folder itself is locked, so that no file is left behind, and a lock ends with its program. It is not reentrant.
    """
    if not _HAS_LOCKS:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        until = time.monotonic() + PATIENCE
        while not _is_locked(opened):
            if time.monotonic() > until:
                raise OSError(errno.EAGAIN, "somebody else is writing in this folder")
            time.sleep(_STEP)
        yield
    finally:
        os.close(opened)


def write_whole(path: Path, data: bytes, *, is_secret: bool = False) -> None:
    """Write a file beside its place and rename it, so that whoever reads finds the old file or the new one.

    It has the rights of the file before; one that `is_secret` is for its owner only. A device or a pipe is written to.
    """
    place = Path(os.path.realpath(path))
    before = _mode(place)
    if before is not None and not stat.S_ISREG(before):
        place.write_bytes(data)
        return
    rights = stat.S_IMODE(before) if before is not None and not is_secret else None
    with _beside(place, data, 0o600 if is_secret else 0o666, rights) as part:
        os.replace(part, place)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all; raises `FileExistsError`."""
    with _beside(path, data, 0o666) as part:
        try:
            os.link(part, path)
            part.unlink()
        except FileExistsError:
            raise
        except OSError:  # a file system without links, such as that of a memory stick
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK))
            os.replace(part, path)


@contextmanager
def _beside(place: Path, data: bytes, mode: int, rights: int | None = None) -> Iterator[Path]:
    """A file with this data beside a place, for who gives it its name; it is gone where that fails."""
    part = place.with_name(f".{place.name[:200]}.{os.urandom(8).hex()}.part")
    try:
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, mode)
        try:
            if rights is not None:
                os.fchmod(opened, rights)
            _put(opened, data)
        finally:
            os.close(opened)
        yield part
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    _sync_folder(place.parent)


def append_whole(path: Path, data: bytes) -> None:
    """Add bytes at the end of a file, all or none; it is made where there is none. For who is `alone_in` its folder."""
    before = _mode(path)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK, 0o666)
    try:
        size = os.fstat(opened).st_size
        try:
            _put(opened, data)
        finally:
            os.close(opened)
    except BaseException:
        with suppress(OSError):
            path.unlink() if before is None else os.truncate(path, size)
        raise
    if before is None:
        _sync_folder(path.parent)


def _put(opened: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(opened, rest) :]
    os.fsync(opened)


def _is_locked(opened: int) -> bool:
    """Whether the lock is ours now. On a file system without locks nobody is kept out."""
    import fcntl

    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut, where a folder can be synced."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
