"""A library of games that reads the logs and score sheets of a folder."""

from __future__ import annotations

import hashlib
import os
import re
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from time import monotonic, time

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import Header
from replays.cases.note import beside_log
from replays.files import (
    SHEET_ENDING,
    Cache,
    UnreadableFileError,
    is_log,
    logs_in,
    open_plain,
    owners_folder,
    sheets_in,
)
from replays.judging.facts import Facts
from replays.judging.replay import replay
from replays.judging.report import check_with_facts
from replays.scoresheet.opening import MAX_HEAD, is_sheet_alone, opened
from replays.trust.ledger import FileLedger, Ledger
from replays.trust.seal import Seal, beside, read_seal
from web.games.library import (
    Filters,
    Glance,
    Judging,
    Page,
    Replay,
    Unread,
    Use,
    glance_of,
    paged,
    strings,
)
from web.site.headers import UnknownGameError

NO_NAME = re.compile(r"[^\w-]+")
MAX_NAME = 100
"""What is in no name of a file, and how many letters such a name has at most."""

AT_REST = 3600
"""Seconds after which a file of a folder that nobody has written is a finished record."""


class Judged(Struct, frozen=True):
    """What lists and statistics keep of a log, as it was at that stamp; of a file that cannot be read, why not."""

    stamp: str
    glance: Glance | None = None
    facts: Facts | None = None
    problem: AuditError | None = None


class LogFolder:
    """The logs (`*.jsonl`) and score sheets (`*.txt`) of one folder, as files.

    The id of a log is the name of its file without the ending, that of a score sheet the whole name.
    """

    def __init__(self, folder: Path, branches: Path | None = None) -> None:
        """`branches` is the folder in which branches of its games are kept, which are games of the folder too."""
        self.folder = folder
        self.branches = branches
        self._versions = Cache(10_000)

    def id_of_branch(self, header: Header) -> str | None:
        """The name of the branch as the name of a file; None where nothing can be written."""
        if self.branches is None:
            return None
        with suppress(OSError):
            owners_folder(self.branches)
        name = NO_NAME.sub("-", header.game).strip("-")[:MAX_NAME]
        return name if name and os.access(self.branches, os.W_OK) else None

    def keep_branch(self, id: str, log: bytes, by: str) -> None:
        """Write the log of the branch, whole or not at all; the same branch again is the same file."""
        assert self.branches
        part = self.branches / f".{id}.part"
        part.write_bytes(log)
        part.replace(self.branches / f"{id}.jsonl")

    def version(self, id: str) -> str:
        """Made of the file's content, which is read again only where its size or its time is another.

        It is another version once nobody has written the file for `AT_REST`.
        """
        path = self._path(id)
        stat = path.stat()
        key = (id, stat.st_size, stat.st_mtime_ns)
        content = self._versions.get(key, lambda: hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest())
        return f"{content}-still" if _is_at_rest(path) else content

    def _stamps(self) -> dict[str, str]:
        """What changes with each file: its size and its time."""
        found = {}
        for path in self._files():
            with suppress(OSError):  # it has gone meanwhile
                stat = path.stat()
                if S_ISREG(stat.st_mode):
                    found[_id_of(path)] = f"{stat.st_size:x}-{stat.st_mtime_ns:x}"
        return found

    def _files(self) -> list[Path]:
        kept = logs_in(self.branches) if self.branches and self.branches != self.folder else []
        return [*logs_in(self.folder), *kept, *(path for path in sheets_in(self.folder) if self._is_sheet(path))]

    def _ids(self) -> list[str]:
        return [_id_of(path) for path in self._files() if path.is_file()]

    def _path(self, id: str) -> Path:
        path = self.folder / (id if id.endswith(SHEET_ENDING) else f"{id}.jsonl")
        if self.branches and not path.is_file() and path.parent == self.folder:
            path = self.branches / path.name
        is_game = is_log(path.name) or path.name.endswith(SHEET_ENDING)
        if path.parent not in (self.folder, self.branches) or id.startswith(".") or not is_game or not path.is_file():
            raise UnknownGameError(id)
        if path.name.endswith(SHEET_ENDING) and not self._is_sheet(path):
            raise UnknownGameError(id)
        return path

    def _is_sheet(self, path: Path) -> bool:
        """Whether a text file begins as a score sheet; looked at again only when it has changed."""
        try:
            stat = path.stat()
            key = ("sheet", path.name, stat.st_size, stat.st_mtime_ns)
            return self._versions.get(key, lambda: _begins_as_sheet(path))
        except (OSError, UnreadableFileError):
            return False


class FolderLibrary(LogFolder):
    """The games of a folder.

    Lists and statistics answer with the games that are judged. The others are judged while nobody waits.
    """

    def __init__(self, folder: Path, branches: Path | None = None) -> None:
        super().__init__(folder, branches)
        self._replays = Cache()
        self._judged: dict[str, Judged] = {}
        self._judging = Judging(self.catch_up)

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games of the folder, by name."""
        self._judging.keep_up()
        return paged(sorted(self._all(), key=lambda glance: glance.id), query, filters, page)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """The game rebuilt, or as it was rebuilt for the last reader."""
        path = self._path(id)
        key = (id, self.version(id), viewer, language, reading)
        return self._replays.get(key, lambda: rebuilt(path, viewer, language, reading, is_at_rest=_is_at_rest(path)))

    def log(self, id: str) -> bytes:
        """The bytes of the file; of a score sheet the log that it stands for."""
        path = self._path(id)
        if path.name.endswith(SHEET_ENDING):
            return b"".join(line + b"\n" for line in opened(path).iter_raw())
        return path.read_bytes()

    def unread(self) -> Sequence[Unread]:
        """The files that look like games and cannot be read, by name."""
        judged = ((path.name, self._judged.get(_id_of(path))) for path in self._files())
        return [Unread(name, each.problem) for name, each in judged if each and each.problem]

    def seal(self, id: str) -> Seal | None:
        """The one beside the file."""
        place = beside(self._path(id))
        return read_seal(place) if place.exists() else None

    def state(self) -> str:
        """Made of the names, sizes and times of all files, and of which of them are judged."""
        self._judging.keep_up()
        text = " ".join(f"{id}:{stamp}:{self._is_judged(id, stamp)}" for id, stamp in self._stamps().items())
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def notes(self, id: str) -> Ledger:
        """The notes beside the log."""
        return FileLedger(beside_log(self._path(id)), f"notes on {id}")

    def notes_version(self, id: str) -> str:
        """Made of the size and time of the file beside the log."""
        place = beside_log(self._path(id))
        stat = place.stat() if place.is_file() else None
        return f"{stat.st_size:x}-{stat.st_mtime_ns:x}" if stat else ""

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Looked for in every game of that ruleset that cites the rule at all."""
        self._judging.keep_up()
        citing = [glance for glance in self._all() if rule in glance.rules and glance.header.ruleset == ruleset]
        return [use for glance in citing for use in self._uses(glance, rule, language)]

    def waiting(self) -> int:
        """How many logs are new or another since they were judged."""
        return len(self._not_judged())

    def facts(self, audience: str) -> Iterable[Facts]:
        """What statistics keep of every game that is judged; in a folder all are for everybody."""
        judged = map(self._judged.get, self._ids())
        return [each.facts for each in judged if each and each.facts]

    def catch_up(self, seconds: float) -> int:
        """Judge what came in since for about so long, one log at least; how many are left."""
        waiting, end = self._not_judged(), monotonic() + seconds
        for number, (id, stamp) in enumerate(waiting, 1):
            self._judged[id] = self._judge(id, stamp)
            if monotonic() >= end:
                return len(waiting) - number
        return 0

    def _uses(self, glance: Glance, rule: str, language: str) -> Iterable[Use]:
        replay = self.game(glance.id, viewer="public", language=language, reading=None)
        for step in replay.steps:
            if rule in strings(step.get("rules")) and not step.get("superseded_by"):
                number = step["step"]
                yield Use(
                    glance.id, glance.title, number if isinstance(number, int) else 0,
                    str(step["verdict"]), str(step.get("sentence") or ""),
                )  # fmt: skip

    def _all(self) -> list[Glance]:
        judged = map(self._judged.get, self._ids())
        return [each.glance for each in judged if each and each.glance]

    def _not_judged(self) -> list[tuple[str, str]]:
        return [(id, stamp) for id, stamp in self._stamps().items() if not self._is_judged(id, stamp)]

    def _is_judged(self, id: str, stamp: str) -> bool:
        return id in self._judged and self._judged[id].stamp == stamp

    def _judge(self, id: str, stamp: str) -> Judged:
        try:
            path = self._path(id)
            events = deque(opened(path), maxlen=1)
            glance = glance_of(id, rebuilt(path, "public", "en", None), *events)
            facts = check_with_facts(opened(path))[1]
            return Judged(stamp, replace(glance, keeps=lambda: facts), facts)
        except AuditError as problem:
            return Judged(stamp, problem=problem)
        except OSError:
            return Judged(stamp)  # it has gone meanwhile


def _id_of(path: Path) -> str:
    return path.name if path.name.endswith(SHEET_ENDING) else path.stem


def _begins_as_sheet(path: Path) -> bool:
    with open_plain(path) as file:
        return is_sheet_alone(file.read(MAX_HEAD))


def _is_at_rest(path: Path) -> bool:
    """Whether nobody has written a file for so long that the record is taken as finished."""
    return time() - path.stat().st_mtime > AT_REST


def rebuilt(path: Path, viewer: str, language: str, reading: str | None, *, is_at_rest: bool = False) -> Replay:
    """The game of a log, as that viewer may know it."""
    return replay(opened(path), viewer=viewer, language=language, reading=reading, is_at_rest=is_at_rest)
