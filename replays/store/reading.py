"""Games in a database, as they are read, and the tables that are derived from them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path
from threading import Lock

from audit.core.auditor import audit
from audit.core.errors import AuditError, did_you_mean
from audit.core.model import Event, Header
from audit.core.record_events import RECORD_EVENTS
from audit.core.ruleset import Ruleset, ruleset
from replays.errors import LogError
from replays.log.lines import Lines
from replays.log.reader import Log
from replays.log.schemas import UPCASTS, decoder
from replays.log.strict_json import parse
from replays.log.strict_reader import LineError, Resolve, read_event, read_header
from replays.store import appends, incoming, sharing
from replays.store.database import LOCK_TIMEOUT, Breaker, StoreError, address, guarded
from replays.store.ids import origins_of
from replays.store.projections import Projections, Spread, Told, kept_position
from replays.store.recorded import RecordedMapper, open_event_store
from replays.store.shown_game import Annotate
from replays.store.shown_tables import ShownTables
from replays.store.verify import StoreVerification, verify_store
from replays.trust.keys import keys
from replays.trust.seal import Chain, Seal

PATIENCE = 30.0
"""Seconds for which an answer of a server is waited for."""


class UnknownGameError(AuditError):
    """No game in the store is called that, or more than one."""

    def __init__(self, game: str, found: tuple[str, ...] = (), known: Iterable[str] = ()) -> None:
        unknown = f"no game in the store is called {game!r}{did_you_mean(game, known)}"
        super().__init__(f"{game!r} may be {' or '.join(found)}" if found else unknown)
        self.game = game
        self.found = found


class StoredGames:
    """What is stored of games and ledgers."""

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
            self.shown = ShownTables(self._tables)
            self.projections = Projections(self._tables, self._whole, annotate, resolve)
            self.projections.make()
        self._mapper = RecordedMapper()

    def asking(self) -> AbstractContextManager[None]:
        """Whatever the database says against it while it is asked is raised as `StoreError`."""
        return guarded(self.place.name, self._breaker)

    def close(self) -> None:
        """Let go of the database, once the game is done that is just being judged in another thread."""
        self.projections.is_stopped = True
        with self._catching_up:
            self._games.close()

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

    def export(self, game: str) -> bytes:
        """The log of a game, byte for byte as it was imported, with what was appended since."""
        if not (bodies := self.bodies(game)):
            raise UnknownGameError(game)
        return b"".join([*((body if body.endswith(b"\n") else body + b"\n") for body in bodies[:-1]), bodies[-1]])

    def head(self, game: str) -> str:
        """The head of the game's chain of hashes, as `audit seal` has it."""
        return head_of(self.bodies(game))

    def heads(self) -> dict[str, str]:
        """The head of every game's chain, as it was written down at its last append."""
        with self.asking():
            rows = self._tables.read(f"SELECT game, head FROM {appends.TABLE} ORDER BY place")
        return {str(game): str(head) for game, head in rows}

    def sealed(self, game: str) -> Seal | None:
        """The seal that is kept of a game, None where there is none; what has been appended since is not in it."""
        with self.asking():
            return incoming.kept_seal(self._tables, self.place.name, game)

    def bodies(self, game: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The lines of a game as they were written, with their ends, after that many lines."""
        with self.asking():
            states = self._tables.states(game, after, limit)
        return list(islice(self._mapper.bodies(game, after, states), limit))

    def ledger_version(self, id: str) -> int:
        """How many lines a ledger has (`replays.trust`); its id has a colon, which no id of a game has."""
        with self.asking():
            return 0 if "\0" in id else self._tables.version(id)

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

    def sharing(self, game: str) -> sharing.Sharing:
        """Who may open a game: of a branch, nobody who may not open the game that it left."""
        with self.asking():
            return sharing.sharing_of(self._tables, game, self._origins)

    def _origins(self, game: str) -> list[str]:
        """The stored game that a branch left; none for a game that is no branch."""
        first = parse(next(iter(self.bodies(game, 0, 1)), b"{}").removesuffix(b"\n"))
        meta = first.get("meta")
        origins = origins_of(str(first.get("ruleset")), meta) if isinstance(meta, Mapping) else ()
        return [origin for origin in origins if self._version(origin)]

    def sharing_changes(self) -> int:
        """How often anything was said of who may open a game."""
        with self.asking():
            return sharing.changes(self._tables)

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


class ShownGames(StoredGames):
    """The same, with the tables of lists and findings that follow what is stored."""

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
            kept = kept_position(self._tables, game, at)
        if kept:
            with suppress(AuditError):
                return log.ruleset.rules.position(kept[1], start), kept[0]
        return start, 0

    def position(self) -> int:
        """The last notification of the store: whoever follows it asks for this again and again."""
        with self.asking():
            return self._tables.last()

    def follow(self, spread: Spread | None = None, told: Told | None = None) -> int:
        """Bring what is shown up to date, where the store may be written to; how many games had news.

        `told` hears again and again how many more games are shown; those stay shown if this is interrupted.
        """
        return self._showing(lambda: self.projections.follow(spread, told))

    def catch_up(self, seconds: float) -> int:
        """The same for about so long, and then what another version of this program judged; how many games are left.

        Another thread may close the store meanwhile: then none is left to do.
        """
        with self._catching_up:
            return 0 if self.projections.is_stopped else self._showing(lambda: self.projections.catch_up(seconds))

    def waiting(self) -> int:
        """How many games have news that is not shown yet."""
        with self.asking():
            return self.projections.waiting()

    def outdated(self) -> int:
        """How many games are shown as another version of this program judged them."""
        with self.asking():
            return self.projections.outdated()

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
            return self.projections.follow(spread)

    def forget(self) -> None:
        """Drop what is shown. The next `follow` makes it again from the events."""
        with self.asking():
            self.projections.drop()


def _each(log: Log, bodies: Sequence[bytes], first: int) -> Iterator[Event]:
    """The events of these lines, the first of which has that number in the log."""
    decode = decoder(log.ruleset.rules.events).decode
    for number, body in enumerate(bodies, first):
        try:
            yield decode(body)
        except (ValueError, RecursionError):
            yield _careful(log, body, number)


def head_of(bodies: Sequence[bytes]) -> str:
    chain = Chain()
    for body in bodies:
        chain.add(body.removesuffix(b"\n"))
    return chain.head.hex()


def _careful(log: Log, body: bytes, number: int) -> Event:
    try:
        return read_event(body.removesuffix(b"\n"), number, log.ruleset.rules.types, log.way)
    except LineError as fault:
        raise LogError(log.name, fault.problems) from None
