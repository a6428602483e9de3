"""The store of games. Each game is kept as the lines of its log, and lines are only ever appended."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import BinaryIO

from eventsourcing.persistence import RecordConflictError
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.errors import AuditError, did_you_mean
from audit.core.model import Event, Header, type_name
from audit.core.record_events import RECORD_EVENTS
from audit.core.ruleset import Ruleset, ruleset
from replays.errors import LogError, Problem
from replays.log.canonical import canonical
from replays.log.lines import Lines
from replays.log.reader import Log, open_events
from replays.log.schemas import UPCASTS, decoder
from replays.log.strict_json import parse
from replays.log.strict_reader import LineError, Resolve, read_event, read_header
from replays.log.writer import line_of
from replays.store import appends, incoming, sharing
from replays.store.database import LOCK_TIMEOUT, Breaker, StoreError, address, guarded
from replays.store.event_store_app import open_event_store
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
from replays.store.projections import Projections, Spread, Told
from replays.store.recorded import HEADER, RecordedMapper
from replays.store.shown_game import Annotate
from replays.store.verify import StoreVerification, verify_store
from replays.trust.keys import keys
from replays.trust.seal import Chain, Seal

ATTEMPTS = 10
PATIENCE = 30.0
"""Seconds for which an answer of a server is waited for."""


class UnknownGameError(AuditError):
    """No game in the store is called that, or more than one."""

    def __init__(self, game: str, found: tuple[str, ...] = (), known: Iterable[str] = ()) -> None:
        unknown = f"no game in the store is called {game!r}{did_you_mean(game, known)}"
        super().__init__(f"{game!r} may be {' or '.join(found)}" if found else unknown)
        self.game = game
        self.found = found


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

    @property
    def is_unchanged(self) -> bool:
        """All of it was stored already."""
        return self.added == 0


class Store:
    """Games in a database: SQLite by default, PostgreSQL where the address says so."""

    def __init__(
        self,
        url: str | Path | None = None,
        *,
        resolve: Resolve = ruleset,
        annotate: Annotate = audit,
        lock_timeout: int = LOCK_TIMEOUT,
        patience: float = PATIENCE,
    ) -> None:
        """`patience`: for so many seconds an answer of a server is waited for. Raises `StoreError`."""
        self.place = address(url)
        self._resolve = resolve
        self._catching_up = Lock()
        self._breaker = Breaker() if self.place.is_postgres else None
        with self.asking():
            self._games, self._tables = open_event_store(self.place, lock_timeout, patience)
            self.shown = Projections(self._tables, self._whole, annotate, resolve)
            self.shown.make()
        self._mapper = RecordedMapper()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def asking(self) -> AbstractContextManager[None]:
        """Whatever the database says against it while it is asked is raised as `StoreError`."""
        return guarded(self.place.name, self._breaker)

    def close(self) -> None:
        """Let go of the database, once the game is done that is just being judged in another thread."""
        self.shown.is_stopped = True
        with self._catching_up:
            self._games.close()

    def import_log(self, source: LogSource, *, by: str = "") -> ImportedLog:
        """Store a log, all of it or nothing; what is stored already is left as it is. `by` is whose word it is.

        Raises `LogError` where it has a problem and `ContradictionError` where it says something else than what is
        stored. A log that is shorter than what is stored changes nothing. The seal beside a log is kept with it;
        raises `SealError` where that is of something else.
        """
        (imported,) = self.import_logs((source,), by=by)
        return imported

    def import_logs(self, sources: Iterable[LogSource], *, by: str = "") -> Iterator[ImportedLog]:
        """Store logs, several in one transaction; each is told, in order, when it is stored for good.

        Raises what `import_log` raises, when all logs before the one that has the problem are stored and told.
        """
        for batch in self._incoming(sources):
            yield from self._stored(batch, by)

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

    def find(self, name: str) -> str:
        """The id of the game with that id, the beginning of that id, or that name; raises `UnknownGameError`."""
        if self._version(name):
            return name
        self.follow()
        like = name.replace("%", "").replace("_", "")
        rows = self._tables.read("SELECT id FROM shown_games WHERE game = ? OR id LIKE ?", (name, f"{like}%"))
        found = tuple(str(id) for (id,) in rows) if like else ()
        if len(found) != 1:
            names = self._tables.read("SELECT DISTINCT game FROM shown_games", ())
            raise UnknownGameError(name, found, [str(each) for (each,) in names])
        return found[0]

    def version(self, game: str) -> int:
        """How many events a game has; raises `UnknownGameError`."""
        with self.asking():
            found = self._version(game)
        if not found:
            raise UnknownGameError(game)
        return found - 1

    def header(self, game: str) -> Header:
        """The header of a game; raises `UnknownGameError`."""
        return self._log(game).header

    def ruleset(self, game: str) -> Ruleset[object]:
        """The ruleset of a game."""
        return self._log(game).ruleset

    def events(self, game: str, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of a game after that seq; raises `UnknownGameError`."""
        return _each(self._log(game), self.bodies(game, after + 1, limit), after + 2)

    def state(self, game: str, at: int | None = None) -> object:
        """The position after that seq, or the last. What was checked when it came in is not checked again."""
        log = self._log(game)
        state, after = self._kept_position(log, game, at)
        events = self._decoded(log, game, after, at)
        if after and any(type(event) in RECORD_EVENTS for event in events):  # they may lead back to before
            state, events = log.start(), self._decoded(log, game, 0, at)
        return log.ruleset.rules.replay_to(state, events)

    def _decoded(self, log: Log, game: str, after: int, at: int | None) -> Sequence[Event]:
        limit = None if at is None else at - after
        try:
            return decoder(log.ruleset.rules.events).decode_lines(b"".join(self.bodies(game, after + 1, limit)))
        except (ValueError, RecursionError):
            return list(self.events(game, after, limit))

    def _kept_position(self, log: Log, game: str, at: int | None) -> tuple[object, int]:
        """The position to go on from, and how many events lead to it: one that is kept, or the start."""
        start = log.start()
        with self.asking():
            kept = self.shown.kept_position(game, at)
        if kept:
            with suppress(AuditError):
                return log.ruleset.rules.position(kept[1], start), kept[0]
        return start, 0

    def export(self, game: str) -> bytes:
        """The log of a game, byte for byte as it was imported, with what was appended since."""
        if not (bodies := self.bodies(game)):
            raise UnknownGameError(game)
        return b"".join([*(_ended(body) for body in bodies[:-1]), bodies[-1]])

    def head(self, game: str) -> str:
        """The head of the game's chain of hashes, as `audit seal` has it."""
        return _head(self.bodies(game))

    def heads(self) -> dict[str, str]:
        """The head of every game's chain, as it was written down at its last append."""
        with self.asking():
            rows = self._tables.read(f"SELECT game, head FROM {appends.TABLE} ORDER BY place")
        return {str(game): str(head) for game, head in rows}

    def sealed(self, game: str) -> Seal | None:
        """The seal that is kept of a game, None where there is none; what has been appended since is not in it."""
        with self.asking():
            return incoming.kept_seal(self._tables, self.place.name, game)

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

    def bodies(self, game: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The lines of a game as they were written, with their ends, after that many lines."""
        with self.asking():
            states = self._tables.states(game, after, limit)
        return list(islice(self._mapper.bodies(game, after, states), limit))

    def ledger_version(self, id: str) -> int:
        """How many lines a ledger has (`replays.trust`); its id has a colon, which no id of a game has."""
        with self.asking():
            return 0 if "\0" in id else self._tables.version(id)

    def append_ledger(self, id: str, lines: Sequence[bytes], after: int, by: str) -> None:
        """Add lines to a ledger of so many; raises `RecordConflictError` where somebody else has done so."""
        kinds = [str(parse(line.removesuffix(b"\n")).get("type")) for line in lines]
        self._insert([ready(id, after + 1, kinds if after else [HEADER, *kinds[1:]], lines, by)])

    def ledgers(self, kind: str) -> list[tuple[str, int]]:
        """The name of every ledger of a kind with its version."""
        sql = (
            f"SELECT originator_id, MAX(originator_version) FROM {self._tables.events} "
            "WHERE substr(originator_id, 1, ?) = ? GROUP BY originator_id"
        )
        with self.asking():
            rows = self._tables.read(sql, (len(kind) + 1, f"{kind}:"))
        return [(str(id).partition(":")[2], int(str(version))) for id, version in rows]

    def verify(self, expect_head: str | None = None) -> StoreVerification:
        """Compare every event with what was written down when it was appended."""
        with self.asking():
            return verify_store(self._tables, keys(), expect_head)

    def share(self, game: str, level: str, *, by: str = "") -> None:
        """Say who may open a game from now on: public, unlisted or private. Raises `UnknownGameError`."""
        self.version(game)
        with self.asking():
            sharing.share(self._tables, game, sharing.level_of(level), by)

    def sharing(self, game: str) -> sharing.Sharing:
        """Who may open a game."""
        with self.asking():
            return sharing.sharing_of(self._tables, game)

    def sharing_changes(self) -> int:
        """How often anything was said of who may open a game."""
        with self.asking():
            return sharing.changes(self._tables)

    def position(self) -> int:
        """The last notification of the store: whoever follows it asks for this again and again."""
        with self.asking():
            return self._tables.last()

    def follow(self, spread: Spread | None = None, told: Told | None = None) -> int:
        """Bring what is shown up to date, where the store may be written to; how many games had news.

        `told` hears again and again how many more games are shown; those stay shown if this is interrupted.
        """
        return self._showing(lambda: self.shown.follow(spread, told))

    def catch_up(self, seconds: float) -> int:
        """The same for about so long, and then what another version of this program judged; how many games are left.

        Another thread may close the store meanwhile: then none is left to do.
        """
        with self._catching_up:
            return 0 if self.shown.is_stopped else self._showing(lambda: self.shown.catch_up(seconds))

    def waiting(self) -> int:
        """How many games have news that is not shown yet."""
        with self.asking():
            return self.shown.waiting()

    def outdated(self) -> int:
        """How many games are shown as another version of this program judged them."""
        with self.asking():
            return self.shown.outdated()

    def _showing(self, bring_up: Callable[[], int]) -> int:
        try:
            with self.asking():
                return bring_up()
        except StoreError as error:
            if "read-only" in error.reason:
                return 0
            raise

    def rebuild(self, spread: Spread | None = None) -> int:
        """Drop what is shown and make it again from the events; how many games there are."""
        self.forget()
        with self.asking():
            return self.shown.follow(spread)

    def forget(self) -> None:
        """Drop what is shown. The next `follow` makes it again from the events."""
        with self.asking():
            self.shown.drop()

    def _incoming(self, sources: Iterable[LogSource]) -> Iterator[list[Incoming]]:
        """Logs that were read and checked, in batches; no game is in a batch twice."""
        batch: list[Incoming] = []
        games: set[str] = set()
        size = 0
        try:
            for source in sources:
                given = self._with_id(read_incoming(source, self._resolve))
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

    def _stored(self, batch: Sequence[Incoming], by: str) -> Iterator[ImportedLog]:
        """Store logs all at once; one by one where somebody else has just written to one of these games."""
        try:
            self._insert([each.lines(by) for each in batch if each.added])
            is_stored = True
        except RecordConflictError:
            is_stored = False
        for each in batch:
            given = each if is_stored else self._put(each, by)
            if given.sealed:
                self._keep(given.game, given.sealed)
            yield ImportedLog(given.game, len(given.bodies) - 1, given.added, given.torn)

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
                raise ContradictionError(game, number, _head(stored), _head(given))
        return len(stored)

    def _version(self, game: str) -> int:
        return 0 if ":" in game else self._tables.version(game)

    def _log(self, game: str, given: bytes | None = None) -> Log:
        """The game's log without its events; its first line need not be read again where it is `given`."""
        line = given or next(iter(self.bodies(game, 0, 1)), None)
        if line is None:
            raise UnknownGameError(game)
        first = line.removesuffix(b"\n")
        try:
            header, rules, way = read_header(first, self._resolve, UPCASTS)
        except LineError as fault:
            raise LogError(f"game {game}", fault.problems) from None
        return Log(Lines(io.BytesIO(first)), header, rules, first, way)

    def _whole(self, game: str) -> tuple[Header, Ruleset[object], Iterable[Event]]:
        header, *bodies = self.bodies(game) or (None,)
        log = self._log(game, header)
        try:
            events: Iterable[Event] = decoder(log.ruleset.rules.events).decode_lines(b"".join(bodies))
        except (ValueError, RecursionError):
            events = _each(log, bodies, 2)
        return log.header, log.ruleset, events


def _stream(given: bytes | Iterable[Event] | BinaryIO) -> BinaryIO:
    if isinstance(given, bytes):
        return io.BytesIO(given)
    if hasattr(given, "read"):
        return given  # type: ignore[return-value]
    return io.BytesIO("".join(f"{line_of(event)}\n" for event in given).encode())


def _each(log: Log, bodies: Sequence[bytes], first: int) -> Iterator[Event]:
    """The events of these lines, the first of which has that number in the log."""
    decode = decoder(log.ruleset.rules.events).decode
    for number, body in enumerate(bodies, first):
        try:
            yield decode(body)
        except (ValueError, RecursionError):
            yield _careful(log, body, number)


def _careful(log: Log, body: bytes, number: int) -> Event:
    try:
        return read_event(body.removesuffix(b"\n"), number, log.ruleset.rules.types, log.way)
    except LineError as fault:
        raise LogError(log.name, fault.problems) from None


def _ended(body: bytes) -> bytes:
    return body if body.endswith(b"\n") else body + b"\n"


def _head(bodies: Sequence[bytes]) -> str:
    chain = Chain()
    for body in bodies:
        chain.add(body.removesuffix(b"\n"))
    return chain.head.hex()
