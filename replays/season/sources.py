"""Where the games of a season come from: files, folders, archives, and the store."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec import Struct

from audit.core.errors import AuditError
from replays.errors import LogError, whole_file_error
from replays.files import ENDING, SHEET_ENDING, UnreadableFileError, is_log, logs_below, open_plain, sheets_below
from replays.log.reader import Log
from replays.scoresheet.opening import MAX_HEAD, is_sheet_alone, sheet_or_log

if TYPE_CHECKING:
    from replays.store.store import Store

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
MOST = 256 << 20
"""Bytes of one log in an archive, at most; a longer one is unpacked first."""
BLOCK = 1 << 20
STDIN = "-"


class NoLogError(AuditError):
    """A folder or archive without a log or a score sheet."""

    def __init__(self, place: str) -> None:
        super().__init__(f"{place} has no log (*{ENDING}) and no score sheet (*{SHEET_ENDING})")
        self.place = place


class Source(Struct, frozen=True, omit_defaults=True):
    """One log or sheet: a file, bytes that are carried along, or a game of the store; `trouble` where it is none.

    `size` is how many bytes it has about; `head` is the head of a stored game, by which it is known without reading it.
    """

    name: str
    path: str = ""
    data: bytes | None = None
    game: str = ""
    store: str = ""
    size: int = 0
    head: str = ""
    trouble: str = ""

    def open(self) -> Log:
        """The log; raises `LogError` and `StoreError`."""
        if self.trouble:
            raise whole_file_error(self.name, "a log", self.trouble)
        if self.path:
            return sheet_or_log(self.path)
        try:
            log = sheet_or_log(io.BytesIO(self.carried().data or b""))
        except LogError as error:
            raise LogError(self.name, error.problems, error.more) from None
        log.name = self.name
        return log

    def carried(self) -> Source:
        """The same with its bytes, for a process that cannot reach the file."""
        if self.data is not None or self.trouble:
            return self
        if self.game:
            return Source(self.name, data=opened_store(self.store).export(self.game))
        return Source(self.name, data=Path(self.path).read_bytes())

    def stamp(self) -> str:
        """What changes with a file: its size and time. Empty where it is no file."""
        if not self.path:
            return ""
        try:
            found = Path(self.path).stat()
        except OSError:
            return ""
        return f"{found.st_size:x}-{found.st_mtime_ns:x}-{found.st_ino:x}"

    def fingerprint(self) -> str:
        """What the log is known by: a hash of its bytes, or the head of the stored game. Empty for a stream."""
        if self.head:
            return f"head {self.head}"
        if self.data is not None:
            return sha256(self.data).hexdigest()
        if not self.path or self.path == STDIN or not Path(self.path).is_file():
            return ""
        found = sha256()
        with open(self.path, "rb") as file:
            while block := file.read(BLOCK):
                found.update(block)
        return found.hexdigest()


def opened_store(url: str) -> Store:
    """The store, opened once in each process."""
    return _store(url, os.getpid())


@cache
def _store(url: str, process: int) -> Store:
    from replays.store.store import Store

    return Store(url or None)


def logs_at(paths: Iterable[str]) -> Iterator[Source]:
    """The logs at those paths; a folder stands for every log and score sheet in or below it, an archive likewise.

    A text of a folder or archive is a score sheet if it begins as one. Raises `NoLogError` where there is none.
    """
    for path in paths:
        if Path(path).is_dir():
            yield from _in_folder(Path(path))
        elif path.lower().endswith(ARCHIVES):
            yield from _in_archive(path)
        else:
            yield Source(path, path=path, size=_size(Path(path)))


def followed(folder: Path) -> Iterator[Source]:
    """The logs that are in a folder by now; there may be none. A folder that is gone is a source with trouble."""
    if not folder.is_dir():
        yield Source(str(folder), trouble="no folder of that name")
        return
    with suppress(NoLogError):
        yield from _in_folder(folder)


def stored(store: Store, ruleset: str = "") -> Iterator[Source]:
    """The games of a store, without their events; newest first."""
    store.follow()
    heads = store.heads()
    for row in store.shown.every_game(ruleset):
        yield Source(row.id, game=row.id, store=store.place.url, size=100 * row.events, head=heads.get(row.id, ""))


def _in_folder(folder: Path) -> Iterator[Source]:
    found = sorted([*logs_below(folder), *filter(_begins_as_sheet, sheets_below(folder))])
    if not found:
        raise NoLogError(str(folder))
    for path in found:
        yield Source(str(path), path=str(path), size=_size(path))


def _begins_as_sheet(path: Path) -> bool:
    try:
        with open_plain(path) as file:
            return is_sheet_alone(file.read(MAX_HEAD))
    except (OSError, UnreadableFileError):
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _in_archive(path: str) -> Iterator[Source]:
    members = _zipped(path) if path.lower().endswith(".zip") else _tarred(path)
    count = 0
    try:
        for name, file in members:
            data = file.read(MOST + 1)
            if not is_log(name) and not is_sheet_alone(data[:MAX_HEAD]):
                continue
            count += 1
            shown = f"{path}/{name}"
            too_long = len(data) > MOST
            yield Source(shown, trouble=f"more than {MOST:,} bytes") if too_long else _carried(shown, data)
    except FileNotFoundError:
        raise whole_file_error(path, "a file", "nothing of that name") from None
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        count += 1
        yield Source(path, trouble=f"a damaged archive ({error})")
    if not count:
        raise NoLogError(path)


def _carried(name: str, data: bytes) -> Source:
    return Source(name, data=data, size=len(data))


def _may_be_game(name: str) -> bool:
    return is_log(name) or name.endswith(SHEET_ENDING)


def _zipped(path: str) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if _may_be_game(name):
                with archive.open(name) as file:
                    yield name, file


def _tarred(path: str) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if _may_be_game(member.name) and member.isfile() and (file := archive.extractfile(member)):
                yield member.name, file
