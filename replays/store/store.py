"""The store of games. Each game is kept as the lines of its log, and lines are only ever appended."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import TracebackType
from typing import BinaryIO

from eventsourcing.persistence import RecordConflictError
from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import Event, type_name
from replays.errors import LogError, Problem
from replays.log.canonical import canonical
from replays.log.reader import open_events
from replays.log.strict_json import parse
from replays.log.writer import line_of
from replays.store import incoming, sharing
from replays.store.database import StoreError
from replays.store.ids import (
    MENTION,
    Appended,
    follows,
    former_id_of_nameless,
    id_of_nameless,
    secret_of,
    stored_events,
)
from replays.store.incoming import AT_ONCE, Incoming, LogSource, NewLines, read_incoming, ready
from replays.store.reading import ShownGames, UnknownGameError, head_of
from replays.store.recorded import HEADER
from replays.trust.seal import Seal

ATTEMPTS = 10
Refused = Callable[[int, AuditError], object]
"""Hears of a log that cannot be stored: its place among the logs that are imported with it, from 0, and why."""


class VersionConflictError(AuditError):
    """Somebody else has appended in the meantime: the version that was expected, and the one there is."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(f"game {game}: expected version {expected}, found version {actual}; nothing was stored")
        self.game = game
        self.expected = expected
        self.actual = actual


class ContradictionError(AuditError):
    """A log that says something else than what is stored of the game: the first such line, and both heads."""

    def __init__(self, game: str, line: int, stored_head: str, given_head: str) -> None:
        super().__init__(
            f"game {game}: line {line} contradicts what is stored; stored head {stored_head}, "
            f"head of this log {given_head}; nothing was stored"
        )
        self.game = game
        self.line = line
        self.stored_head = stored_head
        self.given_head = given_head


class ImportedLog(Struct, frozen=True):
    """What became of a log: its game, how many events it has, how many lines were new, and a torn last line."""

    game: str
    events: int
    added: int
    torn: int | None = None
    number: int = 0
    """Its place among the logs that were imported with it, from 0."""

    @property
    def is_unchanged(self) -> bool:
        """All of it was stored already."""
        return self.added == 0


class Store(ShownGames):
    """Games in a database: SQLite by default, PostgreSQL where the address says so."""

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def import_log(self, source: LogSource, *, by: str = "") -> ImportedLog:
        """Store a log, all of it or nothing; what is stored already is left as it is. `by` is whose word it is.

        Raises `LogError` where it has a problem and `ContradictionError` where it says something else than what is
        stored. A log that is shorter than what is stored changes nothing. The seal beside a log is kept with it;
        raises `SealError` where that is of something else.
        """
        (imported,) = self.import_logs((source,), by=by)
        return imported

    def import_logs(
        self, sources: Iterable[LogSource], *, by: str = "", refused: Refused | None = None
    ) -> Iterator[ImportedLog]:
        """Store logs, several in one transaction; each is told, in order, when it is stored for good.

        A log that cannot be stored is told to `refused`, and the others are stored. Without `refused`, this raises what
        `import_log` raises, when all logs before the one that has the problem are stored and told. It raises
        `StoreError` in any case.
        """
        for batch in self._incoming(sources, refused):
            yield from self._stored(batch, by, refused)

    def append(self, game: str, given: bytes | Iterable[Event] | BinaryIO, expected: int, *, by: str = "") -> int:
        """The version of a game after `add`."""
        return self.add(game, given, expected, by=by).version

    def add(self, game: str, given: bytes | Iterable[Event] | BinaryIO, expected: int, *, by: str = "") -> Appended:
        """Append events to the game whose version is `expected`. `by` is whose word it is: a token, or nobody's.

        An event with an id that is stored already with the same content is done: it is not stored again, and the
        version may be another. Raises `EventIdError` where the id is stored with other content, `VersionConflictError`
        where the version is another, `LogError` where the lines have a problem.
        """
        data = _stream(given).read()
        for _ in range(ATTEMPTS):
            try:
                return self._added(game, data, expected, by)
            except RecordConflictError:
                continue
        raise VersionConflictError(game, expected, self.version(game))

    def _added(self, game: str, data: bytes, expected: int, by: str) -> Appended:
        log, version, has_ids = self._log(game), self.version(game), MENTION in data
        if version != expected and not has_ids:
            raise VersionConflictError(game, expected, version)
        added = open_events(io.BytesIO(data), log, expected)
        lines = list(added.with_lines())
        if added.torn:
            problem = Problem(added.torn.line, "", "a whole last line", "one cut short")
            raise LogError(added.name, (problem,))
        stored = stored_events(self.bodies(game, 1) if has_ids else ())
        done = [stored.seq_of(game, event, line) for event, line in lines]
        events = [event for event, _ in lines]
        rest = [event for event, seq in zip(events, done, strict=True) if seq is None]
        if rest and not follows(rest, events, done, version):
            raise VersionConflictError(game, expected, version)
        bodies = [line + b"\n" for (_, line), seq in zip(lines, done, strict=True) if seq is None]
        if bodies and not added.finished:
            bodies[-1] = bodies[-1].removesuffix(b"\n")
        self._insert([ready(game, version + 2, [type_name(type(event)) for event in rest], bodies, by)])
        seqs = tuple(event.seq if seq is None else seq for event, seq in zip(events, done, strict=True))
        return Appended(version + len(rest), seqs, tuple(map(self._line_of(game, rest, bodies), seqs)))

    def _line_of(self, game: str, rest: Sequence[Event], bodies: Sequence[bytes]) -> Callable[[int], bytes]:
        """Finds the line that is stored of an event: one that was just stored, or an earlier one."""
        fresh = {event.seq: body for event, body in zip(rest, bodies, strict=True)}
        return lambda seq: (fresh.get(seq) or self.bodies(game, seq, 1)[0]).removesuffix(b"\n")

    def seal(self, game: str, key: str | None = None, at: str = "") -> Seal:
        """Seal a game as it is stored now, sign it where a key is named, and keep the seal.

        Raises `UnknownGameError`, and `SealError` where what is stored is no longer what was sealed.
        """
        if not (bodies := self.bodies(game)):
            raise UnknownGameError(game)
        made = incoming.renewed(self.sealed(game), bodies, key, at)
        with self.asking():
            incoming.keep_seal(self._tables, game, made)
        return made

    def append_ledger(self, id: str, lines: Sequence[bytes], after: int, by: str) -> None:
        """Add lines to a ledger of so many; raises `RecordConflictError` where somebody else has done so."""
        kinds = [str(parse(line.removesuffix(b"\n")).get("type")) for line in lines]
        self._insert([ready(id, after + 1, kinds if after else [HEADER, *kinds[1:]], lines, by)])

    def share(self, game: str, level: str, *, by: str = "") -> None:
        """Say who may open a game from now on: public, unlisted or private. Raises `UnknownGameError`."""
        self.version(game)
        with self.asking():
            sharing.share(self._tables, game, sharing.level_of(level), by)

    def _incoming(self, sources: Iterable[LogSource], refused: Refused | None) -> Iterator[list[Incoming]]:
        """Logs that were read and checked, in batches; no game is in a batch twice."""
        batch: list[Incoming] = []
        games: set[str] = set()
        size = 0
        try:
            for number, source in enumerate(sources):
                with _passing(number, refused):
                    given = self._with_id(replace(read_incoming(source, self._resolve), number=number))
                    if batch and (size + given.size > AT_ONCE or given.game in games):
                        yield batch
                        batch, games, size = [], set(), 0
                    batch.append(self._compared(given))
                    games.add(given.game)
                    size += given.size
        except Exception:  # what came before it is stored
            yield batch
            raise
        yield batch

    def _with_id(self, given: Incoming) -> Incoming:
        """The log with the id of its game; that of a game without a name is known to this store alone."""
        if given.game:
            return given
        first = given.bodies[0].removesuffix(b"\n")
        former = former_id_of_nameless(first)
        with self.asking():
            return replace(given, game=former if self._version(former) else id_of_nameless(first, self._secret))

    @cached_property
    def _secret(self) -> bytes:
        """What the ids of games without a name are made with; it never changes."""
        return secret_of(self._tables)

    def _stored(self, batch: Sequence[Incoming], by: str, refused: Refused | None) -> Iterator[ImportedLog]:
        """Store logs all at once; one by one where somebody else has just written to one of these games."""
        try:
            self._insert([each.lines(by) for each in batch if each.added])
            is_stored = True
        except RecordConflictError:
            is_stored = False
        for each in batch:
            with _passing(each.number, refused):
                given = each if is_stored else self._put(each, by)
                if given.sealed:
                    self._keep(given.game, given.sealed)
                yield ImportedLog(given.game, len(given.bodies) - 1, given.added, given.torn, each.number)

    def _put(self, given: Incoming, by: str) -> Incoming:
        for _ in range(ATTEMPTS):
            compared = self._compared(given)
            try:
                self._insert([compared.lines(by)] if compared.added else [])
            except RecordConflictError:
                continue
            return compared
        what = f"game {given.game} is being written to by others all the time; nothing was stored"
        raise StoreError(self.place.name, what)

    def _compared(self, given: Incoming) -> Incoming:
        """The log, with how many of its lines are stored; raises `ContradictionError`."""
        return replace(given, agreed=self._agreed(given.game, given.bodies))

    def _keep(self, game: str, given: Seal) -> None:
        """Keep the seal of an imported log, unless the kept one is of more, or the store has it written otherwise."""
        old = self.sealed(game)
        if (old is None or len(old.lines) <= len(given.lines)) and incoming.fits(given, self.bodies(game)):
            with self.asking():
                incoming.keep_seal(self._tables, game, given)

    def _insert(self, given: Sequence[NewLines]) -> None:
        """Store lines of one game or several, all or nothing; raises `RecordConflictError`."""
        rows = [row for lines in given for row in lines.rows]
        if rows:
            with self.asking():
                self._games.recorder.insert_events(rows, drafts=[lines.draft for lines in given])

    def _agreed(self, game: str, given: Sequence[bytes]) -> int:
        """How many lines are stored, all of them agreeing with the given ones as far as those go."""
        stored = self.bodies(game)
        for number, (old, new) in enumerate(zip(stored, given, strict=False), 1):
            if old != new and canonical(old.removesuffix(b"\n")) != canonical(new.removesuffix(b"\n")):
                raise ContradictionError(game, number, head_of(stored), head_of(given))
        return len(stored)


@contextmanager
def _passing(number: int, refused: Refused | None) -> Iterator[None]:
    """Tells `refused` why the log with that number cannot be stored, instead of raising it."""
    try:
        yield
    except StoreError:
        raise
    except AuditError as error:
        if refused is None:
            raise
        refused(number, error)


def _stream(given: bytes | Iterable[Event] | BinaryIO) -> BinaryIO:
    if isinstance(given, bytes):
        return io.BytesIO(given)
    if hasattr(given, "read"):
        return given  # type: ignore[return-value]
    return io.BytesIO("".join(f"{line_of(event)}\n" for event in given).encode())
