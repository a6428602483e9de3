"""Where cases are kept, and how they are changed: whoever changes one names the version that they have seen."""

from __future__ import annotations

import json
import re
import secrets
from base64 import b32encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from audit.core.errors import AuditError, did_you_mean
from audit.core.files import write_whole
from replays.cases.case import Case, CaseError, check, line_of, read_case
from replays.cases.events import AnyEvent, Opened
from replays.errors import UnwritableError
from replays.files import UnreadableFileError, read_whole
from replays.store.ledgers import StoredLedger, keep_file, kept_file
from replays.store.store import Store
from replays.trust.ledger import FileLedger, Ledger, LedgerConflictError, UnknownLedgerError

MAX_FILE = 8_000_000
"""The most bytes of a file that is evidence."""
ENDING = ".case.jsonl"
LAST = "last"
"""Stands for the id of the case that was opened last."""
_ID = re.compile(r"[a-z0-9]{4,32}")


class UnknownCaseError(AuditError):
    """No case is called that, or more than one begins so. `known` are those that the reader may know of."""

    def __init__(self, case: str, found: Sequence[str] = (), known: Sequence[str] = ()) -> None:
        case = case[:64]
        unknown = f"no case is called {case!r}{did_you_mean(case, known)}"
        super().__init__(f"{case!r} may be {' or '.join(found)}" if found else unknown)
        self.case = case
        self.found = list(found)


class CaseConflictError(AuditError):
    """Two judges at once: the case, the version that was expected, the one there is, and what happened in between."""

    def __init__(self, case: str, expected: int, found: int, since: Sequence[str]) -> None:
        told = f"; since then: {'; '.join(since)}" if since else ""
        super().__init__(f"case {case}: expected version {expected}, found version {found}{told}; nothing was written")
        self.case = case
        self.expected = expected
        self.found = found
        self.since = list(since)


class Shelf(Protocol):
    """Where the ledgers of cases and the files of their evidence lie."""

    def ids(self) -> list[tuple[str, object]]:
        """Every case, each with something that changes with it."""

    def ledger(self, id: str) -> Ledger:
        """The ledger of a case."""

    def keep(self, case: str, data: bytes, by: str) -> str:
        """Keep a file of a case and return its SHA-256."""

    def file(self, case: str, hash: str) -> bytes:
        """A file of a case; raises `UnknownLedgerError`."""


class StoreShelf:
    """Cases in the store, among its games."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def ids(self) -> list[tuple[str, object]]:
        """Every case with its version."""
        return list(self.store.ledgers("case"))

    def ledger(self, id: str) -> Ledger:
        """The ledger of a case."""
        return StoredLedger(self.store, "case", id)

    def keep(self, case: str, data: bytes, by: str) -> str:
        """Keep a file in the store."""
        return keep_file(self.store, data, by)

    def file(self, case: str, hash: str) -> bytes:
        """A file of the store."""
        return kept_file(self.store, hash)


class FolderShelf:
    """Cases in a folder, each in a file of its own, with the files of its evidence in a folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ids(self) -> list[tuple[str, object]]:
        """Every case with size and time of its file."""
        found = sorted(self.folder.glob(f"*{ENDING}")) if self.folder.is_dir() else []
        named = ((path.name.removesuffix(ENDING), path.stat()) for path in found if path.is_file())
        return [(id, (stat.st_size, stat.st_mtime_ns)) for id, stat in named if _ID.fullmatch(id)]

    def ledger(self, id: str) -> Ledger:
        """The file of a case."""
        return FileLedger(self.folder / f"{id}{ENDING}", f"case {id}")

    def keep(self, case: str, data: bytes, by: str) -> str:
        """Keep a file beside the case, under its hash; the name it had leads nowhere."""
        hash = sha256(data).hexdigest()
        folder = self.folder / f"{case}.case.files"
        folder.mkdir(parents=True, exist_ok=True)
        try:
            write_whole(folder / hash, data)
        except OSError as problem:
            raise UnwritableError(f"case {case}", problem.strerror or str(problem)) from None
        return hash

    def file(self, case: str, hash: str) -> bytes:
        """A file beside the case; raises `UnknownLedgerError` where it is gone or says something else."""
        try:
            data = read_whole(self.folder / f"{case}.case.files" / hash, MAX_FILE)
        except (OSError, UnreadableFileError):
            data = b""
        if sha256(data).hexdigest() != hash:
            raise UnknownLedgerError(f"file {json.dumps(hash)}")
        return data


class CaseBook:
    """All cases of a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._known: dict[str, tuple[object, Case]] = {}

    def version(self) -> str:
        """Something that changes with any case."""
        return sha256(repr(self.shelf.ids()).encode()).hexdigest()[:16]

    def all(self) -> list[Case]:
        """Every case, the latest first; each is read once."""
        found = []
        for id, mark in self.shelf.ids():
            known = self._known.get(id)
            if known is None or known[0] != mark:
                known = self._known[id] = (mark, self._read(id))
            found.append(known[1])
        return sorted(found, key=lambda case: (case.opened.at, case.id), reverse=True)

    def case(self, name: str) -> Case:
        """The case of that id, the only one whose id begins so, or the `last`; raises `UnknownCaseError`."""
        id = self.find(name)
        return self._read(id)

    def find(self, name: str) -> str:
        """The whole id of a case; raises `UnknownCaseError`."""
        if name == LAST and (cases := self.all()):
            return cases[0].id
        ids = [id for id, _ in self.shelf.ids()]
        if name in ids:
            return name
        found = [id for id in ids if name and id.startswith(name)]
        if len(found) != 1:
            raise UnknownCaseError(name, found)
        return found[0]

    def lines(self, id: str) -> list[bytes]:
        """The lines of a case as they are kept."""
        return self.shelf.ledger(id).lines()

    def open(self, event: Opened, *more: AnyEvent, by: str = "") -> Case:
        """Open a case, with what is known at once; raises `CaseError` where the id is taken."""
        case = read_case([line_of(event)], event.id)
        for each in more:
            check(case, each)
        try:
            self.shelf.ledger(event.id).append([line_of(each) for each in (event, *more)], 0, by)
        except LedgerConflictError:
            raise CaseError(event.id, "there is one of that id already") from None
        return self._read(event.id)

    def add(self, id: str, event: AnyEvent, expected: int | None = None, by: str = "") -> Case:
        """Add what happened to a case whose version is `expected`, by default the present one.

        Raises `CaseConflictError` where somebody else was first, `CaseError` where it cannot happen now.
        """
        case = self._read(id)
        if expected is not None and expected != case.version:
            raise self._conflict(id, expected)
        check(case, event)
        try:
            self.shelf.ledger(id).append([line_of(event)], case.version, by)
        except LedgerConflictError:
            raise self._conflict(id, case.version) from None
        return self._read(id)

    def keep(self, id: str, data: bytes, by: str = "") -> str:
        """Keep a file that is evidence and return its SHA-256; raises `CaseError` where it is too large or empty."""
        if not 0 < len(data) <= MAX_FILE:
            raise CaseError(id, f"a file has 1 to {MAX_FILE:,} bytes, this one {len(data):,}")
        return self.shelf.keep(id, data, by)

    def file(self, id: str, hash: str) -> bytes:
        """A file that is evidence of this case; raises `UnknownLedgerError` for any other."""
        if hash not in {each.sha256 for each in self._read(id).evidence}:
            raise UnknownLedgerError(f"file {json.dumps(hash[:64])} in case {id}")
        return self.shelf.file(id, hash)

    def _conflict(self, id: str, expected: int) -> CaseConflictError:
        case = self._read(id)
        since = [f"{_kind(each)} by {each.by} at {each.at}" for each in case.events[expected:]]
        return CaseConflictError(id, expected, case.version, since)

    def _read(self, id: str) -> Case:
        lines = self.shelf.ledger(id).lines() if _ID.fullmatch(id) else []
        if not lines:
            raise UnknownCaseError(id)
        return read_case(lines, f"case {id}")


def _kind(event: AnyEvent) -> str:
    return str(event.__struct_config__.tag).replace("_", " ")


def new_id() -> str:
    """An id for a case, short enough to be said aloud."""
    return "c" + b32encode(secrets.token_bytes(5)).decode().lower()
